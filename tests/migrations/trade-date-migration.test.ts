import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { deriveLeftovers } from '#backend/fills/stale-batches.ts'
import { account, migrationsFolder, monday, temporaryFolder } from '#tests/helpers/store.ts'

const row = (table: string, values: Record<string, string | number | null>): string =>
  `INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).map((value) => (value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`)).join(', ')})`

/** A round trip of a minute that began `hours` after Monday noon, which an earlier version derived by the clock. */
const trade = (first: number, hours: number, date: string, tradeDate: string | null): string[] => {
  const [entry, exit] = [monday + hours * 3_600_000, monday + hours * 3_600_000 + 60_000]
  const fill = (id: number, time: number, side: string, price: number) =>
    row('fills', { user_id: 'u1', account, id: String(id), contract: 'MESM6', local_date: date, time, side, qty: 1, price, tick_size: '0.25', fee: 0, active: 1, source: 'api', trade_date: tradeDate })
  const times = { entry_time: entry, exit_time: exit, gross: 50_000, commission: 0, net: 50_000, currency: 'USD', multiplier_source: 'table', fee_source: 'broker', warnings: '[]' }
  const place = { user_id: 'u1', account_id: account, symbol: 'MESM6', date, trading_day: date, side: 'long', qty: 1, tick_size: '0.25' }
  const id = `${account}/${String(first)}`
  return [
    ...[fill(first, entry, 'buy', 27_000), fill(first + 1, exit, 'sell', 27_004)],
    row('trades', { ...place, ...times, id: `${id}/${String(first + 1)}`, origin: 'synced', entry_price: 27_000, exit_price: 27_004, platform: 'Tradovate', trip_id: id }),
    row('trips', { ...place, ...times, id, batch_date: date, under_way: 0, max_position: 1, pairs: 1, base_price: 27_000, entry_sum: 0, exit_sum: 4 }),
    row('batches', { user_id: 'u1', account, contract: 'MESM6', local_date: date, begins_open: 0, ends_open: 0, end_position: '{"net":0,"used":0,"open":[],"trip":null}' }),
  ]
}

test('fill pairs and trades of an older journal move to the session that the broker books them on, and nothing else is touched', async () => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0004')) copyFileSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => {
    database.close()
  })
  migrate(database, before, folder)
  database.exec(row('profiles', { id: 'u1', email: 'a@example.org', display_name: 'A', demo: 0, time_zone: 'America/New_York', created_at: 1 }))
  database.exec(row('accounts', { user_id: 'u1', key: account, login_id: 'login', environment: 'demo', broker_account_id: '700101', name: 'EVAL-101', currency: 'USD', connected_at: 5 }))
  // A day that the broker books on the session after it; a plain day; one without a reported session; and a holiday without one.
  for (const sql of [...trade(1, 0, '2026-01-05', '2026-01-06'), ...trade(11, 24, '2026-01-06', '2026-01-06'), ...trade(21, 48, '2026-01-07', null), ...trade(31, 14 * 24, '2026-01-19', null)]) database.exec(sql)
  migrate(database, migrationsFolder, folder)
  const all = (sql: string) => database.prepare(sql).pluck().all()
  expect(all('SELECT local_date FROM stale_batches ORDER BY local_date')).toEqual(['2026-01-05', '2026-01-19'])
  await deriveLeftovers({ writer: writerOf(database), barrier: () => undefined })
  for (const table of ['fill_pairs', 'trades']) expect(all(`SELECT date || ' ' || trading_day FROM ${table} ORDER BY date`)).toEqual(['2026-01-05 2026-01-06', '2026-01-06 2026-01-06', '2026-01-07 2026-01-07', '2026-01-19 2026-01-20'])
  expect(all("SELECT entity_id FROM outbox WHERE entity = 'pair'")).toEqual([`${account}/1/2`, `${account}/31/32`])
  expect(all('SELECT count(*) FROM stale_batches')).toEqual([0])
})
