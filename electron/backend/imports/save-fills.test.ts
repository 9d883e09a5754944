// @module-tag slow
import { expect, test } from 'vitest'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { Currency } from '#shared/money/money.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { statisticsOf } from '#tests/helpers/statistics.ts'
import { account, day, fill, minute, monday, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const pairs = (store: TestStore) => store.read.pairPage(page).rows
const trades = (store: TestStore) => store.read.tradePage(page).rows
const nets = (store: TestStore) => pairs(store).map(({ netPnl }) => netPnl)

/** Changes of the database file since `before`, to prove that something was left alone. */
const totalChanges = (store: TestStore): number => (store.writer.database.prepare('SELECT total_changes() AS count').get() as { count: number }).count

test('a scale-in and two exits become two pairs of one trade', async () => {
  const store = openStore()
  const taken = await take(store, fill(1, 'buy', 1, 6750), fill(2, 'buy', 1, 6751), fill(3, 'sell', 2, 6753.5))
  expect(taken).toEqual({
    fills: { added: 3, changed: 0, unchanged: 0, skipped: 0 },
    batches: 1,
    pairs: { added: 2, changed: 0, removed: 0 },
    trades: { added: 1, changed: 0, removed: 0 },
    outbox: 5,
  })
  // 3.5 and 2.5 points of 5 dollars, less 2 × 0.95 each.
  expect(pairs(store).map(({ grossPnl, commission, netPnl }) => [grossPnl, commission, netPnl])).toEqual([
    ['17.50', '1.90', '15.60'],
    ['12.50', '1.90', '10.60'],
  ])
  expect(trades(store)).toMatchObject([{ qty: 2, pairs: 2, entryPrice: 6750.5, exitPrice: 6753.5, netPnl: '26.20', date: '2026-01-05' }])
  expect(store.read.tradePairs({ ...user, tradeId: trades(store)[0]?.id ?? '' }).rows).toEqual(pairs(store))
})

test('the same fills again change nothing at all', async () => {
  const store = openStore()
  const fills = [fill(1, 'buy', 2, 6750, { feeText: '1.24' }), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6749)]
  await take(store, ...fills)
  const before = totalChanges(store)
  const again = await take(store, ...fills, ...fills)
  expect(again).toMatchObject({ fills: { added: 0, changed: 0, unchanged: 6 }, batches: 0, outbox: 0 })
  expect(totalChanges(store)).toBe(before)
  expect(rowsOf(store, 'fills')).toHaveLength(3)
})

test('a fill loses its mark when its order becomes known, and gets it when the order becomes doubtful', async () => {
  const store = openStore()
  const marks = () => pairs(store).map(({ warnings }) => warnings.includes('ambiguous-order'))
  await take(store, fill(1, 'buy', 1, 6750, { ambiguous: true }), fill(2, 'sell', 1, 6751))
  expect(marks()).toEqual([true])
  await take(store, fill(1, 'buy', 1, 6750))
  expect(marks()).toEqual([false])
  await take(store, fill(1, 'buy', 1, 6750, { ambiguous: true }))
  expect(marks()).toEqual([true])
})

