import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { account, fill, migrationsFolder, monday, temporaryFolder, user } from '#tests/helpers/store.ts'

const open = (file: string) => {
  const database = openDatabase(file)
  onTestFinished(() => {
    database.close()
  })
  return database
}

test('trades from before the copier are no copies until a copied order is recorded', () => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0009')) copyFileSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = open(path.join(folder, 'journal.db'))
  migrate(database, before, folder)
  const writer = writerOf(database)
  const [read, write] = [readsOf(writer), writesOf({ writer, barrier: () => undefined })]
  write.createProfile({ id: user.userId, email: 'a@example.org', displayName: 'A', passwordHash: null, recoveryHash: null, demo: false, timeZone: 'UTC', createdAt: monday })
  write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  // What is living writes columns that came later.
  database.prepare("INSERT INTO accounts (user_id, key, login_id, environment, broker_account_id, name, currency, connected_at, watched_since) VALUES (?, ?, 'login', 'demo', '700101', 'EVAL-101', 'USD', ?, ?)").run(user.userId, account, monday, monday)
  for (const { id, time, side, orderId } of [fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751)]) {
    const sql = `INSERT INTO fills (user_id, account, id, contract, local_date, time, side, qty, price, tick_size, active, source, order_id) VALUES (?, ?, ?, 'MESM6', '2026-01-05', ?, ?, 1, 27000, '0.25', 1, 'api', ?)`
    database.prepare(sql).run(user.userId, account, id, time, side, String(orderId))
  }
  const trade = `INSERT INTO trades (user_id, id, origin, account_id, symbol, date, trading_day, side, qty, tick_size, entry_price, exit_price, entry_time, exit_time, gross, commission, net, currency, platform, trip_id, multiplier_source, fee_source, warnings)
    VALUES (?, ?, 'synced', ?, 'MESM6', '2026-01-05', '2026-01-05', 'long', 1, '0.25', 27000, 27004, ?, ?, 50000, 0, 50000, 'USD', 'Tradovate', ?, 'table', 'table', '[]')`
  database.prepare(trade).run(user.userId, `${account}/1/2`, account, monday, monday, `${account}/1`)

  expect(migrate(database, migrationsFolder, folder)).toMatchObject({ from: 8, backup: expect.stringContaining('v8') as string })
  const rows = () => read.pairPage({ ...user, filter: everyTrade, offset: 0, limit: 10, sort: 'exitTime', direction: 'asc' }).rows
  expect(rows().map(({ id, copied }) => [id, copied])).toEqual([[`${account}/1/2`, undefined]])
  write.markCopied({ ...user, orders: [{ account, orderId: '1' }] })
  expect(rows()[0]?.copied).toBe(true)
})
