// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { CommissionOf } from '#shared/api/own-data.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import type { Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { account, day, fill, minute, monday, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'
import { deriveLeftovers } from '../fills/stale-batches.ts'

const firm = 'Tradeify'
const ofFirm: CommissionOf = { scope: 'firm', firm }
const ofAccount: CommissionOf = { scope: 'account', accountId: account }
const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const pairs = (store: TestStore) => store.read.pairPage(page).rows
const fees = (store: TestStore) => pairs(store).map(({ commission, feeSource }) => [commission, feeSource])
const say = (store: TestStore, of: CommissionOf, perSide: string | null, product = 'MES', at = monday) => store.write.setCommission({ ...user, at, of, product, perSide })
const label = async (store: TestStore, called: typeof firm | 'Apex Trader Funding' | null, at = monday) => {
  store.write.addFinance({ ...user, at, finance: { id: account, type: 'Funded Account', amount: 0, name: '', balance: 0, platform: '', firm: called } })
  return store.write.deriveStale({ ...user, at })
}
const derived = (store: TestStore) => ['batches', 'fill_pairs', 'trades'].map((table) => rowsOf(store, table))
const waitingPairs = (store: TestStore) => rowsOf(store, "outbox WHERE entity = 'pair' ORDER BY seq").map((row) => (row as { entity_id: string }).entity_id)
const sendAll = (store: TestStore) => store.write.recordPushed({ ...user, at: monday, seqs: (rowsOf(store, 'outbox') as { seq: number }[]).map(({ seq }) => seq), journal: '0c9a6a3e-6f0f-4a54-9d61-2f3f6f1f0001', head: 1 })
const round = (id: number, more: Parameters<typeof fill>[4] = {}) => [fill(id, 'buy', 1, 6750, more), fill(id + 1, 'sell', 1, 6751, more)]

/** One trade of each kind that a rate of MES in the first account must leave alone, and one that it changes. */
const mixed = [
  ...round(1),
  ...round(3, { feeText: '0.62' }),
  ...round(5, { contract: 'ESM6' }),
  ...round(7, { account: other }),
  ...round(9, { feeText: '0.35', source: 'fills-file' }),
  fill(11, 'buy', 1, 6750, { feeText: '0.62' }), fill(12, 'sell', 1, 6751),
]

