import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { createImports } from '#backend/imports/imports.ts'
import { takeSnapshot } from '#backend/brokers/ninjatrader/snapshot.ts'
import { watchDatabases } from '#backend/brokers/ninjatrader/watch.ts'
import type { Brokerage } from '#backend/sync/token-keeper.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { createNinjatrader, type NinjatraderDatabase } from '#tests/helpers/ninjatrader-database.ts'
import { openSyncJournal, strictLog, type SyncJournal } from '#tests/helpers/sync-journal.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'

const nowhere = 'http://127.0.0.1:9'
const tradovate: Brokerage = { hosts: { authorize: nowhere, token: [nowhere, nowhere], live: nowhere, demo: nowhere }, application: { clientId: 'own', clientSecret: 'own' }, redirectUri: `${nowhere}/oauth/callback` }
const minute = 60_000
/** Noon of a Monday in New York. */
const monday = Date.UTC(2026, 2, 2, 17)

type Stage = { readonly database: NinjatraderDatabase; readonly it: SyncJournal; readonly connect: (...accounts: string[]) => ReturnType<SyncJournal['connections']['connectDatabase']> }

const stage = async (): Promise<Stage> => {
  const database = createNinjatrader(join(testFolder(), 'NinjaTrader.sqlite'))
  onTestFinished(database.close)
  const it = await openSyncJournal({ brokerage: tradovate, timing: testTiming(monday) })
  return { database, it, connect: (...accounts) => it.connections.connectDatabase(it.userId, { path: database.file, accounts }) }
}

/** What the journal has: account, contract, side, quantity, and net of each fill pair. */
const pairsOf = async ({ journal, userId }: SyncJournal): Promise<string[]> =>
  (JSON.parse(new TextDecoder().decode(await journal.read.tradesJson({ userId }))) as { trades: { account: string; symbol: string; side: string; qty: number; netPnl: string }[] }).trades.map(({ account, symbol, side, qty, netPnl }) => `${account} ${symbol} ${side} ${String(qty)} ${netPnl}`)

/** What each fill pair is marked with, behind its contract. */
const warningsOf = async ({ journal, userId }: SyncJournal): Promise<string[][]> =>
  (JSON.parse(new TextDecoder().decode(await journal.read.tradesJson({ userId }))) as { trades: { symbol: string; warnings: string[] }[] }).trades.map(({ symbol, warnings }) => [symbol, ...warnings])

