import { expect, test } from 'vitest'
import { sumMoney } from './sum-money.ts'

test('different currencies stand side by side', () => {
  const day = (currency: string, netPnl: string) => ({ currency, grossPnl: netPnl, commission: '0.50', netPnl })
  expect(sumMoney([day('USD', '1.00'), day('EUR', '5.00'), day('USD', '-3.25')])).toEqual([
    { currency: 'EUR', grossPnl: '5.00', commission: '0.50', netPnl: '5.00' },
    { currency: 'USD', grossPnl: '-2.25', commission: '1.00', netPnl: '-2.25' },
  ])
})
