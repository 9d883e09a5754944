// @module-tag slow
import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { FillPairRecord } from '#shared/api/records.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { neverStamped, nextStamp } from '#shared/mirror/stamp.ts'
import { noRules } from '#shared/rules/terms.ts'
import { allRows, notRestored, turnedBackRows } from '#tests/helpers/backups.ts'
import { fillRow, importRows } from '#tests/helpers/imports.ts'
import { listedCloud, pull, push } from '#tests/helpers/listed-cloud.ts'
import { account, fill, migrationsFolder, monday, openStore, other, take, temporaryFolder, user, type TestStore } from '#tests/helpers/store.ts'
import { makeBackup } from './make-backup.ts'
import { stageBackup } from './stage-backup.ts'

const later = monday + 3_600_000
const stampOfFar = nextStamp(neverStamped, later, '3fa91c20')
const name = 'journal-2026-01-05T16-00-00Z.db'

const pairs = (store: TestStore) => (JSON.parse(new TextDecoder().decode(store.read.tradesJson(user))) as { trades: FillPairRecord[] }).trades.toSorted((a, b) => (a.exitTime < b.exitTime ? -1 : 1))

const entered = (id: string) => ({ id, symbol: 'MESM6', account: 'Depot', accountId: '', qty: 1, entryPrice: 6700, exitPrice: 6701, platform: 'other', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T15:05:00Z' })

/** A journal with a trade of the broker, one by hand, and something said of both; and a backup of it. */
const begin = async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750), fill(4, 'sell', 1, 6752))
  store.write.addTrade({ ...user, at: monday, trade: entered('by-hand') })
  const [first = '', second = ''] = pairs(store).flatMap(({ id, origin }) => (origin === 'synced' ? [id] : []))
  store.write.updateTrade({ ...user, at: monday, id: first, updates: { notes: 'as it was', tags: ['then'] } })
  store.write.setDayNote({ ...user, at: monday, tradingDay: '2026-01-05', notes: 'calm' })
  store.write.addFinance({ ...user, at: monday, finance: { id: 'f1', type: 'earning', amount: 100, name: 'Payout', balance: 0, platform: 'other', firm: null } })
  const folder = temporaryFolder()
  const backUp = (): void => {
    rmSync(path.join(folder, name), { force: true })
    makeBackup({ file: store.file, folder, name, unlessLike: null })
  }
  backUp()
  const restoreOn = async ({ write }: TestStore, whole: boolean): Promise<void> => {
    const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
    await write.restoreJournal({ ...user, at: later, staged, whole })
  }
  const restore = (whole = false): Promise<void> => restoreOn(store, whole)
  return { store, backUp, restore, restoreOn, first, second }
}

test('every table with users is restored, or listed as one that stays', () => {
  const { writer } = openStore()
  const tables = writer.database.prepare("SELECT name FROM sqlite_schema AS one WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(one.name) WHERE name = 'user_id')").pluck().all() as string[]
  expect(tables.filter((table) => !notRestored.has(table)).toSorted()).toEqual([
    ...['account_rules', 'accounts', 'base_fills', 'cash_transfers', 'commission_rates', 'contracts', 'day_notes', 'default_stops', 'fill_pairs', 'fills', 'finances', 'history_windows'],
    ...['import_files', 'import_notes', 'import_readings', 'imported_specs', 'imports', 'pair_edits', 'pictures', 'point_values', 'report_members', 'reports', 'specs'],
  ])
  expect([...notRestored].filter((table) => !tables.includes(table))).toEqual([])
})

