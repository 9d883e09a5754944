import { latestTradingDay, nextTradingDay, sessionOf } from '#shared/market/session.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Coverage, Micros, Span, Tape } from './tape.ts'

/** The sizes of candles in seconds; 86,400 is a trading day from open to the next open, however long. */
export const candleSizes = [1, 5, 15, 60, 300, 900, 3600, 86_400] as const
export type TimeSize = (typeof candleSizes)[number]
/** The sizes of candles that are a number of prints, however long they take; `1t` is each print alone. */
export const tickSizes = ['1t', '100t', '500t', '1000t'] as const
export type TickSize = (typeof tickSizes)[number]
export type CandleSize = TimeSize | TickSize

/** The longest span of tick candles in one request, in ms: two sessions and a weekend between them. */
export const longestTicksMs = 5 * 86_400_000

export const isTickSize = (size: CandleSize): size is TickSize => typeof size === 'string'

/** The first, highest, lowest and last price known within a candle that begins at `at`; prices in whole ticks. */
export type Candle = { readonly at: Micros; readonly open: Ticks; readonly high: Ticks; readonly low: Ticks; readonly close: Ticks }

/** The most candles in one request. */
export const mostCandles = 20_000

const second = 1_000_000
const daySize = 86_400
const hourSize = 3600

/** The candle that a moment lies in. Hours and less are counted from midnight UTC, which every zone's clock shares to a quarter of an hour. */
export const candleAt = (at: Micros, size: TimeSize): Span => {
  if (size === daySize) {
    const day = latestTradingDay(Math.floor(at / 1000))
    return { from: sessionOf(day).opens * 1000, to: sessionOf(nextTradingDay(day)).opens * 1000 }
  }
  const width = size * second
  const from = Math.floor(at / width) * width
  return { from, to: from + width }
}

/** Whether prices of this grain are fine enough for candles of a size. */
export const isFineEnough = (grain: Coverage['grain'], size: CandleSize): boolean => grain === 'prints' || (!isTickSize(size) && grain <= size * second && (Math.min(size, hourSize) * second) % grain === 0)

/** The candles of a span, as far as prices fine enough are known; none where nothing printed. */
export const candlesOf = (tape: Tape, span: Span, size: TimeSize): readonly Candle[] => {
  const found: Candle[] = []
  const candlesIn = (stretch: Coverage): Iterable<Candle> => {
    if (stretch.grain !== 'prints') return fromBars(tape, stretch, size)
    return size >= hourSize ? wholeCandles(tape, stretch, size) : fromPrints(tape, stretch, size)
  }
  for (const stretch of tape.coverage(span)) {
    if (!isFineEnough(stretch.grain, size)) continue
    for (const candle of candlesIn(stretch)) {
      const last = found.at(-1)
      // Two stretches may each have a part of a candle.
      if (last?.at === candle.at) found[found.length - 1] = { ...candle, open: last.open, high: candle.high > last.high ? candle.high : last.high, low: candle.low < last.low ? candle.low : last.low }
      else found.push(candle)
    }
  }
  return found
}

/** The candles of prints, read one by one. */
function* fromPrints(tape: Tape, span: Span, size: TimeSize): Generator<Candle> {
  let [begin, end, open, high, low, close] = [-Infinity, -Infinity, 0, 0, 0, 0]
  const done = (): Candle => ({ at: begin, open: open as Ticks, high: high as Ticks, low: low as Ticks, close: close as Ticks })
  for (const { at, price } of tape.prints(span)) {
    if (at >= end) {
      if (end !== -Infinity) yield done()
      ;({ from: begin, to: end } = candleAt(at, size))
      open = high = low = price
    }
    if (price > high) high = price
    if (price < low) low = price
    close = price
  }
  if (end !== -Infinity) yield done()
}

/** Bars as candles, each in the one in which it begins. */
function* fromBars(tape: Tape, span: Span, size: TimeSize): Generator<Candle> {
  for (const { at, open, high, low, close } of tape.bars(span)) yield { at: candleAt(at, size).from, open, high, low, close }
}

/** Long candles of prints, by the tree of extremes instead of each print. */
function* wholeCandles(tape: Tape, span: Span, size: TimeSize): Generator<Candle> {
  for (let at = span.from; at < span.to; ) {
    const candle = candleAt(at, size)
    const part = { from: at, to: Math.min(candle.to, span.to) }
    at = part.to
    const first = firstPrint(tape, part)
    const last = lastPrint(tape, part)
    if (first === null || last === null) continue
    const extremes = tape.extremes(part)
    yield { at: candle.from, open: first, close: last, high: extremes?.high ?? first, low: extremes?.low ?? first }
  }
}

const firstPrint = (tape: Tape, span: Span): Ticks | null => {
  for (const { price } of tape.prints(span)) return price
  return null
}

const lastPrint = (tape: Tape, { from, to }: Span): Ticks | null => {
  for (let back = second; ; back *= 30) {
    const begin = Math.max(from, to - back)
    let last: Ticks | null = null
    for (const { price } of tape.prints({ from: begin, to })) last = price
    if (last !== null || begin === from) return last
  }
}
