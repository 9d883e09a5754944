import { countWhile } from '#shared/base/count-while.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Coverage, Micros, Print, Span, Tape } from '#shared/prices/tape.ts'

/** Prints in the order of the exchange, column by column; `price` in whole ticks. */
type PrintColumns = { readonly at: Float64Array; readonly price: Int32Array; readonly size: Int32Array }

/** A stretch whose prints are all known, read on first use. */
type PrintedPart = Span & { readonly read: () => PrintColumns }

type Extremes = { low: number; high: number }
type Read = PrintColumns & { readonly lows: Int32Array; readonly highs: Int32Array }

const blockSize = 256

/** A tape of prints in memory; its parts in order and without overlap. */
export const printedTape = (parts: readonly PrintedPart[]): Tape => {
  const known = new Map<PrintedPart, Read>()
  const readOf = (part: PrintedPart): Read => {
    const found = known.get(part) ?? withBlocks(part.read())
    known.set(part, found)
    return found
  }
  const overlapping = ({ from, to }: Span): readonly PrintedPart[] => parts.filter((part) => part.from < to && part.to > from)

  return {
    coverage: ({ from, to }) => {
      const found: Coverage[] = []
      for (const part of overlapping({ from, to })) {
        const before = found.at(-1)
        const end = Math.min(part.to, to)
        if (before?.to === part.from) found[found.length - 1] = { ...before, to: end }
        else found.push({ from: Math.max(part.from, from), to: end, grain: 'prints' })
      }
      return found
    },
    *prints({ from, to }): Generator<Print> {
      for (const part of overlapping({ from, to })) {
        const { at, price, size } = readOf(part)
        for (let place = firstFrom(at, from); place < at.length && (at[place] ?? 0) < to; place += 1) yield { at: at[place] ?? 0, price: (price[place] ?? 0) as Ticks, size: size[place] ?? 0 }
      }
    },
    bars: () => [],
    extremes: ({ from, to }) => {
      const found: Extremes = { low: Infinity, high: -Infinity }
      for (const part of overlapping({ from, to })) {
        const read = readOf(part)
        widen(found, read, firstFrom(read.at, from), firstFrom(read.at, to))
      }
      return found.low === Infinity ? null : { low: found.low as Ticks, high: found.high as Ticks }
    },
  }
}

const withBlocks = (columns: PrintColumns): Read => {
  const blocks = Math.ceil(columns.price.length / blockSize)
  const [lows, highs] = [new Int32Array(blocks).fill(2 ** 31 - 1), new Int32Array(blocks).fill(-(2 ** 31))]
  for (const [place, price] of columns.price.entries()) {
    const block = Math.floor(place / blockSize)
    lows[block] = Math.min(lows[block] ?? price, price)
    highs[block] = Math.max(highs[block] ?? price, price)
  }
  return { ...columns, lows, highs }
}

/** The extremes of the prints from one place up to, but not including, another: print by print at the edges, by blocks between. */
const widen = (found: Extremes, { price, lows, highs }: Read, from: number, to: number): void => {
  for (let place = from; place < to; ) {
    const isWhole = place % blockSize === 0 && place + blockSize <= to
    const [low, high] = isWhole ? [lows[place / blockSize], highs[place / blockSize]] : [price[place], price[place]]
    found.low = Math.min(found.low, low ?? Infinity)
    found.high = Math.max(found.high, high ?? -Infinity)
    place += isWhole ? blockSize : 1
  }
}

/** The first place at or behind a moment. */
const firstFrom = (at: Float64Array, moment: Micros): number => countWhile(at.length, (place) => (at[place] ?? 0) < moment)
