import { join } from 'node:path'
import fc from 'fast-check'
import { atomically } from '#backend/db/database.ts'
import type { PriceFormat } from '#shared/prices/formats/format.ts'
import { readingPrices, writingPrices, type PricePaths } from '#backend/prices/store/price-file.ts'
import { readTape } from '#backend/prices/read-tape.ts'
import { writeTape, type TapeWritten } from '#backend/prices/write-tape.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Bar, Print, Span, Tape } from '#shared/prices/tape.ts'
import { temporaryFolder } from './store.ts'

export const second = 1_000_000
/** Tuesday, 6 October 2026, 14:30 UTC, in µs: the market is open for six hours and a half. */
export const tuesday = Date.UTC(2026, 9, 6, 14, 30) * 1000
export const contract = 'MNQ 2026-12'
export const tickSize = '0.25'

/** Prints from a moment on: rising times, many of one moment, in steps of `step` µs. */
export const somePrints = ({ most, step = 1, from = tuesday }: { readonly most: number; readonly step?: number; readonly from?: number }): fc.Arbitrary<readonly Print[]> =>
  fc.array(fc.record({ wait: fc.oneof(fc.constant(0), fc.nat(40), fc.nat(90_000_000 / step)), move: fc.integer({ min: -6, max: 6 }), size: fc.integer({ min: 1, max: 300 }) }), { minLength: 1, maxLength: most }).map((moves) => {
    let [at, price] = [from, 100_000]
    return moves.map(({ wait, move, size }) => {
      at += wait * step
      price += move
      return { at, price: price as Ticks, size }
    })
  })

/** The bars of prints, empty ones left out. */
export const barsOf = (prints: readonly Print[], width: number): readonly Bar[] =>
  [...Map.groupBy(prints, ({ at }) => Math.floor(at / width) * width)].map(([at, own]) => {
    const prices = own.map(({ price }) => price)
    return { at, width, open: prices[0] ?? (0 as Ticks), high: Math.max(...prices) as Ticks, low: Math.min(...prices) as Ticks, close: prices.at(-1) ?? (0 as Ticks), volume: own.reduce((sum, { size }) => sum + size, 0) }
  })

export const pricesMigrations = new URL('../../migrations/prices/', import.meta.url).pathname

/** A place for prices in a folder of the running test. */
export const pricePlace = (): PricePaths => ({ file: join(temporaryFolder(), 'prices', 'u1.db'), migrationsFolder: pricesMigrations })

/** Writes prints, or bars where they have a width. */
export const keepTape = (place: PricePaths, entries: readonly (Print | Bar)[], { chunk = 5, source = 'ninjatrader-ticks' }: { readonly chunk?: number; readonly source?: PriceFormat } = {}): TapeWritten =>
  writingPrices(place, (writer) =>
    atomically(writer, () => {
      const [first] = entries
      const tape = writeTape(writer, { contract, tickSize, source, grain: first !== undefined && 'width' in first ? first.width : 0, at: 0 }, chunk)
      for (const entry of entries) {
        const isTaken = 'width' in entry ? tape.add(entry.at, entry.open, entry.high, entry.low, entry.close, entry.volume) : tape.add(entry.at, entry.price, entry.price, entry.price, entry.price, entry.size)
        if (!isTaken) throw new Error('Not in order')
      }
      return tape.end()
    }),
  )

/** Asks the tape that is kept. */
export const askTape = <T>(place: PricePaths, ask: (tape: Tape) => T): T => {
  const answer = readingPrices<{ readonly value: T } | null>(place, null, (reader) => ({ value: ask(readTape(reader, contract, tickSize)) }))
  if (answer === null) throw new Error('There are no prices')
  return answer.value
}

/** The lowest and highest price of what lies wholly in a span, by looking at every entry. */
export const scanned = (entries: readonly (Print | Bar)[], { from, to }: Span): { readonly low: number; readonly high: number } | null => {
  const inside = entries.filter((entry) => entry.at >= from && ('width' in entry ? entry.at + entry.width <= to : entry.at < to))
  if (inside.length === 0) return null
  return { low: Math.min(...inside.map((entry) => ('low' in entry ? entry.low : entry.price))), high: Math.max(...inside.map((entry) => ('high' in entry ? entry.high : entry.price))) }
}
