import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { bulkInsert, type BulkTarget } from '../db/bulk-insert.ts'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { baseFills as table } from '../db/schema/imports.ts'
import { fillsOfAccount, type PricedFill } from './fill-rows.ts'

/** An account's base fills, by id: its fills from every source except imports; null if only imports have the fill. A fill that no import changes has no base of its own. */
export type BaseFills = ReadonlyMap<string, PricedFill | null>

/** The base fills of an account. */
export const baseFills = ({ orm }: Reader, userId: string, account: AccountKey): BaseFills => {
  const rows = orm.select({ id: table.id, base: table.base }).from(table).where(and(eq(table.userId, userId), eq(table.account, account))).all()
  return new Map(rows.map(({ id, base }) => [id, base === null ? null : (JSON.parse(base) as PricedFill)]))
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
export const accountsWithBaseFills = ({ orm }: Reader, userId: string): AccountKey[] =>
  orm.selectDistinct({ account: table.account }).from(table).where(eq(table.userId, userId)).all().map(({ account }) => account)

/** Saves the base of a fill that imports change. */
export const saveBaseFill = (writer: Writer, userId: string, account: AccountKey, id: string, base: PricedFill | null): void => {
  const { keep, flush } = openBaseFills(writer, userId)
  keep(account, id, base)
  flush()
}

const target: BulkTarget = { table: 'base_fills', columns: ['user_id', 'account', 'id', 'base'], onKnown: 'replace' }

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

const isBase = and(eq(table.userId, sql.placeholder('userId')), eq(table.account, sql.placeholder('account')), eq(table.id, sql.placeholder('id')))
const deleteBase = perConnection(({ orm }: Writer) => orm.delete(table).where(isBase).prepare())

/** Removes a base fill: imports no longer change the fill. */
export const deleteBaseFill = (writer: Writer, userId: string, account: AccountKey, id: string): void => {
  deleteBase(writer).run({ userId, account, id })
}

const selectBase = perConnection(({ orm }: Reader) => orm.select({ id: table.id }).from(table).where(and(isBase, isNotNull(table.base))).prepare())

/** Whether a fill that imports change has a base of another source. */
export const hasBaseFill = (reader: Reader, userId: string, { account, id }: { readonly account: AccountKey; readonly id: string }): boolean => selectBase(reader).get({ userId, account, id }) !== undefined
