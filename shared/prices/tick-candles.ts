import { candleAt, type Candle, type TickSize } from './candles.ts'
import type { Micros, Print, Span, Tape } from './tape.ts'

/** How many prints a candle of a size has. */
export const printsIn = (size: TickSize): number => Number.parseInt(size, 10)

/** When a tick candle begins: at its first print. Candles of one microsecond follow each other by one, so that each has a time of its own. */
export const tickBegin = (at: Micros, before: Micros): Micros => Math.max(at, before + 1)

/**
 * The tick candles of a span, and up to `beside` of its sessions before and behind it, at most `most`; null where there are more.
 * Counting starts at the open of a session and restarts after each stretch without known prints, so that a candle
 * is the same in every requested span.
 */
export const tickCandles = (tape: Tape, span: Span, size: TickSize, { beside, most }: { readonly beside: number; readonly most: number }): readonly Candle[] | null => {
  const sessions = { from: candleAt(span.from, daySize).from, to: candleAt(Math.max(span.from, span.to - 1), daySize).to }
  let found: Candle[] = []
  let before = 0
  let behind = 0
  let last = -Infinity
  for (const prints of runs(tape, sessions, printsIn(size))) {
    const [{ at: began }, { at: ended }] = [prints.first, prints.last]
    if (began >= span.to) behind += 1
    if (behind > beside) break
    last = tickBegin(began, last)
    found.push({ at: last, open: prints.first.price, high: prints.high, low: prints.low, close: prints.last.price })
    if (ended < span.from) {
      before += 1
      // Rarely, so that each candle is copied only a few times.
      if (before > 2 * beside + 1000) [found, before] = [found.slice(before - beside), beside]
    }
    if (found.length - Math.max(0, before - beside) > most) return null
  }
  return found.slice(Math.max(0, before - beside))
}

/** The number of prints in a span, at most `most`. */
export const countPrints = (tape: Tape, span: Span, most: number): number => {
  let count = 0
  for (const _ of tape.prints(span)) {
    count += 1
    if (count === most) break
  }
  return count
}

const daySize = 86_400

type PriceRun = { readonly first: Print; last: Print; high: Print['price']; low: Print['price'] }

/** Prints in groups of `count`. The last group of a session or of a known stretch may have fewer. */
function* runs(tape: Tape, span: Span, count: number): Generator<PriceRun> {
  let run: PriceRun | null = null
  let [size, known, closes] = [0, -Infinity, -Infinity]
  for (const { grain, from, to } of tape.coverage(span)) {
    if (grain !== 'prints') continue
    if (run !== null && from !== known) {
      yield run
      run = null
    }
    known = to
    for (const print of tape.prints({ from, to })) {
      if (print.at >= closes) {
        if (run !== null) yield run
        run = null
        closes = candleAt(print.at, daySize).to
      }
      if (run === null) [run, size] = [{ first: print, last: print, high: print.price, low: print.price }, 1]
      else {
        run.last = print
        if (print.price > run.high) run.high = print.price
        if (print.price < run.low) run.low = print.price
        size += 1
      }
      if (size === count) {
        yield run
        run = null
      }
    }
  }
  if (run !== null) yield run
}
