import { platformOf } from '#shared/fills/platform.ts'
import { calendarDay } from '#shared/api/fields.ts'
import type { BookedPayout } from '#shared/api/journal.ts'
import { categoriesOf, finance, type Finance } from '#shared/api/records.ts'
import { toJsonNumber, type Amount } from '#shared/money/money.ts'
import { typedAmount } from '#shared/money/typed-number.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'
import { z } from 'zod'

const largest = 1_000_000_000_0000 as Amount
// The limits of the filter's days.
const [firstDay, lastDay] = ['1970-01-01', '2099-12-31']

const amountOf = (text: string): number | 'missing' | 'not-a-number' | 'not-above-zero' | 'too-precise' | 'too-large' => {
  if (text === '') return 'missing'
  const read = typedAmount(text)
  if (!read.ok) return read.error
  if (read.value <= 0) return 'not-above-zero'
  if (read.value % 100 !== 0) return 'too-precise'
  return read.value > largest ? 'too-large' : toJsonNumber(read.value)
}

/** An earning or an expense as typed, and as saved: nothing is guessed. Errors are codes; the screen owns the words. */
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

/** The form values of an entry. */
export type TypedEntry = z.input<typeof entryFields>

/** Account and firm of an expense or an earning. */
export type EntryOwner = Pick<TypedEntry, 'type' | 'account' | 'firm'>

/**
 * The form's initial values for a new entry on a day: account and firm of the previously added entry of its type, or
 * the firm that all accounts share. Earnings and expenses are separate, because a funded account's payout does not
 * belong to the evaluation whose fee was entered.
 */
export const newEntry = (type: BookEntry['type'], today: string, accounts: readonly Pick<Finance, 'firm'>[] = [], before: EntryOwner | null = null): TypedEntry => {
  const [firm = null, ...others] = new Set(accounts.map((account) => account.firm))
  const { account, firm: begun } = before?.type === type ? before : { account: null, firm: others.length === 0 ? firm : null }
  return { type, category: categoriesOf(type)[0] ?? 'other', amount: '', currency: 'USD', date: today, account, firm: begun, name: '', note: '' }
}

/** The form's initial values for the payout of a withdrawal that the broker booked: before the firm's share. */
export const payoutEntry = ({ amount, currency, date, account, firm }: BookedPayout): TypedEntry => ({ type: 'earning', category: 'payout', amount, currency, date, account, firm, name: '', note: '' })

/** The saved values of an entry. */
type SavedEntry = z.output<typeof entryFields>

const entryNames = ['type', 'category', 'amount', 'currency', 'date', 'account', 'firm', 'name', 'note'] as const

/** An entry after an edit: fields that the user did not change since `opened` have their values of `now`. Null if someone else also changed one of the edited fields. */
export const mergedEntry = (opened: BookEntry, mine: SavedEntry, now: BookEntry): SavedEntry | null => {
  const changed = entryNames.filter((name) => mine[name] !== opened[name])
  if (changed.some((name) => now[name] !== opened[name] && now[name] !== mine[name])) return null
  const kept = Object.fromEntries(entryNames.filter((name) => !changed.includes(name)).map((name) => [name, now[name]]))
  return { ...mine, ...kept }
}

/** The form's initial values for an existing entry. */
export const typedEntry = (entry: BookEntry): TypedEntry => ({ ...entry, amount: entry.amount.toFixed(2) })
