/** @module-tag long */

import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import type { Brokerage } from '#backend/sync/token-keeper.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { testFolder } from '#tests/helpers/app.ts'
import { createNinjatrader, type NinjatraderDatabase } from '#tests/helpers/ninjatrader-database.ts'
import { openSyncJournal, type SyncJournal } from '#tests/helpers/sync-journal.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'

const nowhere = 'http://127.0.0.1:9'
const tradovate: Brokerage = { hosts: { authorize: nowhere, token: [nowhere, nowhere], live: nowhere, demo: nowhere }, application: { clientId: 'own', clientSecret: 'own' }, redirectUri: `${nowhere}/oauth/callback` }
const minute = 60_000
/** Noon of a Monday in New York. */
const monday = Date.UTC(2026, 2, 2, 17)

type Stage = { readonly database: NinjatraderDatabase; readonly it: SyncJournal; readonly connect: (...accounts: string[]) => ReturnType<SyncJournal['connections']['connectDatabase']>; readonly sql: (text: string, ...values: readonly unknown[]) => void }

const stage = async (): Promise<Stage> => {
  const database = createNinjatrader(join(testFolder(), 'NinjaTrader.sqlite'))
  onTestFinished(database.close)
  const it = await openSyncJournal({ brokerage: tradovate, timing: testTiming(monday) })
  const sql = (text: string, ...values: readonly unknown[]): void => {
    const own = new Sqlite(database.file)
    own.prepare(text).run(...values)
    own.close()
  }
  return { database, it, sql, connect: (...accounts) => it.connections.connectDatabase(it.userId, { path: database.file, accounts }) }
}

const pairsOf = async ({ journal, userId }: SyncJournal): Promise<string[]> =>
  (JSON.parse(new TextDecoder().decode(await journal.read.tradesJson({ userId }))) as { trades: { account: string; symbol: string; side: string; qty: number; netPnl: string }[] }).trades.map(({ account, symbol, side, qty, netPnl }) => `${account} ${symbol} ${side} ${String(qty)} ${netPnl}`)

/** A long trade of one contract that wins so many points, ending so many minutes before Monday's noon. */
const win = (database: NinjatraderDatabase, account: string, before: number, points: number, ids?: readonly [string, string]): void => {
  const of = (index: 0 | 1) => ({ account, qty: 1, commission: 0.39, at: monday - before * minute + index * minute, ...(ids === undefined ? {} : { executionId: ids[index] }) })
  database.execute({ ...of(0), side: 'buy', price: 21_000 })
  database.execute({ ...of(1), side: 'sell', price: 21_000 + points })
}

test('an execution that NinjaTrader stores twice identically counts once', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 60, 10)
  sql('INSERT INTO Executions (Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time) SELECT Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time FROM Executions')
  await connect('A')
  await it.sync('connect')
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.22'])
})

test('executions of two account rows with one name count once', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 60, 10)
  sql("INSERT INTO Accounts (Id, Name) VALUES (70, 'A')")
  sql('INSERT INTO Orders (OrderId, Account, Instrument, OrderAction, Time) SELECT OrderId, 70, Instrument, OrderAction, Time FROM Orders')
  sql('INSERT INTO Executions (Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time) SELECT 70, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time FROM Executions')
  await connect('A')
  await it.sync('connect')
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.22'])
})

test('what comes or changes in a stretch that was read is taken by the next run that the user or the day starts', async () => {
  const { database, it, connect, sql } = await stage()
  const day = 24 * 60
  win(database, 'A', 40 * day, 10)
  win(database, 'A', 60, 20)
  sql('UPDATE Executions SET Commission = 0 WHERE Id <= 2')
  await connect('A')
  await it.sync('connect')
  // A restored database has what the old one lacked, and a commission was set up late.
  win(database, 'A', 20 * day, -500)
  sql('UPDATE Executions SET Commission = 0.5 WHERE Id <= 2')
  expect((await it.sync('fill')).fills).toMatchObject({ added: 0, changed: 0 })
  expect((await it.sync()).fills).toMatchObject({ added: 2, changed: 2 })
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.00', 'A MNQH6 long 1 -1000.78', 'A MNQH6 long 1 39.22'])
  expect((await it.sync()).fills).toMatchObject({ received: 2, added: 0, changed: 0 })
})

