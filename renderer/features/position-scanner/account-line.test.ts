// @module-tag slow
import { expect, test } from 'vitest'
import { dayPnlOf } from './account-line.tsx'

test('Day P&L is realized plus open P&L, to the cent, and unknown if either is', () => {
  const open = { amount: '230.00', from: 'prices', at: 0 } as const
  expect(dayPnlOf({ dayRealized: '-87.50', open }, false)).toBe('142.50')
  expect(dayPnlOf({ dayRealized: '-87.50', open: null }, true)).toBe('-87.50')
  expect(dayPnlOf({ dayRealized: '-87.50', open: null }, false)).toBeNull()
  expect(dayPnlOf({ dayRealized: null, open }, false)).toBeNull()
})
