import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import { platformOf } from '#shared/fills/platform.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { addCurrencyAmounts, amountsOfText, amountsText } from '#shared/money/currency-amounts.ts'
import { amountOf, negate, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { directionOf, type FillPair, pairIdOf, type TradeWarning } from '#shared/pnl/fill-pair.ts'
import { beforeAll, positionDoubts, type Doubt } from '#shared/pnl/known-position.ts'
import { matchBatch, type Batch } from '#shared/pnl/match-batch.ts'
import { decodePosition, encodePosition } from '#shared/pnl/position-text.ts'
import { flat, type Position } from '#shared/pnl/position.ts'
import type { Trade } from '#shared/pnl/trade.ts'
import type { Barrier } from '../db/barrier.ts'
import { change, query, type Reader, type Writer, queryCells } from '../db/database.ts'
import type { batches } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { fillsOfBatch, convertToTicks } from './fill-rows.ts'
import { type Outbox, queueChange, openOutbox } from '../db/outbox.ts'
import { placeUnplaced, placeNotes } from '../notes/place-notes.ts'
import { ownFeesOf } from './own-fees.ts'
import type { Changes, SaveCounts } from '../db/rows.ts'
import { specOf, saveSpec } from './specs.ts'
import { bulkInsert, type BulkTarget, type Cell } from '../db/bulk-insert.ts'

/** An account's contract with batches to derive again. */
export type Derivation = {
  readonly account: AccountKey
  readonly spec: ContractSpec
  /** Local dates whose fills were added, changed or removed. */
  readonly dates: ReadonlySet<string>
  /** Fills of dates that had none before, in the order of matching; those of other dates are read. */
  readonly fresh: ReadonlyMap<string, readonly Fill[]>
}

// Raw SQL in this file: the benchmarks `sync`, `import` and `mirror` read and write each batch with it.
type StoredBatch = Pick<SqlRow<typeof batches>, 'local_date' | 'begins_open' | 'end_position' | 'doubtful_days'>
type Chain = { before: string; kept: Map<string, StoredBatch>; dirty: Set<string>; gone: Set<string>; order: string[] }

const batchColumns = 'SELECT local_date, begins_open, end_position, doubtful_days FROM batches WHERE user_id = ? AND account = ? AND contract = ?'

/** Derives within one transaction; rows are only certain to be written after `flush`, which also moves annotations along with their fill pairs. */
export type Deriving = ReturnType<typeof openDeriving>

/** Starts deriving for a user; changes of fill pairs go to the outbox. */
export const openDeriving = (writer: Writer, userId: string, outbox: Outbox) => {
  const pairs = derivedRows(writer, userId, pairTable, (id) => {
    outbox.queue('pair', id)
  })
  const trades = derivedRows(writer, userId, tradeTable, () => undefined)
  const putBatch = change(writer, 'INSERT OR REPLACE INTO batches (user_id, account, contract, local_date, begins_open, ends_open, end_position, doubtful_days) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const dropBatch = change(writer, 'DELETE FROM batches WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ?')
  const ownFees = ownFeesOf(writer, userId)
  const touched = new Map<string, Set<string>>()
  const touch = (account: string, contracts: Iterable<string>) => touched.set(account, new Set([...(touched.get(account) ?? []), ...contracts]))
  const unplaced = placeUnplaced(writer, userId, (id) => {
    outbox.queue('edit', id)
  })
  for (const [account, contracts] of unplaced) touch(account, contracts)
  let batches = 0

  const drop = ({ account, spec }: Derivation, date: string) => {
    const key = [account, spec.contract, date] as const
    pairs.replaceRows(key, [], false)
    trades.replaceRows(key, [], false)
    dropBatch.run(userId, ...key)
  }

  const writeBatch = ({ account, spec }: Derivation, start: Position, batch: Batch, isNew: boolean, isLast: boolean) => {
    const key = [account, spec.contract, batch.date] as const
    pairs.replaceRows(key, batch.pairs.map((pair) => pairCells(userId, pair)), isNew)
    const removed = removedPairs(writer, userId, account, spec.contract)
    if (removed.length > 0) pairs.flush()
    const rest = (trade: Trade) => (removed.length > 0 ? lessRemoved(writer, userId, trade, batch.date, removed) : trade)
    const rowOf = (trade: Trade, underWay: boolean) => tradeCells(userId, batch.date, underWay, trade)
    // An open trade continues in the next batch: only the last batch shows its closed part.
    const open = batch.end.trade !== null && isLast ? [rest(batch.end.trade)] : []
    const closed = batch.trades.map(rest)
    const hasPairs = (trade: Trade) => trade.pairCount > 0
    const rows = [...closed.filter(hasPairs).map((trade) => rowOf(trade, false)), ...open.filter(hasPairs).map((trade) => rowOf(trade, true))]
    trades.replaceRows(key, rows, isNew, start.trade?.id)
  }

  const derive = (given: Derivation) => {
    const { account, spec, fresh } = given
    touch(account, [spec.contract])
    const doubts = doubtsOf(writer, userId, account, spec.contract)
    const derivation = saveDoubts(writer, userId, given, doubts) ? { ...given, dates: allDates(writer, userId, given) } : given
    if (derivation.dates.size === 0) return
    const { before, kept, dirty, gone, order } = readChain(writer, userId, derivation)
    let after = doubts.length === 0 ? beforeAll : lastFillBefore(writer, userId, derivation, order[0] ?? '')
    const last = order.findLast((date) => !gone.has(date))
    const own = ownFees(account, spec.contract)
    // A rate in another currency than the contract's does not apply.
    const ownFee = own?.currency === spec.currency ? own.perSide : null
    let was = before
    let end: { text: string; position: Position | null } = { text: before, position: null }
    for (const date of order) {
      const known = kept.get(date)
      const isUnchanged = known !== undefined && !dirty.has(date) && was === end.text && doubts.length === 0
      was = known?.end_position ?? was
      if (gone.has(date)) drop(derivation, date)
      else if (isUnchanged) end = { text: known.end_position, position: null }
      else {
        const start = end.position ?? decodePosition(end.text, spec)
        const fills = fresh.get(date) ?? fillsOfBatch(writer, userId, account, spec.contract, date, spec.tickSize)
        const batch = matchBatch({ account, contract: spec.contract, spec, date, ownFee, doubts, after }, start, fills)
        after = Math.max(after, batch.lastFillAt ?? beforeAll)
        const doubtfulDays = JSON.stringify(batch.doubtfulDays)
        writeBatch(derivation, start, batch, known === undefined, date === last)
        end = { text: encodePosition(batch.end), position: batch.end }
        if (known?.end_position !== end.text || (known.begins_open === 1) !== batch.beginsOpen || known.doubtful_days !== doubtfulDays) {
          putBatch.run(userId, account, spec.contract, date, batch.beginsOpen ? 1 : 0, batch.endsOpen ? 1 : 0, end.text, doubtfulDays)
        }
        batches += 1
      }
    }
  }

  const flushRows = () => {
    pairs.flush()
    trades.flush()
  }

  return {
    derive,
    flush: (): void => {
      flushRows()
      const toggled = [...touched].flatMap(([account, contracts]) => placeNotes(writer, userId, account, contracts))
      // A trade leaves out the fill pairs that the user removed.
      for (const { account, contract, dates } of tradeBatches(writer, userId, toggled)) derive({ account, spec: specOf(writer, userId, contract), dates: new Set(dates), fresh: new Map() })
      touched.clear()
      flushRows()
    },
    counts: (): { readonly batches: number; readonly pairs: Changes; readonly trades: Changes } => ({ batches, pairs: pairs.changes(), trades: trades.changes() }),
  }
}

type PositionRow = { time: number; net: number }
type Step = { time: number; side: 'buy' | 'sell'; qty: number }

/** The doubts about a contract's position, from its fills and all known positions. */
const doubtsOf = (reader: Reader, userId: string, account: AccountKey, contract: string): readonly Doubt[] => {
  const place = [userId, account, contract] as const
  const positions = query<PositionRow>(reader, 'SELECT time, net FROM known_positions WHERE user_id = ? AND account = ? AND contract = ?').all(...place)
  const missing = query<{ time: number | null }>(reader, 'SELECT time FROM missing_fills WHERE user_id = ? AND account = ? AND (contract = ? OR contract IS NULL)').all(...place)
  if (positions.length === 0 && missing.length === 0) return []
  const fills = query<Step>(reader, 'SELECT time, side, qty FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND active = 1 ORDER BY time').iterate(...place)
  return positionDoubts(fills, positions, missing.map(({ time }) => time))
}

/** Saves the doubts with which a contract is matched; true if they changed. */
const saveDoubts = (writer: Writer, userId: string, { account, spec: { contract } }: Derivation, doubts: readonly Doubt[]): boolean => {
  const before = query<{ doubts: string }>(writer, 'SELECT doubts FROM position_doubts WHERE user_id = ? AND account = ? AND contract = ?').get(userId, account, contract)
  const text = doubts.length === 0 ? undefined : JSON.stringify(doubts)
  if (text === before?.doubts) return false
  if (text === undefined) change(writer, 'DELETE FROM position_doubts WHERE user_id = ? AND account = ? AND contract = ?').run(userId, account, contract)
  else change(writer, 'INSERT OR REPLACE INTO position_doubts (user_id, account, contract, doubts) VALUES (?, ?, ?, ?)').run(userId, account, contract, text)
  return true
}

const allDates = (reader: Reader, userId: string, { account, spec: { contract }, dates }: Derivation): ReadonlySet<string> =>
  new Set([...dates, ...query<{ date: string }>(reader, 'SELECT local_date AS date FROM batches WHERE user_id = ? AND account = ? AND contract = ?').all(userId, account, contract).map(({ date }) => date)])

const lastFillBefore = (reader: Reader, userId: string, { account, spec: { contract } }: Derivation, date: string): number =>
  query<{ time: number | null }>(reader, 'SELECT max(time) AS time FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND local_date < ? AND active = 1').get(userId, account, contract, date)?.time ?? beforeAll

const readChain = (writer: Writer, userId: string, { account, spec, dates, fresh }: Derivation): Chain => {
  const place = [userId, account, spec.contract] as const
  const keptFrom = query<StoredBatch>(writer, `${batchColumns} AND local_date >= ? ORDER BY local_date`)
  const keptBefore = query<StoredBatch>(writer, `${batchColumns} AND local_date < ? ORDER BY local_date DESC LIMIT 1`)
  const anyFill = query(writer, 'SELECT 1 FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ? LIMIT 1')
  const gone = new Set([...dates].filter((date) => !fresh.has(date) && anyFill.get(...place, date) === undefined))
  const dirty = new Set(dates)
  let first = [...dates].reduce((one, other) => (other < one ? other : one))
  let before = keptBefore.get(...place, first)
  // The batch that is now the last must show what a removed one showed of an open trade.
  const lastMoves = gone.size > 0
  if (lastMoves && before !== undefined) {
    first = before.local_date
    before = keptBefore.get(...place, first)
  }
  const kept = new Map(keptFrom.all(...place, first).map((batch) => [batch.local_date, batch]))
  const order = [...new Set([...kept.keys(), ...dates])].sort()
  const last = order.findLast((date) => !gone.has(date))
  if (lastMoves && last !== undefined) dirty.add(last)
  return { before: before?.end_position ?? encodePosition(flat), kept, dirty, gone, order }
}

/** A table of rows derived by batch: its rows for a batch are replaced by the newly derived ones. Its columns begin with `user_id` and `id`; `ofBatch` selects a batch's stored rows, by user, account, contract and batch date. */
type DerivedTable = BulkTarget & { readonly table: 'fill_pairs' | 'trades'; readonly ofBatch: string }

/** Account, contract and local date. */
type BatchKey = readonly [account: string, contract: string, date: string]

const equal = (one: readonly Cell[], other: readonly Cell[]): boolean => {
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false
  return true
}

const idCell = 1

/** Compares and writes rows of one derived table in one transaction; `onChange` is called for every row written or removed. */
const derivedRows = (writer: Writer, userId: string, target: DerivedTable, onChange: (id: string) => void) => {
  const { table, columns, ofBatch } = target
  const rows = bulkInsert(writer, target)
  const list = columns.join(', ')
  const kept = queryCells<Cell[]>(writer, `SELECT ${list} FROM ${table} WHERE ${ofBatch}`)
  const keptById = queryCells<Cell[]>(writer, `SELECT ${list} FROM ${table} WHERE user_id = ? AND id = ?`)
  const remove = change(writer, `DELETE FROM ${table} WHERE user_id = ? AND id = ?`)
  const counts = { added: 0, changed: 0, removed: 0 }

  const keptRows = (batch: BatchKey): Map<Cell, Cell[]> => {
    // Rows that an earlier batch of this transaction wrote must be visible here.
    rows.flush()
    return new Map(kept.all(userId, ...batch).map((row) => [row[idCell] ?? null, row]))
  }
  const elsewhere = (id: Cell): Cell[] | undefined => {
    rows.flush()
    return keptById.get(userId, id)
  }
  const put = (row: readonly Cell[]) => {
    rows.add(row)
    onChange(String(row[idCell]))
  }
  return {
    /**
     * Removes rows that the batch no longer has, writes those that differ, leaves equal ones untouched. `isNew`: the
     * batch has no stored rows; `moving` is a row that another batch may hold and that this one may take over.
     */
    replaceRows: (batch: BatchKey, wanted: readonly (readonly Cell[])[], isNew: boolean, moving?: string): void => {
      const before = isNew ? undefined : keptRows(batch)
      for (const row of wanted) {
        const id = row[idCell] ?? null
        const old = before?.get(id) ?? (id === moving ? elsewhere(id) : undefined)
        before?.delete(id)
        if (old === undefined) counts.added += 1
        else if (equal(old, row)) continue
        else counts.changed += 1
        put(row)
      }
      for (const id of before?.keys() ?? []) {
        remove.run(userId, id)
        counts.removed += 1
        onChange(String(id))
      }
    },
    flush: rows.flush,
    changes: (): Changes => counts,
  }
}

/** The table of derived pairs; their batch is that of their date. */
const pairTable: DerivedTable = {
  table: 'fill_pairs',
  columns: [
    ...['user_id', 'id', 'origin', 'account_id', 'account', 'symbol', 'date', 'trading_day', 'side', 'qty', 'tick_size', 'entry_price', 'exit_price'],
    ...['entry_time', 'exit_time', 'gross', 'commission', 'net', 'currency', 'platform', 'trade_id', 'multiplier_source', 'fee_source', 'warnings', 'missing', 'other_fees', 'fee_from'],
  ],
  onKnown: ['user_id', 'id'],
  ofBatch: `user_id = ? AND account_id = ? AND symbol = ? AND date = ? AND origin = 'synced'`,
}

/** Warnings as stored, a JSON list. */
const warningsText = (warnings: readonly TradeWarning[]): string => (warnings.length === 0 ? '[]' : JSON.stringify(warnings))

/** A pair as the cells of its row. */
const pairCells = (userId: string, pair: FillPair): readonly Cell[] => {
  const { tradeId, date, opening, closing, spec, qty } = pair
  return [
    userId, pairIdOf(pair), 'synced', opening.account, null, opening.contract, date, bookedDay(closing), directionOf(pair), qty, spec.tickSize, opening.price, closing.price,
    opening.time, closing.time, pair.grossPnl, pair.commission, pair.netPnl, spec.currency, platformOf(opening.account), tradeId, spec.source, pair.feeSource, warningsText(pair.warnings), pair.missing, amountsText(pair.otherFees),
    pair.feeFrom === undefined ? null : JSON.stringify(pair.feeFrom),
  ]
}

/** The table of trades; `batch_date` is the batch that wrote the row. */
const tradeTable: DerivedTable = {
  table: 'trades',
  columns: [
    ...['user_id', 'id', 'account_id', 'symbol', 'batch_date', 'under_way', 'date', 'trading_day', 'side', 'qty', 'max_position', 'pairs', 'tick_size', 'base_price'],
    ...['entry_sum', 'exit_sum', 'entry_time', 'exit_time', 'gross', 'commission', 'net', 'currency', 'multiplier_source', 'fee_source', 'warnings', 'missing', 'other_fees'],
  ],
  onKnown: ['user_id', 'id'],
  ofBatch: 'user_id = ? AND account_id = ? AND symbol = ? AND batch_date = ?',
}

/** A trade as the cells of its row; one without a closed contract has no figures and no row. */
const tradeCells = (userId: string, batchDate: string, underWay: boolean, trade: Trade): readonly Cell[] => {
  const { id, account, contract, spec, date, direction, qty, maxPosition, pairCount } = trade
  return [
    userId, id, account, contract, batchDate, underWay ? 1 : 0, date, bookedDay({ contract, time: trade.exitTime, tradeDate: trade.tradeDate }), direction, qty, maxPosition, pairCount, spec.tickSize, trade.basePrice,
    trade.entrySum, trade.exitSum, trade.entryTime, trade.exitTime, trade.grossPnl, trade.commission, trade.netPnl, spec.currency, spec.source, trade.feeSource, warningsText(trade.warnings), trade.missing, amountsText(trade.otherFees),
  ]
}

type RemovedPair = { qty: number; entry_price: Ticks; exit_price: Ticks; gross: Amount; commission: Amount; net: Amount; other_fees: string | null }

/** Ids of removed fill pairs of an account's contract. */
const removedPairs = (reader: Reader, userId: string, account: string, contract: string): readonly string[] =>
  query<{ pair_id: string }>(reader, 'SELECT pair_id FROM shown_notes WHERE user_id = ? AND account = ? AND contract = ? AND removed_at IS NOT NULL').all(userId, account, contract).map((row) => row.pair_id)

/** A trade as a batch leaves it, without the pairs that the user removed: those of this batch and of earlier ones are already in the table. Its place and times stay. */
const lessRemoved = (reader: Reader, userId: string, trade: Trade, batchDate: string, removed: readonly string[]): Trade => {
  // Later batches are derived after this one: their current rows may be replaced in a moment.
  const sql = `SELECT fill_pairs.qty, entry_price, exit_price, gross, commission, net, other_fees FROM json_each(?) AS gone
    CROSS JOIN fill_pairs ON fill_pairs.user_id = ? AND fill_pairs.id = gone.value WHERE trade_id = ? AND fill_pairs.date <= ?`
  return query<RemovedPair>(reader, sql)
    .all(JSON.stringify(removed), userId, trade.id, batchDate)
    .reduce<Trade>(
      (left, pair) => ({
        ...left,
        qty: left.qty - pair.qty,
        pairCount: left.pairCount - 1,
        entrySum: left.entrySum - (pair.entry_price - trade.basePrice) * pair.qty,
        exitSum: left.exitSum - (pair.exit_price - trade.basePrice) * pair.qty,
        grossPnl: amountOf(left.grossPnl - pair.gross),
        commission: amountOf(left.commission - pair.commission),
        otherFees: addCurrencyAmounts(left.otherFees, amountsOfText(pair.other_fees).map(({ currency, amount }) => ({ currency, amount: negate(amount) }))),
        netPnl: amountOf(left.netPnl - pair.net),
      }),
      trade,
    )
}

type Work = Omit<Derivation, 'dates' | 'fresh'> & { readonly dates: Set<string>; readonly fresh: Map<string, Fill[]> }

/** Batches to derive, collected by account and contract. */
export const openChangedBatches = (writer: Writer, userId: string) => {
  const work = new Map<string, Work>()
  const known = query(writer, 'SELECT 1 FROM batches WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ?')
  const workOf = (account: AccountKey, contract: string): Work => {
    const key = `${account}\n${contract}`
    let found = work.get(key)
    if (found === undefined) {
      found = { account, spec: specOf(writer, userId, contract), dates: new Set(), fresh: new Map() }
      work.set(key, found)
    }
    return found
  }
  return {
    /** Adds a batch; returns the list of its fills, which the caller fills in the order of matching, if it had none before. */
    touch: (account: AccountKey, contract: string, date: string): Fill[] | undefined => {
      const { dates, fresh } = workOf(account, contract)
      if (!dates.has(date)) {
        dates.add(date)
        if (known.get(userId, account, contract, date) === undefined) fresh.set(date, [])
      }
      return fresh.get(date)
    },
    list: (): readonly Work[] => [...work.values()],
  }
}

/** Derives the batches of a group of changed fills and writes the outbox; runs in the caller's transaction, once the fills are written. */
export const deriveChanged = (writer: Writer, barrier: Barrier, userId: string, changed: ReturnType<typeof openChangedBatches>, outbox: Outbox): ReturnType<Deriving['counts']> => {
  const deriving = openDeriving(writer, userId, outbox)
  for (const { fresh, ...rest } of changed.list()) {
    for (const fills of fresh.values()) fills.sort(compareFills)
    deriving.derive({ ...rest, fresh })
  }
  deriving.flush()
  barrier('trades-written', writer.database)
  outbox.flush()
  barrier('outbox-written', writer.database)
  return deriving.counts()
}

/** Batches of one account's contract, by their local dates. */
type TradeBatches = { readonly account: AccountKey; readonly contract: string; readonly dates: readonly string[] }

type BatchPlace = { account: AccountKey; contract: string; date: string }

/** The batches that write the trades of these fill pairs. */
const tradeBatches = (reader: Reader, userId: string, pairIds: readonly string[]): readonly TradeBatches[] => {
  if (pairIds.length === 0) return []
  // A trade whose pairs were all removed has no row: any batch from the trade on may write it.
  const sql = `WITH wanted AS (SELECT account_id, symbol, date, trade_id FROM json_each(@ids) AS one CROSS JOIN fill_pairs ON fill_pairs.user_id = @user AND fill_pairs.id = one.value WHERE trade_id IS NOT NULL)
    SELECT DISTINCT account, contract, local_date AS date FROM wanted LEFT JOIN trades ON trades.user_id = @user AND trades.id = wanted.trade_id
    JOIN batches ON batches.user_id = @user AND account = wanted.account_id AND contract = wanted.symbol AND iif(trades.batch_date IS NULL, local_date >= wanted.date, local_date = trades.batch_date)`
  const places = query<BatchPlace>(reader, sql).all({ user: userId, ids: JSON.stringify(pairIds) })
  return [...Map.groupBy(places, ({ account, contract }) => JSON.stringify([account, contract])).values()].flatMap((own) => {
    const [first] = own
    return first === undefined ? [] : [{ account: first.account, contract: first.contract, dates: own.map(({ date }) => date) }]
  })
}

type Stretch = { account: AccountKey; contract: string; dates: string }

/** Batches to derive again: the user, the time (UTC ms), and the condition that selects them, over columns of `batches` and `accounts`. */
type Again = { readonly userId: string; readonly at: number; readonly where: string; readonly values: readonly string[] }

/** Derives stored batches again, those of removed accounts too, since these may come back; runs in the caller's transaction. */
export const deriveAgain = (writer: Writer, { userId, at, where, values }: Again): SaveCounts => {
  const outbox = openOutbox(writer, userId, at)
  const deriving = openDeriving(writer, userId, outbox)
  const sql = `SELECT account, contract, json_group_array(local_date) AS dates FROM batches
    JOIN accounts ON accounts.user_id = batches.user_id AND accounts.key = batches.account
    WHERE batches.user_id = ? AND ${where} GROUP BY account, contract`
  for (const { account, contract, dates } of query<Stretch>(writer, sql).all(userId, ...values)) {
    deriving.derive({ account, spec: specOf(writer, userId, contract), dates: new Set(JSON.parse(dates) as string[]), fresh: new Map() })
  }
  deriving.flush()
  outbox.flush()
  return { fills: { added: 0, changed: 0, unchanged: 0, skipped: 0 }, ...deriving.counts(), outbox: outbox.count() }
}

/** Derives the trades of these fill pairs again, without the pairs that the user removed; runs in the caller's transaction. */
export const deriveTradesOf = (writer: Writer, userId: string, at: number, pairIds: readonly string[]): void => {
  const batches = tradeBatches(writer, userId, pairIds)
  if (batches.length === 0) return
  const outbox = openOutbox(writer, userId, at)
  const deriving = openDeriving(writer, userId, outbox)
  for (const { account, contract, dates } of batches) deriving.derive({ account, spec: specOf(writer, userId, contract), dates: new Set(dates), fresh: new Map() })
  deriving.flush()
  outbox.flush()
}

/** Saves contracts' figures at `at` (UTC ms), converts the fills to their ticks and derives the affected trades again; runs in the caller's transaction. */
export const saveSpecs = (writer: Writer, userId: string, at: number, specs: readonly ContractSpec[]): SaveCounts => {
  const changed = specs.filter((spec) => saveSpec(writer, userId, at, spec))
  const moved = changed.flatMap((spec) => convertToTicks(writer, userId, spec.contract, spec.tickSize))
  for (const name of moved) queueChange(writer, userId, at, 'fill', name)
  const again = deriveAgain(writer, { userId, at, where: 'contract IN (SELECT value FROM json_each(?))', values: [JSON.stringify(changed.map(({ contract }) => contract))] })
  return { ...again, outbox: again.outbox + moved.length }
}
