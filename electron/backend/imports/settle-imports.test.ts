// @module-tag slow
import { describe, expect, it, test } from 'vitest'
import type { Reading } from '#shared/imports/reading.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Ticks } from '#shared/money/price.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { fillRow, importRows, journalRows, money, orderRow, pairRow } from '#tests/helpers/imports.ts'
import { account, fill, minute, monday, openStore, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'
import { fillsOfUndone } from '../fills/removed-fills.ts'
import { brokerFiguresOf } from './broker-figures.ts'
import { settleLeftovers } from './settle-leftovers.ts'

const connected = 'EVAL-101'
const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const pairs = (store: TestStore) => store.read.pairPage(page).rows
const fills = (store: TestStore) =>
  (rowsOf(store, 'fills') as { account: string; id: string; qty: number; fee: number | null; source: string }[]).map(({ account: key, id, qty, fee, source }) => [key, id, qty, fee, source])
const undo = (store: TestStore, importId: string) => store.write.undoImport({ ...user, at: monday, importId })

const roundTrip = (name: string): Reading[] => [fillRow(name, 1, 'buy', 1, 6750, { fee: money('0.62') }), fillRow(name, 2, 'sell', 1, 6751, { fee: money('0.62') })]

test('an import of an unconnected account creates an account, listed without a login', async () => {
  const store = openStore()
  const settled = await importRows(store, 'one', roundTrip('PA-7'))
  expect(settled).toMatchObject({ fills: { added: 2, changed: 0, removed: 0 }, pairs: { added: 1 }, trades: { added: 1 }, offTick: 0 })
  expect(pairs(store)).toMatchObject([{ accountId: 'file:PA-7', account: 'PA-7', netPnl: '3.76', feeSource: 'file' }])
  expect(store.read.connectedAccounts(user)).toContainEqual(expect.objectContaining({ id: 'file:PA-7', loginId: '', loginStatus: null, watchedSince: null, fills: 2 }))
  expect(store.read.syncGaps({ ...user, at: monday + 30 * 86_400_000 }).some(({ accountId }) => accountId === 'file:PA-7')).toBe(false)
  expect(store.read.imports(user)).toMatchObject([{ id: 'one', undoneAt: null, files: [{ name: 'one.csv', accepted: 2 }] }])
})

test('importing the file of a deleted account restores it with all that it had, without a login', async () => {
  const store = openStore()
  await take(store, fill(3, 'buy', 1, 6760, { feeText: '0.62' }), fill(4, 'sell', 1, 6761, { feeText: '0.62' }))
  const id = `${account}/3/4`
  store.write.updateTrade({ ...user, at: monday, id, updates: { notes: 'mine' } })
  store.write.removeAccount({ ...user, at: monday + minute, account })
  expect(pairs(store)).toEqual([])
  await importRows(store, 'one', roundTrip(connected), null, monday + 2 * minute)
  expect(pairs(store)).toMatchObject([{ id: `${account}/1/2`, netPnl: '3.76' }, { id, notes: 'mine' }])
  expect(store.read.connectedAccounts(user)).toContainEqual(expect.objectContaining({ id: account, loginId: '', loginStatus: null, watchedSince: null }))
  expect(store.read.finances(user)).toContainEqual(expect.objectContaining({ id: account }))
  // The account history that was still being fetched restores none.
  store.write.removeAccount({ ...user, at: monday + 3 * minute, account })
  store.write.recordHistoryWindow({ ...user, at: monday, account, from: '2026-01-05', to: '2026-01-05', importId: 'two' })
  await importRows(store, 'two', [fillRow(connected, 5, 'buy', 1, 6750), fillRow(connected, 6, 'sell', 1, 6751)], null, monday + 4 * minute)
  expect(pairs(store)).toEqual([])
  store.write.saveAccounts({ ...user, at: monday + 5 * minute, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: connected }], reconnect: true })
  expect(pairs(store)).toHaveLength(3)
  expect(store.read.connectedAccounts(user)).toContainEqual(expect.objectContaining({ id: account, loginId: 'login' }))
})

