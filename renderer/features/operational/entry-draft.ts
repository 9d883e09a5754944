import { calendarDay } from '#shared/api/fields.ts'
import { categoriesOf, fittingCategory, type Finance, type FinanceCategory, type NewFinance } from '#shared/api/records.ts'
import { parseAmount, toJsonNumber, type Amount } from '#shared/money/money.ts'
import type { BookEntry } from '#shared/stats/books-filter.ts'

/** An entry as its form holds it: text, as it was typed. */
export type EntryDraft = {
  readonly type: BookEntry['type']
  readonly category: FinanceCategory
  readonly amount: string
  readonly currency: string
  /** `YYYY-MM-DD`; empty while it is being typed. */
  readonly date: string
  readonly account: string | null
  readonly firm: Finance['firm']
  readonly name: string
  readonly note: string
}

/** What is wrong with a field; the screen owns the words. */
export type EntryProblem = 'missing' | 'not-a-number' | 'not-above-zero' | 'too-precise' | 'too-large' | 'no-day'

/** A draft that was read: what can be saved, or what is wrong with which field. */
export type ReadEntry = { readonly entry: Omit<NewFinance, 'id'> | null; readonly problems: Partial<Record<'amount' | 'date', EntryProblem>> }

const largest = 1_000_000_000_0000 as Amount
// As far as the filter's days go.
const [firstDay, lastDay] = ['1970-01-01', '2099-12-31']

/** A form for a new entry of a day. */
export const emptyDraft = (type: EntryDraft['type'], today: string): EntryDraft => ({
  type, category: categoriesOf(type)[0] ?? 'other', amount: '', currency: 'USD', date: today, account: null, firm: null, name: '', note: '',
})

/** The form of an entry that is there. */
export const draftOf = ({ type, category, amount, currency, date, account, firm, name, note }: BookEntry): EntryDraft => ({ type, category, amount: amount.toFixed(2), currency, date, account, firm, name, note })

/** The draft as an earning or an expense, for what goes with that. */
export const asType = (draft: EntryDraft, type: EntryDraft['type']): EntryDraft =>
  draft.type === type ? draft : { ...draft, type, category: draft.category === 'other' ? 'other' : fittingCategory(type, categoriesOf(type)[0] ?? 'other') }

/** The draft for an account: its firm goes along, and its currency as long as no amount stands there. */
export const ofAccount = (draft: EntryDraft, account: Finance | null): EntryDraft =>
  account === null ? { ...draft, account: null } : { ...draft, account: account.id, firm: account.firm ?? draft.firm, currency: draft.amount.trim() === '' ? account.currency : draft.currency }

const amountOf = (text: string): { readonly amount: number } | EntryProblem => {
  if (text === '') return 'missing'
  const read = parseAmount(text)
  if (!read.ok) return read.error
  if (read.value <= 0) return 'not-above-zero'
  if (read.value % 100 !== 0) return 'too-precise'
  return read.value > largest ? 'too-large' : { amount: toJsonNumber(read.value) }
}

/** Reads a form: nothing is guessed, and everything that is wrong is named at once. */
export const readEntry = (draft: EntryDraft): ReadEntry => {
  const amount = amountOf(draft.amount.trim())
  const isDay = calendarDay.safeParse(draft.date).success && draft.date >= firstDay && draft.date <= lastDay
  const problems = { ...(typeof amount === 'string' ? { amount } : {}), ...(isDay ? {} : { date: 'no-day' as const }) }
  if (typeof amount === 'string' || !isDay) return { entry: null, problems }
  const { type, category, currency, date, account, firm } = draft
  return { entry: { type, category, currency, date, account, firm, ...amount, name: draft.name.trim(), note: draft.note.trim(), balance: 0, platform: account === null ? 'other' : 'Tradovate' }, problems }
}
