// @module-tag slow
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { latestTradingDay } from '#shared/market/session.ts'
import { candlesOf, candleSizes, type Candle, type TickSize, type TimeSize } from '#shared/prices/candles.ts'
import { stepsOf, type Step } from '#shared/prices/steps.ts'
import { countPrints, tickCandles } from '#shared/prices/tick-candles.ts'
import type { Print, Span } from '#shared/prices/tape.ts'
import { askTape, barsOf, keepTape, pricePlace, second, somePrints, tuesday } from '#tests/helpers/price-tapes.ts'

const hour = 3600 * second
const someSpan = fc.tuple(fc.nat(3 * 24), fc.integer({ min: 1, max: 3 * 24 })).map(([from, length]): Span => ({ from: tuesday + (from - 24) * hour, to: tuesday + (from - 24 + length) * hour }))
const size = fc.constantFrom(...candleSizes)

/** Candles by the definition: the prints of a span by the second, minute or trading day that they lie in. */
const byHand = (prints: readonly Print[], { from, to }: Span, seconds: TimeSize) => {
  const name = (at: number): string => (seconds === 86_400 ? latestTradingDay(at / 1000) : String(Math.floor(at / (seconds * second))))
  return [...Map.groupBy(prints.filter(({ at }) => at >= from && at < to), ({ at }) => name(at))].map(([, own]) => {
    const prices = own.map(({ price }) => Number(price))
    return { open: prices[0], high: Math.max(...prices), low: Math.min(...prices), close: prices.at(-1) }
  })
}
const withoutTime = (candles: readonly Candle[]) => candles.map(({ open, high, low, close }) => ({ open, high, low, close }))
const isEqual = (seconds: TimeSize, prints: readonly Print[], span: Span, kept: (paths: ReturnType<typeof pricePlace>) => void): void => {
  const paths = pricePlace()
  kept(paths)
  const candles = askTape(paths, (tape) => candlesOf(tape, span, seconds))
  expect(withoutTime(candles)).toEqual(byHand(prints, span, seconds))
  expect(candles.every(({ at }, index) => at > (candles[index - 1]?.at ?? -Infinity))).toBe(true)
}
/** Prints within a session, and from before an open on. */
const somedays = fc.oneof(...[0, 7, 6].map((hours) => somePrints({ most: 300, step: 100, from: tuesday + hours * hour })))

test('candles of any size equal the prints in each of them, and there is none without a print', { tags: 'long' }, () => {
  fc.assert(fc.property(somedays, someSpan, size, (prints, span, seconds) => { isEqual(seconds, prints, span, (paths) => keepTape(paths, prints)) }), { numRuns: 150 })
})

test('bars become larger candles that are those of their prints', { tags: ['long', 'nightly'] }, () => {
  const always = { from: tuesday - 24 * hour, to: tuesday + 24 * 90 * hour }
  fc.assert(
    fc.property(somedays, fc.constantFrom(1, 60, 3600), size, (prints, grain, seconds) => {
      if (seconds < grain) return
      isEqual(seconds, prints, always, (paths) => keepTape(paths, barsOf(prints, grain * second)))
    }),
    { numRuns: 100 },
  )
})

test('where ticks end and minutes go on, a candle of both is one', () => {
  const prints = [0, 20, 90, 130, 200, 250].map((at, index) => ({ at: tuesday + at * second, price: (100 + index) as Print['price'], size: 1 }))
  const paths = pricePlace()
  keepTape(paths, prints.slice(0, 3))
  keepTape(paths, barsOf(prints, 60 * second))
  const span = { from: tuesday, to: tuesday + hour }
  expect(withoutTime(askTape(paths, (tape) => candlesOf(tape, span, 300)))).toEqual([{ open: 100, high: 105, low: 100, close: 105 }])
  // Candles of a second are known as long as ticks are.
  expect(askTape(paths, (tape) => candlesOf(tape, span, 1))).toHaveLength(3)
})

/** Tick candles by the definition: the prints of each session, and of each known stretch of it, in groups of so many. */
const ticksByHand = (prints: readonly Print[], known: readonly Span[], count: number) => {
  const groups = Map.groupBy(prints, ({ at }) => `${latestTradingDay(at / 1000)} ${String(known.findIndex(({ from, to }) => at >= from && at < to))}`)
  return [...groups.values()].flatMap((own) => Array.from({ length: Math.ceil(own.length / count) }, (_, index) => own.slice(index * count, (index + 1) * count))).map((own) => {
    const prices = own.map(({ price }) => Number(price))
    return { first: own[0]?.at ?? 0, last: own.at(-1)?.at ?? 0, candle: { open: prices[0], high: Math.max(...prices), low: Math.min(...prices), close: prices.at(-1) } }
  })
}
/** As a number of prints, also such as no chart offers. */
const sizeOf = (count: number): TickSize => `${String(count)}t` as TickSize

