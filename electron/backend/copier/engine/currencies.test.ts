import { expect, test } from 'vitest'
import { currencyOf } from './currencies.ts'

test('an undocumented currency keeps its number and never becomes dollars', () => {
  expect([1, 2, 5, 9, 4, 14].map(currencyOf)).toEqual(['USD', 'EUR', 'CAD', 'CHF', '#4', '#14'])
})
