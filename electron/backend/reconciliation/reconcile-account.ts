import { and, eq, isNull } from 'drizzle-orm'
import { remembering } from '#shared/base/remembering.ts'
import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { DoubtfulDays } from '#shared/imports/assembly.ts'
import type { IncompleteDay } from '#shared/imports/derive-trades.ts'
import { amountsOfText } from '#shared/money/currency-amounts.ts'
import { amountOf, negate } from '#shared/money/money.ts'
import type { TradeWarning } from '#shared/pnl/fill-pair.ts'
import type { RunningSession } from '#shared/reconcile/account-days.ts'
import { doubtsOf, type ClosedPair, type DayDoubt } from '#shared/reconcile/closed-pair.ts'
import type { BookedFee } from '#shared/reconcile/day-check.ts'
import { reconcileSources, otherBookedFees, type ReconcileSources, type Reconciliation } from '#shared/reconcile/reconcile.ts'
import { query, type Reader } from '../db/database.ts'
import { accounts, runningSessions as sessionTable } from '../db/schema/brokerage.ts'
import type { SqlRow } from '../db/tables.ts'
import { brokerFiguresOf, type SlowFill } from '../imports/broker-figures.ts'
import { ownFeesOf } from '../fills/own-fees.ts'
import { specOf } from '../fills/specs.ts'
import { statedFillsOf } from './stated-fills.ts'
import { accountKey } from '../trades/rows.ts'
import type { fillPairs, fills } from '../db/schema/journal.ts'

/** An account with fills to compare with a broker's figures, or with trades entered by hand only. */
export type ReconciledAccount = {
  readonly key: AccountKey
  readonly name: string
  /** No login reaches it. */
  readonly fileOnly: boolean
  /** Only trades entered by hand name it. */
  readonly byHand: boolean
}

/** One account compared with its broker's figures, and the inputs of the comparison. */
export type AccountReconciled = { readonly account: ReconciledAccount; readonly own: JournalPairs; readonly sources: ReconcileSources; readonly result: Reconciliation }

// Raw SQL in this file: the benchmark `memory` reads all fills and fill pairs of imported accounts with it.
const byHandSql = `SELECT ${accountKey} AS key, max(COALESCE(account, account_id)) AS name FROM fill_pairs AS row
  WHERE user_id = ? AND origin = 'manual' AND account_id NOT IN (SELECT key FROM accounts WHERE user_id = ?) GROUP BY 1`

/** The accounts that a reconciliation shows. */
export const reconciledAccounts = (reader: Reader, userId: string): readonly ReconciledAccount[] => [
  ...reader.orm.select().from(accounts).where(and(eq(accounts.userId, userId), isNull(accounts.removedAt))).all().map(({ key, name, loginId }) => ({ key, name, fileOnly: loginId === '', byHand: false })),
  ...query<{ key: AccountKey; name: string }>(reader, byHandSql).all(userId, userId).map(({ key, name }) => ({ key, name, fileOnly: false, byHand: true })),
]

/** Compares an account's fill pairs in the journal with the broker's figures; `shared` are its days on which another account may have the same fills. */
export const reconcileAccount = (reader: Reader, userId: string, account: ReconciledAccount, shared: readonly DoubtfulDays[]): AccountReconciled => {
  const { slowFills, doubtful, ...figures } = brokerFiguresOf(reader, userId, account.key)
  const own = journalPairs(reader, userId, account.key, slowFills)
  const sources = {
    closed: own.closed, fills: own.fills, fees: bookedFees(reader, userId, own), incompleteDays: incompleteDays(reader, userId, account.key),
    broker: { ...figures, doubtful: [...doubtful, ...shared] }, running: runningSessions(reader, userId, account.key), stated: statedFillsOf(reader, userId, account.key),
  }
  return { account, own, sources, result: reconcileSources(sources) }
}

const incompleteSql = "SELECT DISTINCT contract, day.value AS day FROM batches, json_each(doubtful_days) AS day WHERE user_id = ? AND account = ?"

const incompleteDays = (reader: Reader, userId: string, account: AccountKey): readonly IncompleteDay[] =>
  query<{ contract: string; day: string }>(reader, incompleteSql).all(userId, account).map(({ contract, day }) => ({ account, tradingDay: day, currency: specOf(reader, userId, contract).currency }))

const runningSessions = ({ orm }: Reader, userId: string, account: AccountKey): readonly RunningSession[] =>
  orm.select().from(sessionTable).where(and(eq(sessionTable.userId, userId), eq(sessionTable.account, account))).all().map(({ tradingDay, currency, realized }) => ({ account, tradingDay, currency, realized }))

