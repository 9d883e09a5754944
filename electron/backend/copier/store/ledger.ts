import { and, asc, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { LedgerCopy, LedgerRow } from '#shared/api/copier.ts'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { ledgerCsvHeader, ledgerCsvLines } from '#shared/stats/csv-ledger.ts'
import { query, type Reader } from '../../db/database.ts'
import { isoTime } from '../../db/iso-time.ts'
import type { LedgerReads, NotSent, OrderStage } from './rows.ts'
import { events as eventTable, groups as groupTable, notSent as notSentTable } from './schema.ts'

type CopyRow = {
  readonly event: number
  readonly follower: string
  readonly contract: string
  readonly clOrdId: string
  readonly orderId: number | null
  readonly side: 'buy' | 'sell'
  readonly qty: number
  readonly filled: number
  readonly price: string | null
  readonly stage: OrderStage
  readonly why: string | null
  readonly toWire: number | null
  readonly ack: number | null
  readonly fill: number | null
  readonly ticks: number | null
  readonly money: Amount | null
  readonly currency: string | null
}

/** Names by id of a user's groups, removed ones too, or of one group. */
export const groupNames = ({ orm }: Reader, userId: string, groupId: string | undefined): ReadonlyMap<string, string> => {
  const name = sql<string>`${groupTable.draft} ->> '$.name'`
  const isOne = groupId === undefined ? undefined : eq(groupTable.id, groupId)
  return new Map(orm.select({ id: groupTable.id, name }).from(groupTable).where(and(eq(groupTable.userId, userId), isOne)).all().map((group) => [group.id, group.name]))
}

type EventRow = typeof eventTable.$inferSelect

// Groups are few and each one's events are indexed in order: a page costs the same however long the ledger is.
const newest = ({ orm }: Reader, groups: Iterable<string>, before: number, limit: number): EventRow[] =>
  [...groups]
    .flatMap((group) => orm.select().from(eventTable).where(and(eq(eventTable.groupId, group), lt(eventTable.id, before))).orderBy(desc(eventTable.id)).limit(limit).all())
    .toSorted((one, other) => other.id - one.id)
    .slice(0, limit)

const oldest = ({ orm }: Reader, groups: Iterable<string>, after: number, limit: number): EventRow[] =>
  [...groups]
    .flatMap((group) => orm.select().from(eventTable).where(and(eq(eventTable.groupId, group), gt(eventTable.id, after))).orderBy(asc(eventTable.id)).limit(limit).all())
    .toSorted((one, other) => one.id - other.id)
    .slice(0, limit)

// Raw SQL: the benchmark `ledger` reads the orders of fifty followers for each event of a page with it.
const copiesOf = `SELECT event, account AS follower, contract, cl_ord_id AS clOrdId, order_id AS orderId, side, qty, filled, price, stage, why, to_wire AS toWire, ack, fill,
  slip_ticks AS ticks, slip_money AS money, slip_currency AS currency FROM json_each(?) AS wanted CROSS JOIN orders ON event = wanted.value ORDER BY written_at, account, cl_ord_id`

const statusOf = ({ stage, filled, qty }: CopyRow): LedgerCopy['status'] => {
  if ((stage === 'acknowledged' || stage === 'cancelled') && filled > 0 && filled < qty) return 'part-filled'
  return stage === 'refused' ? 'rejected' : stage
}

// The clock's resolution is a microsecond.
const between = (from: number | null, to: number | null): number | null => (from === null || to === null ? null : Math.round((to - from) * 1000) / 1000)

const toCopy = (row: CopyRow): LedgerCopy => {
  const { follower, contract, clOrdId, orderId, side, qty, filled, price, why, toWire, ack, fill, ticks, money, currency } = row
  return {
    follower, contract, clOrdId, orderId: orderId === null ? null : String(orderId), side, qty, filled, price, status: statusOf(row), why,
    times: { toWire: between(0, toWire), toAck: between(toWire, ack), toFill: between(toWire, fill) },
    slippage: ticks === null || money === null || currency === null ? null : { ticks, money: exactMoney(money), currency },
  }
}

const nothingSent = ({ account, contract, why }: NotSent): LedgerCopy => ({
  follower: account, contract, clOrdId: null, orderId: null, side: null, qty: 0, filled: 0, price: null, status: 'not-sent', why,
  times: { toWire: null, toAck: null, toFill: null }, slippage: null,
})

const withCopies = (reader: Reader, events: readonly EventRow[]): LedgerRow[] => {
  const ids = events.map(({ id }) => id)
  const orders = Map.groupBy(query<CopyRow>(reader, copiesOf).all(JSON.stringify(ids)), (row) => row.event)
  const unsent = Map.groupBy(reader.orm.select().from(notSentTable).where(inArray(notSentTable.cause, ids)).orderBy(asc(notSentTable.account), asc(notSentTable.contract)).all(), (row) => row.cause)
  return events.map(({ id, groupId, at, kind, leaderAccount, ...leader }) => ({
    id, groupId, at: isoTime(at), kind, leader: { account: leaderAccount, ...leader },
    copies: [...(orders.get(id) ?? []).map(toCopy), ...(unsent.get(id) ?? []).map(nothingSent)],
  }))
}

/** A page of a user's ledger, newest first. */
export const ledgerPage = (reader: Reader, { userId, groupId, before = Number.MAX_SAFE_INTEGER, limit }: Parameters<LedgerReads['ledger']>[0]): ReturnType<LedgerReads['ledger']> => {
  const events = newest(reader, groupNames(reader, userId, groupId).keys(), before, limit + 1)
  return { rows: withCopies(reader, events.slice(0, limit)), more: events.length > limit }
}

const byteOrderMark = '\ufeff'

// A few megabytes with fifty followers each.
const eventsInPiece = 500

/** A chunk of the ledger as CSV, oldest first. */
export const ledgerCsv = (reader: Reader, { userId, groupId, after }: Parameters<LedgerReads['csv']>[0]): ReturnType<LedgerReads['csv']> => {
  const names = groupNames(reader, userId, groupId)
  const events = oldest(reader, names.keys(), after ?? 0, eventsInPiece)
  const lines = withCopies(reader, events).map((row) => ledgerCsvLines({ ...row, groupName: names.get(row.groupId) ?? '' }))
  const last = events.length < eventsInPiece ? undefined : events.at(-1)
  return { text: [...(after === null ? [byteOrderMark, ledgerCsvHeader] : []), ...lines].join(''), next: last?.id ?? null }
}
