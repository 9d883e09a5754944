import { countWhile } from '#shared/base/count-while.ts'
import type { TickValue } from '#shared/market/contract-spec.ts'
import { multiplyDivide, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { barsWithin, fitsFills } from './fill-moments.ts'
import { covers, type Bar, type Micros, type Span, type Tape } from './tape.ts'

/** A fill of a trade: `qty` above zero bought, below zero sold; `time` in UTC milliseconds; `price` in whole ticks. */
export type TradeFill = { readonly time: number; readonly qty: number; readonly price: Ticks }

/** A trade from flat to flat, as its excursions need it. */
export type PricedTrade = {
  /** In the order in which they happened, with times that never decrease. A reversal's fill is split between the trade that it ends and the one that it begins. */
  readonly fills: readonly TradeFill[]
  /** How far a fill's true time may be from its `time`: 0 if fills and tape share an exact clock, a second for fills stamped to the second. */
  readonly tolerance: Micros
  readonly tickValue: TickValue
  /** The planned stop's risk; null if none is known. */
  readonly risk: Amount | null
}

/** An exact quotient; `den` is above zero. */
export type Ratio = { readonly num: number; readonly den: number }

/** A figure between `least` and `most`; a bound that the known prices do not give is null. */
export type Bounds<T> = { readonly least: T | null; readonly most: T | null }

/** How far a trade went for or against the trader; never below zero. `least` is always known, `most` is null if prices of a part of the trade are unknown. */
export type Excursion = {
  readonly amount: Bounds<Amount>
  /** Ticks of price per contract of the largest position. */
  readonly ticks: Bounds<Ratio>
  /** Units of 1/10,000 per contract of the largest position. */
  readonly perContract: Bounds<Ratio>
  /** In R; null without a planned risk. */
  readonly r: Bounds<Ratio> | null
}

/** A trade's excursions by the prices within it; gross, without fees. A ratio is null if its divisor is certainly zero. */
export type Excursions = {
  /** Maximum favorable excursion: the highest open P&L. */
  readonly mfe: Excursion
  /** Maximum adverse excursion: the lowest open P&L, as a positive figure. */
  readonly mae: Excursion
  readonly result: Amount
  /** End-trade drawdown: MFE − result. */
  readonly drawdown: Bounds<Amount>
  /** Result / MFE: below zero for a loser, never above one. */
  readonly capture: Bounds<Ratio> | null
  /** MFE / (MFE + MAE). */
  readonly entry: Bounds<Ratio> | null
  /** (result + MAE) / (MFE + MAE). */
  readonly exit: Bounds<Ratio> | null
  /** Result / (MFE + MAE). */
  readonly total: Bounds<Ratio> | null
}

/** When the extremes were first reached, in microseconds after the first fill; null if prices of a part of the trade are unknown. */
export type ExtremeTimes = { readonly toMfe: Span | null; readonly toMae: Span | null }

/**
 * The excursions of a trade by the definitions of decision 0229; null if no price within it is known. If bars or equal
 * times leave open which prices fell within the trade, the truth lies within the bounds.
 */
export const excursionsOf = (trade: PricedTrade, tape: Tape): Excursions | null => {
  const path = pathOf(trade)
  const coverage = tape.coverage(path.span)
  if (coverage.length === 0) return null
  const trusted = trustedTape(path, tape)
  const whole = trusted === tape && covers(coverage, path.span)
  const reached = { sureHigh: 0, sureLow: 0, high: 0, low: 0 }
  for (const { sure, possible } of piecesOf(path, trusted)) {
    reached.sureHigh = Math.max(reached.sureHigh, sure.high)
    reached.sureLow = Math.min(reached.sureLow, sure.low)
    reached.high = Math.max(reached.high, possible.high)
    reached.low = Math.min(reached.low, possible.low)
  }
  const { result } = path
  const [mfe, mae] = [bounds(reached.sureHigh, whole ? reached.high : null), bounds(-reached.sureLow, whole ? -reached.low : null)]
  const { tickValue } = trade
  return {
    mfe: excursion(mfe, path, trade),
    mae: excursion(mae, path, trade),
    result: money(result, tickValue),
    drawdown: { least: money(mfe.least - result, tickValue), most: mfe.most === null ? null : money(mfe.most - result, tickValue) },
    capture: captureOf(result, mfe),
    ...efficiencies(result, mfe, mae),
  }
}

/** When a trade's highest and lowest open P&L were first reached; null if no price within it is known. */
export const extremeTimes = (trade: PricedTrade, tape: Tape): ExtremeTimes | null => {
  const path = pathOf(trade)
  const coverage = tape.coverage(path.span)
  if (coverage.length === 0) return null
  if (!covers(coverage, path.span) || trustedTape(path, tape) !== tape) return { toMfe: null, toMae: null }
  const pieces = [...piecesOf(path, tape)]
  return { toMfe: firstReached(path, pieces, tape, 1), toMae: firstReached(path, pieces, tape, -1) }
}

/** What exiting the `qty` contracts of the last exit later would have gained: money, and ticks of price per contract. Never below zero: the actual exit was possible. */
export type BestExit = { readonly qty: number; readonly amount: Bounds<Amount>; readonly ticks: Bounds<number> }

/** Fills this close to the last one are the same exit: an order often fills in parts. */
export const oneExit: Micros = 1_000_000

/** The best exit up to `within` µs after the last fill, and before `end` (µs); null if no price of that time is known. */
export const bestExit = (trade: PricedTrade, tape: Tape, within: Micros, end: Micros): BestExit | null => {
  const path = pathOf(trade)
  const { fills, tolerance, result, last } = path
  const held = path.heldAfter(lastExitOf(trade))
  const from = fillAt(fills, last - 1).at
  const span = { from: from - tolerance, to: Math.min(from + within + tolerance + 1, end) }
  const coverage = span.to > span.from ? tape.coverage(span) : []
  if (coverage.length === 0) return null
  const best = (range: { readonly low: Ticks; readonly high: Ticks } | null): number => (range === null ? result : Math.max(result, pnlAt(held, range.low), pnlAt(held, range.high)))
  const trusted = trustedTape(path, tape)
  // Prices that are surely of that time, and the edges that may be.
  const clear = { from: from + tolerance + 1, to: Math.min(from + within - tolerance + 1, end) }
  const isClear = clear.to > clear.from
  const edges = isClear ? [{ from: span.from, to: clear.from }, { from: clear.to - 1, to: span.to }] : [span]
  const possible = [...edges.flatMap((edge) => [...barsWithin(edge, trusted)]), ...(isClear ? barsAcross(clear, trusted) : [])]
  // The whole exit could have filled at the price of its last fill.
  const own = fillAt(fills, last - 1).price
  const least = Math.max(best({ low: own, high: own }), best(isClear ? trusted.extremes(clear) : null))
  const most = possible.reduce((highest, bar) => Math.max(highest, best(bar)), least)
  const gained = bounds(least - result, trusted === tape && covers(coverage, span) ? most - result : null)
  const qty = Math.abs(held.qty)
  return {
    qty,
    amount: { least: money(gained.least, trade.tickValue), most: gained.most === null ? null : money(gained.most, trade.tickValue) },
    ticks: { least: gained.least / qty, most: gained.most === null ? null : gained.most / qty },
  }
}

/** The index of the first fill of the last exit. */
const lastExitOf = ({ fills }: PricedTrade): number => {
  const last = fills.at(-1)
  const isOfIt = ({ qty, time }: TradeFill): boolean => last !== undefined && Math.sign(qty) === Math.sign(last.qty) && (last.time - time) * 1000 <= oneExit
  return fills.findLastIndex((one) => !isOfIt(one)) + 1
}

/** A held position: its open P&L in ticks × contracts is `cash + qty · price`. */
type HeldPosition = { readonly qty: number; readonly cash: number }
type Range = { readonly low: number; readonly high: number }
type PathFill = { readonly at: Micros; readonly price: Ticks }

/** The open P&L in one stretch of prices: it certainly reached `sure`, and at most `possible`. `held` is the position in a stretch without fills, which is read as a whole. */
type Piece = { readonly span: Span; readonly sure: Range; readonly possible: Range; readonly held: HeldPosition | null }

type Path = ReturnType<typeof pathOf>

/** An empty tape. */
const noPrices: Tape = { coverage: () => [], prints: () => [], bars: () => [], extremes: () => null }

/** The tape, or none if it contradicts the trade's fills: then only the fills show what the trade reached. */
const trustedTape = ({ fills, tolerance }: Path, tape: Tape): Tape => (fitsFills(fills, tolerance, tape) ? tape : noPrices)

const pathOf = ({ fills, tolerance }: PricedTrade) => {
  const positions: HeldPosition[] = [{ qty: 0, cash: 0 }]
  let now: HeldPosition = { qty: 0, cash: 0 }
  let size = 0
  for (const { qty, price } of fills) {
    now = { qty: now.qty + qty, cash: now.cash - qty * price }
    size = Math.max(size, Math.abs(now.qty))
    positions.push(now)
  }
  if (size === 0 || now.qty !== 0) throw new RangeError('A trade with excursions goes from flat to flat')
  const moments = fills.map(({ time, price }): PathFill => ({ at: time * 1000, price }))
  const last = moments.length
  return {
    fills: moments,
    tolerance,
    /** The number of fills: `heldAfter(last)` is flat. */
    last,
    size,
    result: now.cash,
    heldAfter: (after: number): HeldPosition => positions[after] ?? now,
    span: { from: fillAt(moments, 0).at - tolerance, to: fillAt(moments, last - 1).at + tolerance + 1 },
  }
}

const fillAt = (fills: readonly PathFill[], place: number): PathFill => {
  const found = fills[place]
  if (found === undefined) throw new RangeError('A trade has fills')
  return found
}

const pnlAt = ({ qty, cash }: HeldPosition, price: number): number => cash + qty * price

/**
 * All known prices within a trade, in time order. Near its fills each print and bar is a piece of its own; each clear
 * stretch between them is one piece, so that a long trade costs no more than a short one.
 */
function* piecesOf(path: Path, tape: Tape): Generator<Piece> {
  const { fills, tolerance, last } = path
  let seen: Bar | null = null
  for (let first = 0; first < last; ) {
    let next = first + 1
    while (next < last && fillAt(fills, next).at - tolerance <= fillAt(fills, next - 1).at + tolerance) next += 1
    const near = { from: fillAt(fills, first).at - tolerance, to: fillAt(fills, next - 1).at + tolerance + 1 }
    for (let place = first; place < next; place += 1) yield fillPiece(path, place)
    for (const bar of barsWithin(near, tape)) {
      // A wide bar can be near the fills on both sides of a clear stretch.
      if (bar.at === seen?.at && bar.width === seen.width) continue
      seen = bar
      const piece = barPiece(path, bar)
      if (piece !== null) yield piece
    }
    if (next < last) {
      const span = { from: near.to, to: fillAt(fills, next).at - tolerance }
      const range = span.to > span.from ? tape.extremes(span) : null
      const held = path.heldAfter(next)
      const reached = range === null ? null : rangeOf(pnlAt(held, range.low), pnlAt(held, range.high))
      if (reached !== null) yield { span, sure: reached, possible: reached, held }
      for (const bar of span.to > span.from ? barsAcross(span, tape) : []) {
        const piece = barPiece(path, bar)
        if (piece !== null) yield piece
      }
    }
    first = next
  }
}

/** Bars that lie only partly in a stretch: where finer prices begin or end, `barsWithin` near the fills may not have them. */
function* barsAcross(span: Span, tape: Tape): Generator<Bar> {
  for (const { from, to, grain } of tape.coverage(span)) {
    if (grain === 'prints') continue
    for (const bar of [...tape.bars({ from, to: from + 1 }), ...tape.bars({ from: to - 1, to })]) if (bar.at < span.from || bar.at + bar.width > span.to) yield bar
  }
}

const rangeOf = (one: number, other: number): Range => ({ low: Math.min(one, other), high: Math.max(one, other) })

const fillPiece = (path: Path, place: number): Piece => {
  const { at: moment, price } = fillAt(path.fills, place)
  const worth = pnlAt(path.heldAfter(place), price)
  const range = { low: worth, high: worth }
  return { span: { from: moment - path.tolerance, to: moment + path.tolerance + 1 }, sure: range, possible: range, held: null }
}

/** The piece of a bar near fills. A fill is itself a print, so the bar's open is not after it and its close not before it. */
const barPiece = (path: Path, { at: from, width, open, high, low, close }: Bar): Piece | null => {
  const { tolerance, last } = path
  const to = from + width
  const [first, opened, closed, end] = [fillsBefore(path, from - tolerance), fillsBefore(path, from + tolerance), fillsBefore(path, to - tolerance), fillsBefore(path, to + tolerance)]
  const possible = { low: Infinity, high: -Infinity }
  for (let after = Math.max(first, 1); after <= Math.min(end, last - 1); after += 1) {
    for (const price of [low, high]) {
      const worth = pnlAt(path.heldAfter(after), price)
      possible.low = Math.min(possible.low, worth)
      possible.high = Math.max(possible.high, worth)
    }
  }
  if (possible.low === Infinity) return null
  const sure = { low: Infinity, high: -Infinity }
  /** A price that occurred after at least `from` and at most `to` fills. Before the first fill and after the last, the open P&L is one that the trade has anyway: 0, or its result. */
  const fell = (price: Ticks, from: number, to: number): void => {
    let [least, most] = [Infinity, -Infinity]
    for (let after = from; after <= to; after += 1) {
      const worth = pnlAt(path.heldAfter(after), price)
      least = Math.min(least, worth)
      most = Math.max(most, worth)
    }
    sure.high = Math.max(sure.high, least)
    sure.low = Math.min(sure.low, most)
  }
  fell(open, first, opened)
  fell(close, closed, end)
  fell(high, first, end)
  fell(low, first, end)
  return { span: { from, to }, sure, possible, held: null }
}

/** How many fills are stamped before a time. */
const fillsBefore = ({ fills }: Path, moment: Micros): number => countWhile(fills.length, (place) => fillAt(fills, place).at < moment)

/** When the open P&L first reached its highest (`sign` 1) or lowest (−1), as microseconds after the first fill, `to` included. */
const firstReached = (path: Path, pieces: readonly Piece[], tape: Tape, sign: 1 | -1): Span => {
  const best = ({ low, high }: Range): number => (sign === 1 ? high : -low)
  const least = pieces.reduce((most, { sure }) => Math.max(most, best(sure)), 0)
  let [earliest, reached, latest] = [Infinity, Infinity, -Infinity]
  for (const piece of pieces) {
    const { sure, possible, held } = piece
    if (best(possible) < least) continue
    const surely = best(sure) === least
    const span = held === null || piece.span.from >= reached ? piece.span : firstWithin(piece.span, held, sign * least, tape)
    earliest = Math.min(earliest, span.from)
    if (surely) reached = Math.min(reached, span.to - 1)
    if (best(possible) > least) latest = Math.max(latest, span.to - 1)
  }
  const [begin, end] = [fillAt(path.fills, 0).at, fillAt(path.fills, path.last - 1).at]
  const { tolerance } = path
  return { from: Math.max(0, earliest - begin - tolerance), to: Math.min(Math.max(reached, latest) - begin + tolerance, end - begin + 2 * tolerance) }
}

const shortSpan = 1_000_000

/** The first print or bar of a clear stretch at which the open P&L is `worth`, its extreme there. */
const firstWithin = (span: Span, held: HeldPosition, worth: number, tape: Tape): Span => {
  const has = (range: { readonly low: Ticks; readonly high: Ticks } | null): boolean => range !== null && (pnlAt(held, range.low) === worth || pnlAt(held, range.high) === worth)
  let [without, within] = [span.from, span.to]
  while (within - without > shortSpan) {
    const middle = without + Math.floor((within - without) / 2)
    if (has(tape.extremes({ from: span.from, to: middle }))) within = middle
    else without = middle
  }
  for (const bar of barsWithin({ from: without, to: within }, tape)) {
    if (bar.at >= span.from && bar.at + bar.width <= within && has(bar)) return { from: bar.at, to: bar.at + bar.width }
  }
  return span
}

const unknown: Bounds<Ratio> = { least: null, most: null }

type RatioBounds = { readonly least: number; readonly most: number | null }

const bounds = (least: number, most: number | null): RatioBounds => ({ least, most })

const money = (worth: number, { num, den }: TickValue): Amount => multiplyDivide(worth, num, 1, den)

const excursion = ({ least, most }: RatioBounds, { size }: Path, { tickValue, risk }: PricedTrade): Excursion => {
  const amount = { least: money(least, tickValue), most: most === null ? null : money(most, tickValue) }
  const divided = (num: RatioBounds, den: number): Bounds<Ratio> => ({ least: { num: num.least, den }, most: num.most === null ? null : { num: num.most, den } })
  return { amount, ticks: divided({ least, most }, size), perContract: divided(amount, size), r: risk === null || risk <= 0 ? null : divided(amount, risk) }
}

// The ratios are monotonic in MFE and in MAE, so their bounds are at the corners. If a corner is 0 / 0, the bound is the
// ratio's limit there.
const captureOf = (result: number, { least, most }: RatioBounds): Bounds<Ratio> | null => {
  if (most === 0) return null
  const [small, large] = [least === 0 ? null : { num: result, den: least }, most === null ? null : { num: result, den: most }]
  if (result === 0) return { least: { num: 0, den: 1 }, most: { num: 0, den: 1 } }
  return result > 0 ? { least: large, most: small } : { least: small, most: large }
}

const efficiencies = (result: number, mfe: RatioBounds, mae: RatioBounds): Pick<Excursions, 'entry' | 'exit' | 'total'> => {
  if (mfe.most === null || mae.most === null) return { entry: unknown, exit: unknown, total: unknown }
  if (mfe.most + mae.most === 0) return { entry: null, exit: null, total: null }
  const [small, large] = [over(result, mfe.least + mae.least, 0), over(result, mfe.most + mae.most, 0)]
  return {
    entry: { least: over(mfe.least, mfe.least + mae.most, 1), most: over(mfe.most, mfe.most + mae.least, 0) },
    exit: { least: over(result + mae.least, mfe.most + mae.least, 1), most: over(result + mae.most, mfe.least + mae.most, 0) },
    total: result > 0 ? { least: large, most: small } : { least: small, most: large },
  }
}

const over = (num: number, den: number, limit: 0 | 1): Ratio => (den === 0 ? { num: limit, den: 1 } : { num, den })
