import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { query, type Writer } from '../db/database.ts'
import { openDeriving } from './derive-contract.ts'
import { putInTicks } from './fill-rows.ts'
import { noteChange, openOutbox } from '../mirror/outbox.ts'
import type { Taken } from '../db/rows.ts'
import { keepSpec, specOf } from './specs.ts'
import { tripBatches } from './trip-batches.ts'

type Stretch = { account: AccountKey; contract: string; dates: string }

/** Batches to derive again: the user, the time (UTC ms), and the condition that selects them, over columns of `batches` and `accounts`. */
export type Again = { readonly userId: string; readonly at: number; readonly where: string; readonly values: readonly string[] }

/** Derives stored batches again, those of removed accounts too, since these may come back; runs in the caller's transaction. */
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

/** Derives trades again, without the fill pairs that the user removed; runs in the caller's transaction. */
export const deriveTripsOf = (writer: Writer, userId: string, at: number, tradeIds: readonly string[]): void => {
  const batches = tripBatches(writer, userId, tradeIds)
  if (batches.length === 0) return
  const outbox = openOutbox(writer, userId, at)
  const deriving = openDeriving(writer, userId, outbox)
  for (const { account, contract, dates } of batches) deriving.derive({ account, spec: specOf(writer, userId, contract), dates: new Set(dates), fresh: new Map() })
  deriving.flush()
  outbox.flush()
}

/** Saves contracts' figures at `at` (UTC ms), converts the fills to their ticks and derives the affected trades again; runs in the caller's transaction. */
export const keepSpecs = (writer: Writer, userId: string, at: number, specs: readonly ContractSpec[]): Taken => {
  const changed = specs.filter((spec) => keepSpec(writer, userId, at, spec))
  const moved = changed.flatMap((spec) => putInTicks(writer, userId, spec.contract, spec.tickSize))
  for (const name of moved) noteChange(writer, userId, at, 'fill', name)
  const again = deriveAgain(writer, { userId, at, where: 'contract IN (SELECT value FROM json_each(?))', values: [JSON.stringify(changed.map(({ contract }) => contract))] })
  return { ...again, outbox: again.outbox + moved.length }
}
