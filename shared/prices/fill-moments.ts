import type { Ticks } from '#shared/money/price.ts'
import type { Bar, Micros, Print, Span, Tape } from './tape.ts'

/** When a fill is stamped, and its price in whole ticks. */
type Fill = { readonly at: Micros; readonly price: Ticks }

/** The most that a fill's stamp and its print may lie apart, in µs: many files have whole seconds only, and the clocks of a broker and of a source of prices differ. */
export const mostTolerance: Micros = 1_000_000
/** The tolerance if stamps have milliseconds, and every fill is within the prints of so short a time. */
const closeTolerance: Micros = 100_000
/** The tolerance of stamps without seconds. */
export const minuteTolerance: Micros = 60_000_000

/** How far a trade's fills may lie from their prints: a minute where no stamp has seconds, a tenth of a second where stamps and prints show that it is no more, otherwise a second (decision 0247). `time` is UTC ms. */
export const fillTolerance = (fills: readonly { readonly time: number; readonly price: Ticks }[], tape: Tape): Micros => {
  if (fills.every(({ time }) => time % 60_000 === 0)) return minuteTolerance
  if (fills.every(({ time }) => time % 1000 === 0)) return mostTolerance
  const isHeld = ({ time, price }: { readonly time: number; readonly price: Ticks }): boolean => {
    const around = { from: time * 1000 - closeTolerance, to: time * 1000 + closeTolerance + 1 }
    // A bar is longer than that.
    if (tape.coverage(around).some(({ grain }) => grain !== 'prints')) return false
    const { low, high } = rangeAround(time * 1000, closeTolerance, tape)
    return price >= low && price <= high
  }
  return fills.every(isHeld) ? closeTolerance : mostTolerance
}

/** A simulated fill may be at a quote that did not print, this many ticks beyond the prints. */
const unprinted = 8

/** Whether each fill's price was one of its moment; otherwise these are not the trade's prices. A moment without prices contradicts nothing. */
export const fitsFills = (fills: readonly Fill[], tolerance: Micros, tape: Tape): boolean =>
  fills.every(({ at, price }) => {
    const { low, high } = rangeAround(at, tolerance, tape)
    return low > high || (price >= low - unprinted && price <= high + unprinted)
  })

/** The lowest and highest price near a moment; if none is known, the lowest is above the highest. */
const rangeAround = (at: Micros, tolerance: Micros, tape: Tape): { readonly low: number; readonly high: number } => {
  let [low, high] = [Infinity, -Infinity]
  for (const bar of barsWithin({ from: at - tolerance, to: at + tolerance + 1 }, tape)) [low, high] = [Math.min(low, bar.low), Math.max(high, bar.high)]
  return { low, high }
}

/** What is known of a short span, by the finest of each stretch: its bars, and the prints of each moment as a bar of it. */
export function* barsWithin(span: Span, tape: Tape): Generator<Bar> {
  for (const { from, to, grain } of tape.coverage(span)) yield* grain === 'prints' ? moments(tape.prints({ from, to })) : tape.bars({ from, to })
}

function* moments(prints: Iterable<Print>): Generator<Bar> {
  let open: Bar | null = null
  for (const print of prints) {
    if (open !== null && open.at !== print.at) {
      yield open
      open = null
    }
    open = withPrint(open, print)
  }
  if (open !== null) yield open
}

const withPrint = (bar: Bar | null, { at: moment, price, size }: Print): Bar =>
  bar === null
    ? { at: moment, width: 1, open: price, high: price, low: price, close: price, volume: size }
    : { ...bar, high: price > bar.high ? price : bar.high, low: price < bar.low ? price : bar.low, close: price, volume: bar.volume + size }
