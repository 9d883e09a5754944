import { and, asc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { mayBePaidOut } from '#shared/imports/cash-rows.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { zero, type Amount } from '#shared/money/money.ts'
import type { Booked, WrittenPayout } from '#shared/rules/transfers.ts'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { cashTransfers as table, importReadings, imports } from '../db/schema/imports.ts'
import { finances } from '../db/schema/journal.ts'
import { accountAttribution, type AccountAttribution } from './import-accounts.ts'
import type { PartPlace } from './part-facts.ts'

/** Saves what went in or out by a part of an import's readings; runs in the caller's transaction. */
export const saveTransfers = ({ orm }: Writer, ofPart: PartPlace, readings: readonly Reading[]): void => {
  for (const reading of readings) {
    if (reading.says !== 'cash' || reading.transfer !== true || reading.delta === 0) continue
    const { transactionId, time: at, tradeDate: tradingDay, delta, amount, currency } = reading
    orm.insert(table).values({ ...ofPart, transactionId, at, tradingDay, delta, amount, currency }).onConflictDoNothing().run()
  }
}

/** Deletes the transfers of a part of an import, or of all of it; runs in the caller's transaction. */
export const deleteTransfers = ({ orm }: Writer, userId: string, importId: string, place: number | null): void => {
  orm.delete(table).where(and(eq(table.userId, userId), eq(table.importId, importId), place === null ? undefined : eq(table.place, place))).run()
}

const { transactionId, at, tradingDay, delta, amount, currency } = table
const partOfTransfer = and(eq(importReadings.userId, table.userId), eq(importReadings.importId, table.importId), eq(importReadings.place, table.place), eq(importReadings.part, table.part))

// Several files can list one transfer.
const transfersOf = ({ orm }: Reader, userId: string) =>
  orm
    .selectDistinct({ name: importReadings.accountName, id: importReadings.accountId, transactionId, at, tradingDay, delta, amount, currency })
    .from(table)
    .innerJoin(imports, and(eq(imports.userId, table.userId), eq(imports.id, table.importId)))
    .innerJoin(importReadings, partOfTransfer)
    .where(and(eq(table.userId, userId), eq(imports.state, 'standing')))
    .orderBy(asc(at), asc(transactionId))
    .all()

/** A transfer of an account as its broker stated it: its change, and what the account then held. */
export type CashTransfer = Booked & { readonly transactionId: string; readonly after: Amount; readonly currency: string | null }

// The balance after it tells two rows of one transaction apart.
const rowKey = ({ transactionId, delta, amount }: { readonly transactionId: string; readonly delta: number; readonly amount: number }): string => `${transactionId} ${String(delta)} ${String(amount)}`

/** What went in or out of every account of a user by imports that stand, each once, in their order. */
export const cashTransfers = (reader: Reader, userId: string): ReadonlyMap<string, readonly CashTransfer[]> => {
  const rows = transfersOf(reader, userId)
  const accounts = new Map<string, Map<string, CashTransfer>>()
  const attribute: AccountAttribution | null = rows.length === 0 ? null : accountAttribution(reader, userId)
  for (const { name, id, ...row } of rows) {
    const account = attribute?.({ name, id }) ?? null
    if (account === null) continue
    const own = accounts.get(account) ?? new Map<string, CashTransfer>()
    accounts.set(account, own)
    const key = rowKey(row)
    own.set(key, { transactionId: row.transactionId, at: row.at, tradingDay: row.tradingDay, amount: row.delta, after: row.amount, currency: row.currency ?? own.get(key)?.currency ?? null })
  }
  return new Map([...accounts].map(([account, transfers]) => [account, [...transfers.values()]]))
}

/** Of the transfers of a user that took money out, those that may have paid somebody. The name of a booking is only in the readings. */
export const paidOut = ({ orm }: Reader, userId: string): ((transfer: CashTransfer) => boolean) => {
  const parts = orm
    .select({ content: importReadings.content })
    .from(table)
    .innerJoin(importReadings, partOfTransfer)
    .where(and(eq(table.userId, userId), lt(delta, zero)))
    .groupBy(table.importId, table.place, table.part)
    .all()
  const charged = new Set(
    parts.flatMap(({ content }) => (JSON.parse(content) as readonly Reading[]).flatMap((reading) => (reading.says === 'cash' && !mayBePaidOut(reading) ? [rowKey(reading)] : []))),
  )
  return (transfer) => transfer.amount < 0 && !charged.has(rowKey({ transactionId: transfer.transactionId, delta: transfer.amount, amount: transfer.after }))
}

const ofAccount = and(eq(finances.userId, sql.placeholder('userId')), eq(finances.account, sql.placeholder('account')), isNull(finances.removedAt))

const selectPayouts = perConnection(({ orm }: Reader) =>
  orm
    .select({ date: finances.date, amount: finances.amount })
    .from(finances)
    .where(and(ofAccount, eq(finances.currency, sql.placeholder('currency')), eq(finances.type, 'earning'), eq(finances.category, 'payout'), gt(finances.amount, zero)))
    .orderBy(asc(finances.date), asc(finances.id))
    .prepare(),
)
const selectResets = perConnection(({ orm }: Reader) => orm.select({ date: finances.date }).from(finances).where(and(ofAccount, eq(finances.type, 'expense'), eq(finances.category, 'reset'))).orderBy(asc(finances.date)).prepare())

/** The payouts of an account in a currency, as its user wrote them down, in their order. */
export const writtenPayouts = (reader: Reader, userId: string, account: string, ofCurrency: string): WrittenPayout[] => selectPayouts(reader).all({ userId, account, currency: ofCurrency })

/** The dates on which its user wrote down that an account was reset, in their order. */
export const writtenResets = (reader: Reader, userId: string, account: string): string[] => selectResets(reader).all({ userId, account }).map(({ date }) => date)