test('tick candles have so many prints each from the open on, each print once, and times that rise', { tags: 'long' }, () => {
  fc.assert(
    fc.property(somedays, someSpan, fc.constantFrom(1, 2, 7, 100), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 300 }), (prints, span, count, beside, most) => {
      const paths = pricePlace()
      keepTape(paths, prints)
      const days = [latestTradingDay(span.from / 1000), latestTradingDay((span.to - 1) / 1000)] as const
      const inSessions = prints.filter(({ at }) => days[0] <= latestTradingDay(at / 1000) && latestTradingDay(at / 1000) <= days[1])
      const { known, candles } = askTape(paths, (tape) => ({ known: tape.coverage({ from: 0, to: Number.MAX_SAFE_INTEGER }), candles: tickCandles(tape, span, sizeOf(count), { beside, most }) }))
      const all = ticksByHand(inSessions, known, count)
      const before = all.filter(({ last }) => last < span.from).length
      const expected = all.slice(Math.max(0, before - beside), all.filter(({ first }) => first < span.to).length + beside)
      if (expected.length > most) {
        expect(candles).toBeNull()
        return
      }
      expect(withoutTime(candles ?? [])).toEqual(expected.map(({ candle }) => candle))
      expect((candles ?? []).every(({ at }, index) => at > (candles?.[index - 1]?.at ?? -Infinity))).toBe(true)
      // A candle begins with its first print, or as many µs later as candles before it began in the same one.
      expect((candles ?? []).every(({ at }, index) => at >= (expected[index]?.first ?? Infinity) && at - (expected[index]?.first ?? 0) < all.length)).toBe(true)
    }),
    { numRuns: 100 },
  )
})

test('candles of one microsecond follow each other by one, and keep the order of the exchange', () => {
  const prints = [0, 5, 5, 5, 5, 9].map((at, index) => ({ at: tuesday + at, price: (100 + index) as Print['price'], size: 1 }))
  const paths = pricePlace()
  keepTape(paths, prints)
  const span = { from: tuesday, to: tuesday + second }
  const candles = askTape(paths, (tape) => tickCandles(tape, span, '1t', { beside: 0, most: 10 })) ?? []
  expect(candles.map(({ at, close }) => [at - tuesday, close])).toEqual([[0, 100], [5, 101], [6, 102], [7, 103], [8, 104], [9, 105]])
  expect(askTape(paths, (tape) => [countPrints(tape, span, 10), countPrints(tape, span, 4)])).toEqual([6, 4])
})

test('no tick candle reaches over bars between two stretches of ticks', () => {
  const prints = [0, 20, 90, 150, 200, 250].map((at, index) => ({ at: tuesday + at * second, price: (100 + index) as Print['price'], size: 1 }))
  const paths = pricePlace()
  keepTape(paths, prints.slice(0, 2))
  keepTape(paths, prints.slice(4))
  keepTape(paths, barsOf(prints, 60 * second))
  const candles = askTape(paths, (tape) => tickCandles(tape, { from: tuesday, to: tuesday + hour }, sizeOf(3), { beside: 0, most: 10 })) ?? []
  expect(withoutTime(candles)).toEqual([{ open: 100, high: 101, low: 100, close: 101 }, { open: 104, high: 105, low: 104, close: 105 }])
})

test('no tick candle reaches from one session into the next, also where their prices are one stretch', () => {
  const closes = Date.UTC(2026, 2, 10, 21) * 1000
  const prints = [-20, -10, -1, 3600, 3610, 3620].map((at, index) => ({ at: closes + at * second, price: (100 + index) as Print['price'], size: 1 }))
  const paths = pricePlace()
  keepTape(paths, prints)
  const span = { from: closes - hour, to: closes + 2 * hour }
  const { stretches, candles } = askTape(paths, (tape) => ({ stretches: tape.coverage(span).length, candles: tickCandles(tape, span, sizeOf(2), { beside: 0, most: 10 }) ?? [] }))
  expect(stretches).toBe(1)
  expect(candles.map(({ open, close }) => [open, close])).toEqual([[100, 101], [102, 102], [103, 104], [105, 105]])
})

test('a page of steps that ends among prints of one moment has all of them', () => {
  const prints = [0, 10, 10, 10, 10, 20].map((at, index) => ({ at: tuesday + at * second, price: (100 + index) as Print['price'], size: 1 }))
  const paths = pricePlace()
  keepTape(paths, prints)
  const pageFrom = (from: number, least: number) => {
    const { steps, next } = askTape(paths, (tape) => stepsOf(tape, { from, to: tuesday + hour }, least))
    return { closes: steps.map(({ close }) => close), next: next === null ? null : (next - tuesday) / second }
  }
  for (const least of [2, 3, 4, 5]) expect(pageFrom(tuesday, least)).toEqual({ closes: [100, 101, 102, 103, 104], next: 20 })
  expect(pageFrom(tuesday + 20 * second, 2)).toEqual({ closes: [105], next: null })
})

test('a replay gets every print once, in order, however its pages are cut', { tags: ['long', 'nightly'] }, () => {
  fc.assert(
    fc.property(somePrints({ most: 120 }), fc.integer({ min: 1, max: 30 }), (prints, least) => {
      const paths = pricePlace()
      keepTape(paths, prints)
      const to = tuesday + 24 * hour
      const got: Step[] = []
      askTape(paths, (tape) => {
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
  const paths = pricePlace()
  keepTape(paths, barsOf(prints, 60 * second))
  keepTape(paths, prints.slice(2, 4))
  const pages: Step[] = []
  askTape(paths, (tape) => {
    for (let from: number | null = tuesday; from !== null; ) {
      const page = stepsOf(tape, { from, to: tuesday + hour }, 100)
      pages.push(...page.steps)
      from = page.next
    }
  })
  expect(pages.map(({ at }) => (at - tuesday) / second)).toEqual([60, 100, 130, 240])
})
