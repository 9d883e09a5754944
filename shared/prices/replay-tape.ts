import { countWhile } from '#shared/base/count-while.ts'
import type { TickValue } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { candleAt, isTickSize, type CandleSize } from './candles.ts'
import { chartPoint, type ChartPoint, type CutCandle } from './chart-points.ts'
import { openPnl, type PathPosition, type PositionPath } from './position-path.ts'
import type { Micros, Span } from './tape.ts'
import { printsIn, tickBegin } from './tick-candles.ts'

/** A page of steps as the API sends it: differences to the step before, and of bars to their own close. */
export type ReplayPage = {
  readonly at: readonly number[]
  readonly close: readonly number[]
  readonly bars: { readonly open: readonly number[]; readonly high: readonly number[]; readonly low: readonly number[] } | null
}

/** Some steps that belong to one candle: those of a second, or the prints of a tick candle. */
type TapeStep = { readonly at: Micros; readonly first: number; last: number; high: number; low: number }

const second = 1_000_000
const daySize = 86_400
/** What a step is; a fill belongs to no candle. */
const [ofPrint, ofFill, ofBar] = [0, 1, 2]

/** What a replay shows at one of its steps. */
export type ReplayMoment = { readonly at: Micros; readonly price: Ticks; readonly fills: number; readonly held: PathPosition; readonly pnl: Amount }

/** The steps of a replay, page by page: prints, bars when they end, and the trade's fills at their own prices. No step depends on a later one. */
export type ReplayTape = ReturnType<typeof createReplayTape>

