// @module-tag slow
import { expect, test } from 'vitest'
import { statistics as statisticsAnswer } from '#shared/api/statistics.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { account, fill, monday, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const leadersOnly = { ...everyTrade, leaderOnly: true }
const marks = (store: TestStore) => [store.read.pairPage(page).rows, store.read.tradePage(page).rows].map((rows) => rows.map(({ id, copied }) => [id.slice(account.length + 1), copied === true]))
const mark = (store: TestStore, ...orders: readonly number[]) => store.write.markCopied({ ...user, orders: orders.map((order) => ({ account, orderId: String(order) })) })

// 1 and 2 are a trade, 3 to 5 another of two pairs, which two orders opened.
const trades = [fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750), fill(4, 'buy', 1, 6751), fill(5, 'sell', 2, 6752)]

test('a trade is a copy where a copied order opened it, whether its fills came before the mark or after it', async () => {
  const store = openStore()
  mark(store, 1)
  await take(store, ...trades)
  expect(marks(store)).toEqual([[['1/2', true], ['3/5', false], ['4/5', false]], [['1', true], ['3', false]]])
  mark(store, 4, 5)
  mark(store, 4)
  expect(marks(store)).toEqual([[['1/2', true], ['3/5', false], ['4/5', true]], [['1', true], ['3', false]]])
  expect(store.read.tradePairs({ ...user, tradeId: `${account}/3` }).rows.map(({ copied }) => copied)).toEqual([undefined, true])
  expect(rowsOf(store, 'copied_orders')).toHaveLength(3)
})

test('orders of the same number are other orders in another account, and another user has none of them', async () => {
  const store = openStore()
  await take(store, ...trades, fill(1, 'buy', 1, 6750, { account: other }), fill(2, 'sell', 1, 6751, { account: other }))
  mark(store, 1)
  store.write.markCopied({ ...user, orders: [{ account: other, orderId: '2' }] })
  expect(store.read.pairPage(page).rows.filter(({ copied }) => copied).map(({ accountId }) => accountId)).toEqual([account])
  expect(store.read.filterChoices(user).copied).toBe(true)
  expect(store.read.filterChoices({ userId: 'another' })).toEqual({ accounts: [], symbols: [], tags: [] })
})

test('without copies, nothing is left of them in lists and statistics, of pairs and of trades', async () => {
  const store = openStore()
  await take(store, ...trades)
  const counted = (unit: 'pairs' | 'trades') => {
    const answer = statisticsAnswer.parse(JSON.parse(new TextDecoder().decode(store.read.statisticsJson({ ...user, unit, filter: leadersOnly, zone: null, timedBy: 'exit' }))))
    const { total } = unit === 'pairs' ? store.read.pairPage({ ...page, filter: leadersOnly }) : store.read.tradePage({ ...page, filter: leadersOnly })
    return [answer.all.count, total]
  }
  expect([counted('pairs'), counted('trades')]).toEqual([[3, 3], [2, 2]])
  mark(store, 3)
  expect([counted('pairs'), counted('trades')]).toEqual([[2, 2], [1, 1]])
})

test('marks survive that trades are derived again, and that the account goes and comes back', async () => {
  const store = openStore()
  await take(store, ...trades)
  mark(store, 1, 3)
  const before = marks(store)
  await take(store, fill(6, 'buy', 1, 6750), fill(7, 'sell', 1, 6752))
  store.write.removeAccount({ ...user, at: monday, account })
  expect(marks(store)).toEqual([[], []])
  store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
  expect(marks(store)).toEqual([[...(before[0] ?? []), ['6/7', false]], [...(before[1] ?? []), ['6', false]]])
})

test('a trade entered by hand is never one, whatever its id', async () => {
  const store = openStore()
  await take(store, ...trades)
  mark(store, 1)
  const byHand = { id: `${account}/1`, symbol: 'MESM6', account: '', accountId: account, platform: '', qty: 1, entryPrice: 6750, exitPrice: 6751, entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z' }
  expect(store.write.addTrade({ ...user, at: monday, trade: byHand })).toMatchObject({ ok: true })
  // A pair of this id may come, and would take its row.
  expect(store.write.addTrade({ ...user, at: monday, trade: { ...byHand, id: `${account}/1/9` } })).toEqual({ ok: false, error: 'id-taken' })
  expect(store.read.pairPage(page).rows.filter(({ copied }) => copied).map(({ id }) => id)).toEqual([`${account}/1/2`])
  expect(store.read.tradePage(page).rows.filter(({ copied }) => copied).map(({ id }) => id)).toEqual([`${account}/1`])
})

test('a user who is forgotten leaves no mark behind', () => {
  const store = openStore()
  mark(store, 1)
  store.write.deleteUser(user)
  expect(rowsOf(store, 'copied_orders')).toEqual([])
})
