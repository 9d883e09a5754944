import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deriveLeftovers } from '#backend/fills/stale-batches.ts'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { writesOf } from '#backend/journal/writes.ts'
import { account, day, migrationsFolder, monday, temporaryFolder } from '#tests/helpers/store.ts'

const row = (table: string, values: Record<string, string | number | null>): string =>
  `INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).map((value) => (value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`)).join(', ')})`

const fill = (id: number, time: number, date: string, side: string, price: number) =>
  row('fills', { user_id: 'u1', account, id: String(id), contract: 'MESM6', local_date: date, time, side, qty: 1, price, tick_size: '0.25', fee: 0, active: 1, source: 'api', trade_date: date })

const batch = (date: string, begins: 0 | 1, ends: 0 | 1, position: string) =>
  row('batches', { user_id: 'u1', account, contract: 'MESM6', local_date: date, begins_open: begins, ends_open: ends, end_position: position })

// Matched day by day: Monday's purchase was forgotten at midnight, so that Tuesday's sale opened a short position.
const forgotten = [
  fill(1, monday, '2026-01-05', 'buy', 27_000),
  fill(2, monday + day, '2026-01-06', 'sell', 27_008),
  fill(3, monday + day + 60_000, '2026-01-06', 'buy', 27_004),
  fill(4, monday + day + 120_000, '2026-01-06', 'sell', 27_000),
  batch('2026-01-05', 0, 1, '{"net":1,"used":0,"open":[],"trip":null}'),
  batch('2026-01-06', 1, 0, '{"net":0,"used":0,"open":[],"trip":null}'),
  row('trades', {
    user_id: 'u1', id: `${account}/2/3`, origin: 'synced', account_id: account, symbol: 'MESM6', date: '2026-01-06', trading_day: '2026-01-06', side: 'short', qty: 1, tick_size: '0.25',
    entry_price: 27_008, exit_price: 27_004, entry_time: monday + day, exit_time: monday + day + 60_000, gross: 50_000, commission: 0, net: 50_000, currency: 'USD',
    platform: 'Tradovate', trip_id: `${account}/2`, multiplier_source: 'table', fee_source: 'broker', warnings: '["crosses-midnight"]',
  }),
]

test('a journal matched day by day is matched again across midnight, and keeps its earlier results', async () => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0017')) copyFileSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => {
    database.close()
  })
  migrate(database, before, folder)
  database.exec(row('profiles', { id: 'u1', email: 'a@example.org', display_name: 'A', demo: 0, time_zone: 'America/New_York', created_at: 1 }))
  const known = { user_id: 'u1', login_id: 'login', environment: 'demo', currency: 'USD', connected_at: 5 }
  database.exec(row('accounts', { ...known, key: account, broker_account_id: '700101', name: 'EVAL-101', carry: 0 }))
  database.exec(row('accounts', { ...known, key: 'tradovate:demo:2', broker_account_id: '2', name: 'EVAL-2', carry: 1 }))
  for (const sql of forgotten) database.exec(sql)
  migrate(database, migrationsFolder, folder)
  await deriveLeftovers({ writer: writerOf(database), barrier: () => undefined })
  const all = (sql: string) => database.prepare(sql).all()
  expect(all('SELECT id, side, gross, warnings FROM fill_pairs ORDER BY exit_time')).toEqual([
    { id: `${account}/1/2`, side: 'long', gross: 100_000, warnings: '[]' },
    { id: `${account}/3/4`, side: 'long', gross: -50_000, warnings: '[]' },
  ])
  const writer = writerOf(database)
  const [read, write] = [readsOf(writer), writesOf({ writer, barrier: () => undefined })]
  expect(read.rematched({ userId: 'u1' })).toEqual([{ name: 'EVAL-101', currency: 'USD', pairsBefore: 1, netBefore: '5.00', pairs: 2, net: '5.00' }])
  write.dismissRematched({ userId: 'u1' })
  expect(read.rematched({ userId: 'u1' })).toEqual([])
  expect(all('SELECT count(*) AS n FROM stale_batches')).toEqual([{ n: 0 }])
})
