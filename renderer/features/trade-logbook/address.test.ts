import { writeFilter, everyTrade } from '#shared/stats/filter.ts'
import { expect, test } from 'vitest'
import { viewOf, withOrder } from './address.ts'

test('the plain address is the newest of all accounts in the unit that was kept', () => {
  expect(viewOf(new URLSearchParams(), 'trades')).toEqual({ unit: 'trades', filter: everyTrade, sort: 'exitTime', direction: 'desc' })
  expect(viewOf(new URLSearchParams(), 'pairs')).toEqual({ unit: 'pairs', filter: everyTrade, sort: 'exitTime', direction: 'desc' })
})

test('a view comes back from its address, special characters too', () => {
  const filter = { ...everyTrade, symbol: 'M&Q ', account: 'Eval #2', accounts: ['tradovate:demo:1'], sides: ['short'] } as const
  const params = withOrder(new URLSearchParams([...writeFilter(filter), ['unit', 'trades']]), { sort: 'netPnl', direction: 'asc' })
  expect(viewOf(new URLSearchParams(params.toString()), 'pairs')).toEqual({ unit: 'trades', filter, sort: 'netPnl', direction: 'asc' })
})

test('the usual order is left out of the address, and the rest stays', () => {
  expect(withOrder(new URLSearchParams('symbol=MNQ&sort=qty&direction=asc&unit=trades'), { sort: 'exitTime', direction: 'desc' }).toString()).toBe('symbol=MNQ&unit=trades')
})

test('nonsense in an address is read as the usual', () => {
  const view = viewOf(new URLSearchParams(`unit=lots&sort=password&direction=sideways&side=up&from=yesterday&symbol=${'x'.repeat(500)}`), 'pairs')
  expect(view).toEqual({ unit: 'pairs', filter: everyTrade, sort: 'exitTime', direction: 'desc' })
})