test('a fee of an old session that another computer has from a file stays, until NinjaTrader’s own changes, which is sent once', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 20 * 24 * 60, 10)
  await connect('A')
  await it.sync('connect')
  const account = 'ninjatrader:live:A' as AccountKey
  const [fill] = await it.journal.read.knownFills({ userId: it.userId, accounts: [account], ids: ['x-1'] })
  if (fill === undefined) throw new Error('The fill is missing')
  const sendsItsOwn = () => it.journal.write.saveFills({ userId: it.userId, at: monday, specs: [], fills: [{ ...fill, fee: 10_000 as Amount, contractId: null, tradeDate: null }] })
  const stays = async (): Promise<void> => {
    await sendsItsOwn()
    expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 18.61'])
    expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 0 })
    expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 18.61'])
  }
  await stays()
  sql('UPDATE Executions SET Commission = 0.5 WHERE Id = 1')
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 1 })
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.11'])
  await stays()
})

test('what cannot be read in a stretch that was read is named, once in each run', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 60, 20)
  win(database, 'A', 20 * 24 * 60, 20)
  await connect('A')
  await it.sync('connect')
  sql('UPDATE Executions SET Quantity = -1 WHERE Id = 3')
  for (const run of [1, 2]) expect((await it.sync()).refused, String(run)).toMatchObject([{ reason: 'unreadable:qty' }])
})

test('an execution whose time NinjaTrader corrects stays one', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 60, 10)
  await connect('A')
  await it.sync('connect')
  sql('UPDATE Executions SET Time = Time + 50000')
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 2 })
  // Another database has both times.
  sql('INSERT INTO Executions (Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time) SELECT Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time + 50000 FROM Executions')
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 0 })
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.22'])
})

test('a price that NinjaTrader corrects is taken, in old sessions and in a second row, too', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 20 * 24 * 60, 20)
  win(database, 'A', 60, 10)
  await connect('A')
  await it.sync('connect')
  sql('UPDATE Executions SET Price = Price + 5 WHERE Id = 2')
  sql('INSERT INTO Executions (Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price, Quantity, Time) SELECT Account, Commission, ExecutionId, Fee, Instrument, OrderId, Position, Price + 5, Quantity, Time FROM Executions WHERE Id = 4')
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 2 })
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 49.22', 'A MNQH6 long 1 29.22'])
  expect((await it.sync()).fills).toMatchObject({ received: 2, added: 0, changed: 0 })
})

test('executions that an earlier version wrote under two ids count once, recent and old ones', async () => {
  const { database, it, connect } = await stage()
  const old = 20 * 24 * 60
  win(database, 'A', old, 20)
  win(database, 'A', 60, 10)
  await connect('A')
  await it.sync('connect')
  const before = await pairsOf(it)
  const double = (id: number, at: number, side: 'buy' | 'sell') => ({ id: `x-${String(id)}~${String(at + 5)}`, account: 'ninjatrader:live:A' as AccountKey, contract: 'MNQH6', time: at + 5, side, qty: 1, price: 84_000 as Ticks, fee: null, active: true, source: 'api', orderId: `o-${String(id)}`, contractId: null, tradeDate: null }) as const
  const [first, recent] = [monday - old * minute, monday - 60 * minute]
  await it.journal.write.saveFills({ userId: it.userId, at: monday, specs: [], fills: [double(1, first, 'buy'), double(2, first + minute, 'sell'), double(3, recent, 'buy'), double(4, recent + minute, 'sell')] })
  const counting = async (): Promise<string[]> => (await it.journal.read.knownTwins({ userId: it.userId, accounts: ['ninjatrader:live:A' as AccountKey], ids: ['x-1', 'x-2', 'x-3', 'x-4'] })).flatMap(({ id, active }) => (active ? [id] : []))
  expect(await counting()).toHaveLength(4)
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 4 })
  expect(await counting()).toEqual([])
  expect(await pairsOf(it)).toEqual(before)
  expect(await it.sync()).toMatchObject({ outcome: 'complete', fills: { added: 0, changed: 0 } })
})