test('a product that a file names and no table has keeps all its fills, whatever product a part of its name would be', async () => {
  const store = openStore()
  const named = (price: number) => ({ contract: 'QBTCU6', product: 'QBTC', tickSize: '1', price: price as Ticks })
  // On no tick of BTC, which is 5.
  const settled = await importRows(store, 'one', [fillRow('PA-7', 1, 'buy', 1, 0, named(100_000)), fillRow('PA-7', 2, 'sell', 1, 0, named(100_101))])
  expect(settled).toMatchObject({ fills: { added: 2 }, pairs: { added: 1 }, offTick: 0 })
  expect(pairs(store)).toMatchObject([{ grossPnl: '101.00' }])
})

test("the file of a connected account is that account's, by its name or by the broker's id", async () => {
  const store = openStore()
  await importRows(store, 'one', roundTrip(connected))
  await importRows(store, 'two', [fillRow('renamed', 3, 'buy', 1, 6750, { account: { id: '700101', name: 'renamed' } }), fillRow('renamed', 4, 'sell', 1, 6752)])
  expect(pairs(store).map(({ accountId }) => accountId)).toEqual([account, account])
  expect(store.read.connectedAccounts(user)).toHaveLength(2)
})

test('a connected account that its broker renames keeps what was imported of it', async () => {
  const store = openStore()
  await importRows(store, 'one', roundTrip(connected))
  store.write.saveAccounts({ ...user, at: monday, loginId: 'login', reconnect: false, accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'PA-101' }] })
  await importRows(store, 'two', [...roundTrip('PA-101'), fillRow(connected, 3, 'buy', 1, 6750), fillRow('PA-101', 4, 'sell', 1, 6752)])
  expect(pairs(store).map(({ accountId }) => accountId)).toEqual([account, account])
  expect(fills(store)).toHaveLength(4)
})

test('an undo gives back exactly the rows before, from the API or from other imports', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(7, 'buy', 1, 6760))
  await importRows(store, 'first', [fillRow('PA-7', 1, 'buy', 1, 6700), pairRow(null, [11, 6700], [12, 6702], 1)], 'PA-9')
  const before = journalRows(store)
  const zzz = { contract: 'ZZZQ9' }
  await importRows(store, 'second', [
    ...roundTrip(connected),
    ...[fillRow(connected, 8, 'sell', 1, 6761), orderRow(connected, 9, 'buy', 3, 6750), orderRow('PA-7', 9, 'sell', 1, 6751)],
    ...[pairRow('PA-8', [21, 100.25], [22, 101.25], 1, { ...zzz, pnl: money('50') })],
  ])
  const during = journalRows(store)
  expect(during).not.toEqual(before)
  expect(during['specs']).toHaveLength((before['specs'] ?? []).length + 1)
  expect(await undo(store, 'second')).toMatchObject({ ok: true })
  expect(journalRows(store)).toEqual(before)
  // Once more there is nothing of it to remove.
  expect(await undo(store, 'second')).toMatchObject({ ok: true, value: { fills: { added: 0, changed: 0, removed: 0 } } })
  expect(journalRows(store)).toEqual(before)
  expect(await undo(store, 'third')).toEqual({ ok: false, error: 'not-found' })
  expect(store.read.connectedAccounts(user).some(({ id }) => id === 'file:PA-8')).toBe(false)
})

