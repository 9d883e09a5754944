import path from 'node:path'
import { expect, test } from 'vitest'
import type { Trade } from '#shared/api/records.ts'
import { allRows, turnedBackRows } from '#tests/helpers/backups.ts'
import { account, fill, migrationsFolder, monday, openStore, other, take, temporaryFolder, user, type TestStore } from '#tests/helpers/store.ts'
import { makeBackup } from './make-backup.ts'
import { notTurnedBack } from './restore-journal.ts'
import { stageBackup } from './stage-backup.ts'

const later = monday + 3_600_000
const name = 'journal-2026-01-05T16-00-00Z.db'

const trades = (store: TestStore) => (JSON.parse(new TextDecoder().decode(store.read.tradesJson(user))) as { trades: Trade[] }).trades.toSorted((a, b) => (a.exitTime < b.exitTime ? -1 : 1))

/** A journal with a trade of the broker, one by hand, and something said of both; and a backup of it. */
const begin = async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750), fill(4, 'sell', 1, 6752))
  store.write.addTrade({ ...user, at: monday, trade: { id: 'by-hand', symbol: 'MESM6', account: 'Depot', accountId: '', qty: 1, entryPrice: 6700, exitPrice: 6701, platform: 'other', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T15:05:00Z' } })
  const [first = '', second = ''] = trades(store).flatMap(({ id, origin }) => (origin === 'synced' ? [id] : []))
  store.write.updateTrade({ ...user, at: monday, id: first, updates: { notes: 'as it was', tags: ['then'] } })
  store.write.setDayNote({ ...user, at: monday, tradingDay: '2026-01-05', notes: 'calm' })
  store.write.addFinance({ ...user, at: monday, finance: { id: 'f1', type: 'earning', amount: 100, name: 'Payout', balance: 0, platform: 'other', firm: null } })
  const folder = temporaryFolder()
  makeBackup({ file: store.file, folder, name, unlessLike: null })
  const restore = async (): Promise<void> => {
    const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
    await store.write.restoreJournal({ ...user, at: later, staged })
  }
  return { store, restore, first, second }
}


test('every table of users is turned back, or named with what stays', () => {
  const { writer } = openStore()
  const tables = writer.database.prepare("SELECT name FROM sqlite_schema AS one WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(one.name) WHERE name = 'user_id')").pluck().all() as string[]
  expect(tables.filter((table) => !notTurnedBack.has(table)).toSorted()).toEqual([
    ...['account_rules', 'accounts', 'batches', 'broker_figures', 'cash_transfers', 'commission_rates', 'contracts', 'day_notes', 'default_stops', 'fills', 'finances', 'history_windows', 'history_wishes'],
    ...['import_files', 'import_notes', 'import_readings', 'imported_specs', 'imports', 'imports_unsettled', 'known_positions', 'left_over_notes', 'missing_fills', 'pictures', 'point_values', 'position_doubts', 'report_members', 'reports', 'running_sessions', 'session_reads', 'shown_notes', 'specs', 'stale_batches'],
    ...['sync_runs', 'told_fills', 'trade_edits', 'trades', 'trips'],
  ])
  expect([...notTurnedBack].filter((table) => !tables.includes(table))).toEqual([])
})

test('a restore gives every row back as it was, and leaves another user alone', async () => {
  const { store, restore, first, second } = await begin()
  const before = turnedBackRows(store.file, user.userId)
  const theirs = { userId: 'other' }
  // The number of a row that is gone goes to whoever comes next.
  store.writer.database.exec('DELETE FROM trades WHERE ref = (SELECT max(ref) FROM trades)')
  store.write.ensureProfile({ id: 'other', email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: true, timeZone: 'UTC', createdAt: monday })
  store.write.addTrade({ ...theirs, at: monday, trade: { id: 'theirs', symbol: 'MESM6', account: 'Depot', accountId: '', qty: 1, entryPrice: 6700, exitPrice: 6701, platform: 'other', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T15:05:00Z' } })
  const ofTheirs = allRows(store.file, ['trades', 'outbox'], 'other')

  store.write.removeTrade({ ...user, at: later, id: second })
  store.write.removeTrade({ ...user, at: later, id: 'by-hand' })
  store.write.updateTrade({ ...user, at: later, id: first, updates: { notes: 'overwritten', tags: [] } })
  store.write.setDayNote({ ...user, at: later, tradingDay: '2026-01-05', notes: '' })
  store.write.setDayNote({ ...user, at: later, tradingDay: '2026-01-06', tags: ['since'] })
  store.write.removeFinance({ ...user, at: later, id: 'f1' })
  await take(store, fill(5, 'buy', 2, 6740), fill(6, 'sell', 2, 6741))
  expect(trades(store).map(({ id }) => id)).not.toContain(second)
  await restore()

  const after = turnedBackRows(store.file, user.userId)
  // A field that was said since stands there as said anew: nothing.
  expect(Object.keys(after).filter((table) => table !== 'trade_edits' && table !== 'day_notes' && JSON.stringify(after[table]) !== JSON.stringify(before[table]))).toEqual([])
  expect(trades(store).find(({ id }) => id === first)).toMatchObject({ notes: 'as it was', tags: ['then'] })
  expect(trades(store).map(({ id }) => id)).toEqual(expect.arrayContaining([first, second, 'by-hand']))
  expect(store.read.dayNotes(user)).toEqual([{ tradingDay: '2026-01-05', notes: 'calm', tags: [] }])
  expect(allRows(store.file, ['trades', 'outbox'], 'other')).toEqual(ofTheirs)
  expect(store.writer.database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(store.writer.database.pragma('foreign_key_check')).toEqual([])
})

test('what came back counts as said now, and all of it is told to the mirror from its beginning', async () => {
  const { store, restore, second } = await begin()
  await store.write.mirrorTaken({ ...user, at: monday, records: [], journal: '11111111-1111-4111-8111-111111111111', cursor: 7 })
  store.write.removeTrade({ ...user, at: later, id: second })
  const removedBy = store.writer.database.prepare('SELECT stamps FROM trade_edits WHERE trade_id = ?').pluck().get(second) as string
  await restore()
  const stamps = store.writer.database.prepare('SELECT stamps FROM trade_edits WHERE trade_id = ?').pluck().get(second) as string
  const stampIn = (text: string): string => (JSON.parse(text) as { removedAt: string }).removedAt
  expect(stampIn(stamps) > stampIn(removedBy)).toBe(true)
  expect(store.read.mirror(user)).toMatchObject({ journal: '11111111-1111-4111-8111-111111111111', cursor: 0, lastSentAt: null })
  const waiting = store.writer.database.prepare('SELECT DISTINCT entity FROM outbox WHERE user_id = ? ORDER BY 1').pluck().all(user.userId)
  expect(waiting).toEqual(['account', 'day', 'edit', 'fill', 'finance', 'pair', 'profile', 'trade'])
})

test('connections stay as they are: an account that was connected since, or came back since, is not cut off', async () => {
  const store = openStore()
  store.write.removeAccount({ ...user, at: monday, account: other })
  const folder = temporaryFolder()
  makeBackup({ file: store.file, folder, name, unlessLike: null })
  const accounts = [
    { key: other, environment: 'live', brokerAccountId: '700202', name: 'Fünded-202' },
    { key: 'tradovate:demo:700303', environment: 'demo', brokerAccountId: '700303', name: 'NEW-303' },
  ] as never
  store.write.saveAccounts({ ...user, at: later, loginId: 'login', accounts, reconnect: true })
  store.write.removeAccount({ ...user, at: later, account })
  const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
  await store.write.restoreJournal({ ...user, at: later, staged })
  expect(store.read.connectedAccounts(user).map(({ id }) => id).toSorted()).toEqual([account, 'tradovate:demo:700303', other].toSorted())
  expect(store.read.finances(user).map(({ id }) => id).toSorted()).toEqual([account, 'tradovate:demo:700303', other].toSorted())
})

test('a backup that was made before a profile gives it nothing, and takes nothing from it', async () => {
  const { store, first } = await begin()
  const folder = temporaryFolder()
  const empty = openStore()
  empty.write.forgetUser(user)
  makeBackup({ file: empty.file, folder, name, unlessLike: null })
  const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
  await expect(store.write.restoreJournal({ ...user, at: later, staged })).rejects.toMatchObject({ code: 'not-found' })
  expect(trades(store).map(({ id }) => id)).toContain(first)
})
