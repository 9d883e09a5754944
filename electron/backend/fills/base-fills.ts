import type { AccountKey } from '#shared/fills/fill.ts'
import { bulkInsert, type BulkTarget } from '../db/bulk-insert.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { fillsOfAccount, type PricedFill } from './fill-rows.ts'

/** An account's base fills, by id: its fills from every source except imports; null if only imports have the fill. A fill that no import changes has no base of its own. */
export type BaseFills = ReadonlyMap<string, PricedFill | null>

/** The base fills of an account. */
export const baseFills = (reader: Reader, userId: string, account: AccountKey): BaseFills => {
  const rows = query<{ id: string; told: string | null }>(reader, 'SELECT id, told FROM told_fills WHERE user_id = ? AND account = ?').all(userId, account)
  return new Map(rows.map(({ id, told }) => [id, told === null ? null : (JSON.parse(told) as PricedFill)]))
}

/** All fills of an account as they would be without its imports, by id. */
export const fillsWithoutImports = (reader: Reader, userId: string, account: AccountKey): Map<string, PricedFill> => {
  const fills = fillsOfAccount(reader, userId, account)
  for (const [id, fill] of baseFills(reader, userId, account)) {
    if (fill === null) fills.delete(id)
    else fills.set(id, fill)
  }
  return fills
}

/** Accounts with fills that imports change. */
export const accountsWithBaseFills = (reader: Reader, userId: string): AccountKey[] =>
  query<{ account: AccountKey }>(reader, 'SELECT DISTINCT account FROM told_fills WHERE user_id = ?').all(userId).map(({ account }) => account)

/** Saves the base of a fill that imports change. */
export const saveBaseFill = (writer: Writer, userId: string, account: AccountKey, id: string, base: PricedFill | null): void => {
  const { keep, flush } = openBaseFills(writer, userId)
  keep(account, id, base)
  flush()
}

const target: BulkTarget = { table: 'told_fills', columns: ['user_id', 'account', 'id', 'told'], onKnown: 'replace' }

/** Saves many base fills; they are written once `flush` returns. */
export const openBaseFills = (writer: Writer, userId: string): { readonly keep: (account: AccountKey, id: string, base: PricedFill | null) => void; readonly flush: () => void } => {
  const rows = bulkInsert(writer, target)
  return {
    keep: (account, id, base) => {
      rows.add([userId, account, id, base === null ? null : JSON.stringify(base)])
    },
    flush: rows.flush,
  }
}

/** Removes a base fill: imports no longer change the fill. */
export const forgetBaseFill = (writer: Writer, userId: string, account: AccountKey, id: string): void => {
  change(writer, 'DELETE FROM told_fills WHERE user_id = ? AND account = ? AND id = ?').run(userId, account, id)
}

/** Whether a fill that imports change has a base of another source. */
export const hasBaseFill = (reader: Reader, userId: string, { account, id }: { readonly account: AccountKey; readonly id: string }): boolean =>
  query(reader, 'SELECT 1 FROM told_fills WHERE user_id = ? AND account = ? AND id = ? AND told IS NOT NULL').get(userId, account, id) !== undefined
