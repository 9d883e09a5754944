import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { deriveLeftovers } from '#backend/fills/stale-batches.ts'
import { account, migrationsFolder, monday, temporaryFolder } from '#tests/helpers/store.ts'

const row = (table: string, values: Record<string, string | number | null>): string =>
  `INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).map((value) => (value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`)).join(', ')})`

/** A round trip of one tick, as an earlier version derived it. */
const trade = (first: number, contract: string, tickSize: string, gross: number): string[] => {
  const [entry, exit, date] = [monday + first * 60_000, monday + first * 60_000 + 60_000, '2026-01-05']
  const fill = (id: number, time: number, side: string, price: number) =>
    row('fills', { user_id: 'u1', account, id: String(id), contract, local_date: date, time, side, qty: 1, price, tick_size: tickSize, fee: 0, active: 1, source: 'api', trade_date: date })
  const id = `${account}/${String(first)}`
  const facts = { entry_time: entry, exit_time: exit, gross, commission: 0, net: gross, currency: 'USD', multiplier_source: 'table', fee_source: 'broker', warnings: '[]' }
  const place = { user_id: 'u1', account_id: account, symbol: contract, date, trading_day: date, side: 'long', qty: 1, tick_size: tickSize }
  return [
    ...[fill(first, entry, 'buy', 7_000), fill(first + 1, exit, 'sell', 7_001)],
    row('trades', { ...place, ...facts, id: `${id}/${String(first + 1)}`, origin: 'synced', entry_price: 7_000, exit_price: 7_001, platform: 'Tradovate', trip_id: id }),
    row('trips', { ...place, ...facts, id, batch_date: date, under_way: 0, max_position: 1, pairs: 1, base_price: 7_000, entry_sum: 0, exit_sum: 1 }),
    row('batches', { user_id: 'u1', account, contract, local_date: date, begins_open: 0, ends_open: 0, end_position: '{"net":0,"used":0,"open":[],"trip":null}' }),
  ]
}

test('fill pairs of an older journal with parts of cents are rounded, and no other is touched', async () => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0018')) copyFileSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => {
    database.close()
  })
  migrate(database, before, folder)
  database.exec(row('profiles', { id: 'u1', email: 'a@example.org', display_name: 'A', demo: 0, time_zone: 'America/New_York', created_at: 1 }))
  database.exec(row('accounts', { user_id: 'u1', key: account, login_id: 'login', environment: 'demo', broker_account_id: '700101', name: 'EVAL-101', currency: 'USD', connected_at: 5 }))
  for (const sql of [...trade(1, 'ZNH6', '0.015625', 156_250), ...trade(11, 'MESH6', '0.25', 12_500)]) database.exec(sql)
  migrate(database, migrationsFolder, folder)
  const all = (sql: string) => database.prepare(sql).pluck().all()
  expect(all('SELECT contract FROM stale_batches')).toContain('ZNH6')
  await deriveLeftovers({ writer: writerOf(database), barrier: () => undefined })
  for (const table of ['fill_pairs', 'trades']) expect(all(`SELECT symbol || ' ' || gross || ' ' || net FROM ${table} ORDER BY symbol`)).toEqual(['MESH6 12500 12500', 'ZNH6 156300 156300'])
  expect(all("SELECT entity_id FROM outbox WHERE entity = 'pair'")).toEqual([`${account}/1/2`])
})
