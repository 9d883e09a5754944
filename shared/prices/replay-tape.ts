import type { TickValue } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { candleAt, type CandleSize } from './candles.ts'
import { chartPoint, type ChartPoint, type CutCandle } from './chart-points.ts'
import { openPnl, type Held, type PathFill, type PositionPath } from './position-path.ts'
import type { Micros } from './tape.ts'

/** A page of steps as the API sends it: differences to the step before, and of bars to their own close. */
export type ReplayPage = { readonly at: readonly number[]; readonly close: readonly number[]; readonly bars: { readonly open: readonly number[]; readonly high: readonly number[]; readonly low: readonly number[] } | null }

/** What a step is; a fill belongs to no candle. */
const [ofPrint, ofFill, ofBar] = [0, 1, 2]

/** What a replay shows at one of its steps. */
export type ReplayMoment = { readonly at: Micros; readonly price: Ticks; readonly fills: number; readonly held: Held; readonly pnl: Amount }

/** The steps of a replay, page by page: prints, bars when they end, and the trade's fills at their own prices. Nothing that it says of a step depends on a later one. */
export type ReplayTape = ReturnType<typeof createReplayTape>

/** `path` is that of the trade's fills. */
export const createReplayTape = (path: PositionPath, tickValue: TickValue) => {
  let room = 1 << 16
  let at = new Float64Array(room)
  let [open, high, low, close] = [new Int32Array(room), new Int32Array(room), new Int32Array(room), new Int32Array(room)]
  let kinds = new Uint8Array(room)
  let length = 0
  let nextFill = 0
  let size: CandleSize = 60
  /** Of each candle its first step, and what it is once it is whole. */
  let starts: number[] = []
  let whole: ChartPoint[] = []

  const push = (moment: Micros, o: number, h: number, l: number, c: number, kind: number): void => {
    if (length === room) {
      room *= 2
      const grown = (old: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> => {
        const more = new Int32Array(room)
        more.set(old)
        return more
      }
      const [moments, more] = [new Float64Array(room), new Uint8Array(room)]
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
  const pushFill = ({ at: moment, price }: PathFill): void => { push(moment, price, price, price, price, ofFill) }
  const fillsBefore = (moment: Micros): void => {
    for (let fill = path.fills[nextFill]; fill !== undefined && fill.at < moment; fill = path.fills[nextFill]) {
      pushFill(fill)
      nextFill += 1
    }
  }
  /** Begins candles at the steps from one on. */
  const build = (from: number): void => {
    let end = starts.length === 0 ? -Infinity : endOf(starts.length - 1)
    for (let step = from; step < length; step += 1) {
      if (kinds[step] === ofFill) continue
      const moment = timeOf(step)
      if (moment < end) continue
      if (starts.length > 0) whole.push(pointOf(starts.length - 1, step - 1, true))
      starts.push(step)
      end = candleAt(moment, size).to
    }
  }
  // A bar ends when it is known, and lies before that.
  const timeOf = (step: number): Micros => (at[step] ?? 0) - (kinds[step] === ofBar ? 1 : 0)
  const endOf = (candle: number): Micros => candleAt(timeOf(starts[candle] ?? 0), size).to
  const momentOf = (step: number): Micros => at[step] ?? 0

  /** A candle as far as the steps up to one tell of it. */
  const pointOf = (candle: number, upTo: number, isWhole = upTo + 1 === starts[candle + 1]): ChartPoint => {
    const first = starts[candle] ?? 0
    const span = candleAt(timeOf(first), size)
    let [highest, lowest, last] = [high[first] ?? 0, low[first] ?? 0, close[first] ?? 0]
    for (let step = first + 1; step <= upTo; step += 1) {
      if (kinds[step] === ofFill) continue
      const [h, l] = [high[step] ?? 0, low[step] ?? 0]
      if (h > highest) highest = h
      if (l < lowest) lowest = l
      last = close[step] ?? 0
    }
    const cut: CutCandle = { at: span.from, end: isWhole ? span.to : Math.min(span.to, momentOf(upTo) + 1), open: (open[first] ?? 0) as Ticks, high: highest as Ticks, low: lowest as Ticks, close: last as Ticks }
    return chartPoint(path, tickValue, whole[candle - 1] ?? null, cut)
  }

  const candleOf = (step: number): number => upper(starts, step, starts.length) - 1
  const lastOf = (candle: number): number => (starts[candle + 1] ?? length) - 1

  return {
    get length() { return length },
    momentOf,
    /** Adds what comes next. */
    append: (page: ReplayPage): void => {
      const from = length
      let [moment, last] = [0, 0]
      for (const [index, difference] of page.at.entries()) {
        moment += difference
        last += page.close[index] ?? 0
        fillsBefore(moment)
        push(moment, last + (page.bars?.open[index] ?? 0), last + (page.bars?.high[index] ?? 0), last + (page.bars?.low[index] ?? 0), last, page.bars === null ? ofPrint : ofBar)
      }
      build(from)
    },
    /** Adds the fills behind the last price: the tape is whole. */
    finish: (): void => { fillsBefore(Infinity) },
    setSize: (to: CandleSize): void => {
      size = to
      ;[starts, whole] = [[], []]
      build(0)
    },
    /** The last step at or before a moment; the first where none is. */
    stepAt: (moment: Micros): number => Math.max(0, upper(at, moment, length) - 1),
    /** What is known at a step: the fills of its moment have happened. */
    moment: (step: number): ReplayMoment => {
      const fills = path.countBy(momentOf(step))
      const [held, price] = [path.after(fills), (close[step] ?? 0) as Ticks]
      return { at: momentOf(step), price, fills, held, pnl: openPnl(held, price, tickValue) }
    },
    candleOf,
    /** The candles up to a step, the last `most` of them; the newest as far as it is known. */
    pointsTo: (step: number, most: number): readonly ChartPoint[] => {
      const newest = candleOf(step)
      return newest < 0 ? [] : [...whole.slice(Math.max(0, newest - most + 1), newest), pointOf(newest, step)]
    },
    /** The candles from one up to a step. */
    pointsFrom: (candle: number, step: number): readonly ChartPoint[] => {
      const newest = candleOf(step)
      return newest < candle ? [] : [...whole.slice(candle, newest), pointOf(newest, step)]
    },
    /** The step at which the candle of a step, or the one after it, is whole. */
    nextBar: (step: number): number => {
      const candle = candleOf(step)
      return candle < 0 ? Math.min(step + 1, length - 1) : lastOf(candle) > step ? lastOf(candle) : lastOf(Math.min(candle + 1, starts.length - 1))
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

/** The first place whose value lies above one in rising values. */
const upper = (values: ArrayLike<number>, value: number, length: number): number => {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] ?? Infinity) <= value) low = middle + 1
    else high = middle
  }
  return low
}
