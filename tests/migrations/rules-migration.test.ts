import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { noRules } from '#shared/rules/terms.ts'
import { waiting } from '#tests/helpers/listed-cloud.ts'
import { account, migrationsFolder, monday, temporaryFolder, user } from '#tests/helpers/store.ts'

const fill = (id: number, side: string, price: number) =>
  `INSERT INTO fills VALUES ('u1', '${account}', '${String(id)}', 'MESM6', '2026-01-05', ${String(monday + id)}, '${side}', 1, ${String(price)}, '0.25', NULL, 1, 'api', NULL, '44', '2026-01-05')`

/** Rows as version 9 kept them. */
const rows = [
  `INSERT INTO profiles (id, email, display_name, demo, time_zone, created_at) VALUES ('u1', 'a@example.org', 'A', 0, 'America/New_York', 1)`,
  `INSERT INTO logins VALUES ('login', 'u1', 'tradovate', '9001', 'demo.user', 'ok', NULL, NULL, NULL, 5)`,
  `INSERT INTO accounts (user_id, key, login_id, environment, broker_account_id, name, balance, currency, balance_at, connected_at) VALUES ('u1', '${account}', 'login', 'demo', '700101', 'EVAL-101', 500000000, 'USD', 7, 5)`,
  `INSERT INTO finances (user_id, id, type, amount, date, name, balance, currency, platform, firm) VALUES ('u1', '${account}', 'Funded Account', 0, '2026-01-05', 'EVAL-101', 10000, 'USD', 'Tradovate', 'Tradeify')`,
  fill(1, 'buy', 27_000),
  fill(2, 'sell', 27_004),
  `INSERT INTO trades (user_id, id, origin, account_id, symbol, date, trading_day, side, qty, tick_size, entry_price, exit_price, entry_time, exit_time, gross, commission, net, currency, platform, trip_id, multiplier_source, fee_source, warnings)
    VALUES ('u1', '${account}/1/2', 'synced', '${account}', 'MESM6', '2026-01-05', '2026-01-05', 'long', 1, '0.25', 27000, 27004, ${String(monday + 1)}, ${String(monday + 2)}, 50000, 19000, 31000, 'USD', 'Tradovate', '${account}/1', 'broker', 'table', '[]')`,
  `INSERT INTO outbox (user_id, entity, entity_id, noted_at, set_aside) VALUES ('u1', 'finance', '${account}', 3, 0), ('u1', 'fill', '${account}/2', 4, 1), ('u1', 'account', '${account}', 5, 0)`,
]

test('a journal from before rules keeps its rows and its outbox, and accepts rules', () => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0010')) copyFileSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => {
    database.close()
  })
  migrate(database, before, folder)
  for (const sql of rows) database.exec(sql)
  const outbox = () => database.prepare('SELECT * FROM outbox ORDER BY seq').all()
  const waited = outbox()
  expect(migrate(database, migrationsFolder, folder)).toMatchObject({ from: 9, backup: expect.stringContaining('v9') as string })
  expect(waited).toHaveLength(3)
  expect(outbox()).toEqual(waited)

  const writer = writerOf(database)
  const [read, write] = [readsOf(writer), writesOf({ writer, barrier: () => undefined })]
  const ruled = () => read.ruledAccounts({ ...user, day: '2026-01-06' })
  expect(ruled()).toMatchObject([{ account, label: 'Funded Account', firm: 'Tradeify', set: null, stageByHand: null, breach: null, balance: 500_000_000, balanceAt: 7, past: { days: 0 } }])
  const set = { ...noRules('USD'), startingBalance: '50000' }
  expect(write.setRules({ ...user, at: monday, account, set, presetId: null, since: null })).toBe(true)
  expect(ruled()).toMatchObject([{ set, past: { days: 1, profit: 31_000 } }])
  const entities = waiting({ read, write, writer, file: database.name }).records.map(({ entity }) => entity)
  expect(entities).toEqual(['finance', 'account', 'rules'])
})
