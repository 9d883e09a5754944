import type { AccountKey } from '#shared/fills/fill.ts'
import { bulkInsert, type BulkTarget } from '../db/bulk-insert.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { fillsOfAccount, type PricedFill } from './fill-rows.ts'

/** What was told of the fills of an account without its imports: by id, null where only imports know the fill. */
export type ToldFills = ReadonlyMap<string, PricedFill | null>

/** The fills of an account on which imports have a say. */
export const ruledFills = (reader: Reader, userId: string, account: AccountKey): ToldFills => {
  const rows = query<{ id: string; told: string | null }>(reader, 'SELECT id, told FROM told_fills WHERE user_id = ? AND account = ?').all(userId, account)
  return new Map(rows.map(({ id, told }) => [id, told === null ? null : (JSON.parse(told) as PricedFill)]))
}

/** All that was told of an account's fills without its imports, by id. */
export const toldOfAccount = (reader: Reader, userId: string, account: AccountKey): Map<string, PricedFill> => {
  const told = fillsOfAccount(reader, userId, account)
  for (const [id, fill] of ruledFills(reader, userId, account)) {
    if (fill === null) told.delete(id)
    else told.set(id, fill)
  }
  return told
}

/** Accounts that have fills on which imports have a say. */
export const ruledAccounts = (reader: Reader, userId: string): AccountKey[] =>
  query<{ account: AccountKey }>(reader, 'SELECT DISTINCT account FROM told_fills WHERE user_id = ?').all(userId).map(({ account }) => account)

/** Keeps what was told of a fill on which imports have a say. */
export const keepTold = (writer: Writer, userId: string, account: AccountKey, id: string, told: PricedFill | null): void => {
  const { keep, flush } = openTold(writer, userId)
  keep(account, id, told)
  flush()
}

const target: BulkTarget = { table: 'told_fills', columns: ['user_id', 'account', 'id', 'told'], onKnown: 'replace' }

/** Begins to keep what was told of many; nothing is sure to be there before `flush`. */
export const openTold = (writer: Writer, userId: string): { readonly keep: (account: AccountKey, id: string, told: PricedFill | null) => void; readonly flush: () => void } => {
  const rows = bulkInsert(writer, target)
  return {
    keep: (account, id, told) => {
      rows.add([userId, account, id, told === null ? null : JSON.stringify(told)])
    },
    flush: rows.flush,
  }
}

/** Says that imports have no say on a fill: what stands is what was told. */
export const forgetTold = (writer: Writer, userId: string, account: AccountKey, id: string): void => {
  change(writer, 'DELETE FROM told_fills WHERE user_id = ? AND account = ? AND id = ?').run(userId, account, id)
}

/** Whether a fill on which imports have a say was told without them. */
export const hasTold = (reader: Reader, userId: string, { account, id }: { readonly account: AccountKey; readonly id: string }): boolean =>
  query(reader, 'SELECT 1 FROM told_fills WHERE user_id = ? AND account = ? AND id = ? AND told IS NOT NULL').get(userId, account, id) !== undefined
