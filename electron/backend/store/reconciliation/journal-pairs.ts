import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { feeFactsOf } from '#shared/fills/merge.ts'
import type { Assembly } from '#shared/imports/assembly.ts'
import { amountsOfText } from '#shared/money/currency-amounts.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Direction, TradeWarning } from '#shared/pnl/pair.ts'
import { doubtsOf, type ClosedPair, type DayDoubt } from '#shared/reconcile/closed-pair.ts'
import { query, type Reader } from '../database.ts'
import { reprice } from '../fills/specs.ts'

/** A fill as reconciliation needs it. */
export type JournalFill = Pick<Fill, 'account' | 'id' | 'contract' | 'time' | 'qty' | 'fee' | 'otherFees' | 'active' | 'tradeDate'>

/** The pairs of an account as the screens show them, told apart by who says that they are there. */
export type JournalPairs = {
  readonly fills: readonly JournalFill[]
  /** What the screens count: derived trades but for removed ones, and those entered by hand. */
  readonly closed: readonly ClosedPair[]
  readonly entered: ReadonlySet<ClosedPair>
  /** Derived trades that the user removed. */
  readonly removed: readonly ClosedPair[]
}

type FillRow = { id: string; contract: string; time: number; qty: number; fee: Amount | null; active: number; trade_date: string | null; other_fees: string | null }

type TradeRow = {
  id: string
  origin: 'synced' | 'manual'
  symbol: string
  trading_day: string
  side: Direction
  qty: number
  tick_size: string
  entry_price: Ticks
  exit_price: Ticks
  exit_time: number
  gross: Amount
  commission: Amount
  net: Amount
  currency: Currency
  other_fees: string | null
  warnings: string
  removed: number
}

const fillsSql = 'SELECT id, contract, time, qty, fee, active, trade_date, other_fees FROM fills WHERE user_id = ? AND account = ?'
const tradesSql = `SELECT trades.id, origin, symbol, trading_day, side, qty, tick_size, entry_price, exit_price, exit_time, gross, commission, net, currency, other_fees, warnings,
  removed_at IS NOT NULL AS removed FROM trades LEFT JOIN shown_notes ON shown_notes.user_id = trades.user_id AND shown_notes.trade_id = trades.id
  WHERE trades.user_id = ? AND (account_id = ? OR (account_id = '' AND COALESCE(trades.account, '') = ?)) ORDER BY exit_time, trades.id`

/** Reads fills and pairs of an account. Prices are in the ticks in which `told` has the contract; its fills are those of which it tells since when an order was being filled. */
export const journalPairs = (reader: Reader, userId: string, account: AccountKey, told: Pick<Assembly, 'fills' | 'specs'>): JournalPairs => {
  const fills = query<FillRow>(reader, fillsSql).all(userId, account).map(
    (row): JournalFill => ({ account, id: row.id, contract: row.contract, time: row.time, qty: row.qty, fee: row.fee, active: row.active === 1, tradeDate: row.trade_date, ...feeFactsOf({ otherFees: amountsOfText(row.other_fees) }) }),
  )
  const since = new Map(told.fills.map((fill) => [fill.id, fill.since]))
  const ids = new Set(fills.map(({ id }) => id))
  const closed: ClosedPair[] = []
  const entered = new Set<ClosedPair>()
  const removed: ClosedPair[] = []
  for (const row of query<TradeRow>(reader, tradesSql).iterate(userId, account, account)) {
    const byHand = row.origin === 'manual'
    if (byHand && row.removed === 1) continue
    const [opening, closing] = byHand ? [`entry of ${row.id}`, `exit of ${row.id}`] : fillsOfPair(row.id.slice(account.length + 1), ids)
    const pair = closedPairOf(account, row, { opening, closing, since: since.get(closing), tickSize: told.specs.get(row.symbol)?.tickSize })
    if (row.removed === 1) removed.push(pair)
    else closed.push(pair)
    if (byHand) entered.add(pair)
  }
  return { fills, closed, entered, removed }
}

/** The two fills that a pair is named by; ids may hold the mark between them. */
const fillsOfPair = (name: string, ids: ReadonlySet<string>): readonly [opening: string, closing: string] => {
  let at = name.indexOf('/')
  for (let next = at; next >= 0; next = name.indexOf('/', next + 1)) {
    if (ids.has(name.slice(0, next)) && ids.has(name.slice(next + 1))) at = next
  }
  return [name.slice(0, at), name.slice(at + 1)]
}

const noDoubts: readonly DayDoubt[] = []

type Made = { readonly opening: string; readonly closing: string; readonly since: number | undefined; readonly tickSize: string | undefined }

const closedPairOf = (account: AccountKey, row: TradeRow, { opening, closing, since, tickSize }: Made): ClosedPair => {
  const inTicks = tickSize === undefined ? null : { entry: reprice(row.entry_price, row.tick_size, tickSize), exit: reprice(row.exit_price, row.tick_size, tickSize) }
  // A price beside the other ticks is another price in any case.
  const fits = inTicks !== null && inTicks.entry !== null && inTicks.exit !== null
  const entry = { fillId: opening, price: fits ? (inTicks.entry ?? row.entry_price) : row.entry_price }
  const exit = { fillId: closing, price: fits ? (inTicks.exit ?? row.exit_price) : row.exit_price }
  return {
    account,
    contract: row.symbol,
    currency: row.currency,
    tickSize: fits ? (tickSize ?? row.tick_size) : row.tick_size,
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