test('accounts are listed with their executions, the chosen ones are connected, and every fill has its fee', async () => {
  const { database, it, connect } = await stage()
  // Two and a half years before.
  database.execute({ account: 'APEX-1', at: Date.UTC(2023, 8, 6, 15), side: 'buy', qty: 1, price: 15_500, root: 'MNQ', month: '2023-09', commission: 0.39 })
  database.execute({ account: 'APEX-1', at: Date.UTC(2023, 8, 6, 15, 5), side: 'sell', qty: 1, price: 15_510, root: 'MNQ', month: '2023-09', commission: 0.39 })
  // Long two, one out, the other turned into a short one, which is covered: by Buy, Sell, SellShort and BuyToCover.
  const at = monday - 60 * minute
  database.execute({ account: 'APEX-1', at, action: 0, qty: 2, price: 21_000, commission: 0.78, fee: 0.5 })
  database.execute({ account: 'APEX-1', at: at + minute, action: 1, qty: 1, price: 21_010, commission: 0.39, fee: 0.25 })
  database.execute({ account: 'APEX-1', at: at + 2 * minute, action: 2, qty: 2, price: 21_005, commission: 0.78, fee: 0.5 })
  database.execute({ account: 'APEX-1', at: at + 3 * minute, action: 3, qty: 1, price: 21_004, commission: 0.39, fee: 0.25 })
  database.execute({ account: 'Sim101', at, side: 'buy', qty: 1, price: 21_000 })
  const found = await it.connections.databaseAccounts(it.userId, database.file)
  expect(found).toEqual({ ok: true, value: { path: database.file, accounts: [{ name: 'APEX-1', simulated: false, executions: 6, elsewhere: false, lastAt: new Date(at + 3 * minute).toISOString() }, { name: 'Sim101', simulated: true, executions: 1, elsewhere: false, lastAt: new Date(at).toISOString() }] } })

  expect((await connect('APEX-1')).ok).toBe(true)
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', accounts: 1, fills: { received: 6, added: 6, refused: 0 }, troubles: [], holdings: [] })
  // 10 points of 2 dollars less both sides; 20 less 0.64 twice; 10 less; 2 less.
  expect(await pairsOf(it)).toEqual(['APEX-1 MNQU3 long 1 19.22', 'APEX-1 MNQH6 long 1 18.72', 'APEX-1 MNQH6 long 1 8.72', 'APEX-1 MNQH6 short 1 0.72'])
  // Nothing changed: nothing is read as new, and nothing of the live files was written.
  expect(await it.sync()).toMatchObject({ outcome: 'complete', fills: { added: 0 } })
  expect(readdirSync(join(database.file, '..')).filter((name) => !name.startsWith('NinjaTrader.sqlite'))).toEqual([])

  // An account that starts trading later is added automatically, a simulated or excluded one is not.
  database.execute({ account: 'APEX-2', at: monday + minute, side: 'buy', qty: 1, price: 21_000, commission: 0.39 })
  database.execute({ account: 'SimOther', at: monday + minute, side: 'buy', qty: 1, price: 21_000 })
  database.execute({ account: 'Playback101', at: monday + minute, side: 'buy', qty: 1, price: 21_000 })
  it.timing.pass(5 * minute)
  expect(await it.sync()).toMatchObject({ outcome: 'complete', accounts: 2 })
  expect((await it.journal.read.connectedAccounts({ userId: it.userId })).map(({ name }) => name).sort()).toEqual(['APEX-1', 'APEX-2'])
})

test('an account that a login at another broker has is not connected twice, whichever comes later', async () => {
  const { database, it, connect } = await stage()
  const at = monday - 60 * minute
  for (const account of ['TRADO-7!Firm!Firm', 'APEX-1']) database.execute({ account, at, side: 'buy', qty: 1, price: 21_000, commission: 0.39 })
  await it.journal.write.saveLogin({ userId: it.userId, id: 'other', brokerUserId: '9', name: 'nina', hosts: null, at: monday })
  const elsewhere = (name: string) => ({ key: `tradovate:live:${name}` as AccountKey, environment: 'live' as const, brokerAccountId: name, name })
  await it.journal.write.saveAccounts({ userId: it.userId, loginId: 'other', accounts: [elsewhere('TRADO-7')], reconnect: true, at: monday })
  expect(await it.connections.databaseAccounts(it.userId, database.file)).toMatchObject({ value: { accounts: [{ name: 'APEX-1', elsewhere: false }, { name: 'TRADO-7!Firm!Firm', elsewhere: true }] } })
  expect(await connect('TRADO-7!Firm!Firm')).toMatchObject({ ok: false, error: { code: 'not-found' } })
  expect((await connect('TRADO-7!Firm!Firm', 'APEX-1')).ok).toBe(true)

  // The same for an account that begins to trade later.
  await it.journal.write.saveAccounts({ userId: it.userId, loginId: 'other', accounts: [elsewhere('TRADO-7'), elsewhere('TRADO-8')], reconnect: true, at: monday })
  for (const account of ['TRADO-8', 'APEX-2']) database.execute({ account, at: monday + minute, side: 'buy', qty: 1, price: 21_000, commission: 0.39 })
  it.timing.pass(5 * minute)
  const { id = '' } = (await it.journal.read.logins({ userId: it.userId })).find(({ broker }) => broker === 'ninjatrader') ?? {}
  await it.sync('manual', id)
  expect((await it.journal.read.accountsOfLogin({ userId: it.userId, loginId: id })).map(({ name }) => name).sort()).toEqual(['APEX-1', 'APEX-2'])
})

