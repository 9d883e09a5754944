import { expect, test } from 'vitest'
import type { BrokerageAccount, Finance } from '#shared/api/records.ts'
import { callbackQuery, connect, oncePerCode, type ConnectCalls } from './connect.ts'

const account = (id: string): BrokerageAccount => ({ id, name: id.toUpperCase(), balance: 50_000, currency: 'USD', fills: [] })
const labeled: Finance = {
  id: 'b', userId: 'u', type: 'Funded Account', amount: 12, date: '2026-02-13', name: 'B', balance: 1, currency: 'USD', platform: 'Tradovate', firm: 'Tradeify', category: 'other', account: null, note: '',
}

const recorded = (overrides: Partial<ConnectCalls> = {}) => {
  const log: unknown[] = []
  const calls: ConnectCalls = {
    exchange: async (code, state) => { log.push(['exchange', code, state]); return 'tradecopier' },
    end: async (state) => { log.push(['end', state]); return 'tradecopier' },
    accounts: async () => [account('a'), account('b')],
    finances: async () => [labeled],
    saveFinance: async (finance) => { log.push(['finance', finance.id, finance.type, finance.firm, finance.balance]) },
    ...overrides,
  }
  return { log, calls }
}
const query = (text: string) => callbackQuery(new URLSearchParams(text))

test('a code is exchanged, then its accounts are stored with the label that they had', async () => {
  const { log, calls } = recorded()
  expect(await connect(query('code=C1&state=S1'), calls)).toEqual({ returnTo: 'tradecopier', failure: null, accounts: 2 })
  expect(log).toEqual([
    ['exchange', 'C1', 'S1'],
    ['finance', 'a', 'Account', null, 50_000],
    ['finance', 'b', 'Funded Account', 'Tradeify', 50_000],
  ])
})

test('a consent that was refused exchanges nothing and returns to where it began', async () => {
  const { log, calls } = recorded()
  expect(await connect(query('error=access_denied&state=S1'), calls)).toEqual({ returnTo: 'tradecopier', failure: 'consent-denied', accounts: 0 })
  expect(log).toEqual([['end', 'S1']])
})

test('an address without a code is a failure that still leads somewhere, even where nothing answers', async () => {
  const { calls } = recorded({ end: () => Promise.reject(new Error('down')) })
  expect(await connect(query('code='), calls)).toEqual({ returnTo: 'autosync', failure: 'no-code', accounts: 0 })
})

test('every failure is shown and still leads back', async () => {
  const cause = new Error('refused')
  const exchange = recorded({ exchange: () => Promise.reject(cause) })
  expect(await connect(query('code=C1&state=S1'), exchange.calls)).toEqual({ returnTo: 'tradecopier', failure: { cause }, accounts: 0 })
  expect(exchange.log).toEqual([['end', 'S1']])

  const saving = recorded({ saveFinance: () => Promise.reject(cause) })
  expect(await connect(query('code=C1'), saving.calls)).toEqual({ returnTo: 'tradecopier', failure: { cause }, accounts: 0 })
  expect(saving.log).toEqual([['exchange', 'C1', null]])
})

test('a screen that is mounted twice sends its code once', async () => {
  const { log, calls } = recorded()
  const both = await Promise.all([1, 2].map(() => oncePerCode(query('code=C9'), () => connect(query('code=C9'), calls))))
  expect(both[0]).toBe(both[1])
  expect(log.filter((entry) => (entry as string[])[0] === 'exchange')).toHaveLength(1)
})
