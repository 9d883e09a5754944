// @module-tag slow
import { expect, test } from 'vitest'
import { barsOf, contract, keepTape, pricePlace, second, tickSize, tuesday } from '#tests/helpers/price-tapes.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Print } from '#shared/prices/tape.ts'
import { addSpending, beginFetch, endFetch, feedChoices, fetchUnderWay, recordAnswer, recordFailure, setFeed, wantedSessions } from './feed-queries.ts'
import { writingPrices, type PricePaths } from './store/price-file.ts'
import { removeSeries, setPriceLimits } from './queries.ts'

const minute = 60 * second
const day = 24 * 60 * minute
const now = tuesday / 1000 + 40 * 3_600_000
const session = (days: number) => ({ from: tuesday - days * day, to: tuesday - days * day + 20 * minute })
const needed = [{ contract: 'MNQZ6', key: contract, tickSize, spans: [session(5), session(1), session(0)] }]
const prints = (from: number): readonly Print[] => Array.from({ length: 41 }, (_, index) => ({ at: from - 10 * minute + index * minute, price: (100_000 + index) as Print['price'], size: 1 }))

const wanted = (paths: PricePaths, more: Partial<Parameters<typeof wantedSessions>[2]> = {}) =>
  writingPrices(paths, (writer) => wantedSessions(writer, needed, { feed: 'projectx', grain: second, now, latest: now, ...more }))
const days = (paths: PricePaths, more?: Parameters<typeof wanted>[1]) => wanted(paths, more).wanted.map(({ core }) => (tuesday - core.from) / day)

test('sessions that lack prices are wanted, the newest first, with a margin, and only what the feed has by now', () => {
  const paths = pricePlace()
  expect(days(paths)).toEqual([0, 1, 5])
  expect(wanted(paths).wanted[0]).toMatchObject({ contract: 'MNQZ6', key: contract, tickSize, span: { from: tuesday - 15 * minute, to: tuesday + 35 * minute } })
  expect(days(paths, { latest: tuesday / 1000 })).toEqual([1, 5])
})

test('sessions stored as fine or finer are not requested, coarser ones are', () => {
  const paths = pricePlace()
  keepTape(paths, prints(tuesday))
  keepTape(paths, barsOf(prints(tuesday - day), minute), { source: 'ninjatrader-minutes' })
  expect(days(paths)).toEqual([1, 5])
  expect(days(paths, { grain: minute })).toEqual([5])
  expect(days(paths, { grain: 0 })).toEqual([1, 5])
})

test('what a feed has answered is not wanted of it again, but for an empty answer after a day and after its prices were removed', () => {
  const paths = pricePlace()
  const answered = (of: number, entries: number) => writingPrices(paths, (writer) => { recordAnswer(writer, { feed: 'projectx', contract, span: session(of), entries, now }) })
  answered(0, 900)
  answered(1, 0)
  expect(days(paths)).toEqual([5])
  expect(days(paths, { feed: 'databento' })).toEqual([0, 1, 5])
  expect(days(paths, { now: now + 25 * 3_600_000, latest: now })).toEqual([1, 5])
  writingPrices(paths, (writer) => { removeSeries(writer, { contract, source: 'projectx-bars', grain: second }) })
  expect(days(paths)).toEqual([0, 1, 5])
})

test('a session of which a feed has given prices is not missing, holes included, unless they were freed since', () => {
  const paths = pricePlace()
  writingPrices(paths, (writer) => { recordAnswer(writer, { feed: 'projectx', contract, span: session(0), entries: 900, now }) })
  expect(days(paths, { feed: null })).toEqual([0, 1, 5])
  keepTape(paths, prints(tuesday).slice(0, 15))
  keepTape(paths, prints(tuesday - day).slice(0, 15))
  expect(days(paths, { feed: null })).toEqual([1, 5])
})

test('what the limits would free again is not wanted, and nothing once the room is nearly full', () => {
  const paths = pricePlace()
  keepTape(paths, prints(tuesday))
  writingPrices(paths, (writer) => setPriceLimits(writer, { bytes: null, days: 4 }, now))
  expect(days(paths)).toEqual([1])
  expect(wanted(paths).isFull).toBe(false)
  writingPrices(paths, (writer) => setPriceLimits(writer, { bytes: 60, days: null }, now))
  keepTape(paths, prints(tuesday - 5 * day))
  expect(wanted(paths).isFull).toBe(true)
})

test('choices, failures, and a running fetch are kept, and another detail level asks again', () => {
  const paths = pricePlace()
  const choice = { feed: 'databento', on: true, spendLimit: 50_000 as Amount, detail: 'ohlcv-1s' } as const
  const state = writingPrices(paths, (writer) => {
    setFeed(writer, choice)
    recordFailure(writer, 'databento', { code: 'over-limit', contract: null, at: 7 })
    recordAnswer(writer, { feed: 'databento', contract, span: session(0), entries: 9, now })
    beginFetch(writer, 20_000 as Amount, now)
    addSpending(writer, 7_000 as Amount)
    return { choices: feedChoices(writer), underWay: fetchUnderWay(writer) }
  })
  expect(state).toEqual({ choices: [{ ...choice, failure: { code: 'over-limit', contract: null, at: 7 } }], underWay: { allowed: 20_000, spent: 7_000 } })
  expect(days(paths, { feed: 'databento' })).toEqual([1, 5])
  const after = writingPrices(paths, (writer) => {
    setFeed(writer, { ...choice, detail: 'trades' })
    recordFailure(writer, 'databento', null)
    endFetch(writer)
    return { choices: feedChoices(writer), underWay: fetchUnderWay(writer) }
  })
  expect(after).toEqual({ choices: [{ ...choice, detail: 'trades', failure: null }], underWay: null })
  expect(days(paths, { feed: 'databento' })).toEqual([0, 1, 5])
})
