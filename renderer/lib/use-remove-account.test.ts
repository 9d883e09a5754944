import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { apiQuery } from './api.ts'
import { forgetAccount } from './use-remove-account.ts'

const finances = apiQuery(recordRoutes.getFinances, { query: { userId: 'u' } }).queryKey
const page = apiQuery(journalRoutes.pairPage, { query: { symbol: 'mes' } }).queryKey
const statistics = apiQuery(statisticsRoutes.statistics, { query: { unit: 'trades' } }).queryKey
const choices = apiQuery(statisticsRoutes.filterChoices).queryKey
const gaps = apiQuery(brokerageRoutes.syncGaps).queryKey

test('an account and its trades leave what was read at once, and everything else stays', async () => {
  const client = new QueryClient()
  client.setQueryData<unknown>(finances, { success: true, finances: [{ id: 'a' }, { id: 'b' }] })
  client.setQueryData<unknown>(page, { total: 900, rows: [{ id: '1', accountId: 'a' }, { id: '2', accountId: 'b' }, { id: '3', accountId: 'a' }] })
  client.setQueryData<unknown>(gaps, { gaps: [{ accountId: 'a' }, { accountId: 'b' }] })
  client.setQueryData<unknown>(statistics, { trades: 12, recent: [] })
  client.setQueryData<unknown>(choices, { accounts: [{ key: 'a' }, { key: 'b' }], symbols: [], tags: [] })
  client.setQueryData(['/api/session', {}], 'mine')
  await forgetAccount(client, 'a')
  expect(client.getQueryData<unknown>(finances)).toEqual({ success: true, finances: [{ id: 'b' }] })
  expect(client.getQueryData<unknown>(page)).toEqual({ total: 898, rows: [{ id: '2', accountId: 'b' }] })
  expect(client.getQueryData<unknown>(gaps)).toEqual({ gaps: [{ accountId: 'b' }] })
  expect(client.getQueryData(statistics)).toBeUndefined()
  expect(client.getQueryData<unknown>(choices)).toEqual({ accounts: [{ key: 'b' }], symbols: [], tags: [] })
  expect(client.getQueryData(['/api/session', {}])).toBe('mine')
})

test('an answer that was on its way and still knows the account does not bring it back', async () => {
  const client = new QueryClient()
  client.setQueryData<unknown>(finances, { success: true, finances: [{ id: 'a' }] })
  let answer = (): void => undefined
  const asked = client.fetchQuery<unknown>({ queryKey: finances, queryFn: () => new Promise((resolve) => (answer = () => { resolve({ success: true, finances: [{ id: 'a' }] }) })), retry: false }).catch(() => undefined)
  await forgetAccount(client, 'a')
  answer()
  await asked
  expect(client.getQueryData<unknown>(finances)).toEqual({ success: true, finances: [] })
})
