import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Batch } from '#shared/pnl/batch.ts'
import { beforeAll, positionDoubts, type Doubt } from '#shared/pnl/known-position.ts'
import { matchBatch } from '#shared/pnl/match-batch.ts'
import { decodePosition, encodePosition } from '#shared/pnl/position-text.ts'
import { flat, type Position } from '#shared/pnl/position.ts'
import type { Trip } from '#shared/pnl/trip.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import type { batches } from '../db/schema/journal.ts'
import type { SqlRow } from '../db/tables.ts'
import { fillsOfBatch } from './fill-rows.ts'
import type { Outbox } from '../mirror/outbox.ts'
import { placeUnplaced, settleNotes } from '../trades/settle-notes.ts'
import { ownFeesOf } from '../own-data/own-fees.ts'
import type { Changes } from '../db/rows.ts'
import { specOf } from './specs.ts'
import { tripBatches } from './trip-batches.ts'
import { derivedRows, lessRemoved, pairCells, pairTable, removedTrades, tripCells, tripTable } from './derived-rows.ts'

/** An account's contract with batches to derive again. */
export type Derivation = {
  readonly account: AccountKey
  readonly spec: ContractSpec
  /** Local dates whose fills were added, changed or removed. */
  readonly dates: ReadonlySet<string>
  /** Fills of dates that had none before, in the order of matching; those of other dates are read. */
  readonly fresh: ReadonlyMap<string, readonly Fill[]>
}

type KeptBatch = Pick<SqlRow<typeof batches>, 'local_date' | 'begins_open' | 'end_position' | 'doubtful_days'>
type Chain = { before: string; kept: Map<string, KeptBatch>; dirty: Set<string>; gone: Set<string>; order: string[] }

const batchColumns = 'SELECT local_date, begins_open, end_position, doubtful_days FROM batches WHERE user_id = ? AND account = ? AND contract = ?'

/** Derives within one transaction; rows are only certain to be written after `flush`, which also moves annotations along with their trades. */
export type Deriving = ReturnType<typeof openDeriving>

/** Starts deriving for a user; changes of trades go to the outbox. */
export const openDeriving = (writer: Writer, userId: string, outbox: Outbox) => {
  const pairs = derivedRows(writer, userId, pairTable, (id) => {
    outbox.note('pair', id)
  })
  const trips = derivedRows(writer, userId, tripTable, () => undefined)
  const putBatch = change(writer, 'INSERT OR REPLACE INTO batches (user_id, account, contract, local_date, begins_open, ends_open, end_position, doubtful_days) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
  const dropBatch = change(writer, 'DELETE FROM batches WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ?')
  const ownFees = ownFeesOf(writer, userId)
  const touched = new Map<string, Set<string>>()
  const touch = (account: string, contracts: Iterable<string>) => touched.set(account, new Set([...(touched.get(account) ?? []), ...contracts]))
  const unplaced = placeUnplaced(writer, userId, (id) => {
    outbox.note('edit', id)
  })
  for (const [account, contracts] of unplaced) touch(account, contracts)
  let batches = 0

  const drop = ({ account, spec }: Derivation, date: string) => {
    const key = [account, spec.contract, date] as const
    pairs.settle(key, [], false)
    trips.settle(key, [], false)
    dropBatch.run(userId, ...key)
  }

  const settle = ({ account, spec }: Derivation, start: Position, batch: Batch, isNew: boolean, isLast: boolean) => {
    const key = [account, spec.contract, batch.date] as const
    pairs.settle(key, batch.pairs.map((pair) => pairCells(userId, pair)), isNew)
    const removed = removedTrades(writer, userId, account, spec.contract)
    if (removed.length > 0) pairs.flush()
    const rest = (trip: Trip) => (removed.length > 0 ? lessRemoved(writer, userId, trip, batch.date, removed) : trip)
    const rowOf = (trip: Trip, underWay: boolean) => tripCells(userId, batch.date, underWay, trip)
    // An open trip continues in the next batch: only the last batch shows its closed part.
    const open = batch.end.trip !== null && isLast ? [rest(batch.end.trip)] : []
    const closed = batch.trips.map(rest)
    const hasPairs = (trip: Trip) => trip.pairCount > 0
    const rows = [...closed.filter(hasPairs).map((trip) => rowOf(trip, false)), ...open.filter(hasPairs).map((trip) => rowOf(trip, true))]
    trips.settle(key, rows, isNew, start.trip?.id)
  }

  const derive = (given: Derivation) => {
    const { account, spec, fresh } = given
    touch(account, [spec.contract])
    const doubts = doubtsOf(writer, userId, account, spec.contract)
    const derivation = keepDoubts(writer, userId, given, doubts) ? { ...given, dates: allDates(writer, userId, given) } : given
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
        settle(derivation, start, batch, known === undefined, date === last)
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
    trips.flush()
  }

  return {
    derive,
    flush: (): void => {
      flushRows()
      const toggled = [...touched].flatMap(([account, contracts]) => settleNotes(writer, userId, account, contracts))
      // A trade leaves out the fill pairs that the user removed.
      for (const { account, contract, dates } of tripBatches(writer, userId, toggled)) derive({ account, spec: specOf(writer, userId, contract), dates: new Set(dates), fresh: new Map() })
      touched.clear()
      flushRows()
    },
    counts: (): { readonly batches: number; readonly pairs: Changes; readonly trips: Changes } => ({ batches, pairs: pairs.changes(), trips: trips.changes() }),
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
const keepDoubts = (writer: Writer, userId: string, { account, spec: { contract } }: Derivation, doubts: readonly Doubt[]): boolean => {
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
  const keptFrom = query<KeptBatch>(writer, `${batchColumns} AND local_date >= ? ORDER BY local_date`)
  const keptBefore = query<KeptBatch>(writer, `${batchColumns} AND local_date < ? ORDER BY local_date DESC LIMIT 1`)
  const anyFill = query(writer, 'SELECT 1 FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ? LIMIT 1')
  const gone = new Set([...dates].filter((date) => !fresh.has(date) && anyFill.get(...place, date) === undefined))
  const dirty = new Set(dates)
  let first = [...dates].reduce((one, other) => (other < one ? other : one))
  let before = keptBefore.get(...place, first)
  // The batch that is now the last must show what a removed one showed of an open trip.
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
