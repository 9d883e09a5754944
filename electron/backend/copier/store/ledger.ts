import type { LedgerCopy, LedgerRow } from '#shared/api/copier.ts'
import { exactMoney, type Amount } from '#shared/money/money.ts'
import { ledgerCsvHeader, ledgerCsvLines } from '#shared/stats/csv-ledger.ts'
import { query, type Reader } from '../../db/database.ts'
import { isoTime } from '../../db/iso-time.ts'
import type { LedgerReads, OrderStage } from './rows.ts'

type EventRow = Omit<LedgerRow, 'at' | 'leader' | 'copies'> & LedgerRow['leader'] & { readonly at: number }

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

type NotSentRow = { readonly event: number; readonly follower: string; readonly contract: string; readonly why: string }

/** Names by id of a user's groups, removed ones too, or of one group. */
export const groupNames = (reader: Reader, userId: string, groupId: string | undefined): ReadonlyMap<string, string> => {
  const sql = `SELECT id, draft ->> '$.name' AS name FROM groups WHERE user_id = ? AND id = COALESCE(?, id)`
  return new Map(query<{ id: string; name: string }>(reader, sql).all(userId, groupId ?? null).map(({ id, name }) => [id, name]))
}

const event = 'SELECT id, group_id AS groupId, at, kind, leader_account AS account, contract, fill_id AS fillId, side, qty, price FROM events WHERE group_id = ?'

// Groups are few and each one's events are indexed in order: a page costs the same however long the ledger is.
const newest = (reader: Reader, groups: Iterable<string>, before: number, limit: number): EventRow[] =>
  [...groups]
    .flatMap((group) => query<EventRow>(reader, `${event} AND id < ? ORDER BY id DESC LIMIT ?`).all(group, before, limit))
    .toSorted((one, other) => other.id - one.id)
    .slice(0, limit)

const oldest = (reader: Reader, groups: Iterable<string>, after: number, limit: number): EventRow[] =>
  [...groups]
    .flatMap((group) => query<EventRow>(reader, `${event} AND id > ? ORDER BY id LIMIT ?`).all(group, after, limit))
    .toSorted((one, other) => one.id - other.id)
    .slice(0, limit)

const copiesOf = `SELECT event, account AS follower, contract, cl_ord_id AS clOrdId, order_id AS orderId, side, qty, filled, price, stage, why, to_wire AS toWire, ack, fill,
  slip_ticks AS ticks, slip_money AS money, slip_currency AS currency FROM json_each(?) AS wanted CROSS JOIN orders ON event = wanted.value ORDER BY written_at, account, cl_ord_id`
const notSentOf = 'SELECT event, account AS follower, contract, why FROM json_each(?) AS wanted CROSS JOIN not_sent ON event = wanted.value ORDER BY account, contract'

const statusOf = ({ stage, filled, qty }: CopyRow): LedgerCopy['status'] => {
  if ((stage === 'acknowledged' || stage === 'cancelled') && filled > 0 && filled < qty) return 'part-filled'
  return stage === 'refused' ? 'rejected' : stage
}

// The clock's resolution is a microsecond.
const between = (from: number | null, to: number | null): number | null => (from === null || to === null ? null : Math.round((to - from) * 1000) / 1000)

const toCopy = (row: CopyRow): LedgerCopy => {
  const { follower, contract, clOrdId, orderId, side, qty, filled, price, why, toWire, ack, fill, ticks, money, currency } = row
  return {
    ...{ follower, contract, clOrdId, orderId: orderId === null ? null : String(orderId), side, qty, filled, price, status: statusOf(row), why },
    times: { toWire: between(0, toWire), toAck: between(toWire, ack), toFill: between(toWire, fill) },
    slippage: ticks === null || money === null || currency === null ? null : { ticks, money: exactMoney(money), currency },
  }
}

const nothingSent = ({ follower, contract, why }: NotSentRow): LedgerCopy => ({
  ...{ follower, contract, clOrdId: null, orderId: null, side: null, qty: 0, filled: 0, price: null, status: 'not-sent', why },
  ...{ times: { toWire: null, toAck: null, toFill: null }, slippage: null },
})

const withCopies = (reader: Reader, events: readonly EventRow[]): LedgerRow[] => {
  const ids = JSON.stringify(events.map(({ id }) => id))
  const orders = Map.groupBy(query<CopyRow>(reader, copiesOf).all(ids), (row) => row.event)
  const unsent = Map.groupBy(query<NotSentRow>(reader, notSentOf).all(ids), (row) => row.event)
  return events.map(({ id, groupId, at, kind, ...leader }) => ({
    ...{ id, groupId, at: isoTime(at), kind, leader },
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