test('a whole restore reverts every row, leaves other users alone, and keeps what the broker reported', async () => {
  const { store, restore, first, second } = await begin()
  const before = turnedBackRows(store.file, user.userId)
  const theirs = { userId: 'other' }
  // The number of a row that is gone goes to whoever comes next.
  store.writer.database.exec('DELETE FROM fill_pairs WHERE ref = (SELECT max(ref) FROM fill_pairs)')
  store.write.ensureProfile({ id: 'other', email: null, displayName: '', passwordHash: null, recoveryHash: null, demo: true, timeZone: 'UTC', createdAt: monday })
  store.write.addTrade({ ...theirs, at: monday, trade: entered('theirs') })
  const ofTheirs = allRows(store.file, ['fill_pairs', 'outbox'], 'other')

  store.write.removeTrade({ ...user, at: later, id: second })
  store.write.removeTrade({ ...user, at: later, id: 'by-hand' })
  store.write.updateTrade({ ...user, at: later, id: first, updates: { notes: 'overwritten', tags: [] } })
  store.write.setDayNote({ ...user, at: later, tradingDay: '2026-01-05', notes: '' })
  store.write.setDayNote({ ...user, at: later, tradingDay: '2026-01-06', tags: ['since'] })
  store.write.removeFinance({ ...user, at: later, id: 'f1' })
  store.write.addFinance({ ...user, at: later, finance: { id: 'f2', type: 'expense', amount: 7, name: 'Data feed', balance: 0, platform: 'other', firm: null } })
  store.write.setDefaultStops({ ...user, at: later, stops: [{ product: 'MES', distance: '10', unit: 'ticks' }] })
  expect(pairs(store).map(({ id }) => id)).not.toContain(second)
  await restore(true)

  const after = turnedBackRows(store.file, user.userId)
  // What was added since stands there as removed, or as saying nothing.
  expect(Object.keys(after).filter((table) => !['pair_edits', 'day_notes', 'finances', 'default_stops'].includes(table) && JSON.stringify(after[table]) !== JSON.stringify(before[table]))).toEqual([])
  expect([store.read.finances(user).map(({ id }) => id).toSorted(), store.read.defaultStops(user)]).toEqual([[account, other, 'f1'].toSorted(), []])
  expect(pairs(store).find(({ id }) => id === first)).toMatchObject({ notes: 'as it was', tags: ['then'] })
  expect(pairs(store).map(({ id }) => id)).toEqual(expect.arrayContaining([first, second, 'by-hand']))
  expect(store.read.dayNotes(user)).toEqual([{ tradingDay: '2026-01-05', notes: 'calm', tags: [] }])
  expect(allRows(store.file, ['fill_pairs', 'outbox'], 'other')).toEqual(ofTheirs)
  expect(store.writer.database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(store.writer.database.pragma('foreign_key_check')).toEqual([])

  await take(store, fill(5, 'buy', 2, 6740), fill(6, 'sell', 2, 6741))
  store.write.addTrade({ ...user, at: later, trade: entered('since') })
  await restore(true)
  expect(pairs(store).map(({ qty, origin }) => [origin, qty])).toContainEqual(['synced', 2])
  expect(pairs(store).map(({ id }) => id)).not.toContain('since')
})

test('a restore reverts to the backup field by field, and keeps later additions', async () => {
  const { store, restore, first, second } = await begin()
  const at = later
  const now = { ...user, at }
  store.write.updateTrade({ ...now, id: first, updates: { notes: 'overwritten', tags: [], stop: '6740.00', screenshotHeadline: 'added' } })
  store.write.updateTrade({ ...now, id: second, updates: { notes: 'written since', tags: ['since'] } })
  store.write.updateTrade({ ...now, id: 'by-hand', updates: { qty: 3 } })
  store.write.setDayNote({ ...now, tradingDay: '2026-01-05', notes: 'hectic', tags: ['since'] })
  store.write.setDayNote({ ...now, tradingDay: '2026-01-06', notes: 'since' })
  store.write.addTrade({ ...now, trade: entered('since') })
  store.write.addFinance({ ...now, finance: { id: 'f1', type: 'earning', amount: 90, name: 'Payout', balance: 0, platform: 'other', firm: null, note: 'wired' } })
  store.write.addFinance({ ...now, finance: { id: 'f2', type: 'expense', amount: 7, name: 'Data feed', balance: 0, platform: 'other', firm: null } })
  store.write.addFinance({ ...now, finance: { id: account, type: 'Funded Account', amount: 0, name: '', balance: 0, platform: '', firm: 'Tradeify' } })
  store.write.setRules({ ...now, account, set: noRules('USD'), presetId: null, since: '2026-01-05' })
  store.write.setDefaultStops({ ...now, stops: [{ product: 'MES', distance: '10', unit: 'ticks' }] })
  await store.write.setCommission({ ...now, of: { scope: 'firm', firm: 'Tradeify' }, product: 'MES', perSide: '0.37' })
  store.write.setCopyOf({ ...now, account: other, leader: account })
  await restore()

  const found = (id: string) => pairs(store).find((one) => one.id === id)
  expect(found(first)).toMatchObject({ notes: 'as it was', tags: ['then'], stop: '6740.00', screenshotHeadline: 'added' })
  expect(found(second)).toMatchObject({ notes: 'written since', tags: ['since'] })
  expect([found('by-hand')?.qty, found('since')?.qty]).toEqual([1, 1])
  expect(store.read.dayNotes(user)).toEqual([{ tradingDay: '2026-01-05', notes: 'calm', tags: ['since'] }, { tradingDay: '2026-01-06', notes: 'since', tags: [] }])
  const byId = new Map(store.read.finances(user).map((one) => [one.id, one]))
  expect([byId.get('f1'), byId.get('f2'), byId.get(account)]).toMatchObject([{ amount: 100, note: 'wired' }, { amount: 7 }, { type: 'Funded Account', firm: 'Tradeify' }])
  expect(store.read.defaultStops(user)).toEqual([{ product: 'MES', distance: '10', unit: 'ticks' }])
  expect(store.read.ownCommissions(user)).toHaveLength(1)
  expect(store.read.anyRules(user)).toBe(true)
  expect(store.writer.database.prepare('SELECT copy_of FROM accounts WHERE key = ?').pluck().get(other)).toBe(account)
})

test('fields cleared before the backup and written since stay; fields cleared or removed since return; fill pairs restored since stay in view', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6750), fill(4, 'sell', 1, 6752))
  const [first = '', second = ''] = pairs(store).map(({ id }) => id)
  const then = { ...user, at: monday }
  store.write.updateTrade({ ...then, id: first, updates: { notes: 'cleared', tags: ['kept'] } })
  store.write.updateTrade({ ...then, id: first, updates: { notes: '' } })
  store.write.removeTrade({ ...then, id: second })
  store.write.addTrade({ ...then, trade: entered('removed-then') })
  store.write.removeTrade({ ...then, id: 'removed-then' })
  store.write.setDefaultStops({ ...then, stops: [{ product: 'MES', distance: '10', unit: 'ticks' }, { product: 'NQ', distance: '4', unit: 'ticks' }] })
  store.write.setDefaultStops({ ...then, stops: [{ product: 'NQ', distance: null, unit: 'ticks' }] })
  const folder = temporaryFolder()
  makeBackup({ file: store.file, folder, name, unlessLike: null })

  const now = { ...user, at: later }
  store.write.updateTrade({ ...now, id: first, updates: { notes: 'since', tags: [] } })
  store.write.restorePair({ ...now, id: second })
  store.write.restorePair({ ...now, id: 'removed-then' })
  store.write.setDefaultStops({ ...now, stops: [{ product: 'MES', distance: null, unit: 'ticks' }, { product: 'NQ', distance: '8', unit: 'points' }] })
  store.write.addTrade({ ...now, trade: entered('came-and-went') })
  store.write.removeTrade({ ...now, id: 'came-and-went' })
  const back = async (whole: boolean): Promise<void> => {
    const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
    await store.write.restoreJournal({ ...now, staged, whole })
  }
  await back(false)
  expect(pairs(store).map(({ id }) => id).toSorted()).toEqual([first, second, 'removed-then'].toSorted())
  expect(pairs(store).find(({ id }) => id === first)).toMatchObject({ notes: 'since', tags: ['kept'] })
  expect(store.read.defaultStops(user)).toEqual([{ product: 'MES', distance: '10', unit: 'ticks' }, { product: 'NQ', distance: '8', unit: 'points' }])
  await back(true)
  expect(pairs(store).map(({ id, notes, tags }) => [id, notes, tags])).toEqual([[first, '', ['kept']]])
  expect(store.read.defaultStops(user)).toEqual([{ product: 'MES', distance: '10', unit: 'ticks' }])
})

