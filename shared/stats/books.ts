import type { FinanceCategory } from '#shared/api/records.ts'
import { divideRounded, parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'
import type { BookEntry } from './books-filter.ts'

/** What was earned and spent in one currency; amounts are exact decimals in cents. */
export type BookSum = {
  readonly currency: string
  readonly entries: number
  readonly earned: string
  readonly spent: string
  /** Earned less spent. */
  readonly net: string
  /** Of what was spent. */
  readonly evaluations: string
  readonly resets: string
  readonly activations: string
  /** Evaluations, resets and activations together: what it takes to be funded. */
  readonly entryFees: string
  /** Of what was spent, all but those. */
  readonly otherSpent: string
  /** Of what was earned. */
  readonly payouts: string
  /** Net as a share of what was spent: 0.5 is half as much again. Null where nothing was spent. */
  readonly returned: number | null
}

/** What belongs together under one key, by currency in the order of their codes. */
export type BookGroup<K> = { readonly key: K; readonly sums: readonly BookSum[] }

// Amounts are numbers at the JSON edge only: they are summed as whole cents.
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

/** Sums up each currency by itself, in the order of their codes: different currencies are never added. */
export const sumBooks = (entries: readonly BookEntry[]): BookSum[] =>
  [...Map.groupBy(entries, ({ currency }) => currency)].map(([currency, ofCurrency]) => sumOf(currency, ofCurrency)).toSorted((one, other) => (one.currency < other.currency ? -1 : 1))

/** The currency with the most entries first: the one that most of it is in. */
export const mostUsedFirst = (sums: readonly BookSum[]): BookSum[] => sums.toSorted((one, other) => other.entries - one.entries)

/** Sums up what has the same key, in the order in which the keys come. */
export const booksBy = <K>(entries: readonly BookEntry[], keyOf: (entry: BookEntry) => K): BookGroup<K>[] => [...Map.groupBy(entries, keyOf)].map(([key, ofKey]) => ({ key, sums: sumBooks(ofKey) }))

/** Sums by month, `2026-02`, the newest first; months without entries are left out. */
export const booksByMonth = (entries: readonly BookEntry[]): BookGroup<string>[] => booksBy(entries, ({ date }) => date.slice(0, 7)).toSorted((one, other) => (one.key > other.key ? -1 : 1))

/** The months from one to another, `2026-02`, both included, the oldest first, and at most the last `most` of them. */
export const monthsBetween = (first: string, last: string, most: number): string[] => {
  const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1
  const [from, to] = [numberOf(first), numberOf(last)]
  const count = Math.min(to - from + 1, most)
  return Array.from({ length: Math.max(0, count) }, (_, at) => {
    const month = to - count + 1 + at
    return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
  })
}