describe('the order of imports does not matter, nor how often they come, nor what was undone in between', () => {
  const pieces: Record<string, Reading[]> = {
    fills: [fillRow('PA-7', 1, 'buy', 2, 6750, { orderId: '51' }), fillRow(connected, 2, 'sell', 1, 6751, { fee: money('0.62') })],
    orders: [orderRow('PA-7', 51, 'buy', 3, 6750), orderRow('PA-7', 52, 'sell', 3, 6752), orderRow(connected, 1, 'buy', 1, 6750)],
    pairs: [pairRow(null, [1, 6750], [60, 6752], 1), pairRow('PA-7', [1, 6750], [61, 6752], 1), pairRow(connected, [1, 6750], [2, 6751], 1)],
  }
  const api = [fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751)]
  const steps = ['api', 'fills', 'orders', 'pairs']

  const after = async (order: readonly string[]) => {
    const store = openStore()
    for (const [index, step] of order.entries()) {
      if (step === 'api') await take(store, ...api)
      else if (step.startsWith('-')) await undo(store, step.slice(1))
      else await importRows(store, order.indexOf(step) === index ? step : `${step}-${String(index)}`, pieces[step] ?? [])
    }
    return journalRows(store)
  }

  it.each([
    [['pairs', 'orders', 'fills', 'api']],
    [['orders', 'api', 'pairs', 'fills']],
    [['fills', 'pairs', 'api', 'orders', 'fills', 'orders', 'api']],
    [['pairs', 'api', '-pairs', 'orders', 'fills', 'pairs']],
  ])('%j', async (order) => {
    const straight = await after(steps)
    expect(straight['fill_pairs']?.length).toBeGreaterThan(1)
    // Its fills differ from the kept ones in nothing.
    expect(await after(order)).toEqual(straight)
  })
})

