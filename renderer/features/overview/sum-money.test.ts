import { expect, test } from 'vitest'
import { sumDecimals, sumMoney } from './sum-money.ts'

test('cents are added exactly, whatever their number of places', () => {
  expect(sumDecimals(Array.from({ length: 1_000 }, () => '0.10'))).toBe('100.00')
  expect(sumDecimals(['-140', '0.005', '-0.10'])).toBe('-140.095')
  expect(sumDecimals([])).toBe('0.00')
})

test('different currencies stand side by side', () => {
  const day = (currency: string, netPnl: string) => ({ currency, grossPnl: netPnl, commission: '0.50', netPnl })
  expect(sumMoney([day('USD', '1.00'), day('EUR', '5.00'), day('USD', '-3.25')])).toEqual([
    { currency: 'EUR', grossPnl: '5.00', commission: '0.50', netPnl: '5.00' },
    { currency: 'USD', grossPnl: '-2.25', commission: '1.00', netPnl: '-2.25' },
  ])
})
