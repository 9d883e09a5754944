import { expect, test } from 'vitest'
import { paramsOf, viewOf } from './address.ts'

test('the plain address is the newest pairs of all accounts', () => {
  expect(viewOf(new URLSearchParams())).toEqual({ unit: 'pairs', symbol: '', account: '', sort: 'exitTime', direction: 'desc' })
})

test('a view comes back from its address, special characters too', () => {
  const view = { unit: 'trips', symbol: 'M&Q ', account: 'Eval #2', sort: 'netPnl', direction: 'asc' } as const
  expect(viewOf(new URLSearchParams(paramsOf(view).toString()))).toEqual(view)
})

test('the usual is left out of the address', () => {
  expect(paramsOf(viewOf(new URLSearchParams('unit=pairs&direction=desc&symbol=MNQ'))).toString()).toBe('symbol=MNQ')
})

test('nonsense in an address is read as the usual', () => {
  const view = viewOf(new URLSearchParams(`unit=lots&sort=password&direction=sideways&symbol=${'x'.repeat(500)}`))
  expect(view).toMatchObject({ unit: 'pairs', sort: 'exitTime', direction: 'desc' })
  expect(view.symbol).toHaveLength(100)
})