describe('precedence, in both directions', () => {
  it('a fill of the API stays as it came, and a file adds the fee that it lacks', async () => {
    const store = openStore()
    const worse = [fillRow(connected, 1, 'buy', 2, 6749, { fee: money('0.62') }), fillRow(connected, 2, 'sell', 1, 6751, { fee: money('0.70') })]
    const expected = [[account, '1', 1, 6_200, 'api'], [account, '2', 1, 5_000, 'api']]
    await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751, { feeText: '0.50' }))
    await importRows(store, 'file', worse)
    expect(fills(store)).toEqual(expected)
    expect(pairs(store)).toMatchObject([{ entryPrice: 6750, netPnl: '3.88' }])
    await undo(store, 'file')
    expect(fills(store)).toEqual([[account, '1', 1, null, 'api'], [account, '2', 1, 5_000, 'api']])

    const other = openStore()
    await importRows(other, 'file', worse)
    await take(other, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751, { feeText: '0.50' }))
    expect(fills(other)).toEqual(expected)
    // A fee that the API tells later stands from then on, and an undo leaves it.
    await take(other, fill(1, 'buy', 1, 6750, { feeText: '0.40' }))
    await undo(other, 'file')
    expect(fills(other)).toEqual([[account, '1', 1, 4_000, 'api'], [account, '2', 1, 5_000, 'api']])
  })

  it('fees from a file after the session win; of several files the latest one', async () => {
    const synced = [fill(1, 'buy', 1, 6750, { feeText: '0.31' }), fill(2, 'sell', 1, 6751, { feeText: '0' })]
    const rows = (fee: string): Reading[] => [fillRow(connected, 1, 'buy', 1, 6750, { fee: money(fee) }), fillRow(connected, 2, 'sell', 1, 6751, { fee: money(fee) })]
    const late = monday + 24 * 60 * minute
    const feesOf = (store: TestStore): unknown[] => fills(store).map(([, , , fee]) => fee)
    const store = openStore()
    await take(store, ...synced)
    await importRows(store, 'late', rows('0.62'), null, late)
    expect(feesOf(store)).toEqual([6_200, 6_200])
    expect(pairs(store)).toMatchObject([{ netPnl: '3.76' }])
    await importRows(store, 'later', rows('0.70'), null, late + minute)
    expect(feesOf(store)).toEqual([7_000, 7_000])
    await undo(store, 'later')
    expect(feesOf(store)).toEqual([6_200, 6_200])
    await undo(store, 'late')
    expect(feesOf(store)).toEqual([3_100, 0])

    const other = openStore()
    await importRows(other, 'late', rows('0.62'), null, late)
    await take(other, ...synced)
    expect(feesOf(other)).toEqual([6_200, 6_200])
  })

  it('the journal keeps which file decided a fee, where it differs from the broker’s', async () => {
    const store = openStore()
    await take(store, fill(1, 'buy', 1, 6750, { feeText: '0.31' }), fill(2, 'sell', 1, 6751, { feeText: '0.62' }))
    const late = monday + 24 * 60 * minute
    await importRows(store, 'late', [fillRow(connected, 1, 'buy', 1, 6750, { fee: money('0.62') }), fillRow(connected, 2, 'sell', 1, 6751, { fee: money('0.62') })], null, late)
    const fees = (): unknown[] => (rowsOf(store, 'fills') as { fee: number; fee_from: string | null }[]).map(({ fee, fee_from }) => [fee, fee_from])
    expect(fees()).toEqual([[6_200, 'late.csv'], [6_200, null]])
    expect(pairs(store)).toMatchObject([{ feeSource: 'broker', feeFrom: ['late.csv'], commission: '1.24' }])
    await undo(store, 'late')
    expect([fees(), pairs(store)[0]?.feeFrom]).toEqual([[[3_100, null], [6_200, null]], undefined])
  })

  it('API fills replace imported orders by order id, whichever comes first', async () => {
    const orders = [orderRow(connected, 1, 'buy', 2, 6750), orderRow(connected, 2, 'sell', 2, 6751)]
    const store = openStore()
    await importRows(store, 'orders', orders)
    expect(fills(store).map(([, id]) => id)).toEqual(['order:1', 'order:2'])
    await take(store, fill(101, 'buy', 2, 6750, { orderId: '1', time: monday + minute }), fill(102, 'sell', 1, 6751, { orderId: '2', time: monday + 2 * minute }))
    expect(fills(store).map(([, id, qty]) => [id, qty])).toEqual([['101', 2], ['102', 1], ['order:2', 1]])
    expect(pairs(store).reduce((sum, { qty }) => sum + qty, 0)).toBe(2)
  })

  it('fills replace fill pairs by id, which return when the fills are undone', async () => {
    const store = openStore()
    await importRows(store, 'pairs', [pairRow('PA-7', [1, 6750], [2, 6751], 1)])
    const before = journalRows(store)
    await importRows(store, 'fills', [fillRow('PA-7', 1, 'buy', 3, 6750)])
    expect(fills(store).map(([, id, qty, , source]) => [id, qty, source])).toEqual([['1', 3, 'fills-file'], ['2', 1, 'pairs-file']])
    await undo(store, 'fills')
    expect(journalRows(store)).toEqual(before)
  })

  it('fill pairs without an account go to the account with their fills, even if these come later', async () => {
    const store = openStore()
    await importRows(store, 'pairs', [pairRow(null, [1, 6750], [2, 6751], 1)], 'MINE')
    expect(pairs(store).map(({ accountId }) => accountId)).toEqual(['file:MINE'])
    await take(store, fill(1, 'buy', 1, 6750))
    expect(pairs(store).map(({ accountId }) => accountId)).toEqual([account])
    expect(store.read.connectedAccounts(user).some(({ id }) => id === 'file:MINE')).toBe(false)
  })
})

test('positions stay open overnight, in accounts of files and in connected ones', async () => {
  const night = { time: monday + 20 * 60 * minute }
  const store = openStore()
  await importRows(store, 'nights', ['PA-7', connected].flatMap((name) => [fillRow(name, 1, 'buy', 1, 6750), fillRow(name, 2, 'sell', 1, 6751, night)]))
  expect(pairs(store).map(({ accountId }) => accountId).sort()).toEqual(['file:PA-7', account])
})

test('when a login connects the account later, its imports and their notes move to it', async () => {
  const store = openStore()
  await importRows(store, 'one', roundTrip('PA-7'))
  const [pair] = pairs(store)
  store.write.updateTrade({ ...user, at: monday, id: pair?.id ?? '', updates: { notes: 'mine', tags: ['a'], screenshot: 'picture' } })
  const key = 'tradovate:demo:700303' as AccountKey
  store.write.saveAccounts({ ...user, at: monday + 1, loginId: 'login', accounts: [{ key, environment: 'demo', brokerAccountId: '700303', name: 'PA-7' }], reconnect: true })
  expect(await store.write.settleImports({ ...user, at: monday + 1 })).toMatchObject({ fills: { added: 2, removed: 2 } })
  expect(pairs(store)).toMatchObject([{ id: `${key}/1/2`, accountId: key, notes: 'mine', tags: ['a'], screenshot: 'picture' }])
  expect(store.read.connectedAccounts(user).map(({ id }) => id)).not.toContain('file:PA-7')
  expect(await store.write.settleImports({ ...user, at: monday + 1 })).toBeNull()
  await undo(store, 'one')
  expect(fills(store)).toEqual([])
})

