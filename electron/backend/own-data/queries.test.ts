// @module-tag slow
import { describe, expect, test } from 'vitest'
import type { DayNote } from '#shared/api/own-data.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { mirrorRecord } from '#shared/mirror/record.ts'
import type { Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { listedCloud, pull, push, sharedRows, waiting, type ListedCloud } from '#tests/helpers/listed-cloud.ts'
import { account, day, fill, monday, openEmptyStore, openStore, other, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const third = 'tradovate:demo:700303' as AccountKey
const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const note = (store: TestStore, at: number, fields: Partial<DayNote>) => store.write.setDayNote({ ...user, at, tradingDay: '2026-01-05', ...fields })
const stop = (store: TestStore, at: number, distance: string | null, unit: 'ticks' | 'points' = 'points') => store.write.setDefaultStops({ ...user, at, stops: [{ product: 'MES', distance, unit }] })
const copy = (store: TestStore, of: string, leader: string | null, at = monday) => store.write.setCopyOf({ ...user, at, account: of, leader })
const rate = (store: TestStore, at: number, perSide: string | null) => store.write.setCommission({ ...user, at, of: { scope: 'account', accountId: account }, product: 'MES', perSide })
const names = (store: TestStore) => waiting(store).records.map((record) => `${record.entity} ${record.id}`)
const copiesCounted = (store: TestStore) => {
  const rows = (filter: typeof everyTrade) => store.read.pairPage({ ...page, filter }).rows.map(({ accountId }) => accountId)
  const leaders = rows({ ...everyTrade, leaderOnly: true })
  return rows(everyTrade).filter((id) => !leaders.includes(id)).sort()
}
const connectThird = (store: TestStore) => store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: [{ key: third, environment: 'demo', brokerAccountId: '700303', name: 'EVAL-303' }], reconnect: true })

describe('days', () => {
  test('save notes and tags separately, and return them by range, oldest first', () => {
    const store = openStore()
    expect(note(store, monday, { notes: 'chop' })).toEqual({ tradingDay: '2026-01-05', notes: 'chop', tags: [] })
    expect(note(store, monday, { tags: ['fomc'] })).toEqual({ tradingDay: '2026-01-05', notes: 'chop', tags: ['fomc'] })
    store.write.setDayNote({ ...user, at: monday, tradingDay: '2026-01-02', notes: 'first' })
    expect(store.read.dayNotes(user).map(({ tradingDay }) => tradingDay)).toEqual(['2026-01-02', '2026-01-05'])
    expect(store.read.dayNotes({ ...user, from: '2026-01-03' })).toHaveLength(1)
    expect(store.read.dayNotes({ ...user, to: '2026-01-02' })).toEqual([{ tradingDay: '2026-01-02', notes: 'first', tags: [] }])
    note(store, monday, { notes: '', tags: [] })
    expect(store.read.dayNotes({ ...user, from: '2026-01-03' })).toEqual([])
  })

  test('saving the same values twice changes nothing', () => {
    const store = openStore()
    note(store, monday, { notes: 'chop', tags: ['fomc'] })
    const before = rowsOf(store, 'day_notes')
    note(store, monday + day, { notes: 'chop' })
    expect(rowsOf(store, 'day_notes')).toEqual(before)
  })
})

describe('default stops', () => {
  test('are set together, changed and removed', () => {
    const store = openStore()
    store.write.setDefaultStops({ ...user, at: monday, stops: [{ product: 'NQ', distance: '20', unit: 'points' }, { product: 'MES', distance: '8', unit: 'ticks' }, { product: 'CL', distance: null, unit: 'ticks' }] })
    expect(store.read.defaultStops(user)).toEqual([{ product: 'MES', distance: '8', unit: 'ticks' }, { product: 'NQ', distance: '20', unit: 'points' }])
    stop(store, monday, '2.5')
    stop(store, monday, null)
    expect(store.read.defaultStops(user)).toEqual([{ product: 'NQ', distance: '20', unit: 'points' }])
    // What never existed needs no removal.
    expect(names(store).filter((name) => name.startsWith('stop'))).toEqual(['stop NQ', 'stop MES'])
  })
})

