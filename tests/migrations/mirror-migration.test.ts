import { copyFileSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { neverStamped } from '#shared/mirror/stamp.ts'
import { listedCloud, pull, push, sharedRows, waiting } from '#tests/helpers/listed-cloud.ts'
import { account, migrationsFolder, monday, openEmptyStore, temporaryFolder, user } from '#tests/helpers/store.ts'

const pair = (id: string, origin: string, time: number) =>
  `INSERT INTO trades VALUES (NULL, 'u1', '${id}', '${origin}', '${account}', NULL, 'MESM6', '2026-01-05', '2026-01-05', 'long', 1, '0.25', 27000, 27004, ${String(time)}, ${String(time + 1)},
    50000, 19000, 31000, 'USD', 'Tradovate', ${origin === 'synced' ? `'${account}/1'` : 'NULL'}, 'broker', 'table', '[]')`

const fill = (id: number, side: string, price: number) =>
  `INSERT INTO fills VALUES ('u1', '${account}', '${String(id)}', 'MESM6', '2026-01-05', ${String(monday + id)}, '${side}', 1, ${String(price)}, '0.25', NULL, 1, 'api', NULL, '44', '2026-01-05')`

/** Rows as version 1 kept them. */
const rows = [
  `INSERT INTO profiles VALUES ('u1', 'a@example.org', 'A', NULL, NULL, 0, 'America/New_York', 1, NULL)`,
  `INSERT INTO logins VALUES ('login', 'u1', 'tradovate', '9001', 'demo.user', 'ok', NULL, NULL, NULL, 5)`,
  `INSERT INTO accounts VALUES ('u1', '${account}', 'login', 'demo', '700101', 'EVAL-101', 10000, 'USD', 7, 1, NULL, 5, 6)`,
  `INSERT INTO accounts VALUES ('u1', 'tradovate:live:2', 'gone', 'live', '2', 'Old', NULL, 'USD', NULL, 0, 9, 5, NULL)`,
  `INSERT INTO finances VALUES ('u1', '${account}', 'Funded Account', 0, '2026-01-05', 'EVAL-101', 10000, 'USD', 'Tradovate', 'Tradeify', NULL)`,
  `INSERT INTO finances VALUES ('u1', 'tradovate:live:2', 'Account', 0, '2026-01-05', 'Old', 0, 'USD', 'Tradovate', NULL, 9)`,
  `INSERT INTO contracts VALUES ('u1', 'demo', '44', 'MESM6')`,
  `INSERT INTO specs VALUES ('u1', 'MESM6', 'MES', 1, 'USD', '0.25', 12500, 1, 9500, 'broker')`,
  fill(1, 'buy', 27_000),
  fill(2, 'sell', 27_004),
  pair(`${account}/1/2`, 'synced', monday + 1),
  pair('mine', 'manual', monday),
  `INSERT INTO trade_edits (user_id, trade_id, notes, tags, removed_at) VALUES ('u1', '${account}/1/2', 'patient', '["a"]', NULL), ('u1', 'mine', '', '[]', 12)`,
  `INSERT INTO outbox (user_id, entity, entity_id, op) VALUES ('u1', 'trade', '${account}/1/2', 'put')`,
  `INSERT INTO sync_runs VALUES ('u1', 'r1', 1, 2, 'complete', '{}'), ('u1', 'r2', 3, 4, 'partial', '{}')`,
  `INSERT INTO user_settings VALUES ('u1', 'k', 'v')`,
]

const migrated = () => {
  const folder = temporaryFolder()
  const first = path.join(folder, 'first')
  mkdirSync(first)
  copyFileSync(path.join(migrationsFolder, '0001-journal.sql'), path.join(first, '0001-journal.sql'))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => {
    database.close()
  })
  migrate(database, first, folder)
  for (const sql of rows) database.exec(sql)
  expect(migrate(database, migrationsFolder, folder)).toMatchObject({ from: 1 })
  const writer = writerOf(database)
  return { read: readsOf(writer), write: writesOf({ writer, barrier: () => undefined }), writer, file: database.name }
}

test('a journal of version 1 keeps its rows, and gets what the mirror needs', () => {
  const store = migrated()
  const all = (sql: string) => store.writer.database.prepare(sql).all()
  expect(all('SELECT key, stamp, login_name, watched_since FROM accounts ORDER BY key')).toEqual([
    { key: account, stamp: neverStamped, login_name: 'demo.user', watched_since: 5 },
    { key: 'tradovate:live:2', stamp: neverStamped, login_name: '', watched_since: null },
  ])
  expect(all('SELECT id, stamp FROM fill_pairs ORDER BY id')).toEqual([{ id: 'mine', stamp: neverStamped }, { id: `${account}/1/2`, stamp: null }])
  expect(all('SELECT good FROM sync_runs ORDER BY run_id')).toEqual([{ good: 1 }, { good: 0 }])
  expect(all('SELECT id, last_stamp FROM device')).toEqual([{ id: expect.stringMatching(/^[0-9a-f]{8}$/) as unknown, last_stamp: neverStamped }])
  expect(store.read.pairById({ ...user, id: `${account}/1/2` })).toMatchObject({ notes: 'patient', tags: ['a'] })
})

test('everything in a version 1 journal is sent, and restores the same journal elsewhere', async () => {
  const store = migrated()
  expect(waiting(store).records.map(({ entity, id }) => `${entity} ${id}`)).toEqual([
    ...['profile profile', `account ${account}`, 'account tradovate:live:2', `balance ${account}`, 'spec MESM6', 'contract demo/44', `finance ${account}`, 'finance tradovate:live:2'],
    ...[`fill ${account}/1`, `fill ${account}/2`, 'trade mine', 'edit mine', `edit ${account}/1/2`, `pair ${account}/1/2`],
  ])
  expect(store.read.mirror(user).waitingSince).toBeGreaterThan(monday)
  const cloud = listedCloud()
  await push(store, cloud)
  const fresh = openEmptyStore()
  await pull(fresh, cloud)
  const { batches: derived, trades, ...restored } = sharedRows(fresh)
  const { batches: none, trades: noTrades, ...kept } = sharedRows(store)
  // The rows above have no batches and trades; they follow from the fills.
  expect([none, noTrades, derived?.length, trades?.length]).toEqual([[], [], 1, 1])
  expect(restored).toEqual(kept)
})

test('changes from before stamps existed lose against later ones', () => {
  const store = migrated()
  store.write.updateTrade({ ...user, at: 1, id: `${account}/1/2`, updates: { notes: 'again' } })
  const stamps = JSON.parse((store.writer.database.prepare("SELECT stamps FROM pair_edits WHERE notes = 'again'").get() as { stamps: string }).stamps) as Record<string, string>
  expect(stamps['notes'] ?? '').toMatch(/^000000000000001-00000-/)
  expect(stamps['tags']).toBe(neverStamped)
})
