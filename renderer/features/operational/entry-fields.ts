import { platformOf } from '#shared/fills/platform.ts'
import { calendarDay } from '#shared/api/fields.ts'
import { categoriesOf, finance, type Finance } from '#shared/api/records.ts'
import { toJsonNumber, type Amount } from '#shared/money/money.ts'
import { typedAmount } from '#shared/money/typed-number.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { z } from 'zod'

const largest = 1_000_000_000_0000 as Amount
// As far as the filter's days go.
const [firstDay, lastDay] = ['1970-01-01', '2099-12-31']

const amountOf = (text: string): number | 'missing' | 'not-a-number' | 'not-above-zero' | 'too-precise' | 'too-large' => {
  if (text === '') return 'missing'
  const read = typedAmount(text)
  if (!read.ok) return read.error
  if (read.value <= 0) return 'not-above-zero'
  if (read.value % 100 !== 0) return 'too-precise'
  return read.value > largest ? 'too-large' : toJsonNumber(read.value)
}

/** An earning or an expense as it is typed, and what is saved of it: nothing is guessed. What is wrong with a field is named; the screen owns the words. */
export const entryFields = finance
  .pick({ category: true, currency: true, account: true, firm: true })
  .extend({
    type: finance.shape.type.extract(['earning', 'expense']),
    date: z.string().refine((day) => calendarDay.safeParse(day).success && day >= firstDay && day <= lastDay, 'no-day'),
    amount: z.string().trim().transform((text, context) => {
      const amount = amountOf(text)
      if (typeof amount === 'number') return amount
      context.addIssue(amount)
      return z.NEVER
    }),
    name: z.string().trim(),
    note: z.string().trim(),
  })
  .transform((entry) => ({ ...entry, balance: 0, platform: entry.account === null ? 'other' : platformOf(entry.account) }))

/** An entry as its form holds it. */
export type TypedEntry = z.input<typeof entryFields>

/** Account and firm of an expense or an earning. */
export type EntryOwner = Pick<TypedEntry, 'type' | 'account' | 'firm'>

/** What the form of a new entry of a day begins with: account and firm of the one of its type added before it, or the firm that all accounts share. The payout of a funded account is not that of the evaluation whose fee was entered. */
export const newEntry = (type: BookEntry['type'], today: string, accounts: readonly Pick<Finance, 'firm'>[] = [], before: EntryOwner | null = null): TypedEntry => {
  const [firm = null, ...others] = new Set(accounts.map((account) => account.firm))
  const { account, firm: begun } = before?.type === type ? before : { account: null, firm: others.length === 0 ? firm : null }
  return { type, category: categoriesOf(type)[0] ?? 'other', amount: '', currency: 'USD', date: today, account, firm: begun, name: '', note: '' }
}

/** What is saved of an entry. */
type SavedEntry = z.output<typeof entryFields>

const entryNames = ['type', 'category', 'amount', 'currency', 'date', 'account', 'firm', 'name', 'note'] as const

/** An entry after an edit: fields that the user left as they were `opened` stay as they are `now`. Null where somebody else changed one of the others too. */
export const mergedEntry = (opened: BookEntry, mine: SavedEntry, now: BookEntry): SavedEntry | null => {
  const changed = entryNames.filter((name) => mine[name] !== opened[name])
  if (changed.some((name) => now[name] !== opened[name] && now[name] !== mine[name])) return null
  const kept = Object.fromEntries(entryNames.filter((name) => !changed.includes(name)).map((name) => [name, now[name]]))
  return { ...mine, ...kept }
}

/** What the form of an entry that is there begins with. */
export const typedEntry = (entry: BookEntry): TypedEntry => ({ ...entry, amount: entry.amount.toFixed(2) })
