import { expect, test } from 'vitest'
import { commissionRows, rateOwners, foundRows, type Commissions } from './commission-rows.ts'

const answer: Commissions = {
  own: [
    { of: { scope: 'firm', firm: 'Tradeify' }, product: 'MES', perSide: '0.37', currency: 'USD' },
    { of: { scope: 'account', accountId: 'demo:1' }, product: 'MES', perSide: '0.5125', currency: 'USD' },
    { of: { scope: 'account', accountId: 'demo:1' }, product: 'XYZ', perSide: '1', currency: 'EUR' },
  ],
  table: [
    { product: 'ES', name: 'E-mini S&P 500', perSide: '2.05', currency: 'USD' },
    { product: 'MES', name: 'Micro E-mini S&P 500', perSide: '0.95', currency: 'USD' },
  ],
}
const account = { of: { scope: 'account', accountId: 'demo:1' }, firm: 'Tradeify' } as const

test('an account shows its own rates beside those of its firm and of the table, what was traded first', () => {
  expect(commissionRows(answer, account, ['MES', 'ABC'])).toEqual([
    { product: 'MES', name: 'Micro E-mini S&P 500', currency: 'USD', table: '0.95', ofFirm: '0.37', own: '0.5125' },
    { product: 'ABC', name: null, currency: 'USD', table: null, ofFirm: null, own: null },
    { product: 'XYZ', name: null, currency: 'EUR', table: null, ofFirm: null, own: '1' },
    { product: 'ES', name: 'E-mini S&P 500', currency: 'USD', table: '2.05', ofFirm: null, own: null },
  ])
})

test('a firm knows nothing of the rates of one account', () => {
  const rows = commissionRows(answer, { of: { scope: 'firm', firm: 'Tradeify' }, firm: null }, [])
  expect(rows.map(({ product, ofFirm, own }) => [product, ofFirm, own])).toEqual([['MES', null, '0.37'], ['ES', null, null]])
})

test('a search finds the beginning of a product and any part of its name', () => {
  const rows = commissionRows(answer, account, [])
  expect(foundRows(rows, ' es').map(({ product }) => product)).toEqual(['ES'])
  expect(foundRows(rows, 's&p').map(({ product }) => product)).toEqual(['MES', 'ES'])
  expect(foundRows(rows, '')).toEqual(rows)
})

test('firms of accounts come first, then accounts, then all other firms; each says how many own rates it has', () => {
  const accounts = [{ key: 'demo:1', name: 'ONE', firm: 'Tradeify' as const, copyOf: null }, { key: 'demo:2', name: 'TWO', firm: null, copyOf: null }]
  expect(rateOwners(['Other', 'Tradeify'], accounts, answer.own).map(({ value, own }) => [value, own])).toEqual([['firm:Tradeify', 1], ['account:demo:1', 2], ['account:demo:2', 0], ['firm:Other', 0]])
})
