import { expect, test } from 'vitest'
import { markedFills } from './chart-fills.ts'

const at = Date.parse('2026-11-20T15:00:00Z')
const fill = (ms: number, qty: number, price: number) => ({ at: at + ms, qty, price })

test('two exits of the same second say their sum once, and each keeps its mark', () => {
  const fills = [fill(0, 2, 100), fill(5000, -1, 104), fill(5400, -1, 105)]
  expect(markedFills({ fills, others: [] }, 60).map(({ qty, price, label }) => [qty, price, label])).toEqual([[2, 100, 2], [-1, 104, -2], [-1, 105, null]])
})

test('an entry and an exit of one second, and fills of other trades, are not added up', () => {
  const marks = markedFills({ fills: [fill(0, 1, 100), fill(500, -1, 101)], others: [fill(200, 1, 100)] }, 60)
  expect(marks.map(({ label, own }) => [label, own])).toEqual([[1, false], [1, true], [-1, true]])
})

test('in a replay the sum is of the exits so far', () => {
  expect(markedFills({ fills: [fill(5000, -1, 104), fill(5400, -1, 105)], others: [] }, 60, (at + 5000) * 1000).map(({ label }) => label)).toEqual([-1])
})
