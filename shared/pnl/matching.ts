import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { multiplyToCents, usualRounding } from '#shared/money/cents.ts'
import { amountOf, zero, type Amount } from '#shared/money/money.ts'
import { shareOf } from '#shared/money/share.ts'
import { pushOpen, type GrowingQueue } from './open-queue.ts'
import type { FeeSource, FillFeeSource, Pair, TradeWarning } from './pair.ts'
import type { Position } from './position.ts'
import type { Trip } from './trip.ts'

type Growing<T> = { -readonly [Key in keyof T]: T[Key] }

/** What a contract costs per side where its fill tells no fee, and who says so. */
export type Untold = { readonly perSide: Amount; readonly source: Extract<FillFeeSource, 'setting' | 'table'> }

/** The state of matching within one batch; fills change it in place, since copies of the lots would be quadratic. */
export type Matching = {
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  readonly untold: Untold
  readonly date: string
  readonly queue: GrowingQueue
  readonly pairs: Pair[]
  readonly trips: Trip[]
  /** The warnings of trades whose fills all tell their fee. */
  readonly withToldFees: TradeWarning[]
  /** The warnings of trades of which a fill tells none. */
  readonly withUntoldFees: TradeWarning[]
  /** Contracts open in the queue: above zero long, below zero short. */
  held: number
  /** Bought less sold contracts over all fills, those of earlier batches too. */
  net: number
  trip: Growing<Trip> | null
}

/** Begins matching where `start` left the queue and the trip; `start` itself stays what it is. `ownFee` is the user's own rate per side, null for the table's. */
export const beginMatching = (
  batch: Pick<Matching, 'account' | 'contract' | 'spec' | 'date'> & { readonly ownFee: Amount | null },
  start: Position,
): Matching => {
  const { account, contract, spec, date, ownFee } = batch
  const { fills, head, tail, used } = start.queue
  const warnings: TradeWarning[] = []
  if (spec.source === 'unknown') warnings.push('unknown-contract')
  if (!spec.rootIsWhole) warnings.push('partial-root')
  const noCommission = ownFee === null && spec.feePerSide === 0 && spec.source !== 'unknown'
  return {
    account,
    contract,
    spec,
    untold: ownFee === null ? { perSide: spec.feePerSide, source: 'table' } : { perSide: ownFee, source: 'setting' },
    date,
    // The array is shared on purpose: see OpenQueue.
    queue: { fills: fills as Fill[], head, tail, used },
    pairs: [],
    trips: [],
    withToldFees: warnings,
    withUntoldFees: noCommission ? [...warnings, 'unknown-commission'] : [...warnings],
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
  reach(matching.trip, fill, matching.date)
  matching.trip.maxPosition = Math.max(matching.trip.maxPosition, Math.abs(matching.held))
}

const reach = (trip: Growing<Trip>, fill: Fill, date: string): void => {
  trip.exitTime = fill.time
  trip.tradeDate = fill.tradeDate ?? null
  trip.date = date
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
  reach(trip, fill, matching.date)
  if (matching.held === 0) {
    matching.trips.push(trip)
    matching.trip = null
  }
  return closed
}

const pairOf = (
  { spec, untold, date, withToldFees, withUntoldFees }: Matching,
  tripId: string,
  opening: Fill,
  openingFrom: number,
  closing: Fill,
  closingFrom: number,
  qty: number,
): Pair => {
  const gain = opening.side === 'buy' ? closing.price - opening.price : opening.price - closing.price
  const grossPnl = multiplyToCents(gain, qty, spec.tickValue.num, spec.tickValue.den, spec.rounding ?? usualRounding)
  const commission = amountOf(feeOf(opening, openingFrom, qty, untold) + feeOf(closing, closingFrom, qty, untold))
  const allTold = opening.fee !== null && closing.fee !== null
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
    feeSource: mixed(feeSourceOf(opening, untold), feeSourceOf(closing, untold)),
    warnings: allTold ? withToldFees : withUntoldFees,
  }
}

// Contracts are taken from a fill front to back, so its fee falls to them the same way and none of it is lost.
const feeOf = (fill: Fill, from: number, qty: number, { perSide }: Untold): Amount => {
  if (fill.fee === null) return amountOf(perSide * qty)
  return qty === fill.qty ? fill.fee : shareOf(fill.fee, from, from + qty, fill.qty)
}

const feeSourceOf = ({ fee, source }: Fill, untold: Untold): FillFeeSource => {
  if (fee === null) return untold.source
  return source === 'api' || source === 'handed-in' ? 'broker' : 'file'
}

const newTrip = ({ account, contract, spec, date, withToldFees }: Matching, fill: Fill): Growing<Trip> => ({
  id: `${account}/${fill.id}`,
  account,
  contract,
  spec,
  direction: fill.side === 'buy' ? 'long' : 'short',
  date,
  entryTime: fill.time,
  exitTime: fill.time,
  tradeDate: fill.tradeDate ?? null,
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
  warnings: withToldFees,
})

const addToTrip = ({ withToldFees, withUntoldFees }: Matching, trip: Growing<Trip>, pair: Pair): void => {
  const { opening, closing, qty } = pair
  trip.qty += qty
  trip.pairCount += 1
  trip.entrySum += (opening.price - trip.basePrice) * qty
  trip.exitSum += (closing.price - trip.basePrice) * qty
  trip.grossPnl = amountOf(trip.grossPnl + pair.grossPnl)
  trip.commission = amountOf(trip.commission + pair.commission)
  trip.netPnl = amountOf(trip.netPnl + pair.netPnl)
  trip.feeSource = mixed(trip.feeSource, pair.feeSource)
  // Of pairs of earlier batches only their warning is left to tell that nobody told their fee.
  const anyUntold = pair.warnings === withUntoldFees || trip.warnings === withUntoldFees || trip.warnings.includes('unknown-commission')
  trip.warnings = anyUntold ? withUntoldFees : withToldFees
}

const mixed = (one: FeeSource | null, other: FeeSource): FeeSource => (one === null || one === other ? other : 'mixed')
