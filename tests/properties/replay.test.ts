import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Ticks } from '#shared/money/price.ts'
import { candleAt, isTickSize, type CandleSize, type TickSize } from '#shared/prices/candles.ts'
import { positionPath, type PathFill } from '#shared/prices/position-path.ts'
import { createReplayTape, type ReplayPage, type ReplayTape } from '#shared/prices/replay-tape.ts'
import type { Bar, Print } from '#shared/prices/tape.ts'
import { printsIn } from '#shared/prices/tick-candles.ts'
import { barsOf, second, somePrints, tuesday } from '#tests/helpers/price-tapes.ts'

const tickValue = { num: 5_000, den: 1 }
const differences = (values: readonly number[]): number[] => values.map((value, index) => value - (values[index - 1] ?? 0))
const pageOf = (prints: readonly Print[]): ReplayPage => ({ at: differences(prints.map(({ at }) => at)), close: differences(prints.map(({ price }) => price)), bars: null })
const barPage = (bars: readonly Bar[]): ReplayPage => ({
  at: differences(bars.map(({ at, width }) => at + width)), close: differences(bars.map(({ close }) => close)),
  bars: { open: bars.map(({ open, close }) => open - close), high: bars.map(({ high, close }) => high - close), low: bars.map(({ low, close }) => low - close) },
})
const someFills = fc.array(fc.record({ wait: fc.nat(600), qty: fc.integer({ min: -3, max: 3 }).filter((qty) => qty !== 0), price: fc.integer({ min: 99_900, max: 100_100 }) }), { maxLength: 6 }).map((drawn) => {
  let at = tuesday
  return drawn.map(({ wait, qty, price }): PathFill => ({ at: (at += wait * second), qty, price: price as Ticks }))
})
const sizes = fc.constantFrom<CandleSize>(1, 5, 60, 300, '1t', '7t' as string as TickSize, '100t')
/** Which candle so far a print belongs to. */
const candleName = (print: Print, size: CandleSize, sofar: readonly Print[]): number => (isTickSize(size) ? Math.floor(sofar.indexOf(print) / printsIn(size)) : candleAt(print.at, size).from)
const whole = (fills: readonly PathFill[], pages: readonly ReplayPage[], size: CandleSize): ReplayTape => {
  const tape = createReplayTape(positionPath(fills), tickValue)
  tape.setSize(size)
  for (const page of pages) tape.append(page)
  tape.finish()
  return tape
}
const candles = (tape: ReplayTape, step: number) => tape.pointsTo(step, Infinity).map(({ at, open, high, low, close }) => ({ at, open, high, low, close }))

test('at every step the candles are those of the prints so far, and open P&L that of the fills so far at the last price', () => {
  fc.assert(
    fc.property(somePrints({ most: 60 }), someFills, sizes, fc.integer({ min: 1, max: 60 }), (prints, fills, size, cut) => {
      const tape = whole(fills, [pageOf(prints.slice(0, cut)), pageOf(prints.slice(cut))], size)
      expect(tape.length).toBe(prints.length + fills.length)
      for (let step = 0; step < tape.length; step += 1) {
        const { at, price, pnl, held } = tape.moment(step)
        const sofar = fills.filter((fill) => fill.at <= at)
        expect(pnl + 0).toBe(sofar.reduce((sum, fill) => sum + fill.qty * (price - fill.price), 0) * tickValue.num + 0)
        expect(held.qty).toBe(sofar.reduce((sum, { qty }) => sum + qty, 0))
        // Of one moment some prints may be behind this step: as many as steps that are no fills.
        const printed = prints.slice(0, step + 1 - fills.filter((fill) => fill.at < at || (fill.at === at && prints.findLastIndex((print) => print.at <= at) + 1 + fills.indexOf(fill) <= step)).length)
        expect(candles(tape, step)).toEqual(
          [...Map.groupBy(printed, (print) => candleName(print, size, printed))].map(([from, own]) => {
            const prices = own.map((print) => Number(print.price))
            return { at: isTickSize(size) ? expect.any(Number) : from, open: prices[0], high: Math.max(...prices), low: Math.min(...prices), close: prices.at(-1) }
          }),
        )
      }
    }),
    { numRuns: 60 },
  )
})

