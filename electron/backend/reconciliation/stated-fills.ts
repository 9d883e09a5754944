import { and, asc, eq, getTableColumns, gte, inArray, lt, sql } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf } from '#shared/imports/assembly.ts'
import type { StatedFill } from '#shared/reconcile/stated-fills.ts'
import type { Reader, Writer } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts, statedFills as table } from '../db/schema/brokerage.ts'

const { userId: _user, ...columns } = getTableColumns(table)

/** Of ten values each: SQLite takes 32,766 in one statement. */
const rowsAtOnce = 2_000

type Span = { readonly account: AccountKey; readonly from: number; readonly to: number | null }

/** `saveStated` of the journal: keeps what the broker states of fills, and drops it for those that it took back, or that it lists no more or unreadably in stretches of time that were read. */
export const saveStated = (writer: Writer, { userId, stated, voided, spans }: OfUser & { readonly stated: readonly StatedFill[]; readonly voided: readonly Pick<StatedFill, 'account' | 'id'>[]; readonly spans: readonly Span[] }): void => {
  const known = new Set(writer.orm.select({ key: accounts.key }).from(accounts).where(eq(accounts.userId, userId)).all().map(({ key }) => key))
  const ours = stated.filter(({ account }) => known.has(account))
  const { contract, currency, time, side, qty, gross, fees } = columns
  const excluded = Object.fromEntries(Object.entries({ contract, currency, time, side, qty, gross, fees }).map(([name, column]) => [name, sql.raw(`excluded.${column.name}`)]))
  for (let from = 0; from < ours.length; from += rowsAtOnce) {
    const rows = ours.slice(from, from + rowsAtOnce).map((fill) => ({ userId, ...fill }))
    writer.orm.insert(table).values(rows).onConflictDoUpdate({ target: [table.userId, table.account, table.id], set: excluded }).run()
  }
  const listed = new Set(ours.map(({ account, id }) => keyOf(account, id)))
  const gone = spans.flatMap(({ account, from, to }) => {
    const there = and(eq(table.userId, userId), eq(table.account, account), gte(table.time, from), ...(to === null ? [] : [lt(table.time, to)]))
    return writer.orm.select({ account: table.account, id: table.id }).from(table).where(there).all().filter(({ id }) => !listed.has(keyOf(account, id)))
  })
  for (const [account, fills] of Map.groupBy([...voided, ...gone], (fill) => fill.account)) {
    writer.orm.delete(table).where(and(eq(table.userId, userId), eq(table.account, account), inArray(table.id, fills.map(({ id }) => id)))).run()
  }
}

/** What the broker states of an account's fills. */
export const statedFillsOf = (reader: Reader, userId: string, account: AccountKey): readonly StatedFill[] =>
  reader.orm.select(columns).from(table).where(and(eq(table.userId, userId), eq(table.account, account))).orderBy(asc(table.time), asc(table.id)).all()
