import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { amountOf, multiplyDivide, zero, type Amount } from '#shared/money/money.ts'
import { shareOf } from '#shared/money/share.ts'
import { pushOpen, type GrowingQueue } from './open-queue.ts'
import type { FeeSource, Pair, TradeWarning } from './pair.ts'
import type { Position } from './position.ts'
import type { Trip } from './trip.ts'

type Growing<T> = { -readonly [Key in keyof T]: T[Key] }

/** The state of matching within one batch; fills change it in place, since copies of the lots would be quadratic. */
export type Matching = {
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  readonly date: string
  readonly queue: GrowingQueue
  readonly pairs: Pair[]
  readonly trips: Trip[]
  /** The warnings of trades whose fees the broker told. */
  readonly withBrokerFees: TradeWarning[]
  /** The warnings of trades that took a fee from the table. */
  readonly withTableFees: TradeWarning[]
  /** Contracts open in the queue: above zero long, below zero short. */
  held: number
  /** Bought less sold contracts over all fills, those of earlier batches too. */
  net: number
  trip: Growing<Trip> | null
}

/** Begins matching where `start` left the queue and the trip; `start` itself stays what it is. */
export const beginMatching = (
  batch: Pick<Matching, 'account' | 'contract' | 'spec' | 'date'>,
  start: Position,
): Matching => {
  const { account, contract, spec, date } = batch
  const { fills, head, tail, used } = start.queue
  const warnings: TradeWarning[] = []
  if (spec.source === 'unknown') warnings.push('unknown-contract')
  if (!spec.rootIsWhole) warnings.push('partial-root')
  const noCommission = spec.feePerSide === 0 && spec.source !== 'unknown'
  return {
    account,
    contract,
    spec,
    date,
    // The array is shared on purpose: see OpenQueue.
    queue: { fills: fills as Fill[], head, tail, used },
    pairs: [],
    trips: [],
    withBrokerFees: warnings,
    withTableFees: noCommission ? [...warnings, 'unknown-commission'] : [...warnings],
    held: head === tail ? 0 : start.net,
    net: start.net,
    trip: start.trip && { ...start.trip },
  }
}

/** Takes the next fill: it closes open lots of the other side, the oldest first, and what remains of it opens a lot. */
export const takeFill = (matching: Matching, fill: Fill): void => {
  const sign = fill.side === 'buy' ? 1 : -1
  matching.net += sign * fill.qty
  const closed = matching.held * sign < 0 ? closeLots(matching, fill, sign) : 0
  if (closed === fill.qty) return
  matching.held += sign * (fill.qty - closed)
  pushOpen(matching.queue, fill, closed)
  matching.trip ??= newTrip(matching, fill)
  matching.trip.exitTime = fill.time
  matching.trip.date = matching.date
  matching.trip.maxPosition = Math.max(matching.trip.maxPosition, Math.abs(matching.held))
}

const closeLots = (matching: Matching, fill: Fill, sign: 1 | -1): number => {
  const { queue, trip } = matching
  if (trip === null) throw new Error('An open lot without a trip')
  let closed = 0
  while (closed < fill.qty && queue.head < queue.tail) {
    const opening = queue.fills[queue.head] as Fill
    const qty = Math.min(opening.qty - queue.used, fill.qty - closed)
    const pair = pairOf(matching, trip.id, opening, queue.used, fill, closed, qty)
    matching.pairs.push(pair)
    addToTrip(matching, trip, pair)
    closed += qty
    queue.used += qty
    if (queue.used === opening.qty) {
      queue.head += 1
      queue.used = 0
    }
  }
  matching.held += sign * closed
  trip.exitTime = fill.time
  trip.date = matching.date
  if (matching.held === 0) {
    matching.trips.push(trip)
    matching.trip = null
  }
  return closed
}

const pairOf = (
  { spec, date, withBrokerFees, withTableFees }: Matching,
  tripId: string,
  opening: Fill,
  openingFrom: number,
  closing: Fill,
  closingFrom: number,
  qty: number,
): Pair => {
  const gain = opening.side === 'buy' ? closing.price - opening.price : opening.price - closing.price
  const grossPnl = multiplyDivide(gain, qty, spec.tickValue.num, spec.tickValue.den)
  const commission = amountOf(feeOf(opening, openingFrom, qty, spec) + feeOf(closing, closingFrom, qty, spec))
  const told = (opening.fee === null ? 0 : 1) + (closing.fee === null ? 0 : 1)
  return {
    tripId,
    date,
    opening,
    closing,
    spec,
    qty,
    grossPnl,
    commission,
    netPnl: amountOf(grossPnl - commission),
    feeSource: told === 2 ? 'broker' : told === 1 ? 'mixed' : 'table',
    warnings: told === 2 ? withBrokerFees : withTableFees,
  }
}

// Contracts are taken from a fill front to back, so its fee falls to them the same way and none of it is lost.
const feeOf = (fill: Fill, from: number, qty: number, spec: ContractSpec): Amount => {
  if (fill.fee === null) return amountOf(spec.feePerSide * qty)
  return qty === fill.qty ? fill.fee : shareOf(fill.fee, from, from + qty, fill.qty)
}

const newTrip = ({ account, contract, spec, date, withBrokerFees }: Matching, fill: Fill): Growing<Trip> => ({
  id: `${account}/${fill.id}`,
  account,
  contract,
  spec,
  direction: fill.side === 'buy' ? 'long' : 'short',
  date,
  entryTime: fill.time,
  exitTime: fill.time,
  qty: 0,
  maxPosition: 0,
  pairCount: 0,
  basePrice: fill.price,
  entrySum: 0,
  exitSum: 0,
  grossPnl: zero,
  commission: zero,
  netPnl: zero,
  feeSource: null,
  warnings: withBrokerFees,
})

const addToTrip = ({ withBrokerFees, withTableFees }: Matching, trip: Growing<Trip>, pair: Pair): void => {
  const { opening, closing, qty } = pair
  trip.qty += qty
  trip.pairCount += 1
  trip.entrySum += (opening.price - trip.basePrice) * qty
  trip.exitSum += (closing.price - trip.basePrice) * qty
  trip.grossPnl = amountOf(trip.grossPnl + pair.grossPnl)
  trip.commission = amountOf(trip.commission + pair.commission)
  trip.netPnl = amountOf(trip.netPnl + pair.netPnl)
  trip.feeSource = mixed(trip.feeSource, pair.feeSource)
  trip.warnings = trip.feeSource === 'broker' ? withBrokerFees : withTableFees
}

const mixed = (one: FeeSource | null, other: FeeSource): FeeSource => (one === null || one === other ? other : 'mixed')
