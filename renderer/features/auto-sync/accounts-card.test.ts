// @module-tag slow
import { expect, test } from 'vitest'
import { roman } from './accounts-card.tsx'

test('positions of a table as Roman numerals', () => {
  expect([1, 2, 3, 4, 5, 6, 8, 9, 10, 14, 19, 40, 49, 90, 99, 400, 944, 1999, 2026].map(roman)).toEqual([
    'I', 'II', 'III', 'IV', 'V', 'VI', 'VIII', 'IX', 'X', 'XIV', 'XIX', 'XL', 'XLIX', 'XC', 'XCIX', 'CD', 'CMXLIV', 'MCMXCIX', 'MMXXVI',
  ])
})