test('executions under ids that a simulation reused are kept when it is reset', async () => {
  const { database, it, connect } = await stage()
  for (const [before, points] of [[60, 10], [50, 20], [40, 30]] as const) win(database, 'Sim101', before, points, ['e-0', 'e-1'])
  await connect('Sim101')
  await it.sync('connect')
  const before = await pairsOf(it)
  expect(before).toHaveLength(3)
  database.drop(2)
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 0 })
  expect(await pairsOf(it)).toEqual(before)
  database.drop(4)
  win(database, 'Sim101', 5, 40, ['e-0', 'e-1'])
  expect((await it.sync()).fills).toMatchObject({ added: 2, changed: 0 })
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 0 })
  expect(await pairsOf(it)).toHaveLength(4)
})

test('an execution that is named by its time stays one when NinjaTrader corrects the time', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'Sim101', 60, 10, ['e-0', 'e-1'])
  await connect('Sim101')
  await it.sync('connect')
  database.drop(2)
  win(database, 'Sim101', 5, 40, ['e-0', 'e-1'])
  expect((await it.sync()).fills).toMatchObject({ added: 2, changed: 0 })
  sql('UPDATE Executions SET Time = Time + 50000')
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 2 })
  expect(await pairsOf(it)).toEqual(['Sim101 MNQH6 long 1 19.22', 'Sim101 MNQH6 long 1 79.22'])
})

test('executions of one id stay as they are when a merged database has their rows in another order', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'Sim101', 40 * 24 * 60, 10, ['e-0', 'e-1'])
  win(database, 'Sim101', 20 * 24 * 60, 20, ['e-0', 'e-1'])
  win(database, 'Sim101', 5, 30, ['e-0', 'e-1'])
  await connect('Sim101')
  await it.sync('connect')
  const before = await pairsOf(it)
  expect(before).toHaveLength(3)
  sql('UPDATE Executions SET Id = 100 - Id')
  expect((await it.sync()).fills).toMatchObject({ added: 0, changed: 0 })
  expect(await pairsOf(it)).toEqual(before)
})

test('a new database in place of the old one removes nothing, even if its rows have no ids', async () => {
  const { database, it, connect } = await stage()
  win(database, 'A', 60, 10, ['', ''])
  await connect('A')
  await it.sync('connect')
  const before = await pairsOf(it)
  database.drop(2)
  win(database, 'A', 30, 20, ['', ''])
  await it.sync()
  expect(await pairsOf(it)).toEqual(expect.arrayContaining(before))
  expect(await pairsOf(it)).toHaveLength(2)
})

test('executions without an account are named once', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 60, 10)
  win(database, 'Gone', 30, 20)
  sql("DELETE FROM Accounts WHERE Name = 'Gone'")
  await connect('A')
  const receipt = await it.sync('connect')
  expect(receipt).toMatchObject({ outcome: 'partial', fills: { added: 2, refused: 2 }, refusedTotal: 2 })
  expect(receipt.refused.map(({ id, account, reason }) => [id, account, reason])).toEqual([['x-4', null, 'no-account:Account'], ['x-3', null, 'no-account:Account']])
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.22'])
})

test('an account missing from the database is named', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 60, 10)
  await connect('A')
  await it.sync('connect')
  sql("UPDATE Accounts SET Name = 'B'")
  expect(await it.sync()).toMatchObject({ outcome: 'partial', troubles: [{ code: 'database-account-missing' }] })
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.22'])
})