test('a side without its order follows from the change of the position, or the fill is refused by name', async () => {
  const { database, it, connect } = await stage()
  const at = monday - 60 * minute
  const lost = { account: 'A', withOrder: false, commission: 0.39 } as const
  database.execute({ ...lost, at, side: 'buy', qty: 2, price: 21_000 })
  database.execute({ ...lost, at: at + minute, side: 'sell', qty: 2, price: 21_010 })
  await connect('A')
  const receipt = await it.sync('connect')
  expect(receipt).toMatchObject({ outcome: 'partial', fills: { added: 1, refused: 1 } })
  expect(receipt.refused).toMatchObject([{ entity: 'fill', reason: 'not-buy-or-sell:OrderAction' }])
})

test('an instrument with another point value than the exchange’s is not priced, and stocks are not read', async () => {
  const { database, it, connect } = await stage()
  const at = monday - 60 * minute
  database.instrument({ root: 'ES', kind: 0, pointValue: 5, tickSize: 0.25 })
  database.instrument({ root: 'MSFT', kind: 1, pointValue: 1, tickSize: 0.01 })
  database.execute({ account: 'A', at, root: 'ES', side: 'buy', qty: 1, price: 6_900 })
  database.execute({ account: 'A', at, root: 'MSFT', side: 'buy', qty: 1, price: 400 })
  database.execute({ account: 'A', at, side: 'buy', qty: 1, price: 21_000.1 })
  await connect('A')
  const receipt = await it.sync('connect')
  expect(receipt).toMatchObject({ outcome: 'partial', fills: { received: 2, added: 0, refused: 2 } })
  expect(receipt.refused.map(({ reason }) => reason).sort()).toEqual(['contract-differs:Instrument', 'price-off-tick:Price'])
})

test('the currency of a contract that the table lacks is not taken for dollars: its point value is asked for', async () => {
  const { database, it, connect } = await stage()
  database.instrument({ root: 'HSI', kind: 0, pointValue: 50, tickSize: 1 })
  const of = { account: 'A', root: 'HSI', qty: 1, commission: 0.39 } as const
  database.execute({ ...of, at: monday - 2 * minute, side: 'buy', price: 25_000 })
  database.execute({ ...of, at: monday - minute, side: 'sell', price: 25_100 })
  await connect('A')
  await it.sync('connect')
  expect(await warningsOf(it)).toEqual([['HSIH6', 'unknown-contract']])
  expect(await it.journal.read.uncertainProducts({ userId: it.userId })).toMatchObject([{ product: 'HSI', pairs: 1 }])
})

test('contracts ten years apart are two, and a continuous contract is none', async () => {
  const { database, it, connect } = await stage()
  database.execute({ account: 'A', at: Date.UTC(2016, 10, 10, 15), month: '2016-12', side: 'buy', qty: 1, price: 4_800, commission: 0.39 })
  database.execute({ account: 'A', at: monday - 2 * minute, month: '2026-12', side: 'buy', qty: 1, price: 21_000, commission: 0.39 })
  database.execute({ account: 'A', at: monday - minute, month: '2026-12', side: 'sell', qty: 1, price: 21_010, commission: 0.39 })
  database.execute({ account: 'A', at: monday, month: '9999-12', side: 'buy', qty: 1, price: 21_000 })
  await connect('A')
  const receipt = await it.sync('connect')
  expect(receipt.refused).toMatchObject([{ reason: 'no-contract:Instrument' }])
  // MNQZ16 stays open.
  expect(await pairsOf(it)).toEqual(['A MNQZ6 long 1 19.22'])
})

const day = 24 * 60 * minute
const buy = { account: 'A', side: 'buy', qty: 1, commission: 0.39 } as const
const sell = { ...buy, side: 'sell' } as const

