import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import type { Batch } from '#shared/pnl/batch.ts'
import { matchBatch } from '#shared/pnl/match-batch.ts'
import { decodePosition, encodePosition } from '#shared/pnl/position-text.ts'
import { flat, type Position } from '#shared/pnl/position.ts'
import type { Trip } from '#shared/pnl/trip.ts'
import { change, query, type Writer } from '../database.ts'
import { derivedRows } from './derived-rows.ts'
import { fillsOfBatch } from '../fills/fill-rows.ts'
import type { Outbox } from '../mirror/outbox.ts'
import { ownFeesOf } from '../accounts/own-fees.ts'
import { pairCells, pairTable } from '../trades/pair-rows.ts'
import type { Changes } from '../rows.ts'
import { lessRemoved, removedTrades, tripCells, tripTable } from '../trades/trip-rows.ts'

/** One account's contract that has batches to derive again. */
export type Derivation = {
  readonly account: AccountKey
  readonly spec: ContractSpec
  /** Local dates whose fills came, changed or went. */
  readonly dates: ReadonlySet<string>
  /** Fills of dates that had none before, in the order of matching; those of other dates are read. */
  readonly fresh: ReadonlyMap<string, readonly Fill[]>
}

/** Derives within one transaction; nothing is sure to be written before `flush`. */
export type Deriving = {
  readonly derive: (derivation: Derivation) => void
  readonly flush: () => void
  readonly counts: () => { readonly batches: number; readonly pairs: Changes; readonly trips: Changes }
}

type KeptBatch = { local_date: string; begins_open: number; end_position: string }
type Chain = { before: string; kept: Map<string, KeptBatch>; dirty: Set<string>; gone: Set<string>; order: string[] }

const batchColumns = 'SELECT local_date, begins_open, end_position FROM batches WHERE user_id = ? AND account = ? AND contract = ?'

/** Begins to derive for a user; what becomes of trades is noted in the outbox. */
export const openDeriving = (writer: Writer, userId: string, outbox: Outbox): Deriving => {
  const pairs = derivedRows(writer, userId, pairTable, (id) => {
    outbox.note('pair', id)
  })
  const trips = derivedRows(writer, userId, tripTable, () => undefined)
  const putBatch = change(writer, 'INSERT OR REPLACE INTO batches (user_id, account, contract, local_date, begins_open, ends_open, end_position) VALUES (?, ?, ?, ?, ?, ?, ?)')
  const dropBatch = change(writer, 'DELETE FROM batches WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ?')
  const ownFees = ownFeesOf(writer, userId)
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
    const removed = removedTrades(writer, userId, account)
    if (removed.length > 0) pairs.flush()
    const rest = (trip: Trip) => (removed.length > 0 ? lessRemoved(writer, userId, trip, batch.date, removed) : trip)
    const rowOf = (trip: Trip, underWay: boolean) => tripCells(userId, batch.date, underWay, trip)
    // A trip under way goes on in the next batch: only the last one shows what is closed of it.
    const open = batch.end.trip !== null && isLast ? [rest(batch.end.trip)] : []
    const closed = batch.trips.map(rest)
    const hasPairs = (trip: Trip) => trip.pairCount > 0
    const rows = [...closed.filter(hasPairs).map((trip) => rowOf(trip, false)), ...open.filter(hasPairs).map((trip) => rowOf(trip, true))]
    trips.settle(key, rows, isNew, start.trip?.id)
  }

  const derive = (derivation: Derivation) => {
    const { account, spec, fresh } = derivation
    const { before, kept, dirty, gone, order } = readChain(writer, userId, derivation)
    const last = order.findLast((date) => !gone.has(date))
    const own = ownFees(account, spec.contract)
    // A rate in another currency than the contract's says nothing of it.
    const ownFee = own?.currency === spec.currency ? own.perSide : null
    let was = before
    let end: { text: string; position: Position | null } = { text: before, position: null }
    for (const date of order) {
      const known = kept.get(date)
      const stands = known !== undefined && !dirty.has(date) && was === end.text
      was = known?.end_position ?? was
      if (gone.has(date)) drop(derivation, date)
      else if (stands) end = { text: known.end_position, position: null }
      else {
        const start = end.position ?? decodePosition(end.text, spec)
        const fills = fresh.get(date) ?? fillsOfBatch(writer, userId, account, spec.contract, date, spec.tickSize)
        const batch = matchBatch({ account, contract: spec.contract, spec, date, ownFee }, start, fills)
        settle(derivation, start, batch, known === undefined, date === last)
        end = { text: encodePosition(batch.end), position: batch.end }
        if (known?.end_position !== end.text || (known.begins_open === 1) !== batch.beginsOpen) {
          putBatch.run(userId, account, spec.contract, date, batch.beginsOpen ? 1 : 0, batch.endsOpen ? 1 : 0, end.text)
        }
        batches += 1
      }
    }
  }

  return {
    derive,
    flush: () => {
      pairs.flush()
      trips.flush()
    },
    counts: () => ({ batches, pairs: pairs.changes(), trips: trips.changes() }),
  }
}

const readChain = (writer: Writer, userId: string, { account, spec, dates, fresh }: Derivation): Chain => {
  const place = [userId, account, spec.contract] as const
  const keptFrom = query<KeptBatch>(writer, `${batchColumns} AND local_date >= ? ORDER BY local_date`)
  const keptBefore = query<KeptBatch>(writer, `${batchColumns} AND local_date < ? ORDER BY local_date DESC LIMIT 1`)
  const anyFill = query(writer, 'SELECT 1 FROM fills WHERE user_id = ? AND account = ? AND contract = ? AND local_date = ? LIMIT 1')
  const gone = new Set([...dates].filter((date) => !fresh.has(date) && anyFill.get(...place, date) === undefined))
  const dirty = new Set(dates)
  let first = [...dates].reduce((one, other) => (other < one ? other : one))
  let before = keptBefore.get(...place, first)
  // The batch that is now the last has to show what one that goes showed of a trip under way.
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
