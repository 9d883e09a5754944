import { expect, test } from 'vitest'
import type { Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { account, fill, monday, openStore, take, user } from '#tests/helpers/store.ts'
import { journalPairs, reconcileAccount, reconciledAccounts } from './reconcile-account.ts'

test('the fill pairs of an account are read without those of other accounts', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const { database } = store.writer
  const asked: string[] = []
  const prepare = database.prepare.bind(database)
  database.prepare = ((sql: string) => {
    asked.push(sql)
    return prepare(sql)
  }) as typeof database.prepare
  expect(journalPairs(store.writer, user.userId, account, []).closed).toHaveLength(1)
  database.prepare = prepare
  const sql = asked.find((one) => one.includes("origin = 'synced'")) ?? ''
  const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`).all({ userId: '', account: '' }) as { detail: string }[]
  expect(plan.map(({ detail }) => detail)).toContainEqual(expect.stringMatching(/^SEARCH fill_pairs USING INDEX \w+ \(user_id=\? AND account_id=\?\)$/))
})

test('a rate in another currency than its contract charges no fill, neither in the trades nor in their day', async () => {
  const store = openStore()
  await store.write.setCommission({ ...user, at: monday, of: { scope: 'account', accountId: account }, product: 'WWJ', perSide: '0.50' })
  await take(store, fill(1, 'buy', 1, 100, { contract: 'WWJM6', price: 100_00000000 as Ticks }), fill(2, 'sell', 1, 100, { contract: 'WWJM6', price: 102_00000000 as Ticks }))
  const charged = () => {
    const [found] = reconciledAccounts(store.writer, user.userId).filter(({ key }) => key === account)
    if (found === undefined) throw new Error('The account is connected')
    const { closed, fees } = reconcileAccount(store.writer, user.userId, found, []).sources
    return [closed.map(({ fees, currency }) => [fees, currency]), fees.map(({ fee, currency }) => [fee, currency])]
  }
  expect(charged()).toEqual([[[10_000, 'USD']], [[5_000, 'USD'], [5_000, 'USD']]])
  await store.write.setPointValue({ ...user, at: monday, product: 'WWJ', pointValue: { amount: '5', currency: 'EUR' as Currency } })
  expect(charged()).toEqual([[[0, 'EUR']], [[0, 'EUR'], [0, 'EUR']]])
})
