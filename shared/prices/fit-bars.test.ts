import { expect, test } from 'vitest'
import { fitBars } from './fit-bars.ts'

const width = 60_000_000
const begin = Date.UTC(2026, 9, 6, 14, 30) * 1000
/** Bars of a market that rises four ticks a minute, two ticks high; shifted by so many minutes. */
const bars = (shift = 0, count = 30) => ({
  width,
  at: Float64Array.from({ length: count }, (_, index) => begin + (index + shift) * width),
  low: Int32Array.from({ length: count }, (_, index) => 24_000 + index * 4),
  high: Int32Array.from({ length: count }, (_, index) => 24_002 + index * 4),
})
/** Fills in the middle of minutes, at the price of the market there. */
const fills = (count: number, off = 0) => Array.from({ length: count }, (_, index) => ({ at: (begin + (3 + index * 2) * width + 30_000_000) / 1000, price: (24_001 + (3 + index * 2) * 4 + off) / 4 }))

test('bars that bear the time of their start hold the fills as they are', () => {
  expect(fitBars(bars(), fills(10), 0.25)).toBe('start')
})

test('bars that bear the time of their end are known by the fills, but not by four of them', () => {
  expect(fitBars(bars(1), fills(10), 0.25)).toBe('end')
  expect(fitBars(bars(1), fills(4), 0.25)).toBe('start')
})

test('prices of something else differ from fills nowhere near', () => {
  expect(fitBars(bars(), fills(10, 400), 0.25)).toBe('unlike')
  expect(fitBars(bars(5000), fills(10), 0.25)).toBe('start')
  expect(fitBars(bars(0, 0), fills(10), 0.25)).toBe('start')
})

test('a fill within a second of a bar counts as one of it, since clocks differ', () => {
  const edge = Array.from({ length: 6 }, (_, index) => ({ at: (begin + (4 + index * 2) * width + 900_000) / 1000, price: (24_001 + (3 + index * 2) * 4) / 4 }))
  expect(fitBars(bars(), edge, 0.25)).toBe('start')
})
