import { expect, test } from 'vitest'
import { barList, joinedBars } from './bars.ts'

const from = Date.UTC(2026, 1, 27, 15)
const of = { tickSize: '0.25', from, to: from + 10_000, widthMs: 1000, now: from + 8_500 }
const row = (second: number, more: object = {}) => ({ time: from + second * 1000, open: 100, high: 101, low: 99.75, close: 100.5, volume: 3, ...more })

test('rows come in the order of time, in whole ticks, without those outside the span or not over yet', () => {
  const { list, refused } = barList([row(5), row(1), row(1), row(-1), row(10), row(8), row(7)], of)
  expect([...list.at]).toEqual([1, 5, 7].map((second) => (from + second * 1000) * 1000))
  expect([list.width, list.open[0], list.high[0], list.low[0], list.close[0], list.volume[0], refused]).toEqual([1_000_000, 400, 404, 399, 402, 3, 0])
})

test.each([['off the tick', { open: 100.1 }], ['high below its close', { high: 100.25 }], ['low above its open', { low: 100.25 }], ['no number', { high: NaN }], ['half a contract', { volume: 0.5 }], ['beyond 32 bits', { high: 1e9 }]])('a bar %s is refused', (_, more) => {
  const { list, refused } = barList([row(1, more), row(2)], of)
  expect([list.at.length, refused]).toEqual([1, 1])
})

test('two bars of one time that differ are both refused', () => {
  const { list, refused } = barList([row(1), row(1, { volume: 4 }), row(1), row(2)], of)
  expect([list.at.length, refused]).toEqual([1, 3])
})

test('lists are joined in their order', () => {
  const [one, other] = [barList([row(1)], of).list, barList([row(3), row(2)], of).list]
  expect([...joinedBars([one, other], 1_000_000).at]).toEqual([1, 2, 3].map((second) => (from + second * 1000) * 1000))
})