test("a fill pair's notes survive undoing and repeating its import", async () => {
  const store = openStore()
  await importRows(store, 'one', roundTrip('PA-7'))
  store.write.updateTrade({ ...user, at: monday, id: 'file:PA-7/1/2', updates: { notes: 'mine' } })
  await undo(store, 'one')
  expect(pairs(store)).toEqual([])
  await importRows(store, 'again', roundTrip('PA-7'))
  expect(pairs(store)).toMatchObject([{ notes: 'mine' }])
})

test('notes on a fill pair between two orders stay with it when their fills arrive, and when these are undone', async () => {
  const store = openStore()
  await importRows(store, 'orders', [orderRow('PA-7', 51, 'buy', 2, 6750), orderRow('PA-7', 52, 'sell', 2, 6751)])
  store.write.updateTrade({ ...user, at: monday, id: 'file:PA-7/order:51/order:52', updates: { notes: 'mine' } })
  await importRows(store, 'fills', [
    ...[fillRow('PA-7', 1, 'buy', 1, 6750, { orderId: '51' }), fillRow('PA-7', 2, 'buy', 1, 6750, { orderId: '51' })],
    ...[fillRow('PA-7', 3, 'sell', 1, 6751, { orderId: '52' }), fillRow('PA-7', 4, 'sell', 1, 6751, { orderId: '52' })],
  ])
  expect(pairs(store).map(({ id, notes }) => [id, notes])).toEqual([['file:PA-7/1/3', 'mine'], ['file:PA-7/2/4', '']])
  await undo(store, 'fills')
  expect(pairs(store).map(({ id, notes }) => [id, notes])).toEqual([['file:PA-7/order:51/order:52', 'mine']])
})

test("an account of files is removed as others are, and comes back with its label when a file of it is imported", async () => {
  const store = openStore()
  await importRows(store, 'one', roundTrip('PA-7'))
  store.write.removeAccount({ ...user, at: monday, account: 'file:PA-7' as AccountKey })
  expect(pairs(store)).toEqual([])
  await importRows(store, 'two', roundTrip('PA-7'))
  expect(pairs(store)).toHaveLength(1)
})

test("an account that an undo left behind is back with an import that another journal's file brings, one that its user removed is not", async () => {
  const bring = async (leave: (store: TestStore) => unknown) => {
    const store = openStore()
    await importRows(store, 'one', roundTrip('PA-7'))
    await leave(store)
    expect(pairs(store)).toEqual([])
    const of = { ...user, importId: 'two' }
    store.write.beginImport({ ...of, at: monday, zone: 'UTC', account: null })
    store.write.addReadings({ ...of, place: 0, readings: roundTrip('PA-7') })
    await store.write.endJournalFile({ ...user, at: monday + 2, standing: ['two'], undone: [] })
    return pairs(store).length
  }
  expect(await bring((store) => undo(store, 'one'))).toBe(1)
  expect(await bring((store) => store.write.removeAccount({ ...user, at: monday + 1, account: 'file:PA-7' as AccountKey }))).toBe(0)
})

