// @module-tag slow
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AccountKey } from '#shared/fills/fill.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { fillRow, importRows, orderRow } from '#tests/helpers/imports.ts'
import { listedCloud, pull, push, sharedRows, type ListedCloud } from '#tests/helpers/listed-cloud.ts'
import { account, fill, migrationsFolder, monday, openEmptyStore, openStore, rowsOf, take, temporaryFolder, user, type TestStore } from '#tests/helpers/store.ts'
import { openDatabase, writerOf } from '../db/database.ts'
import { deriveLeftovers } from '../fills/stale-batches.ts'
import { migrate } from '../db/migrate.ts'
import { readsOf } from '../journal/reads.ts'
import { writesOf } from '../journal/writes.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const pairs = (store: TestStore) => store.read.pairPage(page).rows
const notesOf = (store: TestStore) => pairs(store).map(({ id, notes }) => [id.slice(id.lastIndexOf(':') + 1), notes])
const left = (store: TestStore) => store.read.leftOverNotes(user)
const now = { ...user, at: monday }
const picture = `${'a'.repeat(64)}`
const all = { notes: 'mine', tags: ['calm'], stop: '6740.00', screenshot: picture, screenshotHeadline: 'the entry' }
const write = (store: TestStore, id: string) => {
  expect(store.write.updateTrade({ ...now, id: `${account}/${id}`, updates: all })).toMatchObject({ ok: true })
}
const remove = (store: TestStore, id: string) => {
  expect(store.write.removeTrade({ ...now, id: `${account}/${id}` })).toBe(true)
}
const net = (store: TestStore) => Number(store.read.tradePage(page).rows.reduce((sum, { netPnl }) => sum + Number(netPnl), 0).toFixed(2))

test('a late entry fill: all notes are on the fill pair that its exit closes', async () => {
  const store = openStore()
  await take(store, fill(2, 'buy', 1, 6750), fill(3, 'sell', 1, 6751))
  write(store, '2/3')
  await take(store, fill(1, 'buy', 1, 6749))
  expect(pairs(store)).toMatchObject([{ id: `${account}/1/3`, ...all }])
  expect(left(store)).toEqual([])
})

test('a removed fill pair stays out of the totals when a fill comes late, is busted and replaced, and one that was never removed stays in', async () => {
  const store = openStore()
  await take(store, fill(2, 'buy', 1, 6750), fill(3, 'sell', 1, 6751), fill(5, 'buy', 1, 6760), fill(6, 'sell', 1, 6762))
  remove(store, '2/3')
  const before = [pairs(store).map(({ id }) => id), net(store)]
  expect(before[0]).toEqual([`${account}/5/6`])
  await take(store, fill(3, 'sell', 1, 6751, { active: false }), fill(30, 'sell', 1, 6751.25, { orderId: 3, time: monday + 3 * 60_000 }))
  expect([pairs(store).map(({ id }) => id), net(store)]).toEqual(before)
  await take(store, fill(2, 'buy', 1, 6750, { active: false }), fill(20, 'buy', 1, 6750.25, { orderId: 2, time: monday + 2 * 60_000 }))
  expect([pairs(store).map(({ id }) => id), net(store)]).toEqual(before)
  expect(store.write.restorePair({ ...now, id: `${account}/20/30` })).toBe(true)
  expect(pairs(store).map(({ id }) => id)).toEqual([`${account}/20/30`, `${account}/5/6`])
  // Restored, it stays so when the first fills stand again.
  await take(store, fill(4, 'buy', 1, 6755, { time: monday + 7 * 60_000 }))
  expect(pairs(store).map(({ id }) => id)).toEqual([`${account}/20/30`, `${account}/5/6`])
})

