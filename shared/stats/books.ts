import type { FinanceCategory } from '#shared/api/records.ts'
import { divideRounded, parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'
import type { BookEntry } from './books-filter.ts'

/** Totals in one currency; amounts are exact decimals in cents. */
export type BookSum = {
  readonly currency: string
  readonly entries: number
  readonly earned: string
  readonly spent: string
  /** Earned minus spent. */
  readonly net: string
  /** Part of `spent`. */
  readonly evaluations: string
  readonly resets: string
  readonly activations: string
  /** Evaluations, resets and activations: the cost of getting funded. */
  readonly entryFees: string
  /** `spent` without `entryFees`. */
  readonly otherSpent: string
  /** Part of `earned`. */
  readonly payouts: string
  /** Return on `spent`: 0.5 means 50%. Null if nothing was spent. */
  readonly returned: number | null
}

/** The totals of the entries with one key, by currency, sorted by code. */
export type BookGroup<K> = { readonly key: K; readonly sums: readonly BookSum[] }

// Amounts are numbers only in JSON: sum them as whole cents.
const centsOf = ({ amount }: BookEntry): bigint => {
  const decimal = parseDecimal(amount)
  return decimal === null ? 0n : divideRounded(decimal.digits * 100n, tenTo(decimal.scale), 'half-away')
}

const sumOf = (currency: string, entries: readonly BookEntry[]): BookSum => {
  const total = (ofType: BookEntry['type'], category?: FinanceCategory): bigint =>
    entries.filter((entry) => entry.type === ofType && (category === undefined || entry.category === category)).reduce((sum, entry) => sum + centsOf(entry), 0n)
  const text = (cents: bigint): string => writeDecimal(cents, 2)
  const [earned, spent] = [total('earning'), total('expense')]
  const [evaluations, resets, activations] = [total('expense', 'evaluation'), total('expense', 'reset'), total('expense', 'activation')]
  const entryFees = evaluations + resets + activations
  return {
    currency,
    entries: entries.length,
    earned: text(earned),
    spent: text(spent),
    net: text(earned - spent),
    evaluations: text(evaluations),
    resets: text(resets),
    activations: text(activations),
    entryFees: text(entryFees),
    otherSpent: text(spent - entryFees),
    payouts: text(total('earning', 'payout')),
    returned: spent > 0n ? Number(earned - spent) / Number(spent) : null,
  }
}

/** The totals of each currency, sorted by code. Never adds currencies. */
export const sumBooks = (entries: readonly BookEntry[]): BookSum[] =>
  [...Map.groupBy(entries, ({ currency }) => currency)].map(([currency, ofCurrency]) => sumOf(currency, ofCurrency)).toSorted((one, other) => (one.currency < other.currency ? -1 : 1))

/** Sorts totals by their number of entries, most first. */
export const mostUsedFirst = (sums: readonly BookSum[]): BookSum[] => sums.toSorted((one, other) => other.entries - one.entries)

/** Totals by key, in order of the keys' first entries. */
export const booksBy = <K>(entries: readonly BookEntry[], keyOf: (entry: BookEntry) => K): BookGroup<K>[] => [...Map.groupBy(entries, keyOf)].map(([key, ofKey]) => ({ key, sums: sumBooks(ofKey) }))

/** Totals by month, `2026-02`, newest first, without empty months. */
export const booksByMonth = (entries: readonly BookEntry[]): BookGroup<string>[] => booksBy(entries, ({ date }) => date.slice(0, 7)).toSorted((one, other) => (one.key > other.key ? -1 : 1))

/** The months from `first` to `last`, `2026-02`, inclusive, oldest first; at most the last `most`. */
export const monthsBetween = (first: string, last: string, most: number): string[] => {
  const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1
  const [from, to] = [numberOf(first), numberOf(last)]
  const count = Math.min(to - from + 1, most)
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const month = to - count + 1 + at
    return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}
