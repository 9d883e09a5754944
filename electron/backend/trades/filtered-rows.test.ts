import { expect, test } from 'vitest'
import { everyTrade } from '#shared/stats/filter.ts'
import { statisticsOf } from '#tests/helpers/statistics.ts'
import { account, day, fill, monday, openStore, other, take, user, type TestStore } from '#tests/helpers/store.ts'
import { query } from '../db/database.ts'
import { rowsMeeting, tableOf } from './filtered-rows.ts'

const planOf = (store: TestStore, unit: 'pairs' | 'trades'): string => {
  const { sql, values } = rowsMeeting(store.writer, user.userId, unit, { ...everyTrade, from: '2026-01-01', to: '2026-01-31', accounts: [account], sides: ['long'] })
  const steps = query<{ detail: string }>(store.writer, `EXPLAIN QUERY PLAN SELECT count(*) FROM ${tableOf[unit]} AS row WHERE ${sql}`).all(...values)
  return steps.map(({ detail }) => detail).join('\n')
}

test('trades of some days are counted in their index alone, and those that were removed found in theirs', () => {
  const plan = planOf(openStore(), 'pairs')
  expect(plan).toContain('USING COVERING INDEX fill_pairs_by_day (user_id=? AND trading_day>? AND trading_day<?)')
  expect(plan).toContain('shown_notes_removed')
})

test('trades of some days are found by their index, and trades entered by hand without a look at all others', () => {
  const plan = planOf(openStore(), 'trades')
  expect(plan).toContain('INDEX trades_by_day (user_id=? AND trading_day>? AND trading_day<?)')
  expect(plan).not.toMatch(/SCAN tr(ades|ips)/)
})

test('accounts and symbols are found whatever lies between them, also where a trade entered by hand has no account', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750, { account: other }), fill(4, 'sell', 1, 6751, { account: other }))
  const added = store.write.addTrade({ ...user, at: monday, trade: { id: 'paper', symbol: 'SPY', account: 'Depot', accountId: '', platform: 'other', qty: 1, entryPrice: 670, exitPrice: 671, entryTime: new Date(monday).toISOString(), exitTime: new Date(monday + 1).toISOString() } })
  expect(added.ok).toBe(true)
  const count = (filter: object): number => statisticsOf(store, 'pairs', filter).all.count
  expect([count({ symbols: ['MES'] }), count({ symbols: ['SPY'] }), count({ symbol: 'm' }), count({ accounts: [other] }), count({ account: 'depot' })]).toEqual([2, 1, 2, 1, 1])
})

test('the latest trades go by their dates, also by one that was entered', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750, { time: monday + day }), fill(4, 'sell', 1, 6751, { time: monday + day + 1 }))
  const times = { entryTime: new Date(monday + 5 * day).toISOString(), exitTime: new Date(monday + 5 * day + 1).toISOString() }
  const enter = (id: string, date: string) => store.write.addTrade({ ...user, at: monday, trade: { id, symbol: 'MESM6', account: '', accountId: account, platform: 'other', qty: 1, entryPrice: 6750, exitPrice: 6751, date, ...times } }).ok
  expect([enter('long ago', '2020-01-02'), enter('ahead', '2030-01-02')]).toEqual([true, true])
  expect(statisticsOf(store, 'trades').recent.map(({ id }) => id)).toEqual(['ahead', `${account}/3`, `${account}/1`, 'long ago'])
  expect(statisticsOf(store, 'pairs').recent.map(({ id }) => id)).toEqual(['ahead', `${account}/3/4`, `${account}/1/2`, 'long ago'])
  store.write.removeTrade({ ...user, at: monday, id: 'ahead' })
  expect(statisticsOf(store, 'trades').recent.map(({ id }) => id)).toEqual([`${account}/3`, `${account}/1`, 'long ago'])
})
