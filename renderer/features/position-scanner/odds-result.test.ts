// @module-tag slow
import { expect, test } from 'vitest'
import { fanShape } from './odds-result.tsx'

const fan = [{ day: 0, p10: '50000.00', p50: '50000.00', p90: '50000.00' }, { day: 10, p10: '49000.00', p50: '50500.00', p90: '52000.00' }]

test('a fan fills its square from its first day to its last', () => {
  const shape = fanShape(fan, [])
  expect(shape).toMatchObject({ low: 49_000, high: 52_000, days: 10, middle: '0.00,65.33 100.00,50.00' })
  expect(shape?.band).toBe('0.00,65.33 100.00,4.00 100.00,96.00 0.00,65.33')
})
test('lines to compare with stay in sight', () => {
  const shape = fanShape(fan, [53_000, 48_000])
  expect([shape?.heightOf(53_000), shape?.heightOf(48_000)]).toEqual([4, 96])
})
test('a point alone is no fan, and a flat one divides by nothing', () => {
  expect(fanShape(fan.slice(0, 1), [])).toBeNull()
  expect(fanShape(fan.map(({ day }) => ({ day, p10: '1', p50: '1', p90: '1' })), [])?.middle).toBe('0.00,96.00 100.00,96.00')
})
