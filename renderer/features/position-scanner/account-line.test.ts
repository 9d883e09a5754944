// @module-tag slow
import { expect, test } from 'vitest'
import { dayPnlOf } from './account-line.tsx'

test('Day P&L is what was realised with what is open, to the cent, and unknown where a part is', () => {
  const open = { amount: '230.00', from: 'prices', at: 0 } as const
  expect(dayPnlOf({ dayRealised: '-87.50', open }, false)).toBe('142.50')
  expect(dayPnlOf({ dayRealised: '-87.50', open: null }, true)).toBe('-87.50')
  expect(dayPnlOf({ dayRealised: '-87.50', open: null }, false)).toBeNull()
  expect(dayPnlOf({ dayRealised: null, open }, false)).toBeNull()
})