test('a negative commission raises no net P&L, and a late commission is taken', async () => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 60, 10)
  sql('UPDATE Executions SET Commission = -0.39')
  await connect('A')
  await it.sync('connect')
  expect(Number((await pairsOf(it))[0]?.split(' ').at(-1))).toBeLessThan(20)
  sql('UPDATE Executions SET Commission = 0.5')
  await it.sync()
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.00'])
})

test('a later login at another broker that has the same account leaves none of its days reconciled, until one is removed', async () => {
  const { database, it, connect } = await stage()
  win(database, 'TRADO-7!Firm!Firm', 60, 10)
  win(database, 'B', 60, 10)
  await connect('TRADO-7!Firm!Firm', 'B')
  await it.sync('connect')
  await it.journal.write.saveLogin({ userId: it.userId, id: 'other', brokerUserId: '9', name: 'nina', hosts: null, at: monday })
  const twin: AccountKey = 'tradovate:live:9' as AccountKey
  await it.journal.write.saveAccounts({ userId: it.userId, loginId: 'other', accounts: [{ key: twin, environment: 'live', brokerAccountId: '9', name: 'TRADO-7' }], reconnect: true, at: monday })
  const reasons = async (): Promise<string[]> =>
    (JSON.parse(new TextDecoder().decode(await it.journal.read.reconciliationJson({ userId: it.userId, from: null, to: null, accounts: [] }))) as { days: { account: string; reason: string }[] }).days.map(({ account, reason }) => `${account} ${reason}`)
  expect(await reasons()).toEqual(['ninjatrader:live:B no-broker-figures', 'ninjatrader:live:TRADO-7!Firm!Firm counted-twice'])
  await it.connections.removeAccount(it.userId, twin)
  expect(await reasons()).toEqual(['ninjatrader:live:B no-broker-figures', 'ninjatrader:live:TRADO-7!Firm!Firm no-broker-figures'])
})

test.each([
  ['Price', 1e300, ['price-off-tick:Price']],
  ['Price', 9e15, ['price-off-tick:Price']],
  ['Price', 'text', ['unreadable:price']],
  ['Quantity', 2 ** 52, ['amount-unreadable:Quantity']],
  ['Quantity', 0.5, ['unreadable:qty']],
  ['Quantity', -1, ['unreadable:qty']],
  ['Time', 0, ['unreadable:ms']],
  ['Time', 'now', ['unreadable:ms']],
  ['Time', 2n ** 62n, ['unreadable:ms']],
  ['Commission', 1e300, ['amount-unreadable:Commission']],
  ['Instrument', 99, ['no-contract:Instrument']],
])('an execution whose %s is %s is named and affects no other', async (column, value, reasons) => {
  const { database, it, connect, sql } = await stage()
  win(database, 'A', 60, 10)
  win(database, 'A', 50, 20)
  sql(`UPDATE Executions SET ${column} = ? WHERE Id > 2`, value)
  await connect('A')
  const receipt = await it.sync('connect')
  expect(receipt).toMatchObject({ troubles: [], fills: { added: 2, refused: 2 } })
  expect([...new Set(receipt.refused.map(({ reason }) => reason))]).toEqual(reasons)
  expect(await pairsOf(it)).toEqual(['A MNQH6 long 1 19.22'])
})

test('tables that are views are not read', async () => {
  const { database, it, sql } = await stage()
  win(database, 'A', 60, 10)
  sql('ALTER TABLE Executions RENAME TO Other')
  sql('CREATE VIEW Executions AS WITH RECURSIVE forever (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM forever WHERE n < 1000) SELECT Other.* FROM Other, forever')
  expect(await it.connections.databaseAccounts(it.userId, database.file)).toMatchObject({ ok: false, error: { code: 'database-unknown-shape' } })
})