/** The fees of all fills that count and of trades entered by hand, less those of fill pairs that the user removed. */
const bookedFees = (reader: Reader, userId: string, { fills, removed, entered }: JournalPairs): readonly BookedFee[] => {
  const ownFees = ownFeesOf(reader, userId)
  const specIn = remembering((contract) => specOf(reader, userId, contract))
  const feeOf = ({ account, contract, time, tradeDate, qty, fee }: JournalFill): BookedFee => {
    const spec = specIn(contract)
    const own = ownFees(account, contract)
    const perSide = own?.currency === spec.currency ? own.perSide : spec.feePerSide
    return { account, tradingDay: bookedDay({ contract, time, tradeDate: tradeDate ?? null }), currency: spec.currency, contract, fee: fee ?? amountOf(perSide * qty) }
  }
  const charged: BookedFee[] = []
  for (const fill of fills) {
    if (!fill.active) continue
    charged.push(feeOf(fill))
    if (fill.otherFees !== undefined) charged.push(...otherBookedFees(fill))
  }
  return [
    ...charged,
    ...[...entered].map(({ account, tradingDay, currency, contract, fees }) => ({ account, tradingDay, currency, contract, fee: fees })),
    ...removed.map(({ account, tradingDay, currency, contract, fees }) => ({ account, tradingDay, currency, contract, fee: negate(fees) })),
    ...removed.flatMap(({ account, tradingDay, contract, otherFees }) => otherFees.map(({ currency, amount }) => ({ account, tradingDay, currency, contract, fee: negate(amount) }))),
  ]
}

/** A fill as reconciliation needs it. */
type JournalFill = Pick<Fill, 'account' | 'id' | 'contract' | 'time' | 'qty' | 'fee' | 'otherFees' | 'active' | 'tradeDate'>

/** The pairs of an account as the screens show them, by their source. */
type JournalPairs = {
  readonly fills: readonly JournalFill[]
  /** What the screens count: derived pairs but for removed ones, and trades entered by hand. */
  readonly closed: readonly ClosedPair[]
  readonly entered: ReadonlySet<ClosedPair>
  /** Derived pairs that the user removed. */
  readonly removed: readonly ClosedPair[]
}

type JournalFillRow = Pick<SqlRow<typeof fills>, 'id' | 'contract' | 'time' | 'qty' | 'fee' | 'active' | 'trade_date' | 'other_fees'>

type PairRow = Pick<
  SqlRow<typeof fillPairs>,
  'id' | 'symbol' | 'trading_day' | 'side' | 'qty' | 'tick_size' | 'entry_price' | 'exit_price' | 'exit_time' | 'gross' | 'commission' | 'net' | 'currency' | 'other_fees' | 'warnings'
> & { readonly removed: 0 | 1 }

const fillsSql = 'SELECT id, contract, time, qty, fee, active, trade_date, other_fees FROM fills WHERE user_id = ? AND account = ?'
const columns = 'fill_pairs.id, symbol, trading_day, side, qty, tick_size, entry_price, exit_price, exit_time, gross, commission, net, currency, other_fees, warnings, removed_at IS NOT NULL AS removed'
const pairsSql = `SELECT ${columns} FROM fill_pairs LEFT JOIN shown_notes ON shown_notes.user_id = fill_pairs.user_id AND shown_notes.pair_id = fill_pairs.id WHERE fill_pairs.user_id = @userId`
// The plus keeps SQLite from the index of exits, by which it would read the pairs of all accounts for each of them.
const derivedSql = `${pairsSql} AND account_id = @account AND origin = 'synced' ORDER BY +exit_time, fill_pairs.id`
const enteredSql = `${pairsSql} AND origin = 'manual' AND removed_at IS NULL AND (account_id = @account OR (account_id = '' AND COALESCE(fill_pairs.account, '') = @account)) ORDER BY exit_time, fill_pairs.id`

/** Reads fills and pairs of an account; `slowFills` are fills of orders whose first fill is known. */
export const journalPairs = (reader: Reader, userId: string, account: AccountKey, slowFills: readonly SlowFill[]): JournalPairs => {
  const fills: JournalFill[] = []
  for (const { id, contract, time, qty, fee, active, trade_date: tradeDate, other_fees: other } of query<JournalFillRow>(reader, fillsSql).iterate(userId, account)) {
    const fill = { account, id, contract, time, qty, fee, active: active === 1, tradeDate }
    fills.push(other === null ? fill : { ...fill, otherFees: amountsOfText(other) })
  }
  const since = new Map(slowFills.map((fill) => [fill.id, fill.since]))
  const fillsOfPair = namedFills(fills)
  const closed: ClosedPair[] = []
  const removed: ClosedPair[] = []
  for (const row of query<PairRow>(reader, derivedSql).iterate({ userId, account })) {
    const [opening, closing] = fillsOfPair(row.id.slice(account.length + 1))
    ;(row.removed === 1 ? removed : closed).push(closedPairOf(account, row, { opening, closing, since: since.get(closing) }))
  }
  const entered = query<PairRow>(reader, enteredSql).all({ userId, account }).map((row) => closedPairOf(account, row, { opening: `entry of ${row.id}`, closing: `exit of ${row.id}`, since: undefined }))
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

type PairIds = { readonly opening: string; readonly closing: string; readonly since: number | undefined }

const closedPairOf = (account: AccountKey, row: PairRow, { opening, closing, since }: PairIds): ClosedPair => {
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
