// @module-tag slow
import { expect, test } from 'vitest'
import { everyTrade } from '#shared/stats/filter.ts'
import { day, fill, minute, monday, openStore, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const pairs = (store: TestStore) => store.read.pairPage(page).rows
const trades = (store: TestStore) => store.read.tradePage(page).rows
const on = (days: number, minutes = 0) => ({ time: monday + days * day + minutes * minute })

/** Everything that is derived, to compare two ways to the same journal. */
const derived = (store: TestStore) => ['batches', 'fill_pairs', 'trades'].map((table) => rowsOf(store, table).map((row) => ({ ...(row as object), ref: 0 })))

const overnight = [fill(1, 'buy', 2, 6750, on(0)), fill(2, 'sell', 1, 6751, on(0, 1)), fill(3, 'sell', 1, 6760, on(1))]

test('a position held over midnight is closed on the next day, as one trade', async () => {
  const store = openStore()
  await take(store, ...overnight)
  expect(pairs(store)).toMatchObject([
    { date: '2026-01-05', grossPnl: '5.00', warnings: [] },
    { date: '2026-01-06', grossPnl: '50.00', warnings: [] },
  ])
  expect(trades(store)).toMatchObject([{ qty: 2, pairs: 2, grossPnl: '55.00', date: '2026-01-06' }])
})

test('an open trade shows its closed part until the next day continues it', async () => {
  const store = openStore()
  await take(store, ...overnight.slice(0, 2))
  expect(trades(store)).toMatchObject([{ qty: 1, date: '2026-01-05' }])
  const taken = await take(store, fill(3, 'sell', 1, 6760, on(1)))
  expect(taken).toMatchObject({ batches: 1, trades: { added: 0, changed: 1, removed: 0 } })
  expect(trades(store)).toMatchObject([{ qty: 2, date: '2026-01-06' }])
})

test('a late fill is carried on day by day until the days are as they were', async () => {
  const store = openStore()
  await take(store, ...overnight, fill(5, 'buy', 1, 6770, on(2)), fill(6, 'sell', 1, 6771, on(2, 1)))
  const untouched = rowsOf(store, "fill_pairs WHERE date = '2026-01-07'")
  // Sold on Monday already: Tuesday's sale now opens a short position, which Wednesday closes.
  expect(await take(store, fill(4, 'sell', 1, 6755, on(0, 2)))).toMatchObject({ batches: 3 })
  expect(pairs(store).map(({ date, side, grossPnl }) => [date, side, grossPnl])).toEqual([
    ['2026-01-05', 'long', '5.00'],
    ['2026-01-05', 'long', '25.00'],
    ['2026-01-07', 'short', '-50.00'],
  ])
  // Bought back late on Tuesday: from there on everything is as it was.
  expect(await take(store, fill(7, 'buy', 1, 6760, on(1, 5)))).toMatchObject({ batches: 2 })
  expect(rowsOf(store, "fill_pairs WHERE date = '2026-01-07'").map((row) => ({ ...(row as object), ref: 0 }))).toEqual(untouched.map((row) => ({ ...(row as object), ref: 0 })))
  expect(await take(store, fill(8, 'buy', 1, 6760, on(1, 6)), fill(9, 'sell', 1, 6760, on(1, 7)))).toMatchObject({ batches: 1 })
})

test('a fee that comes late for a carried lot reaches the day on which it is closed', async () => {
  const store = openStore()
  await take(store, ...overnight)
  expect(await take(store, { ...overnight[0], fee: 10_000 } as (typeof overnight)[0])).toMatchObject({ batches: 2, pairs: { changed: 2 } })
  expect(pairs(store).map(({ commission, feeSource }) => [commission, feeSource])).toEqual([
    ['1.45', 'mixed'],
    ['1.45', 'mixed'],
  ])
})

test('a busted closing fill leaves the trade with its remaining closed part', async () => {
  const store = openStore()
  await take(store, ...overnight)
  await take(store, fill(3, 'sell', 1, 6760, { ...on(1), active: false }))
  expect(trades(store)).toMatchObject([{ qty: 1, pairs: 1, date: '2026-01-05' }])
  await take(store, fill(2, 'sell', 1, 6751, { ...on(0, 1), active: false }))
  expect(trades(store)).toEqual([])
  expect(pairs(store)).toEqual([])
})

test('an earlier day that is derived again does not take a trade back from the day that closed it', async () => {
  const store = openStore()
  await take(store, ...overnight)
  expect(await take(store, fill(9, 'buy', 1, 6700, { ...on(0, 3), active: false }))).toMatchObject({ batches: 1, trades: { changed: 0 } })
  expect(trades(store)).toMatchObject([{ qty: 2, date: '2026-01-06' }])
})

test('when the last day goes, the day before shows the trade that is under way again', async () => {
  const store = openStore()
  await take(store, ...overnight)
  // The broker corrects the contract of the only fill of the second day.
  await take(store, fill(3, 'sell', 1, 6760, { ...on(1), contract: 'ESM6' }))
  expect(trades(store)).toMatchObject([{ qty: 1, pairs: 1, date: '2026-01-05' }])
  expect(rowsOf(store, 'batches')).toMatchObject([{ contract: 'ESM6' }, { contract: 'MESM6', local_date: '2026-01-05' }])
  await take(store, fill(3, 'sell', 1, 6760, on(1)))
  expect(trades(store)).toMatchObject([{ qty: 2, pairs: 2, date: '2026-01-06' }])
})

test('fills that come one by one, backwards, lead to the same journal as all at once', async () => {
  const fills = Array.from({ length: 60 }, (_, index) => fill(index, (index * 7) % 3 === 0 ? 'buy' : 'sell', 1 + ((index * 5) % 3), 6750 + ((index * 11) % 9), on(Math.floor(index / 12), index)))
  const [whole, pieces] = [openStore(), openStore()]
  await take(whole, ...fills)
  for (const one of fills.toReversed()) await take(pieces, one)
  const sorted = (store: TestStore) => derived(store).map((rows) => rows.map((row) => JSON.stringify(row)).sort())
  expect(sorted(pieces)).toEqual(sorted(whole))
  expect(pairs(whole).length).toBeGreaterThan(10)
})