/** `path` is that of the trade's fills. */
export const createReplayTape = (path: PositionPath, tickValue: TickValue) => {
  let capacity = 1 << 16
  let at = new Float64Array(capacity)
  let [open, high, low, close] = [new Int32Array(capacity), new Int32Array(capacity), new Int32Array(capacity), new Int32Array(capacity)]
  let kinds = new Uint8Array(capacity)
  let length = 0
  let nextFill = 0
  /** The seconds in which something printed: first and last step, and prices. Every candle in time is made of whole ones. */
  const seconds: TapeStep[] = []
  /** The same of tick candles, each a candle of its own, while such a size is chosen; how many prints the last one has, and when its session closes. */
  let runs: TapeStep[] = []
  let [inRun, closes] = [0, -Infinity]
  let size: CandleSize = 60
  /** Of each candle its first part and its span, and what it is once it was shown whole. */
  let firsts: number[] = []
  let spans: Span[] = []
  let whole: (ChartPoint | undefined)[] = []

  const push = (moment: Micros, o: number, h: number, l: number, c: number, kind: number): void => {
    if (length === capacity) {
      capacity *= 2
      const grown = (old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
        const more = new Int32Array(capacity)
        more.set(old)
        return more
      }
      const [moments, more] = [new Float64Array(capacity), new Uint8Array(capacity)]
      moments.set(at)
      more.set(kinds)
      ;[at, kinds, open, high, low, close] = [moments, more, grown(open), grown(high), grown(low), grown(close)]
    }
    at[length] = moment
    open[length] = o
    high[length] = h
    low[length] = l
    close[length] = c
    kinds[length] = kind
    length += 1
  }
  const pushFillsBefore = (moment: Micros): void => {
    for (let fill = path.fills[nextFill]; fill !== undefined && fill.at < moment; fill = path.fills[nextFill]) {
      push(fill.at, fill.price, fill.price, fill.price, fill.price, ofFill)
      nextFill += 1
    }
  }
  const addToSeconds = (from: number): void => {
    let last = seconds.at(-1)
    for (let step = from; step < length; step += 1) {
      const kind = kinds[step]
      if (kind === ofFill) continue
      // A bar ends when it is known, and lies before that.
      const moment = (at[step] ?? 0) - (kind === ofBar ? 1 : 0)
      const [h, l] = [high[step] ?? 0, low[step] ?? 0]
      if (last === undefined || moment >= last.at + second) {
        last = { at: Math.floor(moment / second) * second, first: step, last: step, high: h, low: l }
        seconds.push(last)
      } else {
        last.last = step
        if (h > last.high) last.high = h
        if (l < last.low) last.low = l
      }
    }
  }
  /** Adds the prints from a step on to tick candles, of `most` prints each. */
  const addToTickCandles = (from: number, most: number): void => {
    for (let step = from; step < length; step += 1) {
      const [kind, moment] = [kinds[step], at[step] ?? 0]
      if (kind === ofFill) continue
      const last = runs.at(-1)
      if (kind === ofBar) inRun = most
      else if (last === undefined || inRun >= most || moment >= closes) {
        if (moment >= closes) closes = candleAt(moment, daySize).to
        const price = close[step] ?? 0
        runs.push({ at: tickBegin(moment, last?.at ?? -Infinity), first: step, last: step, high: price, low: price })
        inRun = 1
      } else {
        const price = close[step] ?? 0
        last.last = step
        if (price > last.high) last.high = price
        if (price < last.low) last.low = price
        inRun += 1
      }
    }
  }
  const parts = (): readonly TapeStep[] => (isTickSize(size) ? runs : seconds)
  /** Adds the candles that begin at the parts from one on. */
  const addCandles = (from: number): void => {
    if (isTickSize(size)) {
      for (let place = from; place < runs.length; place += 1) {
        const begins = runs[place]?.at ?? 0
        const before = spans.at(-1)
        if (before !== undefined) spans[place - 1] = { from: before.from, to: begins }
        firsts.push(place)
        spans.push({ from: begins, to: Infinity })
      }
      return
    }
    let end = spans.at(-1)?.to ?? -Infinity
    for (let place = from; place < seconds.length; place += 1) {
      const moment = seconds[place]?.at ?? 0
      if (moment < end) continue
      const span = candleAt(moment, size)
      firsts.push(place)
      spans.push(span)
      end = span.to
    }
  }
  const momentOf = (step: number): Micros => at[step] ?? 0
  const startOf = (candle: number): number => parts()[firsts[candle] ?? Infinity]?.first ?? length

  /** A candle as of a step. */
  const cutCandle = (candle: number, upTo: number): CutCandle => {
    const [first, next] = [firsts[candle] ?? 0, firsts[candle + 1] ?? parts().length]
    const { from, to } = spans[candle] ?? { from: 0, to: 0 }
    let [highest, lowest, last] = [-Infinity, Infinity, 0]
    for (let place = first; place < next; place += 1) {
      const one = parts()[place]
      if (one === undefined || one.first > upTo) break
      const isKnown = one.last <= upTo
      if (isKnown) {
        if (one.high > highest) highest = one.high
        if (one.low < lowest) lowest = one.low
        last = one.last
      } else {
        for (let step = one.first; step <= upTo; step += 1) {
          if (kinds[step] === ofFill || (kinds[step] === ofBar && isTickSize(size))) continue
          highest = Math.max(highest, high[step] ?? 0)
          lowest = Math.min(lowest, low[step] ?? 0)
          last = step
        }
      }
    }
    const end = upTo + 1 === startOf(candle + 1) && candle + 1 < firsts.length ? to : Math.min(to, momentOf(upTo) + 1)
    return { at: from, end, open: (open[startOf(candle)] ?? 0) as Ticks, high: highest as Ticks, low: lowest as Ticks, close: (close[last] ?? 0) as Ticks }
  }
  /** Whether a candle depends on the one before: within the trade. */
  const follows = (candle: number): boolean => {
    const began = path.countBy((spans[candle]?.from ?? 0) - 1)
    return candle > 0 && began > 0 && began < path.fills.length
  }
  /** A whole candle: another one begins behind it. */
  const wholePoint = (candle: number): ChartPoint => {
    let from = candle
    while (whole[from] === undefined && follows(from)) from -= 1
    for (let each = from; each <= candle; each += 1) whole[each] ??= chartPoint(path, tickValue, whole[each - 1] ?? null, cutCandle(each, startOf(each + 1) - 1))
    return whole[candle] ?? chartPoint(path, tickValue, null, cutCandle(candle, length - 1))
  }
  const newestPoint = (candle: number, step: number): ChartPoint => chartPoint(path, tickValue, follows(candle) ? wholePoint(candle - 1) : null, cutCandle(candle, step))
  const points = (from: number, step: number): readonly ChartPoint[] => {
    const newest = candleOf(step)
    const found: ChartPoint[] = []
    for (let candle = Math.max(0, from); candle < newest; candle += 1) found.push(wholePoint(candle))
    return newest < from || newest < 0 ? [] : [...found, newestPoint(newest, step)]
  }

  const candleOf = (step: number): number => countWhile(firsts.length, (candle) => startOf(candle) <= step) - 1
  const lastOf = (candle: number): number => startOf(candle + 1) - 1

  return {
    get length() { return length },
    momentOf,
    /** When a step is, and its price. */
    priceOf: (step: number): { readonly at: Micros; readonly price: Ticks } => ({ at: momentOf(step), price: (close[step] ?? 0) as Ticks }),
    /** Adds what comes next. */
    append: (page: ReplayPage): void => {
      const [from, known] = [length, parts().length]
      let [moment, last] = [0, 0]
      for (let index = 0; index < page.at.length; index += 1) {
        moment += page.at[index] ?? 0
        last += page.close[index] ?? 0
        pushFillsBefore(moment)
        push(moment, last + (page.bars?.open[index] ?? 0), last + (page.bars?.high[index] ?? 0), last + (page.bars?.low[index] ?? 0), last, page.bars === null ? ofPrint : ofBar)
      }
      addToSeconds(from)
      if (isTickSize(size)) addToTickCandles(from, printsIn(size))
      addCandles(known)
    },
    /** Adds the fills behind the last price: the tape is whole. */
    finish: (): void => { pushFillsBefore(Infinity) },
    setSize: (to: CandleSize): void => {
      size = to
      ;[firsts, spans, whole] = [[], [], []]
      ;[runs, inRun, closes] = [[], 0, -Infinity]
      if (isTickSize(to)) addToTickCandles(0, printsIn(to))
      addCandles(0)
    },
    /** The last step at or before a moment; the first where none is. */
    stepAt: (moment: Micros): number => Math.max(0, countWhile(length, (step) => momentOf(step) <= moment) - 1),
    /** What is known at a step: the fills of its moment have happened. */
    moment: (step: number): ReplayMoment => {
      const fills = path.countBy(momentOf(step))
      const [held, price] = [path.after(fills), (close[step] ?? 0) as Ticks]
      return { at: momentOf(step), price, fills, held, pnl: openPnl(held, price, tickValue) }
    },
    candleOf,
    /** The candles up to a step, the last `most` of them; the newest as far as it is known. */
    pointsTo: (step: number, most: number): readonly ChartPoint[] => points(Math.max(0, candleOf(step) - most + 1), step),
    /** The candles from one up to a step. */
    pointsFrom: (candle: number, step: number): readonly ChartPoint[] => points(candle, step),
    /** The step at which the candle of a step, or the one after it, is whole. */
    nextBar: (step: number): number => {
      const candle = candleOf(step)
      return candle < 0 ? Math.min(step + 1, length - 1) : lastOf(candle) > step ? lastOf(candle) : lastOf(Math.min(candle + 1, firsts.length - 1))
    },
    previousBar: (step: number): number => Math.max(0, lastOf(candleOf(step) - 1)),
    /** The next fill's step, or the end. */
    nextFill: (step: number): number => {
      const found = kinds.subarray(0, length).indexOf(ofFill, step + 1)
      return found < 0 ? length - 1 : found
    },
    previousFill: (step: number): number => (step === 0 ? 0 : Math.max(0, kinds.subarray(0, length).lastIndexOf(ofFill, step - 1))),
  }
}
