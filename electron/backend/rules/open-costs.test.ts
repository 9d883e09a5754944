import { expect, test } from 'vitest'
import { amountOf } from '#shared/money/money.ts'
import { account, day, fill, monday, openStore, take, user } from '#tests/helpers/store.ts'
import { openCosts } from './open-costs.ts'

const [mondays, tuesdays, wednesdays] = ['2026-01-05', '2026-01-06', '2026-01-07'] as const

test('costs of open trades are the fees of their fills, and until their day is over both sides of those that were held over night', async () => {
  const store = openStore()
  const of = (tradingDay: string) => openCosts(store.writer, user.userId, tradingDay)(account, 'USD')
  await take(store, fill(1, 'buy', 2, 6750, { feeText: '0.90', time: monday, tradeDate: mondays }))
  expect([of(mondays), of(tuesdays)]).toEqual([9_000, 9_000])
  await take(store, fill(2, 'sell', 1, 6751, { feeText: '0.50', time: monday + day, tradeDate: tuesdays }))
  // The fill that opened is partly closed: all of its fee is the most that can be missing, beside both sides of what was closed.
  expect(of(tuesdays)).toBe(9_000 + 9_500)
  await take(store, fill(3, 'sell', 1, 6751, { feeText: '0.50', time: monday + day + 1000, tradeDate: tuesdays }))
  expect([of(tuesdays), of(wednesdays)]).toEqual([19_000, amountOf(0)])
  expect(openCosts(store.writer, user.userId, tuesdays)(account, 'EUR')).toBe(0)
})

test('a fill without a fee may have cost the user’s own rate', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750))
  const costs = () => openCosts(store.writer, user.userId, '2026-01-06')(account, 'USD')
  const table = costs()
  await store.write.setCommission({ ...user, at: monday, of: { scope: 'account', accountId: account }, product: 'MES', perSide: '5.00' })
  expect(costs()).toBe(100_000)
  // Nothing shows whether the rate or the table is right: the most that either says.
  await store.write.setCommission({ ...user, at: monday, of: { scope: 'account', accountId: account }, product: 'MES', perSide: '0.10' })
  expect(costs()).toBe(table)
})