test.each([['two weeks ago', 14 * day], ['in a session that is read again', 3 * day], ['today', 0]])('a trade over an execution that is missing %s is incomplete, and the next is right', async (_, ago) => {
  const { database, it, connect } = await stage()
  const at = monday - ago - 60 * minute
  // The exit was never recorded.
  database.execute({ ...buy, at, price: 21_000, position: 1 })
  database.execute({ ...buy, at: at + minute, price: 21_500, position: 1 })
  database.execute({ ...sell, at: at + 2 * minute, price: 21_510, position: 0 })
  database.execute({ ...buy, at: at + 3 * minute, price: 21_500, position: 1 })
  database.execute({ ...sell, at: at + 4 * minute, price: 21_510, position: 0 })
  await connect('A')
  const receipt = await it.sync('connect')
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.22', 'A MNQH6 long 1 19.22'])
  expect(await warningsOf(it)).toEqual([['MNQH6', 'incomplete'], ['MNQH6']])
  expect(receipt.holdings).toMatchObject(ago === 0 ? [{ kind: 'fills-missing', broker: 6, ours: 5 }] : [])
})

test('a trade on a holiday counts on the day that the exchange clears it, and the session has nothing missing', async () => {
  const { database, it, connect } = await stage()
  // Memorial Day.
  const at = Date.UTC(2026, 4, 25, 15)
  it.timing.pass(at + 10 * minute - monday)
  database.execute({ ...buy, at, price: 21_000, month: '2026-06' })
  database.execute({ ...sell, at: at + minute, price: 21_010, month: '2026-06' })
  await connect('A')
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', holdings: [] })
  const { trades } = JSON.parse(new TextDecoder().decode(await it.journal.read.tradesJson({ userId: it.userId }))) as { trades: { tradingDay: string }[] }
  expect(trades).toMatchObject([{ tradingDay: '2026-05-26' }])
})

test('executions of one millisecond are matched in NinjaTrader’s order, whatever their ids', async () => {
  const { database, it, connect } = await stage()
  const at = monday - 3 * day
  database.execute({ ...buy, at, price: 21_000, executionId: 'f3aa', later: 1 })
  database.execute({ ...buy, at, price: 21_100, executionId: '0b11', later: 5_000 })
  database.execute({ ...buy, at: at + 1, price: 21_050, executionId: '0a11' })
  for (const index of [1, 2, 3]) database.execute({ ...sell, at: at + index * minute, price: 21_200 })
  await connect('A')
  await it.sync('connect')
  // 200, 100, and 150 points, 2 dollars each, less both sides.
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 399.22', 'A MNQH6 long 1 199.22', 'A MNQH6 long 1 299.22'])
  expect(await warningsOf(it)).toEqual([['MNQH6'], ['MNQH6'], ['MNQH6']])
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 0 })
})