test.each(['group-begun', 'fills-written', 'group-committed'])('fills that go with an import are noted with it, though its undoing is killed at %s', async (boundary) => {
  let dies = false
  const store = openStore((name) => {
    if (!dies || name !== boundary) return
    dies = false
    throw new Error('killed')
  })
  const rows = roundTrip('PA-7')
  await importRows(store, 'one', rows)
  dies = true
  await expect(store.write.undoImport({ ...user, at: monday + minute, importId: 'one' })).rejects.toThrow('killed')
  // The next start goes on with what was begun, and an undo without a kill notes the same.
  await settleLeftovers({ writer: store.writer, barrier: () => undefined })
  expect(pairs(store)).toEqual([])
  expect(fillsOfUndone(store.writer, user.userId, 'one')).toEqual(['file:PA-7/1', 'file:PA-7/2'])
  const whole = openStore()
  await importRows(whole, 'one', rows)
  await undo(whole, 'one')
  expect(fillsOfUndone(whole.writer, user.userId, 'one')).toEqual(fillsOfUndone(store.writer, user.userId, 'one'))
})

test('an account that is connected while an import of it is being put together gets what it brings', async () => {
  const key = 'tradovate:demo:7' as AccountKey
  let connect = (): void => undefined
  const store = openStore((name) => {
    if (name === 'group-committed') connect()
  })
  connect = () => {
    connect = () => undefined
    store.write.saveAccounts({ ...user, at: monday, loginId: 'login', reconnect: true, accounts: [{ key, environment: 'demo', brokerAccountId: '7', name: 'PA-7' }] })
  }
  await importRows(store, 'one', roundTrip('PA-7'))
  expect(fills(store).map(([of]) => of)).toEqual([key, key])
  expect(store.read.connectedAccounts(user).map(({ id }) => id)).not.toContain('file:PA-7')
})

test('a failure in the middle leaves nothing of an import behind', { tags: 'long' }, async () => {
  let left = Number.POSITIVE_INFINITY
  const store = openStore((name) => {
    if (name === 'fills-written' && (left -= 1) < 0) {
      left = Number.POSITIVE_INFINITY
      throw new Error('the disk is gone')
    }
  })
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const before = journalRows(store)
  const many = Array.from({ length: 12_000 }, (_, index) => fillRow('PA-7', index + 1, index % 2 === 0 ? 'buy' : 'sell', 1, 6750, { time: monday + Math.floor(index / 4_000) * 86_400_000 + (index % 4_000) }))
  left = 1
  await expect(importRows(store, 'one', many)).rejects.toThrow('the disk is gone')
  expect(journalRows(store)).toEqual(before)
  expect(store.read.imports(user)).toEqual([])
})

test('rows of the files other than fills can be read for reconciliation', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const balance = { says: 'balance', account: { id: null, name: connected }, tradeDate: '2026-01-05', total: money('50000'), realized: money('3.76') } as const
  await importRows(store, 'pairs', [pairRow(null, [1, 6750], [2, 6751], 1), balance])
  const facts = store.read.brokerFacts({ ...user, account })
  expect(facts).toMatchObject({ pairs: [{ account, pnl: 50_000 }], balances: [{ account, tradeDate: '2026-01-05', contradicted: false }] })
  expect(facts.fills.map(({ id }) => id)).toEqual(['1', '2'])
})

