import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { openingLegOf } from '#shared/fills/legs.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { type Amount, amountOf, zero } from '#shared/money/money.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { multiplyToCents, usualRounding } from '#shared/money/cents.ts'
import { addCurrencyAmounts, noAmounts, shareOfAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { shareOf } from '#shared/money/share.ts'
import { beforeAll, type Doubt } from './known-position.ts'
import { type Position, type PositionDoubt, bringToFront, pushOpen, type GrowingQueue } from './position.ts'
import type { FeeSource, FillFeeSource, FillPair, TradeWarning } from './fill-pair.ts'
import type { Trade } from './trade.ts'

/** The fill pairs and trades of one account, contract, and local date. */
export type Batch = {
  readonly account: AccountKey
  readonly contract: string
  /** `YYYY-MM-DD` in the trader's zone. */
  readonly date: string
  /** In closing order; their date is the batch's. */
  readonly pairs: readonly FillPair[]
  /** The trades that went flat in this batch; an open one is `end.trade`. */
  readonly trades: readonly Trade[]
  /** UTC ms of the last active fill; null if none. */
  readonly lastFillAt: number | null
  /** Trading days with fills matched while the position was in doubt or with a fill missing between them, each once. */
  readonly doubtfulDays: readonly string[]
  /** Whether the batch begins with an open position. */
  readonly beginsOpen: boolean
  /** Whether it ends with an open position. */
  readonly endsOpen: boolean
  /** The position after the last fill: the start of the next batch. */
  readonly end: Position
}

/** A batch's fills and how to match them. */
export type BatchOptions = {
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  /** The local date of all the fills, `YYYY-MM-DD`. */
  readonly date: string
  /** The user's commission per side for fills without a fee; missing or null means the contract's. */
  readonly ownFee?: Amount | null
  /** Doubts in time order; those after the previous batch's last fill count. */
  readonly doubts?: readonly Doubt[]
  /** UTC ms of the previous batch's last fill, if there are doubts. */
  readonly after?: number
}

/** A batch that still takes fills. */
export type OpenBatch = {
  readonly options: BatchOptions
  readonly beginsOpen: boolean
  readonly matching: Matching
  /** UTC ms of the last fill, busted ones included. */
  latest: number
  /** UTC ms of the last active fill. */
  lastFillAt: number | null
  /** The last active fill, if there are doubts. */
  lastFill: Fill | null
  nextDoubt: number
}

/** Begins a batch at the end of the previous one, `flat` for the first of an account and contract. */
export const beginBatch = (options: BatchOptions, previousEnd: Position): OpenBatch => {
  const matching = beginMatching({ ...options, ownFee: options.ownFee ?? null }, previousEnd)
  const { doubts, after } = options
  const nextDoubt = doubts === undefined || after === undefined ? 0 : doubts.filter((doubt) => doubt.after < after).length
  return { options, beginsOpen: previousEnd.net !== 0, matching, latest: Number.NEGATIVE_INFINITY, lastFillAt: null, lastFill: null, nextDoubt }
}

/** Matches the next fill of the batch; ignores busted ones. Throws if it is earlier than the previous one. */
export const addFill = (batch: OpenBatch, fill: Fill): void => {
  if (fill.time < batch.latest) throw new Error(`Fill ${fill.id} is out of order`)
  batch.latest = fill.time
  if (!fill.active) return
  batch.lastFillAt = fill.time
  const { doubts } = batch.options
  if (doubts !== undefined) {
    for (let doubt = doubts[batch.nextDoubt]; doubt !== undefined && doubt.after < fill.time; doubt = doubts[batch.nextDoubt]) {
      meetDoubt(batch.matching, doubt)
      // How far the position is off is known, but not when it was filled: any day from the previous fill's to this one's.
      const before = doubt.kind === 'missing' && doubt.contracts > 0 ? dayBefore(batch) : null
      if (before !== null) for (let day = dayOfDate(before); day <= dayOfDate(bookedDay(fill)); day += 1) batch.matching.doubtfulDays.add(isoDate(day))
      batch.nextDoubt += 1
    }
    batch.lastFill = fill
  }
  takeFill(batch.matching, fill)
}

/** The trading day of the last fill, that of an earlier batch where this one has none; null before the first. */
const dayBefore = ({ lastFill, options: { after } }: OpenBatch): string | null => {
  if (lastFill !== null) return bookedDay(lastFill)
  return after === undefined || after === beforeAll ? null : tradingDay(after)
}

/** Ends the batch; the next one begins with its open position. */
export const endBatch = ({ options, beginsOpen, matching, lastFillAt }: OpenBatch): Batch => {
  const { account, contract, date } = options
  const { pairs, trades, queue, trade, net, unknown, doubt, doubtfulDays } = matching
  return { account, contract, date, pairs, trades, beginsOpen, endsOpen: net !== 0, lastFillAt, doubtfulDays: [...doubtfulDays], end: { net, unknown, doubt, queue: { ...queue }, trade: trade && { ...trade } } }
}

/**
 * Matches the fills of one account, contract and local date first in, first out, starting
 * from the end of the previous batch (`flat` for the first). Fills come ordered by time and id.
 */
export const matchBatch = (options: BatchOptions, previousEnd: Position, fills: Iterable<Fill>): Batch => {
  const batch = beginBatch(options, previousEnd)
  for (const fill of fills) addFill(batch, fill)
  return endBatch(batch)
}

/** A bit of each warning that trades of one contract may differ by. */
const bits = { 'unknown-commission': 1, incomplete: 2, approximate: 4, 'ambiguous-order': 8 } as const

const names = Object.keys(bits) as (keyof typeof bits)[]

/** The lists of warnings that trades of one contract share: the same warnings are always the same list. */
type WarningSets = ReturnType<typeof warningSets>

/** The warnings of a contract's trades; `noCommission`: no rate is known for a fill without a fee. */
const warningSets = ({ source, rootIsWhole }: ContractSpec, noCommission: boolean) => {
  const always: TradeWarning[] = [...(source === 'unknown' ? ['unknown-contract' as const] : []), ...(rootIsWhole ? [] : ['partial-root' as const])]
  const lists: (readonly TradeWarning[] | undefined)[] = []
  const of = (mask: number): readonly TradeWarning[] => (lists[mask] ??= [...always, ...names.filter((name) => (mask & bits[name]) !== 0)])
  const maskOf = (list: readonly TradeWarning[]): number => names.reduce((mask, name) => (list.includes(name) ? mask | bits[name] : mask), 0)
  return {
    /** The bit of a trade without a known fee; 0 if the contract's default fee is known. */
    noFee: noCommission ? bits['unknown-commission'] : 0,
    of,
    joined: (one: readonly TradeWarning[], other: readonly TradeWarning[]): readonly TradeWarning[] => of(maskOf(one) | maskOf(other)),
    with: (list: readonly TradeWarning[], warning: keyof typeof bits): readonly TradeWarning[] => of(maskOf(list) | bits[warning]),
  }
}

type Growing<T> = { -readonly [Key in keyof T]: T[Key] }

/** The commission per side of fills without a fee, and its source. */
type DefaultFee = { readonly perSide: Amount; readonly source: Extract<FillFeeSource, 'setting' | 'table'> }

/** The state of matching within one batch; fills change it in place, since copies of the lots would be quadratic. */
type Matching = {
  readonly account: AccountKey
  readonly contract: string
  readonly spec: ContractSpec
  readonly defaultFee: DefaultFee
  readonly date: string
  readonly queue: GrowingQueue
  readonly pairs: FillPair[]
  readonly trades: Trade[]
  /** Warnings of every trade, and of those with a fill whose fee is unknown. */
  readonly warned: WarningSets
  /** As in `Position`. */
  net: number
  unknown: number
  doubt: PositionDoubt | null
  readonly doubtfulDays: Set<string>
  trade: Growing<Trade> | null
}

/** Begins matching from the position `start`, which it does not change. `ownFee` is the user's own commission per side, null for the table's. */
const beginMatching = (
  batch: Pick<Matching, 'account' | 'contract' | 'spec' | 'date'> & { readonly ownFee: Amount | null },
  start: Position,
): Matching => {
  const { account, contract, spec, date, ownFee } = batch
  const { fills, head, tail, used } = start.queue
  return {
    account,
    contract,
    spec,
    defaultFee: ownFee === null ? { perSide: spec.feePerSide, source: 'table' } : { perSide: ownFee, source: 'setting' },
    date,
    // The array is shared on purpose: see OpenQueue.
    queue: { fills: fills as Fill[], head, tail, used },
    pairs: [],
    trades: [],
    warned: warningSets(spec, ownFee === null && spec.feePerSide === 0 && spec.source !== 'unknown'),
    net: start.net,
    unknown: start.unknown,
    doubt: start.doubt,
    doubtfulDays: new Set(),
    trade: start.trade && { ...start.trade },
  }
}

/** Takes the next fill: it closes opposite lots, oldest first, a platform's closed trade its own; the rest of it opens a lot. */
const takeFill = (matching: Matching, fill: Fill): void => {
  const sign = fill.side === 'buy' ? 1 : -1
  if (matching.doubt !== null) matching.doubtfulDays.add(bookedDay(fill))
  const closed = matching.net * sign < 0 ? closeLots(matching, fill, sign) : 0
  if (closed === fill.qty) return
  matching.net += sign * (fill.qty - closed)
  pushOpen(matching.queue, fill, closed)
  matching.trade ??= beginTrade(matching, fill)
  reach(matching.trade, fill, matching.date)
  matching.trade.maxPosition = Math.max(matching.trade.maxPosition, Math.abs(matching.net))
}

/** Applies a doubt: from here on a fill is missing, or the position is known. */
const meetDoubt = (matching: Matching, doubt: Doubt): void => {
  const before = matching.doubt?.contracts ?? 0
  if (doubt.kind === 'missing') matching.doubt = { contracts: Math.max(before, doubt.contracts), settled: false }
  else {
    const apart = doubt.net - matching.net
    if (apart !== 0) correct(matching, doubt.net)
    if (matching.net === 0) matching.doubt = null
    else if (apart !== 0 || matching.doubt !== null) matching.doubt = { contracts: Math.max(before, Math.abs(apart)), settled: true }
  }
  if (matching.trade !== null && matching.doubt !== null) markIncomplete(matching, matching.trade)
}

// The missing fills closed the oldest lots, or opened unknown ones older than all known.
const correct = (matching: Matching, net: number): void => {
  const { queue } = matching
  const sign = Math.sign(matching.net)
  let gone = Math.sign(net) === sign ? Math.max(0, Math.abs(matching.net) - Math.abs(net)) : Math.abs(matching.net)
  const fromUnknown = Math.min(gone, Math.abs(matching.unknown))
  matching.unknown -= sign * fromUnknown
  gone -= fromUnknown
  while (gone > 0 && queue.head < queue.tail) {
    const left = (queue.fills[queue.head] as Fill).qty - queue.used
    const taken = Math.min(left, gone)
    gone -= taken
    queue.used += taken
    if (taken < left) continue
    queue.head += 1
    queue.used = 0
  }
  if (Math.sign(net) !== sign && matching.trade !== null) {
    markIncomplete(matching, matching.trade)
    endTrade(matching, matching.trade)
  }
  const known = Math.sign(net) === sign ? sign * Math.min(Math.abs(net), Math.abs(matching.net)) : 0
  matching.unknown += net - known
  matching.net = net
}

const endTrade = (matching: Matching, trade: Growing<Trade>): void => {
  if (trade.pairCount > 0) matching.trades.push(trade)
  matching.trade = null
}

const markIncomplete = ({ warned, doubt }: Matching, trade: Growing<Trade>): void => {
  trade.warnings = warned.with(trade.warnings, 'incomplete')
  trade.missing = Math.max(trade.missing ?? 0, doubt?.contracts ?? 0)
}

const reach = (trade: Growing<Trade>, fill: Fill, date: string): void => {
  trade.exitTime = fill.time
  trade.tradeDate = fill.tradeDate ?? null
  trade.date = date
}

/** Closes at most `qty` contracts of unknown lots; returns how many. */
const closeUnknown = (matching: Matching, qty: number, sign: 1 | -1): number => {
  const closed = Math.min(qty, Math.max(0, -sign * matching.unknown))
  matching.unknown += sign * closed
  return closed
}

const closeLots = (matching: Matching, fill: Fill, sign: 1 | -1): number => {
  const { queue, trade } = matching
  const openingLeg = openingLegOf(fill.id)
  if (openingLeg !== null) bringToFront(queue, openingLeg)
  let closed = 0
  while (closed < fill.qty && queue.head < queue.tail) {
    // Unknown lots come after a lot that is partly closed and before all others.
    if (matching.unknown !== 0 && queue.fills[queue.head]?.source !== 'pairs-file') closed += closeUnknown(matching, fill.qty - closed, sign)
    if (closed === fill.qty) break
    if (trade === null) throw new Error('An open lot without a trade')
    const opening = queue.fills[queue.head] as Fill
    const qty = Math.min(opening.qty - queue.used, fill.qty - closed)
    const pair = pairOf(matching, trade.id, opening, queue.used, fill, closed, qty)
    matching.pairs.push(pair)
    addToTrade(matching, trade, pair)
    closed += qty
    queue.used += qty
    if (queue.used === opening.qty) {
      queue.head += 1
      queue.used = 0
    }
  }
  closed += closeUnknown(matching, fill.qty - closed, sign)
  matching.net += sign * closed
  if (trade !== null) reach(trade, fill, matching.date)
  if (matching.net === 0) {
    if (trade !== null) endTrade(matching, trade)
    if (matching.doubt?.settled === true) matching.doubt = null
  }
  return closed
}

const pairOf = (
  { spec, defaultFee, date, warned, doubt }: Matching,
  tradeId: string,
  opening: Fill,
  openingFrom: number,
  closing: Fill,
  closingFrom: number,
  qty: number,
): FillPair => {
  const gain = opening.side === 'buy' ? closing.price - opening.price : opening.price - closing.price
  const grossPnl = multiplyToCents(gain, qty, spec.tickValue.num, spec.tickValue.den, spec.rounding ?? usualRounding)
  const commission = amountOf(feeOf(opening, openingFrom, qty, defaultFee) + feeOf(closing, closingFrom, qty, defaultFee))
  const pair: Growing<FillPair> = {
    tradeId,
    date,
    opening,
    closing,
    spec,
    qty,
    grossPnl,
    commission,
    netPnl: amountOf(grossPnl - commission),
    feeSource: mixed(feeSourceOf(opening, defaultFee), feeSourceOf(closing, defaultFee)),
    warnings: warned.of(
      (opening.fee === null || closing.fee === null ? warned.noFee : 0) |
        (doubt === null ? 0 : bits.incomplete) |
        (opening.source === 'orders-file' || closing.source === 'orders-file' ? bits.approximate : 0) |
        (opening.ambiguous === true || closing.ambiguous === true ? bits['ambiguous-order'] : 0),
    ),
    missing: doubt === null ? null : doubt.contracts,
  }
  if (opening.otherFees !== undefined || closing.otherFees !== undefined) pair.otherFees = addCurrencyAmounts(otherFeesOf(opening, openingFrom, qty), otherFeesOf(closing, closingFrom, qty))
  if (opening.feeFrom !== undefined || closing.feeFrom !== undefined) pair.feeFrom = [...new Set([opening.feeFrom, closing.feeFrom].filter((name) => name !== undefined))]
  return pair
}

// A fill's fee is split over its contracts front to back, as they are closed, so none of it is lost.
const feeOf = (fill: Fill, from: number, qty: number, { perSide }: DefaultFee): Amount => {
  if (fill.fee === null) return amountOf(perSide * qty)
  return qty === fill.qty ? fill.fee : shareOf(fill.fee, from, from + qty, fill.qty)
}

const otherFeesOf = ({ otherFees = noAmounts, qty: whole }: Fill, from: number, qty: number): CurrencyAmounts => shareOfAmounts(otherFees, from, from + qty, whole)

const feeSourceOf = ({ fee, source }: Fill, defaultFee: DefaultFee): FillFeeSource => {
  if (fee === null) return defaultFee.source
  return source === 'api' || source === 'handed-in' ? 'broker' : 'file'
}

const beginTrade = ({ account, contract, spec, date, warned, doubt }: Matching, fill: Fill): Growing<Trade> => ({
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
  otherFees: noAmounts,
  netPnl: zero,
  feeSource: null,
  warnings: warned.of(doubt === null ? 0 : bits.incomplete),
  missing: doubt === null ? null : doubt.contracts,
})

const addToTrade = ({ warned }: Matching, trade: Growing<Trade>, pair: FillPair): void => {
  const { opening, closing, qty } = pair
  trade.qty += qty
  trade.pairCount += 1
  trade.entrySum += (opening.price - trade.basePrice) * qty
  trade.exitSum += (closing.price - trade.basePrice) * qty
  trade.grossPnl = amountOf(trade.grossPnl + pair.grossPnl)
  trade.commission = amountOf(trade.commission + pair.commission)
  trade.netPnl = amountOf(trade.netPnl + pair.netPnl)
  if (pair.otherFees !== undefined) trade.otherFees = addCurrencyAmounts(trade.otherFees, pair.otherFees)
  trade.feeSource = mixed(trade.feeSource, pair.feeSource)
  if (trade.warnings !== pair.warnings) trade.warnings = warned.joined(trade.warnings, pair.warnings)
  if (pair.missing !== null) trade.missing = Math.max(trade.missing ?? 0, pair.missing)
}

const mixed = (one: FeeSource | null, other: FeeSource): FeeSource => (one === null || one === other ? other : 'mixed')