test('an import undone since returns, a later one stays, or is undone by a whole restore', async () => {
  const store = openStore()
  await importRows(store, 'then', [fillRow('PA-7', 1, 'buy', 1, 6750), fillRow('PA-7', 2, 'sell', 1, 6751)])
  store.write.updateTrade({ ...user, at: monday, id: 'file:PA-7/1/2', updates: { notes: 'mine' } })
  const folder = temporaryFolder()
  makeBackup({ file: store.file, folder, name, unlessLike: null })
  await store.write.undoImport({ ...user, at: later, importId: 'then' })
  await importRows(store, 'since', [fillRow('PA-8', 3, 'buy', 1, 6750), fillRow('PA-8', 4, 'sell', 1, 6751)])
  const back = async (whole: boolean): Promise<void> => {
    const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
    await store.write.restoreJournal({ ...user, at: later, staged, whole })
  }
  const standing = () => store.read.imports(user).flatMap(({ id, undoneAt }) => (undoneAt === null ? [id] : [])).toSorted()
  await back(false)
  expect([standing(), pairs(store).map(({ id, notes }) => [id, notes]).toSorted()]).toEqual([['since', 'then'], [['file:PA-7/1/2', 'mine'], ['file:PA-8/3/4', '']]])
  expect(store.read.connectedAccounts(user).map(({ id }) => id)).toEqual(expect.arrayContaining(['file:PA-7', 'file:PA-8']))
  await back(true)
  expect([standing(), pairs(store).map(({ id }) => id)]).toEqual([['then'], ['file:PA-7/1/2']])
})

