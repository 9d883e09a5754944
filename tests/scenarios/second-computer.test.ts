import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import type { NewFill } from '#backend/db/rows.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Reading } from '#shared/imports/reading.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { fillRow, importRows, money as amount, pairRow } from '#tests/helpers/imports.ts'
import { readBytes } from '#tests/helpers/exports/read.ts'
import { listedCloud, pull, push, sharedRows, type ListedCloud } from '#tests/helpers/listed-cloud.ts'
import { fill, monday, openEmptyStore, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const name = 'PA-7'
const file = `file:${name}` as AccountKey
const connected = 'tradovate:demo:700303' as AccountKey

/** Four round trips of which a file has all and the broker's API the last two. */
const prices = [6750, 6751, 6752, 6754, 6760, 6759, 6761, 6764]
const sideOf = (id: number): 'buy' | 'sell' => (id % 2 === 1 ? 'buy' : 'sell')
const rowsOfFile = prices.map((price, index) => fillRow(name, index + 1, sideOf(index + 1), 1, price, { fee: amount('0.62') }))
const fillsOfApi = [5, 6, 7, 8].map((id) => fill(id, sideOf(id), 1, prices[id - 1] ?? 0, { account: connected }))

const pairs = (store: TestStore) => store.read.pairPage({ ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' }).rows
const inView = (store: TestStore) => store.read.connectedAccounts(user).map(({ id }) => id)
const write = (store: TestStore, id: string, updates: { notes?: string; tags?: string[] }): void => { expect(store.write.updateTrade({ ...user, at: monday, id, updates })).toMatchObject({ ok: true }) }

const login = (store: TestStore, accountName = name): void => {
  store.write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  store.write.saveAccounts({ ...user, at: monday, loginId: 'login', reconnect: true, accounts: [{ key: connected, environment: 'demo', brokerAccountId: '700303', name: accountName }] })
}

/** Connects the account of the file and reads what its broker still lists. */
const connect = async (store: TestStore): Promise<void> => {
  login(store)
  await store.write.settleImports({ ...user, at: monday })
  await take(store, ...fillsOfApi)
}

/** A computer that imports the file and whose user says something of its fill pairs. */
const importing = async (): Promise<TestStore> => {
  const store = openEmptyStore()
  await importRows(store, 'one', rowsOfFile)
  write(store, `${file}/1/2`, { notes: 'of the file alone', tags: ['a'] })
  write(store, `${file}/5/6`, { notes: 'of both' })
  store.write.removeTrade({ ...user, at: monday, id: `${file}/7/8` })
  store.write.addFinance({ ...user, at: monday, finance: { id: 'payout', type: 'earning', account: file, amount: 1, date: '2026-01-08', name: '', balance: 0, platform: '', firm: null, currency: 'USD' } })
  return store
}

const expectWhole = (store: TestStore): void => {
  expect(pairs(store).map(({ id, grossPnl, commission, notes, tags }) => [id, grossPnl, commission, notes, tags])).toEqual([
    [`${connected}/1/2`, '5.00', '1.24', 'of the file alone', ['a']],
    [`${connected}/3/4`, '10.00', '1.24', '', []],
    [`${connected}/5/6`, '-5.00', '1.24', 'of both', []],
  ])
  expect(inView(store)).toEqual([connected])
  expect(rowsOf(store, 'fills')).toHaveLength(prices.length)
  expect(store.writer.database.prepare("SELECT account FROM finances WHERE id = 'payout'").all()).toEqual([{ account: connected }])
}

const turn = async (store: TestStore, cloud: ListedCloud, page = 1_000): Promise<void> => {
  await pull(store, cloud, monday, { page })
  await push(store, cloud, monday, { page })
}

/** Counts from now on how often a store recomputes the fills of its user. */
const countsSettled = ({ writer: { database } }: TestStore): (() => number) => {
  database.exec('CREATE TEMP TABLE counted (at); CREATE TEMP TRIGGER counts AFTER DELETE ON main.imports_unsettled BEGIN INSERT INTO counted VALUES (1); END')
  return () => database.prepare<[], number>('SELECT COUNT(*) FROM counted').pluck().get() ?? 0
}

const settle = async (cloud: ListedCloud, ...stores: readonly TestStore[]): Promise<void> => {
  for (let round = 0; round < 3; round += 1) for (const store of stores) await turn(store, cloud)
  for (const store of stores) {
    expect(sharedRows(store)).toEqual(sharedRows(stores[0] ?? store))
    expect(rowsOf(store, 'outbox')).toEqual([])
  }
}

describe.each([1_000, 3])('an account that one computer imports and another one connects, received in pages of %d records', (page) => {
  it('is there once on the computer that connects it after it got its fills', async () => {
    const cloud = listedCloud()
    const [first, second, fresh] = [await importing(), openEmptyStore(), openEmptyStore()]
    await turn(first, cloud, page)
    await turn(second, cloud, page)
    expect(inView(second)).toEqual([file])
    await connect(second)
    expectWhole(second)
    await turn(second, cloud, page)
    // The first one may be gone for ever, or come back.
    await turn(fresh, cloud, page)
    expectWhole(fresh)
    await settle(cloud, first, second, fresh)
    for (const store of [first, second, fresh]) expectWhole(store)
    // Its import can still be undone where it was made: what the broker lists stays.
    expect(await first.write.undoImport({ ...user, at: monday, importId: 'one' })).toMatchObject({ ok: true })
    await settle(cloud, first, second, fresh)
    for (const store of [first, second, fresh]) expect(pairs(store).map(({ id }) => id)).toEqual([`${connected}/5/6`])
  })

  it('is there once on the computer that connected it before its fills came', async () => {
    const cloud = listedCloud()
    const [first, second] = [await importing(), openEmptyStore()]
    await turn(first, cloud, page)
    await connect(second)
    const settled = countsSettled(second)
    await turn(second, cloud, page)
    expectWhole(second)
    // However many pages it took.
    expect(settled()).toBe(1)
    await settle(cloud, first, second)
    for (const store of [first, second]) expectWhole(store)
  })

  it.each(['sync', 'import'])('is there once after the next %s of a computer on which an older program had it twice', async (next) => {
    const cloud = listedCloud()
    const [first, second] = [await importing(), openEmptyStore()]
    await turn(first, cloud, page)
    await turn(second, cloud, page)
    login(second)
    await take(second, ...fillsOfApi)
    expect([inView(second).length, pairs(second).length]).toEqual([2, 5])
    if (next === 'sync') await second.write.settleImports({ ...user, at: monday })
    else await importRows(second, 'again', rowsOfFile.slice(0, 2))
    expectWhole(second)
    expect(await second.write.settleImports({ ...user, at: monday })).toBeNull()
    await settle(cloud, second, first)
    expectWhole(first)
  })
})

describe('the same fills, of which one computer imports one report and another one imports another', () => {
  const kinds = ['fills', 'performance', 'ninjatrader-trades', 'ninjatrader-executions', 'rithmic-orders']
  const inOneAccount = 'A1'
  const readingsOf = async (kind: string, zone = 'America/New_York'): Promise<readonly Reading[]> => {
    const file = await readBytes(readFileSync(new URL(`../fixtures/same-fills/${kind}.csv`, import.meta.url)), zone)
    if (!file.ok) throw new Error(file.problem.code)
    return file.readings
  }
  const bring = async (store: TestStore, kind: string): Promise<unknown> => importRows(store, kind, await readingsOf(kind), inOneAccount)
  const money = (store: TestStore) => [pairs(store).length, ...(['grossPnl', 'netPnl'] as const).map((of) => pairs(store).reduce((sum, pair) => sum + Number(pair[of]), 0).toFixed(2))]
  // A Performance report has no fees, so they are those of the contract table unless the other report has them.
  const [charged, uncharged] = [[3, '16.25', '13.25'], [3, '16.25', '10.55']]

  test.each(kinds.flatMap((one) => kinds.map((other) => [one, other] as const)))('%s, then %s: each counts once', async (one, other) => {
    const cloud = listedCloud()
    const [first, second] = [openEmptyStore(), openEmptyStore()]
    const expected = one === 'performance' && other === 'performance' ? uncharged : charged
    await bring(first, one)
    await turn(first, cloud)
    await turn(second, cloud)
    await bring(second, other)
    expect(money(second)).toEqual(expected)
    await settle(cloud, second, first)
    expect(money(first)).toEqual(expected)
    // They agree: neither has more to say.
    const head = cloud.head()
    await settle(cloud, first, second)
    expect(cloud.head()).toBe(head)
  })

  const locals = ['performance', 'ninjatrader-trades', 'ninjatrader-executions'] as const

  test.each(locals.flatMap((one) => locals.map((other) => [one, other] as const)))('%s, then %s read in another time zone: each counts once, at the same times on both', async (one, other) => {
    const cloud = listedCloud()
    const [first, second] = [openEmptyStore(), openEmptyStore()]
    await importRows(first, one, await readingsOf(one), inOneAccount, monday, { kind: one })
    await turn(first, cloud)
    await turn(second, cloud)
    await importRows(second, other, await readingsOf(other, 'Europe/London'), inOneAccount, monday, { kind: other, zone: 'Europe/London' })
    await settle(cloud, second, first)
    const head = cloud.head()
    await settle(cloud, first, second)
    expect(cloud.head()).toBe(head)
    for (const store of [first, second]) expect(pairs(store)).toHaveLength(3)
    expect(sharedRows(second)).toEqual(sharedRows(first))
  })

  test('the same report read in two time zones before they met: that of the first in the cloud counts, and the other one once it is undone', async () => {
    const cloud = listedCloud()
    const [first, second] = [openEmptyStore(), openEmptyStore()]
    await importRows(first, 'one', await readingsOf('performance'), inOneAccount, monday, { kind: 'performance' })
    await importRows(second, 'two', await readingsOf('performance', 'Europe/London'), inOneAccount, monday, { kind: 'performance', zone: 'Europe/London' })
    await settle(cloud, first, second)
    await settle(cloud, first, second)
    const entries = () => [first, second].map((store) => pairs(store)[0]?.entryTime)
    expect(entries()).toEqual(['2026-03-05T14:31:10.000Z', '2026-03-05T14:31:10.000Z'])
    expect(sharedRows(second)).toEqual(sharedRows(first))
    await first.write.undoImport({ ...user, at: monday, importId: 'one' })
    await settle(cloud, first, second)
    await settle(cloud, first, second)
    expect(entries()).toEqual(['2026-03-05T09:31:10.000Z', '2026-03-05T09:31:10.000Z'])
  })

  test('a part of them: what the better report lacks stays, on both computers', async () => {
    const cloud = listedCloud()
    const [first, second] = [openEmptyStore(), openEmptyStore()]
    const fillIds = (store: TestStore) => (rowsOf(store, 'fills') as { id: string; qty: number }[]).map(({ id, qty }) => `${id} ${String(qty)}`).sort()
    const trade = pairRow('A1', [1, 6750], [2, 6751], 2)
    await importRows(first, 'trades', [{ ...trade, closing: 'sell', buy: { ...trade.buy, fillId: 'ninjatrader-1~in' }, sell: { ...trade.sell, fillId: 'ninjatrader-1~out' } }])
    await turn(first, cloud)
    await turn(second, cloud)
    await importRows(second, 'fills', [fillRow('A1', 1, 'buy', 1, 6750)])
    await settle(cloud, second, first)
    await settle(cloud, first, second)
    // So it does when all of it comes from the cloud once more.
    second.write.resetMirror({ ...user, at: monday, journal: cloud.journal })
    await settle(cloud, second, first)
    for (const store of [first, second]) expect(fillIds(store)).toEqual(['1 1', 'ninjatrader-1~in 1', 'ninjatrader-1~out 2'])
  })

  test.each(kinds)('%s, then the API of its broker: each counts once', async (kind) => {
    const cloud = listedCloud()
    const [first, second] = [openEmptyStore(), openEmptyStore()]
    await bring(first, kind)
    await turn(first, cloud)
    await turn(second, cloud)
    login(second, inOneAccount)
    await second.write.settleImports({ ...user, at: monday })
    const listed = (await readingsOf('fills')).flatMap((row): NewFill[] => (row.says === 'fill' ? [{ ...row, id: row.fillId, account: connected, source: 'api', contractId: 1 }] : []))
    await take(second, ...listed)
    expect([money(second), inView(second)]).toEqual([charged, [connected]])
    await settle(cloud, second, first)
    expect([money(first), inView(first)]).toEqual([charged, [connected]])
  })
})