test('the order within a millisecond begins with the position that was carried into the sessions that are read again', async () => {
  const { database, it, connect } = await stage()
  const at = monday - 3 * day
  database.execute({ ...buy, at: monday - 14 * day, price: 21_000 })
  // Both orders follow by the positions, but only one from the position before. Ids would sort them the other way.
  database.execute({ ...sell, at, price: 21_100, executionId: '12', later: 1 })
  database.execute({ ...buy, at, price: 21_200, executionId: '11', later: 2 })
  database.execute({ ...sell, at: at + minute, price: 21_300 })
  await connect('A')
  await it.sync('connect')
  const trades = async () => (await it.journal.read.tradePage({ userId: it.userId, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' })).rows.map(({ pairs, netPnl }) => [pairs, netPnl])
  expect(await trades()).toEqual([[1, '199.22'], [1, '199.22']])
})

test('a fill that contradicts NinjaTrader’s own position count is named', async () => {
  const { database, it, connect } = await stage()
  database.execute({ account: 'A', at: monday - minute, side: 'buy', qty: 1, price: 21_000, commission: 0.39, position: 3 })
  await connect('A')
  expect((await it.sync('connect')).holdings).toMatchObject([{ contract: 'MNQH6', broker: 2, ours: 0, kind: 'carried' }])
})

test('a faulty database is reported, and changes nothing', async () => {
  const { database, it, connect } = await stage()
  database.execute({ account: 'A', at: monday - 2 * minute, side: 'buy', qty: 1, price: 21_000, commission: 0.39 })
  database.execute({ account: 'A', at: monday - minute, side: 'sell', qty: 1, price: 21_010, commission: 0.39 })
  expect(await it.connections.databaseAccounts(it.userId, join(database.file, '..', 'other.sqlite'))).toMatchObject({ ok: false, error: { code: 'database-missing' } })
  expect(await it.connections.databaseAccounts(it.userId, '\\\\server\\share\\NinjaTrader.sqlite')).toMatchObject({ ok: false, error: { code: 'database-missing' } })
  expect(await it.connections.databaseAccounts(it.userId, 'NinjaTrader.sqlite')).toMatchObject({ ok: false, error: { code: 'database-missing' } })
  expect(await it.connections.databaseAccounts(it.userId, '/dev/zero')).toMatchObject({ ok: false, error: { code: 'database-unreadable' } })
  expect(await it.connections.connectDatabase(it.userId, { path: database.file, accounts: ['B'] })).toMatchObject({ ok: false, error: { code: 'not-found' } })
  await connect('A')
  await it.sync('connect')
  const before = it.rows()

  const away = `${database.file}-away`
  database.close()
  renameSync(database.file, away)
  expect(await it.sync()).toMatchObject({ outcome: 'failed', troubles: [{ loginName: 'NinjaTrader 8', code: 'database-missing' }] })
  writeFileSync(database.file, 'no database at all')
  expect(await it.sync()).toMatchObject({ troubles: [{ code: 'database-unreadable' }] })
  const bytes = readFileSync(away)
  writeFileSync(database.file, bytes.subarray(0, bytes.length - 4_096))
  expect(await it.sync()).toMatchObject({ troubles: [{ code: 'database-unreadable' }] })
  const older = new Sqlite(join(testFolder(), 'older.sqlite'))
  older.exec('CREATE TABLE Executions (Id INTEGER PRIMARY KEY, Price REAL)')
  older.close()
  copyFileSync(older.name, database.file)
  expect(await it.sync()).toMatchObject({ troubles: [{ code: 'database-unknown-shape' }] })
  expect({ ...it.rows(), receipts: [] }).toEqual({ ...before, receipts: [] })
  rmSync(database.file)
  renameSync(away, database.file)
  expect(await it.sync()).toMatchObject({ outcome: 'complete', fills: { added: 0 } })
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.22'])
})

/** Writes executions of account W as fast as it can, two by two in one transaction, and moves its log into the file now and then. */
const writer = `
  import Sqlite from 'better-sqlite3'
  const db = new Sqlite(process.argv[1])
  const add = db.prepare("INSERT INTO Executions (Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time) VALUES (2, 0.39, ?, 0, 11, 'w', ?, 21000, 1, ?)")
  console.log('ready')
  for (let count = 0; ; count += 2) {
    db.transaction(() => { for (const one of [0, 1]) add.run('w-' + (count + one), one === 0 ? 1 : 0, 639083250600000000n + BigInt(count + one) * 10000n) })()
    if (count % 200 === 0) db.pragma(count % 1000 === 0 ? 'wal_checkpoint(TRUNCATE)' : 'wal_checkpoint(PASSIVE)')
  }`

test('copies taken while NinjaTrader writes hold whole transactions, each with all earlier ones', { tags: ['long', 'nightly'] }, async () => {
  const database = createNinjatrader(join(testFolder(), 'NinjaTrader.sqlite'))
  database.execute({ account: 'first', at: monday, side: 'buy', qty: 1, price: 21_000 })
  database.execute({ account: 'W', at: monday, side: 'buy', qty: 1, price: 21_000 })
  database.close()
  const child = spawn(process.execPath, ['--input-type=module', '-e', writer, database.file], { cwd: new URL('../..', import.meta.url).pathname, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const folder = testFolder()
  let [taken, most] = [0, 0]
  for (let tries = 0; tries < 100 && taken < 20; tries += 1) {
    const snapshot = takeSnapshot(database.file, folder)
    if (!snapshot.ok) {
      expect(snapshot.error).toBe('changing')
      continue
    }
    taken += 1
    const ids = (snapshot.value.database.prepare("SELECT executionId AS id FROM executions WHERE executionId LIKE 'w-%' ORDER BY id").all() as { id: string }[]).map(({ id }) => Number(id.slice(2))).sort((one, other) => one - other)
    expect(ids.length % 2).toBe(0)
    expect(ids).toEqual(ids.map((_, index) => index))
    expect(ids.length).toBeGreaterThanOrEqual(most)
    most = ids.length
    snapshot.value.close()
  }
  expect(taken).toBeGreaterThan(10)
  expect(most).toBeGreaterThan(100)
  // No copy is left, with what it has of passwords.
  expect(readdirSync(folder)).toEqual([])
})

test('a copy contains no users and no journal entries', () => {
  const database = createNinjatrader(join(testFolder(), 'NinjaTrader.sqlite'))
  onTestFinished(database.close)
  database.secret('hunter2')
  database.execute({ account: 'A', at: monday, side: 'buy', qty: 1, price: 21_000 })
  const folder = testFolder()
  const snapshot = takeSnapshot(database.file, folder)
  if (!snapshot.ok) throw new Error(snapshot.error)
  onTestFinished(snapshot.value.close)
  for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name)).includes('hunter2')).toBe(false)
  expect(readFileSync(database.file).includes('hunter2') || readFileSync(`${database.file}-wal`).includes('hunter2')).toBe(true)
})

test('a simulation that reuses its ids loses no execution', { tags: ['long', 'nightly'] }, async () => {
  const { database, it, connect } = await stage()
  for (const [index, side] of (['buy', 'sell', 'buy', 'sell'] as const).entries()) database.execute({ account: 'Sim101', at: monday - (10 - index) * minute, side, qty: 1, price: 21_000 + index, executionId: `e-${String(index % 2)}`, commission: 0.39 })
  await connect('Sim101')
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', fills: { added: 4 } })
  expect(await pairsOf(it)).toHaveLength(2)
})

test('executions without ids are identified by their rows, even after NinjaTrader drops older ones', { tags: 'long' }, async () => {
  const { database, it, connect } = await stage()
  for (const [index, side] of (['buy', 'sell', 'buy', 'sell'] as const).entries()) database.execute({ account: 'A', at: monday - (10 - index) * minute, side, qty: 1, price: 21_000 + index, executionId: '', commission: 0.39 })
  await connect('A')
  expect(await it.sync('connect')).toMatchObject({ outcome: 'complete', fills: { added: 4 } })
  const before = await pairsOf(it)
  database.drop(2)
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 0 })
  expect(await pairsOf(it)).toEqual(before)
})

