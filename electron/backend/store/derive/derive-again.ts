import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { query, type Writer } from '../database.ts'
import { openDeriving } from './derive-contract.ts'
import { putInTicks } from '../fills/fill-rows.ts'
import { noteChange, openOutbox } from '../mirror/outbox.ts'
import type { Taken } from '../rows.ts'
import { keepSpec, specOf } from '../fills/specs.ts'

type TripPlace = { account_id: string; symbol: string; date: string; trip_id: string | null }
type Stretch = { account: AccountKey; contract: string; dates: string }

/** Batches to derive again: of whom, when (UTC ms), and how they are told from the others, by columns of `batches` and `accounts`. */
export type Again = { readonly userId: string; readonly at: number; readonly where: string; readonly values: readonly string[] }

/** Derives kept batches again, those of removed accounts too, since these may come back; runs in the caller's transaction. */
export const deriveAgain = (writer: Writer, { userId, at, where, values }: Again): Taken => {
  const outbox = openOutbox(writer, userId, at)
  const deriving = openDeriving(writer, userId, outbox)
  const sql = `SELECT account, contract, json_group_array(local_date) AS dates FROM batches
    JOIN accounts ON accounts.user_id = batches.user_id AND accounts.key = batches.account
    WHERE batches.user_id = ? AND ${where} GROUP BY account, contract`
  for (const { account, contract, dates } of query<Stretch>(writer, sql).all(userId, ...values)) {
    deriving.derive({ account, spec: specOf(writer, userId, contract), dates: new Set(JSON.parse(dates) as string[]), fresh: new Map() })
  }
  deriving.flush()
  outbox.flush()
  return { fills: { added: 0, changed: 0, unchanged: 0, skipped: 0 }, ...deriving.counts(), outbox: outbox.count() }
}

/** Derives the trip of a trade again, which is told without what the user removed; runs in the caller's transaction. */
export const deriveTripOf = (writer: Writer, { userId, at, tradeId }: { readonly userId: string; readonly at: number; readonly tradeId: string }): void => {
  const trade = query<TripPlace>(writer, 'SELECT account_id, symbol, date, trip_id FROM trades WHERE user_id = ? AND id = ?').get(userId, tradeId)
  if (trade === undefined || trade.trip_id === null) return
  const trip = query<{ batch_date: string }>(writer, 'SELECT batch_date FROM trips WHERE user_id = ? AND id = ?').get(userId, trade.trip_id)
  const place = 'account = ? AND contract = ? AND'
  // A trip of which all was removed has no row: any batch from the trade on may write it.
  if (trip === undefined) deriveAgain(writer, { userId, at, where: `${place} local_date >= ?`, values: [trade.account_id, trade.symbol, trade.date] })
  else deriveAgain(writer, { userId, at, where: `${place} local_date = ?`, values: [trade.account_id, trade.symbol, trip.batch_date] })
}

/** Keeps contracts' figures at `at` (UTC ms), puts the fills in their ticks and derives again what they change; runs in the caller's transaction. */
export const keepSpecs = (writer: Writer, userId: string, at: number, specs: readonly ContractSpec[]): Taken => {
  const changed = specs.filter((spec) => keepSpec(writer, userId, at, spec))
  const moved = changed.flatMap((spec) => putInTicks(writer, userId, spec.contract, spec.tickSize))
  for (const name of moved) noteChange(writer, userId, at, 'fill', name)
  const again = deriveAgain(writer, { userId, at, where: 'contract IN (SELECT value FROM json_each(?))', values: [JSON.stringify(changed.map(({ contract }) => contract))] })
  return { ...again, outbox: again.outbox + moved.length }
}