test('a late fill derives its own batch again and leaves the others and their rows untouched', async () => {
  const store = openStore()
  const tuesday = { time: monday + day }
  await take(store, fill(1, 'buy', 1, 6750), fill(5, 'sell', 1, 6751), fill(11, 'buy', 1, 6760, tuesday), fill(12, 'sell', 1, 6761, { time: monday + day + minute }))
  await take(store, fill(21, 'buy', 1, 6800, { contract: 'ESM6' }), fill(22, 'sell', 1, 6801, { contract: 'ESM6' }))
  const others = "SELECT ref, * FROM fill_pairs WHERE date > '2026-01-05' OR symbol = 'ESM6' ORDER BY ref"
  const before = store.writer.database.prepare(others).all()
  const seq = (store.writer.database.prepare('SELECT max(seq) AS seq FROM outbox').get() as { seq: number }).seq

  const taken = await take(store, fill(2, 'buy', 1, 6752), fill(3, 'sell', 1, 6750.5))
  expect(taken).toMatchObject({ batches: 1, pairs: { added: 2, changed: 0, removed: 1 } })
  expect(store.writer.database.prepare(others).all()).toEqual(before)
  expect(store.writer.database.prepare('SELECT entity, entity_id FROM outbox WHERE seq > ? ORDER BY entity, entity_id').all(seq)).toEqual([
    { entity: 'fill', entity_id: `${account}/2` },
    { entity: 'fill', entity_id: `${account}/3` },
    { entity: 'pair', entity_id: `${account}/1/3` },
    { entity: 'pair', entity_id: `${account}/1/5` },
    { entity: 'pair', entity_id: `${account}/2/5` },
  ])
})

test('in a recomputed batch unchanged fill pairs are neither written nor sent', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  expect(await take(store, fill(3, 'buy', 1, 6750), fill(4, 'sell', 1, 6752))).toMatchObject({ batches: 1, pairs: { added: 1, changed: 0, removed: 0 }, trades: { added: 1, changed: 0, removed: 0 }, outbox: 3 })
})

test('a fill that the broker busts later takes its pair and its trade away', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const taken = await take(store, fill(2, 'sell', 1, 6751, { active: false }))
  expect(taken).toMatchObject({ fills: { changed: 1 }, pairs: { removed: 1 }, trades: { removed: 1 } })
  expect(pairs(store)).toEqual([])
  expect(trades(store)).toEqual([])
})

test('a late fee wins over the rate table, and an answer without it does not remove it', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  expect(pairs(store)).toMatchObject([{ netPnl: '3.10', feeSource: 'table' }])
  await take(store, fill(1, 'buy', 1, 6750, { feeText: '0.62' }), fill(2, 'sell', 1, 6751, { feeText: '0.62' }))
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  expect(pairs(store)).toMatchObject([{ netPnl: '3.76', feeSource: 'broker' }])
  expect(store.read.knownFills({ ...user, accounts: [account], ids: ['1', '2', '3'] }).map(({ id, fee }) => [id, fee])).toEqual([['1', 6_200], ['2', 6_200]])
})

test('a better source replaces a worse one, never the other way round', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750, { source: 'orders-file' }), fill(2, 'sell', 1, 6751))
  await take(store, fill(1, 'buy', 1, 6750.25))
  expect(nets(store)).toEqual(['1.85'])
  const worse = await take(store, fill(1, 'buy', 1, 6700, { source: 'pairs-file' }))
  expect(worse.fills).toEqual({ added: 0, changed: 0, unchanged: 1, skipped: 0 })
  expect(nets(store)).toEqual(['1.85'])
})

test('a fill whose corrected time lies on another day moves, and both days are derived again', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(3, 'buy', 1, 6752), fill(4, 'sell', 1, 6753))
  await take(store, fill(3, 'buy', 1, 6752, { time: monday + day }), fill(4, 'sell', 1, 6753, { time: monday + day + minute }))
  expect(pairs(store).map(({ date }) => date)).toEqual(['2026-01-05', '2026-01-06'])
  await take(store, fill(1, 'buy', 1, 6750, { time: monday + day + 2 * minute }), fill(2, 'sell', 1, 6751, { time: monday + day + 3 * minute }))
  expect(pairs(store).map(({ date }) => date)).toEqual(['2026-01-06', '2026-01-06'])
  expect(rowsOf(store, 'batches')).toMatchObject([{ local_date: '2026-01-06' }])
})