test('a busted fill pair leaves its notes on its day, and gets them back when it returns', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  write(store, '1/2')
  await importRows(store, 'bust', [fillRow('EVAL-101', 1, 'buy', 1, 6750, { active: false }), fillRow('EVAL-101', 2, 'sell', 1, 6751, { active: false })])
  expect(pairs(store)).toEqual([])
  expect(left(store)).toMatchObject([{ id: `${account}/1/2`, tradingDay: '2026-01-05', account: 'EVAL-101', symbol: 'MESM6', side: 'long', qty: 1, entryPrice: '6750', exitPrice: '6751', ...all, removal: false, pairId: null }])
  expect(store.read.leftOverNotes({ ...user, from: '2026-01-06' })).toEqual([])
  await store.write.undoImport({ ...now, importId: 'bust' })
  expect([pairs(store)[0], left(store)]).toMatchObject([all, []])
})

test('an import that is undone leaves its notes on the day, though its account is gone with it', async () => {
  const store = openStore()
  const rows = [fillRow('PA-7', 1, 'buy', 1, 6750), fillRow('PA-7', 2, 'sell', 1, 6751)]
  await importRows(store, 'one', rows)
  store.write.updateTrade({ ...now, id: 'file:PA-7/1/2', updates: all })
  await store.write.undoImport({ ...now, importId: 'one' })
  expect(left(store)).toMatchObject([{ account: 'PA-7', ...all }])
  await importRows(store, 'two', rows)
  expect([pairs(store)[0], left(store)]).toMatchObject([all, []])
  store.write.removeAccount({ ...now, account: 'file:PA-7' as AccountKey })
  expect(left(store)).toEqual([])
})

test('orders become fills, and orders again: notes, stop and removal are on every part of their fill pair', async () => {
  const store = openStore()
  await importRows(store, 'orders', [orderRow('PA-7', 51, 'buy', 2, 6750), orderRow('PA-7', 52, 'sell', 2, 6751)])
  const whole = 'file:PA-7/order:51/order:52'
  store.write.updateTrade({ ...now, id: whole, updates: { notes: 'mine', stop: '6740.00' } })
  store.write.removeTrade({ ...now, id: whole })
  const fills = [fillRow('PA-7', 1, 'buy', 1, 6750, { orderId: '51' }), fillRow('PA-7', 2, 'buy', 1, 6750, { orderId: '51' }), fillRow('PA-7', 3, 'sell', 1, 6751, { orderId: '52' }), fillRow('PA-7', 4, 'sell', 1, 6751, { orderId: '52' })]
  await importRows(store, 'fills', fills)
  expect([pairs(store), net(store)]).toEqual([[], 0])
  // One part comes back, the other stays removed; both have the stop.
  store.write.restorePair({ ...now, id: 'file:PA-7/1/3' })
  expect(pairs(store)).toMatchObject([{ id: 'file:PA-7/1/3', notes: 'mine', stop: '6740.00' }])
  await store.write.undoImport({ ...now, importId: 'fills' })
  // Half of the whole trade was removed: it counts, and the day asks.
  expect(pairs(store)).toMatchObject([{ id: whole, notes: 'mine', stop: '6740.00' }])
  expect(left(store)).toMatchObject([{ removal: true, pairId: whole, notes: '' }])
  const [asked] = left(store)
  expect(store.write.moveLeftOver({ ...now, id: asked?.id ?? '', pairId: whole })).toEqual({ left: null })
  expect([pairs(store), left(store)]).toEqual([[], []])
})

test('a stop of one part that its user changes leaves the others as they were', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 2, 6751))
  write(store, '1/2')
  await take(store, fill(2, 'sell', 2, 6751, { active: false }), fill(3, 'sell', 1, 6751, { orderId: 2 }), fill(4, 'sell', 1, 6751, { orderId: 2 }))
  expect(pairs(store).map(({ stop, notes }) => [stop, notes])).toEqual([['6740.00', 'mine'], ['6740.00', '']])
  store.write.updateTrade({ ...now, id: `${account}/1/4`, updates: { stop: null } })
  expect(pairs(store).map(({ stop, notes }) => [stop, notes])).toEqual([['6740.00', 'mine'], [null, '']])
  store.write.updateTrade({ ...now, id: `${account}/1/3`, updates: { notes: 'mine, and more' } })
  expect(pairs(store).map(({ notes }) => notes)).toEqual(['mine, and more', ''])
})

