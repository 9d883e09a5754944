// @module-tag slow
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askTape, barsOf, keepTape, pricePlace, scanned, second, somePrints, tuesday } from '#tests/helpers/price-tapes.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Span } from '#shared/prices/tape.ts'
import { pack, unpack } from './chunk-codec.ts'

const always: Span = { from: tuesday - 86_400 * second, to: tuesday + 86_400 * second }
const minute = 60 * second
const hour = 60 * minute
const someSpans = fc.array(fc.tuple(fc.nat(4000), fc.nat(4000)).map(([from, length]) => ({ from: tuesday + from * second, to: tuesday + (from + length) * second })), { minLength: 5, maxLength: 20 })
const print = (at: number, price = 100) => ({ at, price: price as Ticks, size: 1 })
const flat = (at: number, width: number, price: number) => ({ at, width, open: price as Ticks, high: (price + 2) as Ticks, low: (price - 2) as Ticks, close: price as Ticks, volume: 1 })

describe('a tape that is kept', () => {
  test.each([0, second, 15 * second, minute])('answers the lowest and highest of any span as a scan does, at a width of %d µs', (width) => {
    fc.assert(
      fc.property(somePrints({ most: 400 }), someSpans, (prints, spans) => {
        const entries = width === 0 ? prints : barsOf(prints, width)
        const paths = pricePlace()
        keepTape(paths, entries, { chunk: 2 })
        const moments = entries.flatMap(({ at }) => [at, at + 1, at + width])
        const exact = spans.map(({ from, to }) => ({ from: moments[from % moments.length] ?? from, to: moments[to % moments.length] ?? to }))
        expect(askTape(paths, (tape) => [...spans, ...exact].map(tape.extremes))).toEqual([...spans, ...exact].map((span) => scanned(entries, span)))
      }),
      { numRuns: 25 },
    )
  })

  test('leaves no chunk out of a span, wherever the span begins and however many levels of the index it crosses', () => {
    const paths = pricePlace()
    const prints = Array.from({ length: 700 }, (_, index) => print(tuesday + index * second, Math.floor(10_000 * Math.sin(index ** 2))))
    keepTape(paths, prints, { chunk: 1 })
    const spans = prints.flatMap(({ at }) => [3, 17, 18, 34, 50, 300, 600].map((length) => ({ from: at, to: at + length * second })))
    expect(askTape(paths, (tape) => spans.map(tape.extremes))).toEqual(spans.map((span) => scanned(prints, span)))
  })

  test('gives back every print and bar of any span', () => {
    fc.assert(
      fc.property(somePrints({ most: 60 }), someSpans, (prints, spans) => {
        const bars = barsOf(prints, minute)
        const paths = pricePlace()
        keepTape(paths, prints)
        keepTape(paths, bars)
        for (const { from, to } of [always, ...spans]) {
          const [gotPrints, gotBars] = askTape(paths, (tape) => [[...tape.prints({ from, to })], [...tape.bars({ from, to })]])
          expect(gotPrints).toEqual(prints.filter(({ at }) => at >= from && at < to))
          expect(gotBars).toEqual(bars.filter(({ at }) => at + minute > from && at < to))
        }
      }),
      { numRuns: 20 },
    )
  })

  test('is the same however its files were cut, and a file that is imported again changes nothing', () => {
    const cuts = fc.array(fc.tuple(fc.nat(100), fc.nat(100)), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(somePrints({ most: 100 }), cuts, (all, files) => {
        // A file ends between two moments, as days and weeks do.
        const prints = all.map((one, index) => ({ ...one, at: one.at + (Math.floor(index / 3) + 1) * 10 }))
        const paths = pricePlace()
        for (const [from, length] of files) {
          const part = prints.filter(({ at }) => at >= (prints[from]?.at ?? tuesday) && at < (prints[from + length]?.at ?? Infinity))
          if (part.length > 0) keepTape(paths, part)
        }
        keepTape(paths, prints)
        expect(askTape(paths, (tape) => [...tape.prints(always)])).toEqual(prints)
        expect(keepTape(paths, prints)).toEqual({ added: 0, known: prints.length, parts: [] })
        expect(askTape(paths, (tape) => [[...tape.prints(always)], tape.coverage(always)])).toEqual([prints, [{ from: prints[0]?.at, to: (prints.at(-1)?.at ?? 0) + 1, grain: 'prints' }]])
      }),
      { numRuns: 40 },
    )
  })

  test('keeps prints of one moment, however many chunks they fill', () => {
    const paths = pricePlace()
    const prints = [print(tuesday), ...Array.from({ length: 30 }, (_, index) => print(tuesday + 1, 90 + index)), print(tuesday + 2)]
    keepTape(paths, prints, { chunk: 4 })
    const moment = { from: tuesday + 1, to: tuesday + 2 }
    expect(askTape(paths, (tape) => [[...tape.prints(moment)].length, tape.extremes(moment), tape.extremes({ from: tuesday + 2, to: tuesday + 2 })])).toEqual([30, { low: 90, high: 119 }, null])
  })
})