test('an account of files that an undo removed, and that another computer restored since, is no removal that a whole restore reverts', async () => {
  const { store: here, restore, backUp } = await begin()
  const [there, cloud] = [openStore(), listedCloud()]
  await importRows(here, 'one', [fillRow('PA-7', 20, 'buy', 1, 6750), fillRow('PA-7', 21, 'sell', 1, 6751)])
  await here.write.undoImport({ ...user, at: monday, importId: 'one' })
  backUp()
  await importRows(there, 'two', [fillRow('PA-7', 30, 'buy', 1, 6750), fillRow('PA-7', 31, 'sell', 1, 6751)], null, monday + 1_000)
  const ofFiles = (store: TestStore) => pairs(store).filter(({ account: name }) => name === 'PA-7').length
  await push(there, cloud)
  await push(here, cloud)
  expect(ofFiles(here)).toBe(1)
  await restore(true)
  expect(ofFiles(here)).toBe(1)
  await push(here, cloud)
  await pull(there, cloud)
  expect(ofFiles(there)).toBe(1)
})

test('a whole restore of another computer’s backup, which had a fill pair from the mirror, keeps the pair when the import that added it here is removed', async () => {
  const { store: here } = await begin()
  const { store: there, backUp, restoreOn } = await begin()
  const cloud = listedCloud()
  await importRows(here, 'one', [fillRow('PA-7', 20, 'buy', 1, 6750), fillRow('PA-7', 21, 'sell', 1, 6751)])
  const ofFiles = (store: TestStore) => pairs(store).filter(({ account: name }) => name === 'PA-7').length
  await push(here, cloud)
  await push(there, cloud)
  backUp()
  await restoreOn(here, true)
  expect([ofFiles(here), here.read.imports(user).filter(({ undoneAt }) => undoneAt === null)]).toEqual([1, []])
  for (const store of [here, there, here]) await push(store, cloud)
  await pull(there, cloud)
  expect([here, there].map(ofFiles)).toEqual([1, 1])
})

