import { expect, test } from 'vitest'
import { everyTrade } from '#shared/stats/filter.ts'
import { account, day, fill, minute, monday, openStore, rowsOf, take, user, type TestStore } from '#tests/helpers/store.ts'

const page = { ...user, filter: everyTrade, offset: 0, limit: 100, sort: 'exitTime', direction: 'asc' } as const
const shown = (store: TestStore) => store.read.pairPage(page).rows.map(({ side, grossPnl, warnings, missing }) => [side, grossPnl, ...warnings, ...(missing === undefined ? [] : [missing])])
const days = (store: TestStore) => rowsOf(store, 'batches').map((row) => (row as { doubtful_days: string }).doubtful_days)

const know = (store: TestStore, time: number, net: number | null, missing: { contract: string | null; time: number | null }[] = []) => {
  store.write.saveEvidence({ ...user, at: monday, account, source: 'broker', from: time, to: time, positions: net === null ? [] : [{ contract: 'MESM6', time, net }], missing })
}

// Two contracts were held from the day before.
const inherited = [
  fill(1, 'sell', 2, 6755),
  fill(2, 'buy', 1, 6750, { time: monday + minute }),
  fill(3, 'sell', 1, 6751, { time: monday + 2 * minute }),
  fill(4, 'buy', 1, 6750, { time: monday + day }),
  fill(5, 'sell', 1, 6752, { time: monday + day + minute }),
]

test('a position that was held before the first known fill closes without a made-up trade', async () => {
  const store = openStore()
  await take(store, ...inherited)
  expect(shown(store)[0]).toEqual(['short', '25.00'])
  know(store, monday - minute, 2)
  expect(shown(store)).toEqual([['long', '5.00'], ['long', '10.00']])
  expect(days(store)).toEqual(['["2026-01-05"]', '[]'])
  // Once history brings what opened it nothing is in doubt.
  await take(store, fill(0, 'buy', 2, 6754, { time: monday - day }))
  expect(shown(store)).toEqual([['long', '10.00'], ['long', '5.00'], ['long', '10.00']])
  expect([rowsOf(store, 'position_doubts'), ...days(store)]).toEqual([[], '[]', '[]', '[]'])
})

test('trades rest on a missing fill until the position is known and flat, however the fills come', async () => {
  const [whole, pieces] = [openStore(), openStore()]
  const fills = inherited.slice(1)
  for (const store of [whole, pieces]) know(store, monday + 90_000, 2)
  await take(whole, ...fills)
  for (const one of fills.toReversed()) await take(pieces, one)
  expect(shown(whole)).toEqual([['long', '10.00', 'incomplete', 1]])
  expect(whole.read.tradePage(page).rows.map(({ warnings, missing }) => [warnings, missing])).toEqual([[['incomplete'], 1]])
  expect(shown(pieces)).toEqual(shown(whole))
  const derived = (store: TestStore) => ['batches', 'fill_pairs', 'trades'].map((table) => rowsOf(store, table).map((row) => JSON.stringify({ ...(row as object), ref: 0 })).sort())
  expect(derived(pieces)).toEqual(derived(whole))
})

test('an unread fill makes what lies behind it incomplete, until its source takes that back', async () => {
  const store = openStore()
  await take(store, ...inherited.slice(1))
  const before = [shown(store), rowsOf(store, 'outbox').length]
  know(store, monday + day - minute, null, [{ contract: null, time: monday + day - minute }])
  expect(shown(store)).toEqual([['long', '5.00'], ['long', '10.00', 'incomplete', 0]])
  expect(store.read.tradePage(page).rows.map(({ warnings }) => warnings)).toEqual([[], ['incomplete']])
  know(store, monday + day - minute, null)
  expect([shown(store), rowsOf(store, 'outbox').length]).toEqual(before)
})
