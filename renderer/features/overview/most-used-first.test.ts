import { expect, test } from 'vitest'
import { mostUsedFirst } from './most-used-first.ts'

const days = (count: number) => Array.from({ length: count }, (_, day) => ({ tradingDay: `2026-02-${String(day + 10)}`, netPnl: '1.00', cumulative: '1.00' }))

test('the currency that was traded on the most days comes first, equals keep their order', () => {
  const equity = [
    { currency: 'EUR', points: days(1) },
    { currency: 'GBP', points: days(1) },
    { currency: 'USD', points: days(3) },
  ]
  expect(mostUsedFirst(equity, { equity }).map(({ currency }) => currency)).toEqual(['USD', 'EUR', 'GBP'])
})
