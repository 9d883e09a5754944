import { and, asc, eq, isNull } from 'drizzle-orm'
import { fittingCategory, type Finance, type NewFinance } from '#shared/api/records.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { neverStamped } from '#shared/mirror/stamp.ts'
import { parseAmount, toJsonNumber, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { Reader, Writer } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { queueChange } from '../db/outbox.ts'
import { removeAccount } from './remove-account.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { finances as table } from '../db/schema/journal.ts'
import { mintStamp } from '../db/stamps.ts'
import { repricing } from '../fills/stale-batches.ts'
import { zoneOf } from '../db/zone.ts'
import type { At, OfUser } from '../db/rows.ts'

type FinanceRow = typeof table.$inferSelect

const dollar = 'USD' as Currency

const toFinance = ({ id, userId, type, amount, date, name, balance, currency, platform, firm, category, account, note }: FinanceRow): Finance => ({
  id, userId, type, date, name, currency, platform, firm, category, account, note,
  amount: toJsonNumber(amount),
  balance: toJsonNumber(balance),
})

const amountFrom = (value: number): Amount => {
  const amount = parseAmount(value, 'half-even')
  if (!amount.ok) throw storeFault('out-of-range', 'An amount is too large to be kept exactly')
  return amount.value
}

const financeOf = ({ orm }: Reader, userId: string, id: string): FinanceRow | undefined => orm.select().from(table).where(and(eq(table.userId, userId), eq(table.id, id))).get()

const put = ({ orm }: Writer, row: FinanceRow): void => {
  orm.insert(table).values(row).onConflictDoUpdate({ target: [table.userId, table.id], set: row }).run()
}

// Fields that the spec's callers leave out stay unchanged.
const detailsOf = ({ type, category, account, note }: NewFinance, kept: FinanceRow | undefined): Pick<FinanceRow, 'category' | 'account' | 'note'> => ({
  category: fittingCategory(type, category ?? kept?.category ?? 'other'),
  account: account === undefined ? (kept?.account ?? null) : account,
  note: note ?? kept?.note ?? '',
})

export const finances = ({ orm }: Reader, { userId }: OfUser): Finance[] =>
  orm.select().from(table).where(and(eq(table.userId, userId), isNull(table.removedAt))).orderBy(asc(table.date), asc(table.id)).all().map(toFinance)

/** Adds or updates a finance; a connected account keeps its label if the update says only `Account`. If its firm changed, `deriveStale` must follow. */
export const addFinance = (writer: Writer, { userId, at, finance }: OfUser & At & { readonly finance: NewFinance & { readonly id: string } }): Finance => {
  const { id, type } = finance
  const kept = financeOf(writer, userId, id)
  const account = writer.orm.select().from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.key, id as (typeof accounts.$inferSelect)['key']))).get()
  const date = finance.date ?? kept?.date ?? localDate(at, zoneOf(writer, userId))
  const { name = kept?.name ?? '', platform = kept?.platform ?? '', firm = kept?.firm ?? null } = finance
  const amountOf = (given: number | undefined, before: Amount | undefined): Amount => (given === undefined ? (before ?? zero) : amountFrom(given))
  const money = { amount: amountOf(finance.amount, kept?.amount), balance: amountOf(finance.balance, kept?.balance), currency: (finance.currency as Currency | undefined) ?? kept?.currency ?? dollar }
  const asked = { userId, id, type, ...money, date, name, platform, firm, ...detailsOf(finance, kept), removedAt: null, stamp: kept?.stamp ?? neverStamped }
  const labeled = kept !== undefined && type === 'Account' ? { type: kept.type, firm: firm ?? kept.firm } : {}
  // The broker's name and balance win over what the page still shows.
  const fromBroker = account === undefined ? {} : { name: account.name, balance: account.balance ?? zero, currency: account.currency, removedAt: account.removedAt }
  const row: FinanceRow = { ...asked, ...(account === undefined ? {} : labeled), ...fromBroker }
  // Saving the same values changes nothing: a new stamp would win over another computer's change.
  if (kept !== undefined && (Object.keys(row) as (keyof FinanceRow)[]).every((name) => row[name] === kept[name])) return toFinance(kept)
  const stamped = { ...row, stamp: mintStamp(writer, at) }
  // An account's fees may depend on its firm's rates.
  repricing(writer, userId, at, () => put(writer, stamped))
  queueChange(writer, userId, at, 'finance', id)
  return toFinance(stamped)
}

/** Removing a connected account's finance removes the account. */
export const removeFinance = (writer: Writer, { userId, at, id }: OfUser & At & { readonly id: string }): boolean => {
  const kept = financeOf(writer, userId, id)
  if (kept === undefined || kept.removedAt !== null) return false
  if (removeAccount(writer, { userId, at, account: id }) !== null) return true
  put(writer, { ...kept, removedAt: at, stamp: mintStamp(writer, at) })
  queueChange(writer, userId, at, 'finance', id)
  return true
}
