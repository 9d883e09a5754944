import fc from 'fast-check'
import { expect, test } from 'vitest'
import { latestTradingDay } from '#shared/market/session.ts'
import { candlesOf, candleSizes, type Candle, type CandleSize } from '#shared/prices/candles.ts'
import { stepsOf, type Step } from '#shared/prices/steps.ts'
import type { Print, Span } from '#shared/prices/tape.ts'
import { askTape, barsOf, keepTape, pricePlace, second, somePrints, tuesday } from '#tests/helpers/price-tapes.ts'

const hour = 3600 * second
const someSpan = fc.tuple(fc.nat(3 * 24), fc.integer({ min: 1, max: 3 * 24 })).map(([from, length]): Span => ({ from: tuesday + (from - 24) * hour, to: tuesday + (from - 24 + length) * hour }))
const size = fc.constantFrom(...candleSizes)

/** Candles by the definition: the prints of a span by the second, minute or trading day that they lie in. */
const byHand = (prints: readonly Print[], { from, to }: Span, seconds: CandleSize) => {
  const name = (at: number): string => (seconds === 86_400 ? latestTradingDay(at / 1000) : String(Math.floor(at / (seconds * second))))
  return [...Map.groupBy(prints.filter(({ at }) => at >= from && at < to), ({ at }) => name(at))].map(([, own]) => {
    const prices = own.map(({ price }) => Number(price))
    return { open: prices[0], high: Math.max(...prices), low: Math.min(...prices), close: prices.at(-1) }
  })
}
const withoutTime = (candles: readonly Candle[]) => candles.map(({ open, high, low, close }) => ({ open, high, low, close }))
const isEqual = (seconds: CandleSize, prints: readonly Print[], span: Span, kept: (place: ReturnType<typeof pricePlace>) => void): void => {
  const place = pricePlace()
  kept(place)
  const candles = askTape(place, (tape) => candlesOf(tape, span, seconds))
  expect(withoutTime(candles)).toEqual(byHand(prints, span, seconds))
  expect(candles.every(({ at }, index) => at > (candles[index - 1]?.at ?? -Infinity))).toBe(true)
}
/** Prints within a session, and from before an open on. */
const somedays = fc.oneof(...[0, 7, 6].map((hours) => somePrints({ most: 300, step: 100, from: tuesday + hours * hour })))

test('candles of any size equal the prints in each of them, and there is none without a print', () => {
  fc.assert(fc.property(somedays, someSpan, size, (prints, span, seconds) => { isEqual(seconds, prints, span, (place) => keepTape(place, prints)) }), { numRuns: 150 })
})

test('bars become larger candles that are those of their prints', () => {
  const always = { from: tuesday - 24 * hour, to: tuesday + 24 * 90 * hour }
  fc.assert(
    fc.property(somedays, fc.constantFrom(1, 60, 3600), size, (prints, grain, seconds) => {
      if (seconds < grain) return
      isEqual(seconds, prints, always, (place) => keepTape(place, barsOf(prints, grain * second)))
    }),
    { numRuns: 100 },
  )
})

test('where ticks end and minutes go on, a candle of both is one', () => {
  const prints = [0, 20, 90, 130, 200, 250].map((at, index) => ({ at: tuesday + at * second, price: (100 + index) as Print['price'], size: 1 }))
  const place = pricePlace()
  keepTape(place, prints.slice(0, 3))
  keepTape(place, barsOf(prints, 60 * second))
  const span = { from: tuesday, to: tuesday + hour }
  expect(withoutTime(askTape(place, (tape) => candlesOf(tape, span, 300)))).toEqual([{ open: 100, high: 105, low: 100, close: 105 }])
  // Candles of a second are known as long as ticks are.
  expect(askTape(place, (tape) => candlesOf(tape, span, 1))).toHaveLength(3)
})

test('a page of steps that ends among prints of one moment has all of them', () => {
  const prints = [0, 10, 10, 10, 10, 20].map((at, index) => ({ at: tuesday + at * second, price: (100 + index) as Print['price'], size: 1 }))
  const place = pricePlace()
  keepTape(place, prints)
  const pageFrom = (from: number, least: number) => {
    const { steps, next } = askTape(place, (tape) => stepsOf(tape, { from, to: tuesday + hour }, least))
    return { closes: steps.map(({ close }) => close), next: next === null ? null : (next - tuesday) / second }
  }
  for (const least of [2, 3, 4, 5]) expect(pageFrom(tuesday, least)).toEqual({ closes: [100, 101, 102, 103, 104], next: 20 })
  expect(pageFrom(tuesday + 20 * second, 2)).toEqual({ closes: [105], next: null })
})

test('a replay gets every print once, in order, however its pages are cut', () => {
  fc.assert(
    fc.property(somePrints({ most: 120 }), fc.integer({ min: 1, max: 30 }), (prints, least) => {
      const place = pricePlace()
      keepTape(place, prints)
      const to = tuesday + 24 * hour
      const got: Step[] = []
      askTape(place, (tape) => {
        for (let from: number | null = tuesday - hour; from !== null; ) {
          const page = stepsOf(tape, { from, to }, least)
          // A page that begins where it began would never end.
          expect(page.next ?? Infinity).toBeGreaterThan(from)
          got.push(...page.steps)
          from = page.next
        }
      })
      expect(got.map(({ at, close }) => [at, close])).toEqual(prints.filter(({ at }) => at < to).map(({ at, price }) => [at, price]))
    }),
    { numRuns: 60 },
  )
})

test('a bar is a step when it ends, and one across the edge of finer prices is none', () => {
  const prints = [0, 70, 100, 130, 200].map((at, index) => ({ at: tuesday + at * second, price: (100 + index) as Print['price'], size: 1 }))
  const place = pricePlace()
  keepTape(place, barsOf(prints, 60 * second))
  keepTape(place, prints.slice(2, 4))
  const pages: Step[] = []
  askTape(place, (tape) => {
    for (let from: number | null = tuesday; from !== null; ) {
      const page = stepsOf(tape, { from, to: tuesday + hour }, 100)
      pages.push(...page.steps)
      from = page.next
    }
  })
  expect(pages.map(({ at }) => (at - tuesday) / second)).toEqual([60, 100, 130, 240])
})
