import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { amountsOfText } from '#shared/money/currency-amounts.ts'
import type { TradeWarning } from '#shared/pnl/pair.ts'
import { doubtsOf, type ClosedPair, type DayDoubt } from '#shared/reconcile/closed-pair.ts'
import { query, type Reader } from '../db/database.ts'
import type { fills, trades } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import type { SlowFill } from '../imports/broker-figures.ts'

/** A fill as reconciliation needs it. */
export type JournalFill = Pick<Fill, 'account' | 'id' | 'contract' | 'time' | 'qty' | 'fee' | 'otherFees' | 'active' | 'tradeDate'>

/** The pairs of an account as the screens show them, by who states them. */
export type JournalPairs = {
  readonly fills: readonly JournalFill[]
  /** What the screens count: derived trades but for removed ones, and those entered by hand. */
  readonly closed: readonly ClosedPair[]
  readonly entered: ReadonlySet<ClosedPair>
  /** Derived trades that the user removed. */
  readonly removed: readonly ClosedPair[]
}

type FillRow = Pick<SqlRow<typeof fills>, 'id' | 'contract' | 'time' | 'qty' | 'fee' | 'active' | 'trade_date' | 'other_fees'>

type TradeRow = Pick<
  SqlRow<typeof trades>,
  'id' | 'symbol' | 'trading_day' | 'side' | 'qty' | 'tick_size' | 'entry_price' | 'exit_price' | 'exit_time' | 'gross' | 'commission' | 'net' | 'currency' | 'other_fees' | 'warnings'
> & { readonly removed: 0 | 1 }

const fillsSql = 'SELECT id, contract, time, qty, fee, active, trade_date, other_fees FROM fills WHERE user_id = ? AND account = ?'
const columns = 'trades.id, symbol, trading_day, side, qty, tick_size, entry_price, exit_price, exit_time, gross, commission, net, currency, other_fees, warnings, removed_at IS NOT NULL AS removed'
const tradesSql = `SELECT ${columns} FROM trades LEFT JOIN shown_notes ON shown_notes.user_id = trades.user_id AND shown_notes.trade_id = trades.id WHERE trades.user_id = @userId`
// The plus keeps SQLite from the index of exits, by which it would read the trades of all accounts for each of them.
const derivedSql = `${tradesSql} AND account_id = @account AND origin = 'synced' ORDER BY +exit_time, trades.id`
const enteredSql = `${tradesSql} AND origin = 'manual' AND removed_at IS NULL AND (account_id = @account OR (account_id = '' AND COALESCE(trades.account, '') = @account)) ORDER BY exit_time, trades.id`

/** Reads fills and pairs of an account; `slowFills` are those of which is known since when an order was being filled. */
export const journalPairs = (reader: Reader, userId: string, account: AccountKey, slowFills: readonly SlowFill[]): JournalPairs => {
  const fills: JournalFill[] = []
  for (const { id, contract, time, qty, fee, active, trade_date: tradeDate, other_fees: other } of query<FillRow>(reader, fillsSql).iterate(userId, account)) {
    const fill = { account, id, contract, time, qty, fee, active: active === 1, tradeDate }
    fills.push(other === null ? fill : { ...fill, otherFees: amountsOfText(other) })
  }
  const since = new Map(slowFills.map((fill) => [fill.id, fill.since]))
  const fillsOfPair = namedFills(fills)
  const closed: ClosedPair[] = []
  const removed: ClosedPair[] = []
  for (const row of query<TradeRow>(reader, derivedSql).iterate({ userId, account })) {
    const [opening, closing] = fillsOfPair(row.id.slice(account.length + 1))
    ;(row.removed === 1 ? removed : closed).push(closedPairOf(account, row, { opening, closing, since: since.get(closing) }))
  }
  const entered = query<TradeRow>(reader, enteredSql).all({ userId, account }).map((row) => closedPairOf(account, row, { opening: `entry of ${row.id}`, closing: `exit of ${row.id}`, since: undefined }))
  return { fills, closed: [...closed, ...entered], entered: new Set(entered), removed }
}

/** Finds the two fills that a pair is named by; ids may hold the mark between them. */
const namedFills = (fills: readonly JournalFill[]): ((name: string) => readonly [opening: string, closing: string]) => {
  let ids: ReadonlySet<string> | undefined
  const markIn = (name: string, first: number): number => {
    const known = (ids ??= new Set(fills.map(({ id }) => id)))
    let at = first
    for (let next = first; next >= 0; next = name.indexOf('/', next + 1)) if (known.has(name.slice(0, next)) && known.has(name.slice(next + 1))) at = next
    return at
  }
  return (name) => {
    const first = name.indexOf('/')
    const at = first === name.lastIndexOf('/') ? first : markIn(name, first)
    return [name.slice(0, at), name.slice(at + 1)]
  }
}

const noDoubts: readonly DayDoubt[] = []

type Made = { readonly opening: string; readonly closing: string; readonly since: number | undefined }

const closedPairOf = (account: AccountKey, row: TradeRow, { opening, closing, since }: Made): ClosedPair => {
  const entry = { fillId: opening, price: row.entry_price }
  const exit = { fillId: closing, price: row.exit_price }
  return {
    account,
    contract: row.symbol,
    currency: row.currency,
    tickSize: row.tick_size,
    buy: row.side === 'long' ? entry : exit,
    sell: row.side === 'long' ? exit : entry,
    qty: row.qty,
    closedAt: row.exit_time,
    closedSince: since ?? row.exit_time,
    tradingDay: row.trading_day,
    gross: row.gross,
    fees: row.commission,
    otherFees: amountsOfText(row.other_fees),
    net: row.net,
    doubts: row.warnings === '[]' ? noDoubts : doubtsOf(JSON.parse(row.warnings) as TradeWarning[]),
  }
}