test('a group is saved completely or not at all', async () => {
  let armed = false
  const store = openStore((name) => {
    if (armed && name === 'trades-written') throw new Error('the disk is gone')
  })
  await take(store, fill(1, 'buy', 1, 6750))
  const tables = ['fills', 'batches', 'fill_pairs', 'trades', 'outbox']
  const before = tables.map((table) => rowsOf(store, table))
  armed = true
  await expect(take(store, fill(2, 'sell', 1, 6751))).rejects.toThrow('the disk is gone')
  expect(tables.map((table) => rowsOf(store, table))).toEqual(before)
  armed = false
  await take(store, fill(2, 'sell', 1, 6751))
  expect(nets(store)).toEqual(['3.10'])
})

test('many fills come in groups of whole batches', async () => {
  let groups = 0
  const store = openStore((name) => (groups += name === 'group-committed' ? 1 : 0))
  const fills = Array.from({ length: 12_000 }, (_, index) => fill(index, index % 2 === 0 ? 'buy' : 'sell', 1, 6750 + (index % 3), { time: monday + Math.floor(index / 4_000) * day + (index % 4_000) }))
  const taken = await take(store, ...fills)
  expect(groups).toBe(3)
  expect(taken).toMatchObject({ fills: { added: 12_000 }, batches: 3, pairs: { added: 6_000 }, trades: { added: 6_000 } })
  expect(store.read.totals(user)).toMatchObject({ fills: 12_000, pairs: 6_000, trades: 6_000 })
})

test('two currencies are kept side by side', async () => {
  const store = openStore()
  const euro = { ...contractSpecOf('FDXM6'), currency: 'EUR' as Currency, source: 'broker' as const }
  const dax = (id: number, side: 'buy' | 'sell', price: number) => fill(id, side, 1, price, { contract: 'FDXM6', account: other })
  await store.write.saveFills({ ...user, at: monday, fills: [fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), dax(3, 'buy', 18_000), dax(4, 'sell', 18_001)], specs: [euro] })
  const { all, equity } = statisticsOf(store, 'trades')
  expect(all.money.map(({ currency, netPnl }) => [currency, netPnl])).toEqual([['EUR', '2.60'], ['USD', '3.10']])
  expect(equity.map(({ currency }) => currency)).toEqual(['EUR', 'USD'])
  expect(store.read.totals(user).money.map(({ currency }) => currency)).toEqual(['EUR', 'USD'])
})

test('a trade of an unknown contract carries its warning', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 100.5, { contract: 'ZZZQ9' }), fill(2, 'sell', 1, 101.75, { contract: 'ZZZQ9' }))
  expect(pairs(store)).toMatchObject([{ grossPnl: '1.25', multiplierSource: 'unknown', warnings: ['unknown-contract'] }])
  expect(statisticsOf(store, 'pairs').warned).toBe(1)
})

test("the broker's figures replace the table's, and the trades they affect are recomputed", async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const spec = { ...contractSpecOf('MESM6'), tickValue: { num: 25_000, den: 1 }, source: 'broker' as const }
  const row = { environment: 'demo', brokerContractId: '4400001', spec } as const
  const taken = store.write.saveContracts({ ...user, at: monday, contracts: [row] })
  expect(taken).toMatchObject({ batches: 1, pairs: { changed: 1 } })
  expect(pairs(store)).toMatchObject([{ grossPnl: '10.00', multiplierSource: 'broker' }])
  expect(store.read.knownContracts({ ...user, environment: 'demo', brokerContractIds: ['4400001', '1'] })).toEqual([row])
  expect(store.write.saveContracts({ ...user, at: monday, contracts: [{ ...row, spec: contractSpecOf('MESM6') }] }).batches).toBe(0)
})