describe('copies of a leader', () => {
  test('are marked and unmarked; every invalid mark is refused', () => {
    const store = openStore()
    connectThird(store)
    expect(copy(store, 'nobody', account)).toEqual({ ok: false, error: 'not-found' })
    expect(copy(store, account, 'nobody')).toEqual({ ok: false, error: 'unknown-leader' })
    expect(copy(store, account, account)).toEqual({ ok: false, error: 'leader-is-copy' })
    expect(copy(store, account, other)).toMatchObject({ ok: true })
    expect(copy(store, third, account)).toEqual({ ok: false, error: 'leader-is-copy' })
    expect(copy(store, other, third)).toEqual({ ok: false, error: 'copy-is-leader' })
    expect(copy(store, other, account)).toEqual({ ok: false, error: 'leader-is-copy' })
    expect(store.read.connectedAccounts(user).map(({ copyOf }) => copyOf)).toEqual([other, null, null])
    expect(copy(store, account, null)).toMatchObject({ ok: true })
    expect(copy(store, other, account)).toMatchObject({ ok: true })
  })

  test('count as copies while their leader is there; the mark stays without it', async () => {
    const store = openStore()
    await take(store, fill(1, 'buy', 1, 6750), fill(2, 'sell', 1, 6751), fill(1, 'buy', 1, 6750, { account: other }), fill(2, 'sell', 1, 6751, { account: other }))
    copy(store, other, account)
    expect(copiesCounted(store)).toEqual([other])
    store.write.removeAccount({ ...user, at: monday, account })
    expect(copiesCounted(store)).toEqual([])
    expect(store.read.connectedAccounts(user)).toMatchObject([{ id: other, copyOf: account }])
    store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts: [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }], reconnect: true })
    expect(copiesCounted(store)).toEqual([other])
  })
})

