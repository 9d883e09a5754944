import { expect, test } from 'vitest'
import { statedFinding } from '#tests/e2e/stated/stated-reports.ts'
import { charted, chartShape, fittedName } from './chart-shape.ts'

const bar = (value: string, marked = false) => ({ label: value, value, trades: 3, marked })

test('gains stand on the zero line and losses hang from it, the tallest over the whole height', () => {
  const { zero, bars } = chartShape([bar('30'), bar('-10', true), bar('0')], 10)
  expect(zero).toBe(0.75)
  expect(bars.map(({ y, height, below }) => [y, height, below])).toEqual([[0, 0.75, false], [0.75, 0.25, true], [0.75, 0, false]])
  expect(bars.every(({ named }) => named)).toBe(true)
})

test('hours without trades take no room, and costs are what was paid', () => {
  const empty = { ...bar('0'), trades: 0 }
  expect(charted(statedFinding('hour', { bars: [empty, bar('12'), empty, bar('-4', true)] })).bars.map(({ label }) => label)).toEqual(['12', '-4'])
  expect(charted(statedFinding('streak', { bars: [bar('2'), empty] })).bars).toHaveLength(2)
  expect(charted(statedFinding('cost-share', { bars: [bar('-310.20'), bar('0.00')] })).bars.map(({ value }) => value)).toEqual(['310.20', '0.00'])
})

test('with gains alone the line is at the foot, with losses alone at the head, and nothing at all divides by nothing', () => {
  expect(chartShape([bar('5'), bar('10')], 5).zero).toBe(1)
  expect(chartShape([bar('-5'), bar('-10')], 5).zero).toBe(0)
  expect(chartShape([bar('0')], 5).bars).toMatchObject([{ height: 0 }])
  expect(chartShape([], 5).bars).toEqual([])
})

test('where names have no room the marked one keeps its own', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => bar(String(hour + 1), hour === 10))
  const named = chartShape(hours, 6).bars.flatMap(({ label, named: shown }) => (shown ? [label] : []))
  expect(named).toEqual(['1', '5', '11', '17', '21'])
})

test('a name without room keeps its end', () => {
  expect([fittedName('PA-APEX-248-01', 14), fittedName('PA-APEX-248-01', 7)]).toEqual(['PA-APEX-248-01', '…248-01'])
})
