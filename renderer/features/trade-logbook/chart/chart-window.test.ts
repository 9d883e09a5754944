import { expect, test } from 'vitest'
import { leadOf, missingOf, sizesOf, timeSizesOf, usualSize, windowOf } from './chart-window.ts'

const minute = 60_000
const day = { from: 0, to: 23 * 60 * minute }
const facts = (from: number, to: number, known: readonly (readonly [from: number, to: number, grain: number])[], prints: number | null = 0) => ({
  prints,
  fills: [{ at: from * minute, qty: 1, price: 1 }, { at: to * minute, qty: -1, price: 1 }],
  session: day,
  known: known.map(([begin, end, grain]) => ({ from: begin * minute, to: end * minute, grain })),
})

test('a chart offers the sizes that its prices have, and begins with some thirty candles of the trade', () => {
  const ticks = facts(100, 105, [[0, 600, 0]])
  expect(sizesOf(ticks)).toEqual(['1t', '100t', '500t', '1000t', 1, 5, 15, 60, 300, 900, 3600, 86_400])
  expect(usualSize(ticks)).toBe(5)
  const minutes = facts(100, 105, [[0, 600, 60_000_000]])
  expect(sizesOf(minutes)).toEqual([60, 300, 900, 3600, 86_400])
  expect(usualSize(minutes)).toBe(60)
  // Candles of a second would be too many for days.
  expect(timeSizesOf(facts(0, 5 * 24 * 60, [[0, 600, 0]]))[0]).toBe(60)
})

test('tick candles are offered where the trade lies within ticks and is not too long for them', () => {
  const ticksOf = (...given: Parameters<typeof facts>) => sizesOf(facts(...given)).filter((size) => typeof size === 'string')
  expect(ticksOf(100, 105, [[0, 600, 0]], 9_999)).toEqual(['1t', '100t', '500t', '1000t'])
  expect(ticksOf(100, 105, [[0, 600, 0]], 10_000)).toEqual(['100t', '500t', '1000t'])
  expect(ticksOf(100, 105, [[0, 600, 0]], 1_500_000)).toEqual(['500t', '1000t'])
  expect(ticksOf(100, 105, [[0, 600, 0]], null)).toEqual([])
  expect(ticksOf(100, 105, [[0, 90, 0], [90, 600, 60_000_000]])).toEqual([])
  expect(ticksOf(0, 5 * 24 * 60, [[0, 600, 0]])).toEqual([])
  expect(windowOf(facts(100, 105, []), '500t')).toEqual({ from: 100 * minute, to: 105 * minute + 1 })
})

test('it asks for the session, or as much of it as fits around the trade', () => {
  expect(windowOf(facts(100, 105, []), 60)).toEqual({ from: 0, to: 23 * 60 * minute })
  expect(windowOf(facts(600, 605, []), 5)).toEqual({ from: 477.5 * minute, to: 727.5 * minute + 5000 })
  expect(windowOf(facts(100, 105, []), 86_400).from).toBe(100 * minute - 90 * 1440 * minute)
})

test('it names the first stretch of the trade that no prices are known of', () => {
  expect(missingOf(facts(100, 200, [[50, 150, 0], [150, 300, 60_000_000]]))).toBeNull()
  expect(missingOf(facts(100, 200, [[50, 150, 0], [170, 300, 0]]))).toEqual({ from: 150 * minute, to: 170 * minute })
  expect(missingOf(facts(100, 200, [[120, 150, 0]]))).toEqual({ from: 100 * minute, to: 120 * minute })
  expect(missingOf(facts(100, 200, []))).toEqual({ from: 100 * minute, to: 200 * minute })
})

test('a replay has the candles of its session before it, or 60, and none of its own', () => {
  const opens = Date.parse('2026-11-19T23:00:00Z')
  const session = { from: opens, to: opens + 23 * 3_600_000 }
  const minutes = (begins: number, size: 1 | 60 | 300) => {
    const { from, to } = leadOf({ session }, begins, size)
    return [(from - opens) / 60_000, (to - opens) / 60_000]
  }
  expect(minutes(opens + 200 * 60_000, 60)).toEqual([0, 200])
  expect(minutes(opens + 10 * 60_000, 60)).toEqual([-50, 10])
  expect(minutes(opens, 60)).toEqual([-60, 0])
  expect(minutes(opens + 203 * 60_000, 300)).toEqual([-100, 200])
  expect(minutes(opens + 200 * 60_000, 1)).toEqual([180, 200])
})
