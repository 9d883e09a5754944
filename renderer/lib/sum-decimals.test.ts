import { expect, test } from 'vitest'
import { sumDecimals } from './sum-decimals.ts'

test('cents are added exactly, whatever their number of places', () => {
  expect(sumDecimals(Array.from({ length: 1_000 }, () => '0.10'))).toBe('100.00')
  expect(sumDecimals(['-140', '0.005', '-0.10'])).toBe('-140.095')
  expect(sumDecimals([])).toBe('0.00')
})
