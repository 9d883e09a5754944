import { expect, test } from 'vitest'
import { brokerageAccount } from '#shared/api/records.ts'
import { contractSymbolOf, toBrokerageAccount } from './brokerage-account.ts'
import { mapBalances, mapSession } from './mapping.ts'

const names = { symbol: 'MESM6', underlyingSymbol: 'ES', productSymbol: 'MES', displayName: 'Micro E-mini' }

test('the symbol is the contract, else the underlying, else the product, else the display name, else null', () => {
  expect(contractSymbolOf(names)).toBe('MESM6')
  expect(contractSymbolOf({ ...names, symbol: '' })).toBe('ES')
  expect(contractSymbolOf({ productSymbol: 'MES', displayName: 'Micro E-mini', underlyingSymbol: null })).toBe('MES')
  expect(contractSymbolOf({ displayName: 'Micro E-mini' })).toBe('Micro E-mini')
  expect(contractSymbolOf({})).toBeNull()
})

test('an account goes over the calls with its own fills, as the contract of the calls has it', () => {
  const moment = { timestamp: Date.UTC(2026, 2, 2, 14, 31), tradeDate: { year: 2026, month: 3, day: 2 } }
  const currencies = [{ id: 1, name: 'USD' }]
  const { fills } = mapSession({
    environment: 'demo',
    fills: [
      { id: 11, orderId: 1, contractId: 3, action: 'Buy', qty: 2, price: 6759.75, active: true, ...moment },
      { id: 12, orderId: 2, contractId: 3, action: 'Sell', qty: 2, price: 6760, active: true, ...moment },
    ],
    orders: [{ id: 1, accountId: 700101 }, { id: 2, accountId: 700102 }],
    fees: [],
    contracts: [{ id: 3, name: 'MESM6', contractMaturityId: 4 }],
    maturities: [],
    products: [],
    currencies,
  })
  const { balances } = mapBalances('demo', [{ id: 1, accountId: 700101, currencyId: 1, amount: 50_400.505, ...moment }], currencies)
  const [balance] = balances
  if (balance === undefined) throw new Error('no balance')
  const account = toBrokerageAccount('DEMO700101', balance, fills)
  expect(brokerageAccount.parse(account)).toEqual({
    id: 'tradovate:demo:700101',
    name: 'DEMO700101',
    balance: 50_400.51,
    currency: 'USD',
    fills: [{
      id: '11', accountId: 'tradovate:demo:700101', contractId: '3', contractSymbol: 'MESM6', action: 'buy', qty: 2, price: 6759.75,
      timestamp: '2026-03-02T14:31:00.000Z', platform: 'Tradovate', contract: 'MESM6',
    }],
  })
})