describe('with a copy in the cloud', () => {
  type Sent = { entity: string; id: string; content: Record<string, unknown> | null }
  const pending = (store: TestStore): Sent[] => JSON.parse(new TextDecoder().decode(store.read.outgoing({ ...user, limit: 1_000 }).records)) as Sent[]
  const sent = (store: TestStore): Sent[] => {
    const all = pending(store)
    store.write.recordPushed({ ...user, at: monday, seqs: store.read.outgoing({ ...user, limit: 1_000 }).seqs, journal, head: 1 })
    return all
  }
  const journal = '6f1d2a52-54f3-4b8e-9d5c-3b8f2f7f0c11'
  const bring = (store: TestStore, records: readonly Sent[]) => store.write.mergePulled({ ...user, at: monday, journal, cursor: 2, records: records.map((record, seq) => ({ ...record, seq: seq + 1 })) as never })

  it('an undone import’s rows disappear from the other computer too, and its own rows stay', async () => {
    const [first, second] = [openStore(), openStore()]
    sent(first)
    await take(second, fill(1, 'buy', 1, 6750))
    sent(second)
    await importRows(first, 'one', [...roundTrip('PA-7'), fillRow(connected, 1, 'buy', 1, 6750), fillRow(connected, 2, 'sell', 1, 6751)])
    await bring(second, sent(first))
    expect(fills(second)).toHaveLength(4)
    expect(pairs(second)).toHaveLength(2)
    await undo(first, 'one')
    const gone = sent(first).filter(({ entity }) => entity === 'fill')
    expect(gone.map(({ content }) => content)).toEqual([null, null, null, null])
    await bring(second, gone)
    expect(fills(second)).toEqual([[account, '1', 1, null, 'api']])
    expect(pending(second).filter(({ entity }) => entity === 'fill').map(({ id }) => id)).toEqual([`${account}/1`])
  })

  it('rows that both computers imported stay on the one that did not undo its import', async () => {
    const [first, second] = [openStore(), openStore()]
    for (const store of [first, second]) await importRows(store, 'one', roundTrip('PA-7'))
    const before = journalRows(second)
    await bring(second, sent(first))
    expect(journalRows(second)).toEqual(before)
    sent(second)
    await undo(first, 'one')
    await bring(second, sent(first))
    expect(journalRows(second)).toEqual(before)
    expect(pending(second).filter(({ entity }) => entity === 'fill')).toHaveLength(2)
    expect(pairs(second)).toHaveLength(1)
    // And its own undo then takes all of it away.
    await undo(second, 'one')
    expect(fills(second)).toEqual([])
  })

  it('even if that one imported the file after receiving it from the other', async () => {
    const [first, second] = [openStore(), openStore()]
    await importRows(first, 'one', roundTrip('PA-7'))
    await bring(second, sent(first))
    await importRows(second, 'two', roundTrip('PA-7'))
    const before = fills(second)
    sent(second)
    await undo(first, 'one')
    await bring(second, sent(first))
    expect(fills(second)).toEqual(before)
    expect(pairs(second)).toHaveLength(1)
    expect(second.read.connectedAccounts(user).map(({ id }) => id)).toContain('file:PA-7')
    // The first has all of it back then, in an account that is in view.
    await bring(first, sent(second))
    expect(pairs(first)).toHaveLength(1)
  })

  it('an account that its user removed on one computer is removed on the other, whatever imports stand there', async () => {
    const [first, second] = [openStore(), openStore()]
    await importRows(first, 'one', roundTrip('PA-7'))
    await bring(second, sent(first))
    await importRows(second, 'two', roundTrip('PA-7'))
    first.write.removeAccount({ ...user, at: monday + 1, account: 'file:PA-7' as AccountKey })
    await bring(second, sent(first))
    expect(pairs(second)).toEqual([])
  })

  it('fills of an account with slashes in its name go there and come back', async () => {
    const [first, second] = [openStore(), openStore()]
    await importRows(first, 'one', roundTrip('Sim/7/a'))
    await bring(second, sent(first))
    expect(fills(second).map(([key, id]) => [key, id])).toEqual([['file:Sim/7/a', '1'], ['file:Sim/7/a', '2']])
    await undo(first, 'one')
    await bring(second, sent(first))
    expect(fills(second)).toEqual([])
  })
})

test('refused rows that follow each other and are of the same days leave these in doubt once', async () => {
  const store = openStore()
  const refused = (line: number, day: string): Reading => ({ says: 'refused', kind: 'fills', line, account: { id: null, name: 'PA-7' }, contract: 'MESM6', time: null, fillIds: [], orderId: null, beside: [], days: { from: day, to: day } })
  const [one, other] = ['2026-01-05', '2026-01-06']
  await importRows(store, 'one', [...roundTrip('PA-7'), refused(4, one), refused(5, one), refused(6, other), refused(7, other), refused(8, one)])
  const { doubtful } = brokerFiguresOf(store.writer, user.userId, 'file:PA-7' as AccountKey)
  expect(doubtful.map(({ from, to, reason }) => [from, to, reason])).toEqual([one, other, one].map((day) => [day, day, 'row-refused']))
})
