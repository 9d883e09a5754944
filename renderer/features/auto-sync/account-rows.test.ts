import { expect, test } from 'vitest'
import type { ConnectedAccount } from '#shared/api/brokerage.ts'
import type { Finance } from '#shared/api/records.ts'
import { accountRows, summaryOf, unlabeled } from './account-rows.ts'

const finance = (id: string, type: Finance['type'], balance: number, currency = 'USD'): Finance => ({
  id, userId: 'u', type, amount: 0, date: '2026-02-13', name: id, balance, currency, platform: 'Tradovate', firm: null, category: 'other', account: null, note: '',
})
const connection = (id: string): ConnectedAccount => ({
  id, name: id, environment: 'demo', loginId: 'l', loginName: 'nk', balance: '1.00', currency: 'USD', balanceAt: null,
  firm: null, copyOf: null, sync: { state: 'never', lastGoodAt: null, nextTryAt: null }, fills: 3,
})

test('earnings and expenses are no accounts', () => {
  const rows = accountRows([finance('a', 'Account', 1), finance('b', 'earning', 2), finance('c', 'expense', 3)], [connection('a')])
  expect(rows).toEqual([{ finance: finance('a', 'Account', 1), connection: connection('a'), leader: null, twin: null }])
})

test('an account of NinjaTrader’s database that another login brings names that login', () => {
  const rows = accountRows([finance('ninjatrader:live:A', 'Account', 1), finance('tradovate:live:7', 'Account', 1)], [{ ...connection('ninjatrader:live:A'), name: 'A' }, { ...connection('tradovate:live:7'), name: 'A' }])
  expect(rows.map(({ twin }) => twin)).toEqual([{ platform: 'Tradovate', login: 'nk' }, null])
})

test('a copy names its leader, unless that one is gone', () => {
  const [copy, lost] = accountRows([finance('a', 'Account', 1), finance('b', 'Account', 1)], [{ ...connection('a'), copyOf: 'c' }, { ...connection('b'), copyOf: 'gone' }, { ...connection('c'), name: 'LEADER' }])
  expect([copy?.leader, lost?.leader]).toEqual(['LEADER', null])
})

test('an account without a connection is still shown', () => {
  expect(accountRows([finance('a', 'Funded Account', 1)], [])[0]?.connection).toBeNull()
})

test('each card counts and sums its own type only, to the cent', () => {
  const rows = accountRows(
    [finance('a', 'Evaluation Account', 1.1), finance('b', 'Evaluation Account', 2.2), { ...finance('c', 'Funded Account', 50_000), firm: 'Tradeify' }, finance('d', 'Account', 9)],
    [],
  )
  expect(summaryOf(rows, 'Evaluation Account')).toEqual({ count: 2, balances: [{ currency: 'USD', balance: 3.3 }] })
  expect(summaryOf(rows, 'Funded Account')).toEqual({ count: 1, balances: [{ currency: 'USD', balance: 50_000 }] })
})

test('the trader’s own account is neither evaluated nor funded by a firm', () => {
  const rows = accountRows([{ ...finance('a', 'Funded Account', 50_000), firm: 'Tradeify' }, finance('own', 'Funded Account', 9_000)], [])
  expect([summaryOf(rows, 'Funded Account'), summaryOf(rows, 'Evaluation Account').count]).toEqual([{ count: 1, balances: [{ currency: 'USD', balance: 50_000 }] }, 0])
})

test('two currencies stand side by side, and nothing is nought dollars', () => {
  const rows = accountRows([{ ...finance('a', 'Funded Account', 5), firm: 'Tradeify' }, { ...finance('b', 'Funded Account', 7, 'EUR'), firm: 'Tradeify' }], [])
  expect(summaryOf(rows, 'Funded Account').balances).toEqual([{ currency: 'EUR', balance: 7 }, { currency: 'USD', balance: 5 }])
  expect(summaryOf(rows, 'Evaluation Account')).toEqual({ count: 0, balances: [{ currency: 'USD', balance: 0 }] })
})

test('only an account of the platform that has no type yet is asked for one', () => {
  const finances = [finance('a', 'Account', 1), finance('b', 'Evaluation Account', 1), finance('c', 'earning', 1), { ...finance('d', 'Account', 1), platform: '' }]
  expect(finances.filter(unlabeled).map(({ id }) => id)).toEqual(['a'])
})
