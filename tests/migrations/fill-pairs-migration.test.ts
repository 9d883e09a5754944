import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { account, migrationsFolder, monday, temporaryFolder } from '#tests/helpers/store.ts'

type Row = Record<string, string | number | null>

const place = { user_id: 'u1', account_id: account, symbol: 'MESM6', date: '2026-01-05', trading_day: '2026-01-05', side: 'long', qty: 1, tick_size: '0.25', entry_time: monday, exit_time: monday + 60_000, gross: 50_000, commission: 0, net: 50_000, currency: 'USD', multiplier_source: 'table', fee_source: 'broker', warnings: '[]' }
const words = { notes: 'mine', tags: '["calm"]', screenshot: '', screenshot_headline: '', screenshot2: '', screenshot2_headline: '' }
const trade = { id: `${account}/1`, pairCount: 1 }
// A name may look like a key.
const named = 'of "trips": and "trip":'

/** One row of each table that is renamed, or whose rows are rewritten, as version 41 had them. */
const before: Record<string, Row> = {
  trades: { ref: 3, ...place, id: `${account}/1/2`, origin: 'synced', entry_price: 27_000, exit_price: 27_004, platform: 'Tradovate', trip_id: trade.id },
  trips: { ref: 7, ...place, id: trade.id, batch_date: '2026-01-05', under_way: 1, max_position: 1, pairs: 1, base_price: 27_000, entry_sum: 0, exit_sum: 4 },
  trade_edits: { user_id: 'u1', trade_id: `${account}/1/2`, ...words, stamps: '{}' },
  shown_notes: { user_id: 'u1', trade_id: `${account}/1/2`, account, contract: 'MESM6', ...words, sources: '{}' },
  left_over_notes: { user_id: 'u1', edit_id: `${account}/8/9`, account, contract: 'MESM6', trading_day: '2026-01-05', fields: '["notes"]', trade_id: `${account}/1/2` },
  told_fills: { user_id: 'u1', account, id: '1', told: '{"fee":1}' },
  history_windows: { user_id: 'u1', account, from_day: '2026-01-01', to_day: '2026-01-31', at: 1, fills: 2, pairs: 1, trips: 4 },
  batches: { user_id: 'u1', account, contract: named, local_date: '2026-01-05', begins_open: 0, ends_open: 1, end_position: JSON.stringify({ net: 1, used: 0, open: [{ id: '1', contract: named }], trip: trade }) },
  sync_runs: { user_id: 'u1', run_id: 'r', started_at: 1, ended_at: 2, outcome: 'complete', good: 1, receipt: JSON.stringify({ pairs: { added: 1 }, trips: { added: 4 }, troubles: [{ login: named }] }) },
}

test('fill pairs and trades get their names, and every row keeps what it has', () => {
  const folder = temporaryFolder()
  const older = path.join(folder, 'older')
  mkdirSync(older)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0042')) copyFileSync(path.join(migrationsFolder, name), path.join(older, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => {
    database.close()
  })
  migrate(database, older, folder)
  database.prepare("INSERT INTO profiles (id, email, display_name, demo, time_zone, created_at) VALUES ('u1', 'a@example.org', 'A', 0, 'UTC', 1)").run()
  for (const [table, row] of Object.entries(before)) database.prepare(`INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${Object.keys(row).map((column) => `@${column}`).join(', ')})`).run(row)
  migrate(database, migrationsFolder, folder)

  const rowOf = (table: string): Row => database.prepare<[], Row>(`SELECT * FROM ${table}`).get() ?? {}
  const as = (table: string, names: Record<string, string>, texts: Row = {}): Row => ({ ...Object.fromEntries(Object.entries(before[table] ?? {}).map(([column, value]) => [names[column] ?? column, value])), ...texts })
  expect(rowOf('fill_pairs')).toMatchObject(as('trades', { trip_id: 'trade_id' }))
  expect(rowOf('trades')).toMatchObject(as('trips', {}))
  expect(rowOf('counted_trades')).toMatchObject({ ref: 7, id: trade.id, pairs: 1, net: 50_000 })
  expect(rowOf('pair_edits')).toMatchObject(as('trade_edits', { trade_id: 'pair_id' }))
  expect(rowOf('shown_notes')).toMatchObject(as('shown_notes', { trade_id: 'pair_id' }))
  expect(rowOf('left_over_notes')).toMatchObject(as('left_over_notes', { trade_id: 'pair_id' }))
  expect(rowOf('base_fills')).toMatchObject(as('told_fills', { told: 'base' }))
  expect(rowOf('history_windows')).toMatchObject(as('history_windows', { trips: 'trades' }))
  expect(rowOf('batches')).toMatchObject(as('batches', {}, { end_position: JSON.stringify({ net: 1, used: 0, open: [{ id: '1', contract: named }], trade }) }))
  expect(rowOf('sync_runs')).toMatchObject(as('sync_runs', {}, { receipt: JSON.stringify({ pairs: { added: 1 }, trades: { added: 4 }, troubles: [{ login: named }] }) }))
})