describe('two computers', () => {
  const mirror = async (store: TestStore, cloud: ListedCloud) => {
    await pull(store, cloud)
    await push(store, cloud)
  }
  const two = async () => {
    const cloud = listedCloud()
    const [one, another] = [openStore(), openEmptyStore()]
    connectThird(one)
    const fills = [account, other, third].flatMap((key) => [fill(1, 'buy', 1, 6750, { account: key }), fill(2, 'sell', 1, 6751, { account: key })])
    await take(one, ...fills)
    await push(one, cloud)
    await mirror(another, cloud)
    return { cloud, one, another }
  }
  const settle = async (stores: readonly TestStore[], cloud: ListedCloud) => {
    for (const store of [...stores, ...stores, ...stores]) await mirror(store, cloud)
    for (const store of stores) expect(names(store)).toEqual([])
  }

  test('all data of one computer reaches the other and a restore, and changes of the other come back', async () => {
    const { cloud, one, another } = await two()
    note(one, monday, { notes: 'chop', tags: ['fomc'] })
    stop(one, monday, '2.5')
    copy(one, other, account)
    await rate(one, monday, '0.25')
    await settle([one, another], cloud)
    const restored = openEmptyStore('UTC')
    await settle([restored], cloud)
    for (const store of [another, restored]) {
      expect(sharedRows(store)).toEqual(sharedRows(one))
      expect(store.read.dayNotes(user)).toEqual([{ tradingDay: '2026-01-05', notes: 'chop', tags: ['fomc'] }])
      expect(store.read.defaultStops(user)).toEqual([{ product: 'MES', distance: '2.5', unit: 'points' }])
      expect(store.read.connectedAccounts(user).find(({ id }) => id === other)).toMatchObject({ copyOf: account })
      expect(store.read.pairPage(page).rows.map(({ commission, feeSource }) => [commission, feeSource])).toEqual([['0.50', 'setting'], ['1.90', 'table'], ['1.90', 'table']])
    }
    await rate(another, monday + day, null)
    stop(another, monday + day, null)
    note(another, monday + day, { tags: [] })
    copy(another, other, null, monday + day)
    await settle([one, another], cloud)
    expect(sharedRows(one)).toEqual(sharedRows(another))
    expect(one.read.pairPage(page).rows.map(({ feeSource }) => feeSource)).toEqual(['table', 'table', 'table'])
    expect([one.read.defaultStops(user), one.read.dayNotes(user), one.read.ownCommissions(user)]).toEqual([[], [{ tradingDay: '2026-01-05', notes: 'chop', tags: [] }], []])
  })

  test('a point value reaches the other computer, which recomputes its trades; the later value wins', async () => {
    const { cloud, one, another } = await two()
    const say = (store: TestStore, at: number, amount: string | null) => store.write.setPointValue({ ...user, at, product: 'WWJ', pointValue: amount === null ? null : { amount, currency: 'USD' as Currency } })
    const gross = (store: TestStore) => store.read.pairPage(page).rows.filter(({ symbol }) => symbol === 'WWJM6').map(({ grossPnl, multiplierSource }) => [grossPnl, multiplierSource])
    await take(one, fill(91, 'buy', 1, 100, { contract: 'WWJM6', price: 100_00000000 as Ticks }), fill(92, 'sell', 1, 100, { contract: 'WWJM6', price: 102_00000000 as Ticks }))
    await say(one, monday, '5')
    await settle([one, another], cloud)
    expect([gross(one), gross(another)]).toEqual([[['10.00', 'user']], [['10.00', 'user']]])
    await say(one, monday + day, '7')
    await say(another, monday + 2 * day, '8')
    await settle([one, another], cloud)
    expect([gross(one), gross(another)]).toEqual([[['16.00', 'user']], [['16.00', 'user']]])
    expect(sharedRows(one)).toEqual(sharedRows(another))
    await say(one, monday + 3 * day, null)
    await settle([another, one], cloud)
    expect([gross(one), gross(another)]).toEqual([[['2.00', 'unknown']], [['2.00', 'unknown']]])
  })

  test.each([true, false])('a point value recomputes the trades entered by hand on the other computer before it came (sent first: %s)', async (oneFirst) => {
    const { cloud, one, another } = await two()
    const say = (at: number, amount: string | null) => one.write.setPointValue({ ...user, at, product: 'WWJ', pointValue: amount === null ? null : { amount, currency: 'USD' as Currency } })
    const gross = (store: TestStore) => store.read.pairPage(page).rows.filter(({ symbol }) => symbol === 'WWJM6').map(({ grossPnl, multiplierSource, warnings }) => [grossPnl, multiplierSource, warnings])
    const entered = { id: 'mine', symbol: 'WWJM6', account: '', accountId: '', platform: '', qty: 1, entryPrice: 100, exitPrice: 102, entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T15:30:00Z' }
    another.write.addTrade({ ...user, at: monday, trade: entered })
    await say(monday, '5')
    await settle(oneFirst ? [one, another] : [another, one], cloud)
    expect([gross(one), gross(another)]).toEqual([[['10.00', 'user', []]], [['10.00', 'user', []]]])
    expect(sharedRows(one)).toEqual(sharedRows(another))
    await say(monday + day, null)
    await settle([one, another], cloud)
    expect([gross(one), gross(another)]).toEqual([[['2.00', 'unknown', ['unknown-contract']]], [['2.00', 'unknown', ['unknown-contract']]]])
    expect(sharedRows(one)).toEqual(sharedRows(another))
  })

  test('a trade entered by hand that comes without a point value is recomputed with the one that is known here', async () => {
    const { cloud, one, another } = await two()
    another.write.addTrade({ ...user, at: monday, trade: { id: 'mine', symbol: 'WWJM6', account: '', accountId: '', platform: '', qty: 1, entryPrice: 100, exitPrice: 102, entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T15:30:00Z' } })
    await push(another, cloud)
    await one.write.setPointValue({ ...user, at: monday, product: 'WWJ', pointValue: { amount: '5', currency: 'USD' as Currency } })
    await pull(one, cloud)
    expect(one.read.pairPage(page).rows.find(({ id }) => id === 'mine')).toMatchObject({ grossPnl: '10.00', multiplierSource: 'user', warnings: [] })
    await settle([one, another], cloud)
    expect(sharedRows(one)).toEqual(sharedRows(another))
  })

  test.each([true, false])('of a day the later value of each field wins; of a rate, a stop and an account the whole (sent first: %s)', async (oneFirst) => {
    const { cloud, one, another } = await two()
    // In the order of their days, since no stamp is earlier than one that its computer made before.
    stop(one, monday + day, '8', 'ticks')
    note(another, monday + day, { notes: 'earlier', tags: ['mine'] })
    await rate(another, monday + day, '0.75')
    note(one, monday + 2 * day, { notes: 'later' })
    await rate(one, monday + 2 * day, '0.25')
    stop(another, monday + 3 * day, '2.5', 'points')
    copy(one, other, third, monday + 4 * day)
    copy(another, other, account, monday + 5 * day)
    await settle(oneFirst ? [one, another] : [another, one], cloud)
    expect(sharedRows(one)).toEqual(sharedRows(another))
    expect(one.read.dayNotes(user)).toEqual([{ tradingDay: '2026-01-05', notes: 'later', tags: ['mine'] }])
    expect(one.read.defaultStops(user)).toMatchObject([{ distance: '2.5', unit: 'points' }])
    expect(another.read.ownCommissions(user)).toMatchObject([{ perSide: '0.25' }])
    expect(one.read.connectedAccounts(user).find(({ id }) => id === other)?.copyOf).toBe(account)
  })

  test('a rate of a firm meets the label that another computer gave', async () => {
    const { cloud, one, another } = await two()
    await one.write.setCommission({ ...user, at: monday, of: { scope: 'firm', firm: 'Tradeify' }, product: 'MES', perSide: '0.25' })
    another.write.addFinance({ ...user, at: monday, finance: { id: account, type: 'Funded Account', amount: 0, name: '', balance: 0, platform: '', firm: 'Tradeify' } })
    await settle([one, another], cloud)
    expect(sharedRows(one)).toEqual(sharedRows(another))
    for (const store of [one, another]) expect(store.read.pairPage(page).rows.map(({ feeSource }) => feeSource)).toEqual(['setting', 'table', 'table'])
  })

  test('accounts that two computers marked as copies of each other count both, and a longer chain counts its end', async () => {
    const { cloud, one, another } = await two()
    copy(one, account, other)
    copy(another, other, account)
    await settle([one, another], cloud)
    expect([copiesCounted(one), copiesCounted(another)]).toEqual([[], []])
    copy(one, other, null, monday + day)
    await settle([one, another], cloud)
    expect(copiesCounted(another)).toEqual([account])
    copy(one, account, null, monday + 2 * day)
    await settle([one, another], cloud)
    copy(one, account, other, monday + 3 * day)
    copy(another, other, third, monday + 3 * day)
    await settle([one, another], cloud)
    expect([copiesCounted(one), copiesCounted(another)]).toEqual([[account, other], [account, other]])
  })

  test('an account record from an older program has no mark', async () => {
    const { cloud, one } = await two()
    copy(one, other, account)
    await push(one, cloud)
    const record = cloud.find('account', other)
    expect(record?.content).toMatchObject({ copyOf: account })
    expect(mirrorRecord.parse({ entity: 'account', id: other, content: { ...record?.content, copyOf: undefined } })).toMatchObject({ content: { copyOf: null } })
  })
})

test('data of an imported account moves to the connected account that it turns out to be', async () => {
  const store = openEmptyStore()
  const importOf = async (name: string, id: number) => {
    const importId = `import of ${name}`
    store.write.beginImport({ ...user, at: monday, importId, zone: 'UTC', account: null })
    const reading = (fillId: number, side: 'buy' | 'sell') => ({
      says: 'fill', account: { id: null, name }, fillId: String(fillId), orderId: null, contract: 'MESM6', time: monday + fillId, side, qty: 1, price: fill(1, side, 1, 6750).price, tickSize: '0.25', fee: null, active: true, tradeDate: null,
    } as const)
    store.write.addReadings({ ...user, importId, place: 0, readings: [reading(id, 'buy'), reading(id + 1, 'sell')] })
    store.write.addImportFile({ ...user, importId, place: 0, name: 'Fills.csv', kind: 'fills', rows: 2, accepted: 2, refused: 0 })
    await store.write.finishImport({ ...user, at: monday, importId })
  }
  await importOf('EVAL-101', 1)
  await importOf('EVAL-303', 11)
  expect(copy(store, 'file:EVAL-101', 'file:EVAL-303')).toMatchObject({ ok: true })
  await store.write.setCommission({ ...user, at: monday, of: { scope: 'account', accountId: 'file:EVAL-101' }, product: 'MES', perSide: '0.25' })
  store.write.saveLogin({ ...user, at: monday, id: 'login', brokerUserId: '9001', name: 'demo.user', hosts: null })
  const accounts = [{ key: account, environment: 'demo', brokerAccountId: '700101', name: 'EVAL-101' }, { key: third, environment: 'demo', brokerAccountId: '700303', name: 'EVAL-303' }] as const
  store.write.saveAccounts({ ...user, at: monday, loginId: 'login', accounts, reconnect: true })
  await store.write.settleImports({ ...user, at: monday })
  expect(store.read.connectedAccounts(user).map(({ id, copyOf }) => [id, copyOf])).toEqual([[account, third], [third, null]])
  expect(store.read.ownCommissions(user)).toMatchObject([{ of: { accountId: account }, perSide: '0.25' }])
  expect(store.read.pairPage(page).rows.map(({ accountId, feeSource }) => [accountId, feeSource])).toEqual([[account, 'setting'], [third, 'table']])
})