test('pages, a change of size, and steps one by one lead to the same candles', () => {
  fc.assert(
    fc.property(somePrints({ most: 80 }), someFills, sizes, sizes, fc.integer({ min: 1, max: 80 }), (prints, fills, first, then, cut) => {
      const one = whole(fills, [pageOf(prints)], then)
      const other = whole(fills, [pageOf(prints.slice(0, cut)), pageOf(prints.slice(cut))], first)
      other.setSize(then)
      const last = one.length - 1
      expect(other.pointsTo(last, Infinity)).toEqual(one.pointsTo(last, Infinity))
      expect(one.pointsFrom(0, last)).toEqual(one.pointsTo(last, Infinity))
      expect(one.pointsTo(last, 3)).toEqual(one.pointsTo(last, Infinity).slice(-3))
    }),
    { numRuns: 60 },
  )
})

test('tick candles of a replay begin with their first print, end with the next, and rise within one moment', () => {
  const prints = [0, 10, 10, 10, 20].map((at, index): Print => ({ at: tuesday + at, price: (100 + index) as Ticks, size: 1 }))
  const tape = whole([{ at: tuesday + 15, qty: 1, price: 103 as Ticks }], [pageOf(prints.slice(0, 3)), pageOf(prints.slice(3))], '1t')
  expect(tape.pointsTo(5, Infinity).map(({ at, end, held }) => [at - tuesday, end - tuesday, held.qty])).toEqual([[0, 10, 0], [10, 11, 0], [11, 12, 0], [12, 20, 1], [20, 21, 1]])
  // The candle in which the fill lies is known up to the fill alone.
  expect(tape.pointsTo(3, Infinity).at(-1)).toMatchObject({ at: tuesday + 12, held: { qty: 0 } })
  expect([tape.nextBar(0), tape.nextBar(2), tape.previousBar(5)]).toEqual([1, 4, 4])
})

test('a minute becomes known when it ends, and then is in its own candle', () => {
  const print = (at: number, price: number): Print => ({ at: tuesday + at * second, price: price as Ticks, size: 1 })
  const bars = barsOf([print(0, 100), print(30, 110), print(50, 105), print(70, 90), print(100, 95)], 60 * second)
  const tape = whole([{ at: tuesday + 65 * second, qty: 2, price: 92 as Ticks }], [barPage(bars)], 60)
  expect([0, 1, 2].map((step) => tape.momentOf(step))).toEqual([60, 65, 120].map((at) => tuesday + at * second))
  expect(candles(tape, 1)).toEqual([{ at: tuesday, open: 100, high: 110, low: 100, close: 105 }])
  expect(candles(tape, 2)).toEqual([{ at: tuesday, open: 100, high: 110, low: 100, close: 105 }, { at: tuesday + 60 * second, open: 90, high: 95, low: 90, close: 95 }])
  expect(tape.moment(2).pnl).toBe(2 * 3 * tickValue.num)
})

test('one steps by fill and by candle, back and forth, and behind the last price to the last fill', () => {
  const print = (at: number): Print => ({ at: tuesday + at * second, price: 100 as Ticks, size: 1 })
  const fill = (at: number, qty: number): PathFill => ({ at: tuesday + at * second, qty, price: 101 as Ticks })
  const tape = whole([fill(10, 1), fill(150, -1)], [pageOf([0, 20, 70, 80, 130].map(print))], 60)
  const at = (step: number): number => (tape.momentOf(step) - tuesday) / second
  expect(Array.from({ length: tape.length }, (_, step) => at(step))).toEqual([0, 10, 20, 70, 80, 130, 150])
  expect([0, 1, 2, 3, 4, 5, 6].map((step) => at(tape.nextBar(step)))).toEqual([20, 20, 80, 80, 150, 150, 150])
  expect([6, 5, 4, 3, 2, 0].map((step) => at(tape.previousBar(step)))).toEqual([80, 80, 20, 20, 0, 0])
  expect([0, 1, 2, 6].map((step) => at(tape.nextFill(step)))).toEqual([10, 150, 150, 150])
  expect([6, 3, 1, 0].map((step) => at(tape.previousFill(step)))).toEqual([10, 10, 0, 0])
  expect([tape.stepAt(tuesday - 1), tape.stepAt(tuesday + 75 * second), tape.stepAt(Infinity)]).toEqual([0, 3, 6])
  expect(tape.moment(6).pnl).toBe(0)
})