test('executions that are also in an exported file count once, whichever came first', { tags: 'long' }, async () => {
  const header = 'Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account,Connection,'
  const rows = ['MNQ 03-26,Buy,1,21000,2/27/2026 11:50:00 AM,x-1,Entry,1 L,o-1,Entry,$0.39,1,APEX-1,Firm,', 'MNQ 03-26,Sell,1,21010,2/27/2026 11:55:00 AM,x-2,Exit,-,o-2,Exit,$0.39,1,APEX-1,Firm,']
  const bytes = new TextEncoder().encode([header, ...rows].join('\r\n'))
  const friday = Date.UTC(2026, 1, 27, 16, 50)
  // NinjaTrader appends a firm to the names of some accounts, which its export may leave out.
  for (const [order, account] of [['file', 'APEX-1'], ['database', 'APEX-1'], ['file', 'APEX-1!Apex!Apex'], ['database', 'APEX-1!Apex!Apex']] as const) {
    const { database, it, connect } = await stage()
    database.execute({ account, at: friday, side: 'buy', qty: 1, price: 21_000, commission: 0.39 })
    database.execute({ account, at: friday + 5 * minute, side: 'sell', qty: 1, price: 21_010, commission: 0.39 })
    const imports = createImports({ journal: it.journal, now: it.timing.now })
    const bring = async (): Promise<void> => {
      const brought = await imports.add(it.userId, [{ name: 'NinjaTrader Grid.csv', open: async function* () { yield await Promise.resolve(bytes) } }], { zone: 'America/New_York', account: null })
      expect(brought.ok).toBe(true)
    }
    if (order === 'file') await bring()
    await connect(account)
    await it.sync('connect')
    if (order === 'database') await bring()
    expect(await pairsOf(it), `${order} ${account}`).toEqual(['APEX-1 MNQH6 long 1 19.22'])
  }
})