test('a fill pair whose fills changed since is known by its fills: removed since, it comes back', async () => {
  const store = openStore()
  await take(store, fill(2, 'buy', 1, 6750), fill(3, 'sell', 1, 6751))
  const folder = temporaryFolder()
  makeBackup({ file: store.file, folder, name, unlessLike: null })
  await take(store, fill(5, 'sell', 1, 6753))
  await take(store, fill(4, 'buy', 1, 6749))
  store.write.removeTrade({ ...user, at: later, id: `${account}/2/3` })
  store.write.removeTrade({ ...user, at: later, id: `${account}/4/5` })
  expect(pairs(store)).toEqual([])
  const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
  await store.write.restoreJournal({ ...user, at: later, staged })
  // The backup never knew the other one.
  expect(pairs(store).map(({ id }) => id)).toEqual([`${account}/2/3`])
})

test('restored rows count as saved now and wait in the outbox, as earlier ones do; the cloud is not read again', async () => {
  const { store, restore, first, second } = await begin()
  await store.write.mergePulled({ ...user, at: monday, records: [], journal: '11111111-1111-4111-8111-111111111111', cursor: 7 })
  const waiting = () => store.writer.database.prepare("SELECT entity || ' ' || entity_id FROM outbox WHERE user_id = ? ORDER BY seq").pluck().all(user.userId) as string[]
  const before = waiting()
  store.write.recordPushed({ ...user, at: monday, seqs: store.read.outgoing({ ...user, limit: 100 }).seqs, journal: '11111111-1111-4111-8111-111111111111', head: 7 })
  store.write.removeTrade({ ...user, at: later, id: second })
  store.write.addTrade({ ...user, at: later, trade: entered('unsent') })
  const stampOf = (id: string, field: string): string => (JSON.parse(store.writer.database.prepare('SELECT stamps FROM pair_edits WHERE pair_id = ?').pluck().get(id) as string) as Record<string, string>)[field] ?? ''
  const [removedBy, notedBy] = [stampOf(second, 'removedAt'), stampOf(first, 'notes')]
  await restore()
  expect(stampOf(second, 'removedAt') > removedBy && stampOf(first, 'notes') > notedBy).toBe(true)
  expect(store.read.mirror(user)).toMatchObject({ journal: '11111111-1111-4111-8111-111111111111', cursor: 7, lastSentAt: monday })
  expect(waiting()).toEqual(expect.arrayContaining([`edit ${first}`, `edit ${second}`, 'day 2026-01-05', 'finance f1', 'trade by-hand', 'trade unsent']))
  expect(before.length).toBeGreaterThan(waiting().length)
  expect(waiting().filter((one) => one.startsWith('fill'))).toEqual([])
})

test('connections stay: an account connected or reconnected since is not disconnected', async () => {
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
  // Nor by a return of the whole, whichever computer has its login.
  const elsewhere = 'tradovate:demo:700404' as AccountKey
  await store.write.mergePulled({ ...user, at: later, journal: 'j', cursor: 1, records: [{ entity: 'account', id: elsewhere, seq: 1, content: { environment: 'demo', brokerAccountId: '700404', name: 'FAR-404', loginName: 'far', connectedAt: later, removedAt: null, copyOf: null, stamp: stampOfFar } }] })
  const again = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
  await store.write.restoreJournal({ ...user, at: later, staged: again, whole: true })
  expect(store.read.connectedAccounts(user).map(({ id }) => id).toSorted()).toEqual([account, 'tradovate:demo:700303', elsewhere, other].toSorted())
})

test('a backup from before a profile adds nothing to it, and removes nothing from it', async () => {
  const { store, first } = await begin()
  const folder = temporaryFolder()
  const empty = openStore()
  empty.write.deleteUser(user)
  makeBackup({ file: empty.file, folder, name, unlessLike: null })
  const staged = await stageBackup({ backup: path.join(folder, name), folder: path.join(folder, 'staging'), migrationsFolder, at: later })
  await expect(store.write.restoreJournal({ ...user, at: later, staged })).rejects.toMatchObject({ code: 'not-found' })
  expect(pairs(store).map(({ id }) => id)).toContain(first)
})