test('prices keep their value when a contract’s tick size comes later', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 100.5, { contract: 'ZZZQ9' }), fill(2, 'sell', 1, 101.75, { contract: 'ZZZQ9' }))
  const spec = { ...contractSpecOf('ZZZQ9'), tickSize: '0.25', tickValue: { num: 12_500, den: 1 }, source: 'broker' as const }
  store.write.saveContracts({ ...user, at: monday, contracts: [{ environment: 'demo', brokerContractId: '7', spec }] })
  expect(pairs(store)).toMatchObject([{ entryPrice: 100.5, exitPrice: 101.75, grossPnl: '6.25', warnings: expect.not.arrayContaining(['unknown-contract']) as unknown }])
  const third = { ...fill(3, 'buy', 1, 6750), contract: 'ZZZQ9', price: 410 as never }
  await store.write.saveFills({ ...user, at: monday, fills: [third, { ...third, id: '4', side: 'sell' }], specs: [spec] })
  expect(pairs(store)[1]).toMatchObject({ entryPrice: 102.5, exitPrice: 102.5 })
})

test('fills of an account that is not connected are refused whole', async () => {
  const store = openStore()
  await expect(take(store, fill(1, 'buy', 1, 6750), fill(2, 'buy', 1, 6750, { account: 'tradovate:demo:1' as typeof account }))).rejects.toMatchObject({ code: 'not-found' })
  expect(rowsOf(store, 'fills')).toEqual([])
})

test("the call for one fill finds account and contract by the broker's ids too", async () => {
  const store = openStore()
  const spec = { ...contractSpecOf('MESM6'), source: 'broker' as const }
  store.write.saveContracts({ ...user, at: monday, contracts: [{ environment: 'demo', brokerContractId: '4400001', spec }] })
  const call = { id: '1', accountId: '700101', contractId: '4400001', contractSymbol: null, action: 'buy', qty: 1, price: 6750.25, timestamp: '2026-01-05T15:00:00Z', platform: 'Tradovate' } as const
  const done = await store.write.addFill({ ...user, at: monday, fill: call })
  expect(done).toMatchObject({ ok: true, value: { fills: { added: 1 } } })
  expect(await store.write.addFill({ ...user, at: monday, fill: { ...call, price: 6750.1 } })).toEqual({ ok: false, error: 'off-tick' })
  expect(await store.write.addFill({ ...user, at: monday, fill: { ...call, accountId: '1' } })).toEqual({ ok: false, error: 'not-found' })
  expect(store.read.brokerageAccounts({ ...user, fillsSince: 0 })[0]).toMatchObject({ id: account, fills: [{ id: '1', accountId: account, contractSymbol: 'MESM6', price: 6750.25 }] })
})

test('a fill that a caller hands in never changes one of the broker', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751))
  const call = { id: '2', accountId: account, contractId: '1', contractSymbol: 'MESM6', action: 'sell', qty: 1, price: 9999, timestamp: '2026-01-05T15:00:00Z', platform: 'Tradovate' } as const
  expect(await store.write.addFill({ ...user, at: monday, fill: call })).toMatchObject({ ok: true, value: { fills: { unchanged: 1 } } })
  expect(pairs(store)).toMatchObject([{ exitPrice: 6751 }])
})

test('a tick size that changes between two groups of one run leaves every price unchanged', async () => {
  const store = openStore()
  const many = Array.from({ length: 3_000 }, (_, index) => index)
  const first = many.map((index) => fill(index, index % 2 === 0 ? 'buy' : 'sell', 1, 100.5, { contract: 'ZZZQ9' }))
  const second = many.map((index) => fill(10_000 + index, index % 2 === 0 ? 'buy' : 'sell', 1, 100.5, { contract: 'ZZZQ9', time: monday + day }))
  const context = take(store, ...first, ...second)
  const spec = { ...contractSpecOf('ZZZQ9'), tickSize: '0.25', tickValue: { num: 12_500, den: 1 }, source: 'broker' as const }
  store.write.saveContracts({ ...user, at: monday, contracts: [{ environment: 'demo', brokerContractId: '7', spec }] })
  await context
  expect(new Set(store.read.pairPage({ ...user, filter: everyTrade, offset: 0, limit: 5_000, sort: 'exitTime', direction: 'asc' }).rows.map(({ entryPrice }) => entryPrice))).toEqual(new Set([100.5]))
})