describe('which source wins', () => {
  test('the account’s before the firm’s before the table’s; a fee from the broker or a file before all of them', async () => {
    const store = openStore()
    await take(store, ...round(1), ...round(3, { feeText: '0.62' }))
    expect(fees(store)).toEqual([['1.90', 'table'], ['1.24', 'broker']])
    await label(store, firm)
    expect(await say(store, ofFirm, '0.5')).toEqual({ ok: true, value: { pairs: 1 } })
    expect(fees(store)).toEqual([['1.00', 'setting'], ['1.24', 'broker']])
    await say(store, ofAccount, '0.25')
    expect(fees(store)).toEqual([['0.50', 'setting'], ['1.24', 'broker']])
    // A rate of the firm does not reach an account that has its own.
    expect(await say(store, ofFirm, '0.75')).toEqual({ ok: true, value: { pairs: 0 } })
    expect(await say(store, ofAccount, null)).toEqual({ ok: true, value: { pairs: 1 } })
    expect(fees(store)).toEqual([['1.50', 'setting'], ['1.24', 'broker']])
  })

  test('later fills get it at once, and a trade says where two sources meet', async () => {
    const store = openStore()
    await say(store, ofAccount, '0.25')
    await take(store, ...mixed)
    expect(fees(store)).toEqual([['0.50', 'setting'], ['1.24', 'broker'], ['4.10', 'table'], ['1.90', 'table'], ['0.70', 'file'], ['0.87', 'mixed']])
    expect(store.read.tradePage(page).rows.map(({ feeSource }) => feeSource)).toEqual(['setting', 'broker', 'table', 'table', 'file', 'mixed'])
  })

  test('an own rate makes the fee known, down to a tenth of a cent, and a rate of zero means no cost', async () => {
    const store = openStore()
    const spec = { ...contractSpecOf('ZZZQ9'), root: 'ZZZ', tickSize: '0.25', source: 'broker' } as const
    await store.write.saveFills({ ...user, at: monday, fills: round(1, { contract: 'ZZZQ9', price: 100 as Ticks }), specs: [spec] })
    expect(pairs(store)).toMatchObject([{ commission: '0.00', warnings: ['unknown-commission'] }])
    await say(store, ofAccount, '0.125', 'ZZZ')
    expect(pairs(store)).toMatchObject([{ commission: '0.25', feeSource: 'setting', warnings: [] }])
    expect(store.read.tradePage(page).rows).toMatchObject([{ feeSource: 'setting', warnings: [] }])
    await say(store, ofAccount, '0', 'ZZZ')
    expect(pairs(store)).toMatchObject([{ commission: '0.00', feeSource: 'setting', warnings: [] }])
    expect(store.read.ownCommissions(user)).toEqual([{ of: ofAccount, product: 'ZZZ', perSide: '0.00', currency: 'USD' }])
  })

  test('a rate is in the currency of its product, and says nothing of a contract that turns out to be in another', async () => {
    const store = openStore()
    await say(store, ofAccount, '1.1', 'FDXM')
    await say(store, ofAccount, '0.125', 'ZZZ')
    expect(store.read.ownCommissions(user).map(({ perSide, currency }) => [perSide, currency])).toEqual([['1.10', 'EUR'], ['0.1250', 'USD']])
    const spec = { ...contractSpecOf('ZZZQ9'), root: 'ZZZ', tickSize: '0.25', currency: 'EUR' as Currency, source: 'broker' } as const
    await store.write.saveFills({ ...user, at: monday, fills: round(1, { contract: 'ZZZQ9', price: 100 as Ticks }), specs: [spec] })
    expect(pairs(store)).toMatchObject([{ currency: 'EUR', commission: '0.00', feeSource: 'table', warnings: ['unknown-commission'] }])
    // Said again it is said of what is known now.
    await say(store, ofAccount, '0.125', 'ZZZ')
    expect(pairs(store)).toMatchObject([{ commission: '0.25', feeSource: 'setting', warnings: [] }])
  })

  test('a trade entered by hand without a commission gets the rate of that moment, and keeps its own later', async () => {
    const store = openStore()
    const trade = { id: 'mine', symbol: 'MESM6', account: '', accountId: account, qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z' }
    store.write.addTrade({ ...user, at: monday, trade })
    const before = rowsOf(store, 'fill_pairs')
    expect(await say(store, ofAccount, '0.25')).toEqual({ ok: true, value: { pairs: 0 } })
    expect(rowsOf(store, 'fill_pairs')).toEqual(before)
    store.write.addTrade({ ...user, at: monday, trade: { ...trade, id: 'later', qty: 3 } })
    store.write.addTrade({ ...user, at: monday, trade: { ...trade, id: 'stated', commission: '2.10' } })
    store.write.addTrade({ ...user, at: monday, trade: { ...trade, id: 'elsewhere', accountId: other } })
    const feeOf = (id: string) => pairs(store).flatMap((row) => (row.id === id ? [row.commission, row.feeSource, row.netPnl] : []))
    expect([feeOf('mine'), feeOf('later'), feeOf('stated'), feeOf('elsewhere')]).toEqual([['1.90', 'table', '3.10'], ['1.50', 'setting', '13.50'], ['2.10', 'entered', '2.90'], ['1.90', 'table', '3.10']])
  })

  test('an unconnected account has no rate, and no rate is finer than it can be stored', async () => {
    const store = openStore()
    expect(await say(store, { scope: 'account', accountId: 'nobody' }, '0.5')).toEqual({ ok: false, error: 'not-found' })
    expect(await say(store, ofAccount, '0.00001')).toEqual({ ok: false, error: 'too-precise' })
    expect(await say(store, ofAccount, '-0.5')).toEqual({ ok: false, error: 'too-precise' })
    expect(rowsOf(store, 'commission_rates')).toEqual([])
  })
})

describe('the recomputation', () => {
  test('covers only what the rate changes, is mirrored pair by pair, and removing the rate restores it byte for byte', async () => {
    const store = openStore()
    await take(store, ...mixed)
    sendAll(store)
    const before = derived(store)
    expect(await say(store, ofAccount, '0.25')).toEqual({ ok: true, value: { pairs: 2 } })
    const changed = [`${account}/1/2`, `${account}/11/12`]
    expect(waitingPairs(store)).toEqual(changed)
    const isOther = (row: unknown) => !changed.includes((row as { id: string }).id)
    expect(rowsOf(store, 'fill_pairs').filter(isOther)).toEqual((before[1] ?? []).filter(isOther))
    expect(rowsOf(store, 'stale_batches')).toEqual([])
    await say(store, ofAccount, null)
    expect(derived(store)).toEqual(before)
  })

  test('gives the same as a journal that had the rate from the beginning', async () => {
    const fills = Array.from({ length: 60 }, (_, index) => {
      const time = monday + Math.floor(index / 12) * day + index * minute
      return fill(index, (index * 7) % 3 === 0 ? 'buy' : 'sell', 1 + ((index * 5) % 3), 6750 + ((index * 11) % 9), { time, ...(index % 4 === 0 ? { feeText: '0.62' } : {}) })
    })
    const [late, early] = [openStore(), openStore()]
    await say(early, ofAccount, '0.25')
    for (const store of [late, early]) await take(store, ...fills)
    await say(late, ofAccount, '0.25')
    const sorted = (store: TestStore) => derived(store).map((rows) => rows.map((row) => JSON.stringify({ ...(row as object), ref: 0 })).sort())
    expect(sorted(late)).toEqual(sorted(early))
    expect(fees(late).map(([, source]) => source)).toEqual(expect.arrayContaining(['setting', 'mixed']))
  })

  test('reaches the day on which a carried lot is closed whose fill has no fee of its own', async () => {
    const store = openStore()
    await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6760, { time: monday + day, feeText: '0.62' }), fill(3, 'sell', 1, 6770, { time: monday + 2 * day, feeText: '0.62' }))
    expect(await say(store, ofAccount, '0.25')).toEqual({ ok: true, value: { pairs: 2 } })
    expect(fees(store)).toEqual([['0.87', 'mixed'], ['0.87', 'mixed']])
    expect(store.read.tradePage(page).rows).toMatchObject([{ commission: '1.74', feeSource: 'mixed' }])
  })

  test('is only days with a fill that has no fee of its own', async () => {
    const stale: string[][] = []
    const store: TestStore = openStore((name) => {
      if (name === 'group-begun') stale.push((rowsOf(store, 'stale_batches') as { local_date: string }[]).map(({ local_date }) => local_date))
    })
    const on = (days: number, more: Parameters<typeof fill>[4] = {}) => [fill(10 * days, 'buy', 1, 6750, { time: monday + days * day, ...more }), fill(10 * days + 1, 'sell', 1, 6750, { time: monday + days * day + minute, ...more })]
    await take(store, ...on(0), ...on(1, { feeText: '0.62' }), ...on(2))
    stale.length = 0
    await say(store, ofAccount, '0.25')
    expect(stale).toEqual([['2026-01-05', '2026-01-07']])
    await say(store, ofAccount, '0.25', 'NQ')
    expect(stale).toHaveLength(1)
  })

  test('follows the firm of an account: given, changed, taken away', async () => {
    const store = openStore()
    await take(store, ...round(1), ...round(3, { account: other }))
    await say(store, ofFirm, '0.25')
    await say(store, { scope: 'firm', firm: 'Apex Trader Funding' }, '0.5')
    const before = derived(store)
    expect(fees(store)).toEqual([['1.90', 'table'], ['1.90', 'table']])
    expect(await label(store, firm)).toMatchObject({ batches: 1, pairs: { added: 0, changed: 1, removed: 0 } })
    expect(fees(store)).toEqual([['0.50', 'setting'], ['1.90', 'table']])
    await label(store, 'Apex Trader Funding', monday + 1)
    expect(fees(store)).toEqual([['1.00', 'setting'], ['1.90', 'table']])
    await label(store, null, monday + 2)
    expect(derived(store)).toEqual(before)
  })

  test('a removed account too, since it may come back', async () => {
    const store = openStore()
    await take(store, ...round(1))
    await label(store, firm)
    store.write.removeAccount({ ...user, at: monday, account })
    await say(store, ofFirm, '0.25')
    store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
    expect(fees(store)).toEqual([['0.50', 'setting']])
  })

  test('runs in bounded groups, and a program that dies between two continues with the rest', async () => {
    let committed = 0
    let dies = false
    const store = openStore((name) => {
      if (name !== 'group-committed' || !dies) return
      committed += 1
      if (committed === 2) throw new Error('killed')
    })
    const days = 8
    const fills = Array.from({ length: days }, (_, on) => Array.from({ length: 2_000 }, (_, index) => fill(on * 2_000 + index, index % 2 === 0 ? 'buy' : 'sell', 1, 6750, { time: monday + on * day + index }))).flat()
    await take(store, ...fills)
    dies = true
    await expect(say(store, ofAccount, '0.25')).rejects.toThrow('killed')
    dies = false
    // Two groups of two days each are done.
    expect(rowsOf(store, 'stale_batches').map((row) => (row as { local_date: string }).local_date)).toEqual(['2026-01-09', '2026-01-10', '2026-01-11', '2026-01-12'])
    expect(rowsOf(store, "fill_pairs WHERE fee_source = 'table'")).toHaveLength(4_000)
    await deriveLeftovers({ writer: store.writer, barrier: () => undefined })
    expect(rowsOf(store, "fill_pairs WHERE fee_source = 'setting' AND commission = 5000")).toHaveLength(8_000)
    expect(rowsOf(store, 'stale_batches')).toEqual([])
  })
})

test('a rate is in the currency that its product has by the user’s point value or the broker', async () => {
  const store = openStore()
  const unknown = { contract: 'WWJM6', price: 100_00000000 as Ticks }
  await take(store, fill(1, 'buy', 1, 100, unknown), fill(2, 'sell', 1, 100, unknown))
  await store.write.setPointValue({ ...user, at: monday, product: 'WWJ', pointValue: { amount: '5', currency: 'EUR' as Currency } })
  expect(await say(store, ofAccount, '0.50', 'WWJ')).toMatchObject({ ok: true })
  expect(store.read.ownCommissions(user)).toMatchObject([{ product: 'WWJ', perSide: '0.50', currency: 'EUR' }])
  expect(pairs(store)).toMatchObject([{ currency: 'EUR', commission: '1.00', feeSource: 'setting' }])
})
