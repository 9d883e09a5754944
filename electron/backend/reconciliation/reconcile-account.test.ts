import { expect, test } from 'vitest'
import { account, fill, openStore, take, user } from '#tests/helpers/store.ts'
import { journalPairs } from './reconcile-account.ts'

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
