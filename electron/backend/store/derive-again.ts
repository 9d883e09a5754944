import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { query, type Writer } from './database.ts'
import { openDeriving } from './derive-contract.ts'
import { openOutbox } from './outbox.ts'
import type { Taken } from './rows.ts'
import { keepSpec, specOf } from './specs.ts'

type Stretch = { account: AccountKey; contract: string; carry: number; dates: string }

/** Batches to derive again: of whom, and how they are told from the others, by columns of `batches` and `accounts`. */
export type Again = { readonly userId: string; readonly where: string; readonly values: readonly string[] }

/** Derives kept batches again, those of removed accounts too, since these may come back; runs in the caller's transaction. */
export const deriveAgain = (writer: Writer, { userId, where, values }: Again): Taken => {
  const outbox = openOutbox(writer, userId)
  const deriving = openDeriving(writer, userId, outbox)
  const sql = `SELECT account, contract, carry, json_group_array(local_date) AS dates FROM batches
    JOIN accounts ON accounts.user_id = batches.user_id AND accounts.key = batches.account
    WHERE batches.user_id = ? AND ${where} GROUP BY account, contract`
  for (const { account, contract, carry, dates } of query<Stretch>(writer, sql).all(userId, ...values)) {
    deriving.derive({ account, spec: specOf(writer, userId, contract), carry: carry === 1, dates: new Set(JSON.parse(dates) as string[]), fresh: new Map() })
  }
  deriving.flush()
  outbox.flush()
  return { fills: { added: 0, changed: 0, unchanged: 0, skipped: 0 }, ...deriving.counts(), outbox: outbox.count() }
}

/** Keeps contracts' figures and derives again what they change; runs in the caller's transaction. */
export const keepSpecs = (writer: Writer, userId: string, specs: readonly ContractSpec[]): Taken => {
  const changed = specs.filter((spec) => keepSpec(writer, userId, spec)).map((spec) => spec.contract)
  return deriveAgain(writer, { userId, where: 'contract IN (SELECT value FROM json_each(?))', values: [JSON.stringify(changed)] })
}
