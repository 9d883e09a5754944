import type { FollowerFigures } from '#shared/api/copier.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { amountOf, exactMoney } from '#shared/money/money.ts'
import { nearestRanks } from '#shared/stats/percentiles.ts'
import { query, queryCells, type Reader } from '../../db/database.ts'
import { groupNames } from './ledger.ts'
import type { LedgerReads } from './rows.ts'

type Cells = [
  account: string, isCopy: 0 | 1, isRejected: 0 | 1, filled: number, toWire: number | null, ack: number | null, fill: number | null,
  ticks: number | null, money: number | null, currency: string | null,
]

type Slippage = { copies: number; contracts: number; ticks: number; money: number }
type Tally = { readonly toWire: number[]; readonly toAck: number[]; readonly toFill: number[]; readonly slippage: Map<string, Slippage>; notSent: number; rejected: number }

const nothingYet = (): Tally => ({ toWire: [], toAck: [], toFill: [], slippage: new Map(), notSent: 0, rejected: 0 })

type FiguresInput = { readonly since: number; readonly groups: string }

// Event ids grow with time: look up the first one once; all later ones are contiguous.
const sinceThen = 'events.id >= (SELECT min(id) FROM events WHERE at >= @since) AND events.at >= @since AND group_id IN (SELECT value FROM json_each(@groups))'

// One pass over up to a million rows: grouping in SQLite is slower. Dry runs do not count. Raw SQL: the benchmark `ledger` reads it.
const orders = `SELECT account, purpose = 'copy', stage IN ('rejected', 'refused'), filled, to_wire, ack, fill, slip_ticks, slip_money, slip_currency
  FROM events CROSS JOIN orders ON orders.event = events.id WHERE ${sinceThen} AND dry_run = 0`
const notSent = `SELECT account, count(*) AS count FROM events CROSS JOIN not_sent ON not_sent.event = events.id WHERE ${sinceThen} GROUP BY account`

/**
 * Latency and slippage of each follower since a time, by account. Latency counts copies of a leader's fill only: repairs and exits have no starting
 * time.
 */
export const followerFigures = (reader: Reader, { userId, groupId, sinceMs }: Parameters<LedgerReads['figures']>[0]): FollowerFigures[] => {
  const asked: FiguresInput = { since: sinceMs, groups: JSON.stringify([...groupNames(reader, userId, groupId).keys()]) }
  const tallies = new Map<string, Tally>()
  const tallyOf = (account: string): Tally => getOrInsert(tallies, account, nothingYet)
  for (const cells of queryCells<Cells, [FiguresInput]>(reader, orders).iterate(asked)) count(tallyOf(cells[0]), cells)
  for (const { account, count: unsent } of query<{ account: string; count: number }, [FiguresInput]>(reader, notSent).all(asked)) tallyOf(account).notSent = unsent
  return [...tallies].map(([follower, tally]) => figuresOf(follower, tally)).toSorted((one, other) => (one.follower < other.follower ? -1 : 1))
}

const count = (tally: Tally, [, isCopy, isRejected, filled, toWire, ack, fill, ticks, money, currency]: Cells): void => {
  tally.rejected += isRejected
  if (isCopy === 1 && toWire !== null) {
    tally.toWire.push(toWire)
    if (ack !== null) tally.toAck.push(ack - toWire)
    if (fill !== null) tally.toFill.push(fill - toWire)
  }
  if (ticks === null || money === null || currency === null) return
  const sum = getOrInsert(tally.slippage, currency, () => ({ copies: 0, contracts: 0, ticks: 0, money: 0 }))
  sum.copies += 1
  sum.contracts += filled
  sum.ticks += ticks
  sum.money += money
}

const figuresOf = (follower: string, { toWire, toAck, toFill, slippage, notSent: unsent, rejected }: Tally): FollowerFigures => ({
  follower, toWire: nearestRanks(toWire), toAck: nearestRanks(toAck), toFill: nearestRanks(toFill), notSent: unsent, rejected,
  slippage: [...slippage]
    .map(([currency, { money, ...sum }]) => ({ currency, ...sum, money: exactMoney(amountOf(money)) }))
    .toSorted((one, other) => (one.currency < other.currency ? -1 : 1)),
})
