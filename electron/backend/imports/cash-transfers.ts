import type { Reading } from '#shared/imports/reading.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Booked, WrittenPayout } from '#shared/rules/transfers.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { accountAttribution, type AccountAttribution } from './import-accounts.ts'
import type { PartPlace } from './part-notes.ts'

/** Notes what went in or out by a part of an import's readings; runs in the caller's transaction. */
export const noteTransfers = (writer: Writer, { userId, importId, place, part }: PartPlace, readings: readonly Reading[]): void => {
  const sql = `INSERT OR IGNORE INTO cash_transfers (user_id, import_id, place, part, transaction_id, at, trading_day, delta, amount, currency) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  for (const reading of readings) {
    if (reading.says !== 'cash' || reading.transfer !== true || reading.delta === 0) continue
    const { transactionId, time, tradeDate, delta, amount, currency } = reading
    change(writer, sql).run(userId, importId, place, part, transactionId, time, tradeDate, delta, amount, currency)
  }
}

/** Deletes the transfers of a part of an import, or of all of it; runs in the caller's transaction. */
export const forgetTransfers = (writer: Writer, userId: string, importId: string, place: number | null): void => {
  change(writer, 'DELETE FROM cash_transfers WHERE user_id = ? AND import_id = ? AND place = COALESCE(?, place)').run(userId, importId, place)
}

type Row = { name: string | null; id: string | null; transaction_id: string; at: number; trading_day: string; delta: Amount; amount: Amount; currency: string | null }

// Several files may tell the same; what the account then held tells two rows of one transaction apart.
const transfersSql = `SELECT DISTINCT account_name AS name, account_id AS id, transaction_id, cash.at, trading_day, delta, amount, currency FROM cash_transfers AS cash
  JOIN imports ON imports.user_id = cash.user_id AND imports.id = cash.import_id
  JOIN import_readings AS readings ON readings.user_id = cash.user_id AND readings.import_id = cash.import_id AND readings.place = cash.place AND readings.part = cash.part
  WHERE cash.user_id = ? AND state = 'standing' ORDER BY cash.at, transaction_id`

/** A transfer of an account as its broker stated it: its change, and what the account then held. */
export type CashTransfer = Booked & { readonly transactionId: string; readonly after: Amount; readonly currency: string | null }

/** What went in or out of every account of a user by imports that stand, each once, in their order. */
export const cashTransfers = (reader: Reader, userId: string): ReadonlyMap<string, readonly CashTransfer[]> => {
  const rows = query<Row>(reader, transfersSql).all(userId)
  const accounts = new Map<string, Map<string, CashTransfer>>()
  const attribute: AccountAttribution | null = rows.length === 0 ? null : accountAttribution(reader, userId)
  for (const { name, id, transaction_id: transactionId, at, trading_day, delta, amount: after, currency } of rows) {
    const account = attribute?.({ name, id }) ?? null
    if (account === null) continue
    const own = accounts.get(account) ?? new Map<string, CashTransfer>()
    accounts.set(account, own)
    const key = `${transactionId} ${String(delta)} ${String(after)}`
    own.set(key, { transactionId, at, tradingDay: trading_day, amount: delta, after, currency: currency ?? own.get(key)?.currency ?? null })
  }
  return new Map([...accounts].map(([account, transfers]) => [account, [...transfers.values()]]))
}

/** The payouts of an account in a currency, as its user wrote them down, in their order. */
export const writtenPayouts = (reader: Reader, userId: string, account: string, currency: string): WrittenPayout[] => {
  const sql = `SELECT date, amount FROM finances WHERE user_id = ? AND account = ? AND currency = ? AND type = 'earning' AND category = 'payout' AND amount > 0 AND removed_at IS NULL ORDER BY date, id`
  return query<WrittenPayout>(reader, sql).all(userId, account, currency)
}

/** The dates on which its user wrote down that an account was reset, in their order. */
export const writtenResets = (reader: Reader, userId: string, account: string): string[] => {
  const sql = `SELECT date FROM finances WHERE user_id = ? AND account = ? AND type = 'expense' AND category = 'reset' AND removed_at IS NULL ORDER BY date`
  return query<{ date: string }>(reader, sql).all(userId, account).map(({ date }) => date)
}