test('left-over notes move to another fill pair beside its own, or are discarded', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(5, 'buy', 1, 6760), fill(6, 'sell', 1, 6761))
  write(store, '1/2')
  store.write.updateTrade({ ...now, id: `${account}/5/6`, updates: { notes: 'its own', tags: ['late'], stop: '6750.00' } })
  await take(store, fill(1, 'buy', 1, 6750, { active: false }), fill(2, 'sell', 1, 6751, { active: false }))
  const id = `${account}/1/2`
  expect(store.write.moveLeftOver({ ...now, id, pairId: `${account}/7/8` })).toBeNull()
  // The trade has a stop: the other one is not lost.
  expect(store.write.moveLeftOver({ ...now, id, pairId: `${account}/5/6` })).toMatchObject({ left: { id, notes: '', tags: [], stop: '6740.00', screenshot: '' } })
  expect(pairs(store)).toMatchObject([{ notes: 'its own\n\nmine', tags: ['late', 'calm'], stop: '6750.00', screenshot: picture, screenshotHeadline: 'the entry' }])
  expect([store.write.discardLeftOver({ ...now, id }), store.write.discardLeftOver({ ...now, id }), left(store)]).toEqual([true, false, []])
})

test('the notes of an account of files are the connected account\'s once it is known, and nothing is left of the first', async () => {
  const store = openEmptyStore()
  await importRows(store, 'one', [fillRow('EVAL-101', 1, 'buy', 1, 6750), fillRow('EVAL-101', 2, 'sell', 1, 6751)])
  store.write.updateTrade({ ...now, id: 'file:EVAL-101/1/2', updates: all })
  store.write.saveLogin({ ...now, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  store.write.saveAccounts({ ...now, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  expect([pairs(store), left(store)]).toMatchObject([[{ id: `${account}/1/2`, ...all }], []])
  await take(store, fill(2, 'sell', 1, 6751, { active: false }), fill(9, 'sell', 1, 6752, { orderId: 2 }))
  expect([pairs(store), left(store)]).toMatchObject([[{ id: `${account}/1/9`, ...all }], []])
})

const mirror = async (store: TestStore, cloud: ListedCloud) => {
  await pull(store, cloud)
  await push(store, cloud)
}

test('two computers end with the same notes, whichever wrote them and whichever got the fills', async () => {
  const cloud = listedCloud()
  const [one, another] = [openStore(), openEmptyStore()]
  await take(one, fill(2, 'buy', 2, 6750), fill(3, 'sell', 2, 6751), fill(5, 'buy', 1, 6760), fill(6, 'sell', 1, 6762))
  await push(one, cloud)
  await mirror(another, cloud)
  write(another, '2/3')
  remove(another, '5/6')
  // Meanwhile the first hears of a late fill, of a replaced one and of a bust.
  await take(one, fill(1, 'buy', 1, 6749), fill(6, 'sell', 1, 6762, { active: false }), fill(60, 'sell', 1, 6763, { orderId: 6, time: monday + 6 * 60_000 }))
  for (let round = 0; round < 3; round += 1) for (const store of [one, another]) await mirror(store, cloud)
  expect(sharedRows(another)).toEqual(sharedRows(one))
  for (const store of [one, another]) {
    expect(pairs(store).filter(({ notes }) => notes !== '')).toMatchObject([all])
    expect(pairs(store).some(({ id }) => id.endsWith('/60'))).toBe(false)
    expect(left(store)).toEqual([])
  }
  const fresh = openEmptyStore()
  await mirror(fresh, cloud)
  expect(sharedRows(fresh)).toEqual(sharedRows(one))
})

test('a journal that was matched day by day keeps its notes, tags and removals when midnight stops cutting', async () => {
  const folder = temporaryFolder()
  const before = path.join(folder, 'before')
  mkdirSync(before)
  for (const name of readdirSync(migrationsFolder).filter((each) => each < '0017')) copyFileSync(path.join(migrationsFolder, name), path.join(before, name))
  const database = openDatabase(path.join(folder, 'journal.db'))
  onTestFinished(() => { database.close() })
  migrate(database, before, folder)
  const day = 86_400_000
  const put = (sql: string, ...values: unknown[]) => database.prepare(sql).run(...values)
  put("INSERT INTO profiles (id, email, display_name, demo, time_zone, created_at) VALUES ('u1', 'a@example.org', 'A', 0, 'UTC', ?)", monday)
  put("INSERT INTO logins (id, user_id, broker, broker_user_id, name, status, connected_at) VALUES ('login', 'u1', 'tradovate', '9001', 'demo.user', 'ok', ?)", monday)
  put("INSERT INTO accounts (user_id, key, login_id, environment, broker_account_id, name, currency, connected_at, carry) VALUES ('u1', ?, 'login', 'demo', '700101', 'EVAL-101', 'USD', ?, 0)", account, monday)
  // Bought in the evening; in the morning it was closed and the same bought and sold again: the day alone saw one short.
  const fills = [['1', 'buy', monday, '2026-01-05'], ['2', 'sell', monday + day, '2026-01-06'], ['3', 'buy', monday + day + 60_000, '2026-01-06'], ['4', 'sell', monday + day + 120_000, '2026-01-06']] as const
  for (const [id, side, time, date] of fills) put("INSERT INTO fills (user_id, account, id, contract, local_date, time, side, qty, price, tick_size, active, source, order_id) VALUES ('u1', ?, ?, 'MESM6', ?, ?, ?, 1, 27000, '0.25', 1, 'api', ?)", account, id, date, time, side, id)
  const flat = JSON.stringify({ net: 0, used: 0, open: [], trip: null })
  for (const date of ['2026-01-05', '2026-01-06']) put("INSERT INTO batches (user_id, account, contract, local_date, begins_open, ends_open, end_position) VALUES ('u1', ?, 'MESM6', ?, ?, ?, ?)", account, date, date.endsWith('6') ? 1 : 0, date.endsWith('5') ? 1 : 0, flat)
  put(`INSERT INTO trades (user_id, id, origin, account_id, symbol, date, trading_day, side, qty, tick_size, entry_price, exit_price, entry_time, exit_time, gross, commission, net, currency, platform, trip_id, multiplier_source, fee_source, warnings)
    VALUES ('u1', ?, 'synced', ?, 'MESM6', '2026-01-06', '2026-01-06', 'short', 1, '0.25', 27000, 27000, ?, ?, 0, 0, 0, 'USD', 'Tradovate', ?, 'table', 'table', '["crosses-midnight"]')`, `${account}/2/3`, account, monday + day, monday + day + 60_000, `${account}/2`)
  put("INSERT INTO trade_edits (user_id, trade_id, notes, tags) VALUES ('u1', ?, 'mine', '[\"calm\"]')", `${account}/2/3`)
  // This one lost its fill pair long ago.
  put("INSERT INTO trade_edits (user_id, trade_id, notes) VALUES ('u1', ?, 'lost')", `${account}/4/99`)

  migrate(database, migrationsFolder, folder)
  const writer = writerOf(database)
  const context = { writer, barrier: () => undefined }
  await deriveLeftovers(context)
  const store: TestStore = { read: readsOf(writer), write: writesOf(context), writer, file: '' }
  expect(notesOf(store).map(([id]) => id)).toEqual(['700101/1/2', '700101/3/4'])
  const shown = pairs(store).map(({ notes, tags }) => [notes, tags])
  expect(shown.flat(2).sort()).toEqual(['calm', 'lost', 'mine', ...shown.filter(([notes]) => notes === '').map(() => '')].sort())
  expect(rowsOf(store, 'left_over_notes')).toEqual([])
})
