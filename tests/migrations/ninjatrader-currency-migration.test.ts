import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase, writerOf } from '#backend/db/database.ts'
import { migrate } from '#backend/db/migrate.ts'
import { deriveLeftovers } from '#backend/fills/stale-batches.ts'
import { readsOf } from '#backend/journal/reads.ts'
import { migrationsFolder, monday, temporaryFolder } from '#tests/helpers/store.ts'

const row = (table: string, values: Record<string, string | number | null>): string =>
  `INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${Object.values(values).map((value) => (value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`)).join(', ')})`

const account = 'ninjatrader:live:A'
const contract = (brokerContractId: string, name: string) => row('contracts', { user_id: 'u1', environment: 'live', broker_contract_id: brokerContractId, contract: name })
const spec = (name: string, root: string, currency = 'USD') => row('specs', { user_id: 'u1', contract: name, root, root_is_whole: 1, currency, tick_size: '1', tick_value_num: 500_000, tick_value_den: 1, fee_per_side: 0, source: 'broker', rounding: null })

/** A round trip of 100 points, as a version until 2026-11-29 read it from NinjaTrader's database: 50.00 USD a point. */
const trade = (symbol: string, first: number): string[] => {
  const date = '2026-01-05'
  const [entry, exit] = [monday, monday + 60_000]
  const fill = (id: number, time: number, side: string, price: number) => row('fills', { user_id: 'u1', account, id: `x-${String(id)}`, contract: symbol, local_date: date, time, side, qty: 1, price, tick_size: '1', fee: 3_900, active: 1, source: 'api', order_id: `o-${String(id)}`, trade_date: null })
  const facts = { entry_time: entry, exit_time: exit, gross: 50_000_000, commission: 7_800, net: 49_992_200, currency: 'USD', multiplier_source: 'broker', fee_source: 'broker', warnings: '[]' }
  const place = { user_id: 'u1', account_id: account, symbol, date, trading_day: date, side: 'long', qty: 1, tick_size: '1' }
  const id = `${account}/x-${String(first)}`
  return [
    ...[fill(first, entry, 'buy', 25_000), fill(first + 1, exit, 'sell', 25_100)],
    row('trades', { ...place, ...facts, id: `${id}/x-${String(first + 1)}`, origin: 'synced', entry_price: 25_000, exit_price: 25_100, platform: 'NinjaTrader', trip_id: id }),
    row('trips', { ...place, ...facts, id, batch_date: date, under_way: 0, max_position: 1, pairs: 1, base_price: 25_000, entry_sum: 0, exit_sum: 100 }),
    row('batches', { user_id: 'u1', account, contract: symbol, local_date: date, begins_open: 0, ends_open: 0, end_position: '{"net":0,"used":0,"open":[],"trip":null}' }),
  ]
}

test('contracts that NinjaTrader alone priced in dollars are asked about, and those of another broker stay', async () => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0039')) copyFileSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => {
    database.close()
  })
  migrate(database, before, folder)
  database.exec(row('profiles', { id: 'u1', email: 'a@example.org', display_name: 'A', demo: 0, time_zone: 'America/New_York', created_at: 1 }))
  database.exec(row('accounts', { user_id: 'u1', key: account, login_id: 'login', environment: 'live', broker_account_id: 'A', name: 'A', currency: 'USD', connected_at: 5 }))
  // One that another broker names too, one that it alone names, and one whose currency it named.
  for (const sql of [contract('ninjatrader:HSIH6', 'HSIH6'), spec('HSIH6', 'HSI'), contract('ninjatrader:QQAH6', 'QQAH6'), contract('7', 'QQAH6'), spec('QQAH6', 'QQA'), contract('8', 'QQBH6'), spec('QQBH6', 'QQB'), contract('ninjatrader:QQCH6', 'QQCH6'), contract('9', 'QQCH6'), spec('QQCH6', 'QQC', 'HKD')]) database.exec(sql)
  for (const sql of [...trade('HSIH6', 1), ...trade('QQBH6', 11)]) database.exec(sql)
  migrate(database, migrationsFolder, folder)
  const writer = writerOf(database)
  await deriveLeftovers({ writer, barrier: () => undefined })
  const all = (sql: string) => database.prepare(sql).pluck().all()
  expect(all("SELECT symbol || ' ' || gross || ' ' || multiplier_source || ' ' || warnings FROM fill_pairs ORDER BY symbol")).toEqual(['HSIH6 1000000 unknown ["unknown-contract"]', 'QQBH6 50000000 broker []'])
  expect(readsOf(writer).uncertainProducts({ userId: 'u1' })).toMatchObject([{ product: 'HSI', pairs: 1 }])
  expect(all("SELECT contract || ' ' || source FROM specs ORDER BY contract")).toEqual(['HSIH6 unknown', 'QQAH6 unknown', 'QQBH6 broker', 'QQCH6 broker'])
  expect(all('SELECT broker_contract_id FROM contracts ORDER BY 1')).toEqual(['8', '9', 'ninjatrader:HSIH6', 'ninjatrader:QQAH6', 'ninjatrader:QQCH6'])
  expect(all("SELECT entity_id FROM outbox WHERE entity = 'spec' ORDER BY 1")).toEqual(['HSIH6', 'QQAH6'])
})