describe('coverage', () => {
  test('names the finest grain of each stretch, and bars of a coarser one begin again behind it', () => {
    const paths = pricePlace()
    keepTape(paths, [0, 1, 2, 3].map((index) => flat(tuesday + index * minute, minute, 100)))
    keepTape(paths, [70, 71, 72].map((index) => flat(tuesday + index * second, second, 200)))
    keepTape(paths, [print(tuesday + 150 * second), print(tuesday + 155 * second)])
    const span = { from: tuesday + 30 * second, to: tuesday + 10 * minute }
    expect(askTape(paths, (tape) => tape.coverage(span))).toEqual([
      { from: tuesday + 30 * second, to: tuesday + 70 * second, grain: minute },
      { from: tuesday + 70 * second, to: tuesday + 73 * second, grain: second },
      { from: tuesday + 73 * second, to: tuesday + 150 * second, grain: minute },
      { from: tuesday + 150 * second, to: tuesday + 155 * second + 1, grain: 'prints' },
      { from: tuesday + 155 * second + 1, to: tuesday + 4 * minute, grain: minute },
    ])
    expect(askTape(paths, (tape) => [...tape.bars(span)].map(({ at, width }) => [(at - tuesday) / second, width / second]))).toEqual([[0, 60], [60, 60], [70, 1], [71, 1], [72, 1], [120, 60], [180, 60]])
  })

  test.each([
    ['six minutes without a print in a session are a hole', tuesday, 6 * minute, 2],
    ['five minutes are none', tuesday, 5 * minute, 1],
    ['the halt from 16:00 to 17:00 in Chicago is none', Date.UTC(2026, 9, 6, 20, 59) * 1000, 63 * minute, 1],
    ['a weekend is none', Date.UTC(2026, 9, 9, 20, 59) * 1000, 2 * 86_400 * second + 65 * minute, 1],
    ['a missing day is a hole', Date.UTC(2026, 9, 6, 20, 59) * 1000, 24 * hour, 2],
    ['three weeks without a print are a hole', tuesday, 21 * 24 * hour, 2],
  ])('%s', (_, at, wait, stretches) => {
    const paths = pricePlace()
    keepTape(paths, [print(at), print(at + wait)])
    expect(askTape(paths, (tape) => tape.coverage({ from: at, to: at + 100 * 24 * hour }))).toHaveLength(stretches)
  })

  test('of another file closes a hole', () => {
    const paths = pricePlace()
    keepTape(paths, [print(tuesday), print(tuesday + 15 * minute)])
    const between = [print(tuesday + 1), print(tuesday + 5 * minute), print(tuesday + 10 * minute), print(tuesday + 15 * minute)]
    expect(keepTape(paths, [print(tuesday), ...between])).toMatchObject({ added: 3, known: 2 })
    expect(askTape(paths, (tape) => tape.coverage(always))).toEqual([{ from: tuesday, to: tuesday + 15 * minute + 1, grain: 'prints' }])
  })

  test('of what was known stays one part’s where a later file says nothing of it', () => {
    const paths = pricePlace()
    keepTape(paths, [print(tuesday + 10), print(tuesday + 20)])
    keepTape(paths, [print(tuesday), print(tuesday + 30)])
    expect(askTape(paths, (tape) => [...tape.prints(always)].map(({ at }) => at - tuesday))).toEqual([0, 10, 20, 30])
  })
})

test('a chunk comes back as it was packed, whatever its numbers', () => {
  const number = fc.integer({ min: -4_000_000_000, max: 4_000_000_000 })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2 ** 31 - 1), number, number, number, number, number), { minLength: 1, maxLength: 40 }), fc.constantFrom(2, 5), (rows, columns) => {
      let moment = tuesday
      const at = Float64Array.from(rows, ([wait]) => (moment += wait))
      const values = Array.from({ length: columns }, (_, column) => Float64Array.from(rows, (row) => row[column + 1] ?? 0))
      // A bar's high and low are beyond its open and close.
      const [open, high, low, close] = values
      if (columns === 5 && open && high && low && close) for (const index of rows.keys()) {
        high[index] = Math.max(high[index] ?? 0, open[index] ?? 0, close[index] ?? 0)
        low[index] = Math.min(low[index] ?? 0, open[index] ?? 0, close[index] ?? 0)
      }
      expect(unpack(pack({ at, values }, rows.length), { first: at[0] ?? 0, count: rows.length, columns: columns as 2 | 5 })).toEqual({ at, values })
    }),
  )
})