test('a file that shows the order of executions in doubt settles it, and later runs keep what was settled', async () => {
  const { database, it, connect } = await stage()
  const at = Date.UTC(2026, 1, 27, 16, 50)
  // Positions that no order gives.
  database.execute({ ...buy, at, price: 21_000, position: 4 })
  database.execute({ ...buy, at, price: 21_100, position: 9 })
  database.execute({ ...sell, at: at + minute, price: 21_200, position: 1 })
  database.execute({ ...sell, at: at + 2 * minute, price: 21_300, position: 0 })
  await connect('A')
  await it.sync('connect')
  const isInDoubt = async (): Promise<boolean> => (await warningsOf(it)).flat().includes('ambiguous-order')
  expect(await isInDoubt()).toBe(true)
  const header = 'Instrument,Action,Quantity,Price,Time,ID,E/X,Position,Order ID,Name,Commission,Rate,Account,Connection,'
  const row = (index: number, action: string, price: number, time: string, position: string) => `MNQ 03-26,${action},1,${String(price)},2/27/2026 11:${time} AM,x-${String(index)},Entry,${position},o-${String(index)},Entry,$0.39,1,A,Firm,`
  const bytes = new TextEncoder().encode([header, row(2, 'Buy', 21_100, '50:00', '1 L'), row(1, 'Buy', 21_000, '50:00', '2 L'), row(3, 'Sell', 21_200, '51:00', '1 L'), row(4, 'Sell', 21_300, '52:00', '-')].join('\r\n'))
  const imports = createImports({ journal: it.journal, now: it.timing.now })
  expect((await imports.add(it.userId, [{ name: 'NinjaTrader Grid.csv', open: async function* () { yield await Promise.resolve(bytes) } }], { zone: 'America/New_York', account: null })).ok).toBe(true)
  expect(await isInDoubt()).toBe(false)
  // Later ones in doubt, which the file does not have, are no change that each run finds again.
  database.execute({ ...buy, at: at + 3 * minute, price: 21_400, position: 4 })
  database.execute({ ...sell, at: at + 3 * minute, price: 21_500, position: 9 })
  expect((await it.sync()).fills).toMatchObject({ added: 2 })
  expect(await isInDoubt()).toBe(true)
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 0 })
})

test('changes of the database are noticed, several at once as one', async () => {
  const database = createNinjatrader(join(testFolder(), 'NinjaTrader.sqlite'))
  onTestFinished(database.close)
  const login = { id: 'one', userId: 'trader', file: database.file }
  let current = [login]
  const notified: string[] = []
  const first = Promise.withResolvers<undefined>()
  const watching = watchDatabases({ logins: () => Promise.resolve(current), changed: ({ id }) => { notified.push(id); first.resolve(undefined) }, log: strictLog })
  onTestFinished(watching.stop)
  await watching.renew()
  for (let count = 0; count < 20; count += 1) database.execute({ account: 'A', at: monday + count, side: 'buy', qty: 1, price: 21_000 })
  await first.promise
  expect(notified).toEqual(['one'])
  // Nobody's database is watched any more.
  current = []
  await watching.renew()
  expect(existsSync(database.file)).toBe(true)
})
