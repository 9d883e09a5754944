// @module-tag slow
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { statisticsOf } from '#tests/helpers/statistics.ts'
import { account, day, fill, minute, monday, openStore, other, take, user, type TestStore } from '#tests/helpers/store.ts'
import type { CsvCursor } from './filtered-rows.ts'

const count = (store: TestStore, conditions: Partial<TradeFilter>) => [statisticsOf(store, 'pairs', conditions).all.count, statisticsOf(store, 'trades', conditions).all.count]
const note = (store: TestStore, tradingDay: string, ...tags: readonly string[]) =>
  store.writer.database.prepare('INSERT INTO day_notes (user_id, trading_day, tags) VALUES (?, ?, ?)').run(user.userId, tradingDay, JSON.stringify(tags))
const update = (store: TestStore, id: string, updates: object) => expect(store.write.updateTrade({ ...user, at: monday, id, updates }).ok).toBe(true)
const copyOf = (store: TestStore, leader: string | null) => store.writer.database.prepare('UPDATE accounts SET copy_of = ? WHERE key = ?').run(leader, other)
const stopAt = (store: TestStore, product: string, distance: string | null, unit: string) =>
  store.writer.database.prepare("INSERT OR REPLACE INTO default_stops (user_id, product, distance, unit, stamp) VALUES (?, ?, ?, ?, '')").run(user.userId, product, distance, unit)

/** A scale-out of the first account (two pairs, one trade), and one pair of the second. */
const openTraded = async (): Promise<TestStore> => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6740), fill(4, 'sell', 1, 6750, { account: other }), fill(5, 'buy', 1, 6749, { account: other }))
  return store
}
const [first, second, copied] = [`${account}/1/2`, `${account}/1/3`, `${other}/4/5`]

test('only the leader can be counted, as long as it exists', async () => {
  const store = await openTraded()
  expect(count(store, { leaderOnly: true })).toEqual([3, 2])
  copyOf(store, account)
  expect(count(store, { leaderOnly: true })).toEqual([2, 1])
  expect(count(store, {})).toEqual([3, 2])
  expect(statisticsOf(store, 'pairs', { leaderOnly: true }).recent.map(({ id }) => id)).toEqual([second, first])
  expect(store.read.filterChoices(user).accounts).toMatchObject([{ key: account, copyOf: null }, { key: other, copyOf: account }])
  store.write.removeAccount({ ...user, at: monday, account })
  expect(count(store, { leaderOnly: true })).toEqual([1, 1])
  expect(store.read.filterChoices(user).accounts).toMatchObject([{ key: other, copyOf: null }])
})

test('a trade has the tags of any of its pairs that is there, and both have those of their trading day', async () => {
  const store = await openTraded()
  update(store, first, { tags: ['late'] })
  expect(count(store, { tags: ['late', 'none'] })).toEqual([1, 1])
  note(store, '2026-01-05', 'news')
  expect(count(store, { tags: ['news'] })).toEqual([3, 2])
  store.write.removeTrade({ ...user, at: monday, id: first })
  expect(count(store, { tags: ['late'] })).toEqual([0, 0])
  expect(store.read.filterChoices(user).tags).toEqual(['news'])
})

test('a trade is listed with all tags of its fill pairs, each once, and with the notes of those that exist', async () => {
  const store = await openTraded()
  update(store, first, { tags: ['late', 'news'], notes: 'early out' })
  update(store, second, { tags: ['news', 'runner'], notes: 'held' })
  const added = store.write.addTrade({ ...user, at: monday, trade: { id: 'paper', symbol: 'SPY', account: 'Depot', accountId: '', platform: 'other', qty: 1, entryPrice: 670, exitPrice: 671, entryTime: new Date(monday).toISOString(), exitTime: new Date(monday + 1).toISOString(), notes: 'on paper' } })
  expect(added.ok).toBe(true)
  const listed = () => store.read.tradePage({ ...user, filter: everyTrade, offset: 0, limit: 10, sort: 'symbol', direction: 'asc' }).rows.map(({ id, origin, tags, notes }) => [id, origin, tags, notes])
  expect(listed()).toEqual([[`${account}/1`, 'synced', ['late', 'news', 'runner'], 'early out\nheld'], [`${other}/4`, 'synced', [], ''], ['paper', 'manual', [], 'on paper']])
  store.write.removeTrade({ ...user, at: monday, id: first })
  expect(listed()[0]).toEqual([`${account}/1`, 'synced', ['news', 'runner'], 'held'])
})

test('a trade that was closed a day later has the tags of the day of its first pair too', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751), fill(3, 'sell', 1, 6740, { time: monday + day, tradeDate: '2026-01-06' }))
  note(store, '2026-01-05', 'news')
  note(store, '2026-01-06', 'roll')
  expect([count(store, { tags: ['news'] }), count(store, { tags: ['roll'] })]).toEqual([[1, 1], [1, 1]])
  expect(statisticsOf(store, 'trades', { from: '2026-01-06', tags: ['news'] }).all.count).toBe(1)
  expect(statisticsOf(store, 'trades', { to: '2026-01-05', tags: ['news'] }).all.count).toBe(0)
})

test('R is known where a stop is, its own or that of its product, and of a trade where it is of all its pairs', async () => {
  const store = await openTraded()
  expect(statisticsOf(store, 'pairs').all.r.count).toBe(0)
  // The first pair's stop lies 5 points away, 25 dollars; it made 5 less 2 of commission (0.95 a side for MES, two sides).
  update(store, first, { stop: '6745' })
  expect(statisticsOf(store, 'pairs').all.r).toEqual({ count: 1, sum: 0.124, average: 0.124 })
  expect(statisticsOf(store, 'trades').all.r.count).toBe(0)
  stopAt(store, 'MES', '40', 'ticks')
  const [pairs, trades] = [statisticsOf(store, 'pairs'), statisticsOf(store, 'trades')]
  expect([pairs.all.r.count, trades.all.r.count]).toEqual([3, 2])
  // 25 of the first and 50 of the second; together they lost 45 and 3.80.
  expect(trades.byAccount.find(({ key }) => key === account)?.r).toEqual({ count: 1, sum: -0.6507, average: -0.6507 })
  stopAt(store, 'MES', '10', 'points')
  expect(statisticsOf(store, 'trades').all.r).toEqual(trades.all.r)
  stopAt(store, 'MES', null, 'points')
  expect(statisticsOf(store, 'pairs').all.r.count).toBe(1)
})

test('R of a trade that was entered follows from its own stop, as a pair and as a trade', async () => {
  const store = await openTraded()
  const trade = { id: 'hand', symbol: 'MESM6', qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z', accountId: account, account: '' }
  expect(store.write.addTrade({ ...user, at: monday, trade }).ok).toBe(true)
  update(store, 'hand', { stop: '6745' })
  expect([statisticsOf(store, 'pairs').all.r.count, statisticsOf(store, 'trades').all.r.count]).toEqual([1, 1])
  expect(statisticsOf(store, 'trades').all.r).toEqual(statisticsOf(store, 'pairs').all.r)
})

test('the pairs of a trade are those in view, in the order of their exits; a trade that was entered is its own', async () => {
  const store = await openTraded()
  const whole = store.read.pairById({ ...user, id: first })?.tradeId ?? ''
  const pairsOf = (tradeId: string) => store.read.tradePairs({ ...user, tradeId }).rows.map(({ id }) => id)
  expect(pairsOf(whole)).toEqual([first, second])
  expect(store.read.tradePairs({ userId: 'another', tradeId: whole }).rows).toEqual([])
  store.write.removeTrade({ ...user, at: monday, id: first })
  expect(pairsOf(whole)).toEqual([second])
  const trade = { id: 'hand', symbol: 'MESM6', qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z', accountId: account, account: '' }
  expect(store.write.addTrade({ ...user, at: monday, trade }).ok).toBe(true)
  expect(pairsOf('hand')).toEqual(['hand'])
  store.write.removeAccount({ ...user, at: monday, account })
  expect([pairsOf(whole), pairsOf('hand'), pairsOf(second)]).toEqual([[], [], []])
})

test('accounts go by their firm and their own name, also where a trade entered by hand names another', async () => {
  const store = await openTraded()
  const hand = { symbol: 'MESM6', qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z' }
  for (const [id, accountId, name] of [['a', account, 'mine'], ['b', '', 'Paper'], ['c', 'depot', 'Depot'], ['d', '', '']] as const) {
    expect(store.write.addTrade({ ...user, at: monday, trade: { ...hand, id, accountId, account: name } }).ok).toBe(true)
  }
  store.write.addFinance({ ...user, at: monday, finance: { id: account, type: 'Funded Account', amount: 0, balance: 0, name: '', platform: 'Tradovate', firm: 'Tradeify' } })
  const { byAccount, byFirm } = statisticsOf(store, 'trades')
  expect(byAccount.map(({ key, name, count: trades }) => [key, name, trades])).toEqual([['', '', 1], ['Paper', 'Paper', 1], ['depot', 'Depot', 1], [account, 'EVAL-101', 2], [other, 'Fünded-202', 1]])
  expect(byFirm.map(({ key, count: trades }) => [key, trades])).toEqual([['Tradeify', 2], [null, 4]])
  expect(store.read.filterChoices(user).accounts.map(({ key, name, firm }) => [key, name, firm])).toEqual([['depot', 'Depot', null], [account, 'EVAL-101', 'Tradeify'], [other, 'Fünded-202', null], ['Paper', 'Paper', null]])
  expect(count(store, { accounts: [account] })).toEqual([3, 2])
  expect(count(store, { accounts: [account], account: 'mine' })).toEqual([1, 1])
})

test('an account that a trade names by its key alone is called so', async () => {
  const store = await openTraded()
  const trade = { id: 'a', symbol: 'MESM6', qty: 1, entryPrice: 6750, exitPrice: 6751, platform: '', entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T16:00:00Z', accountId: 'depot', account: '' }
  expect(store.write.addTrade({ ...user, at: monday, trade }).ok).toBe(true)
  expect(store.read.filterChoices(user).accounts).toContainEqual({ key: 'depot', name: 'depot', firm: null, copyOf: null })
})

test('filter options are values that exist: none of removed accounts and trades', async () => {
  const store = await openTraded()
  await take(store, fill(6, 'buy', 1, 6750, { contract: 'NQM6', account: other }), fill(7, 'sell', 1, 6751, { contract: 'NQM6', account: other }))
  update(store, copied, { tags: ['copied'] })
  update(store, first, { tags: ['kept', 'kept twice'] })
  update(store, second, { tags: ['kept'] })
  expect(store.read.filterChoices(user)).toMatchObject({ symbols: ['MES', 'NQ'], tags: ['copied', 'kept', 'kept twice'] })
  store.write.removeAccount({ ...user, at: monday, account: other })
  expect(store.read.filterChoices(user)).toMatchObject({ accounts: [{ key: account }], symbols: ['MES'], tags: ['kept', 'kept twice'] })
  expect(store.read.filterChoices({ userId: 'another' })).toEqual({ accounts: [], symbols: [], tags: [] })
})

test.each([['pairs', 'Fill pair id'], ['trades', 'Trade id']] as const)('CSV of %s in parts repeats and skips nothing, pairs also where thousands were closed in one moment', async (unit, idColumn) => {
  const store = openStore()
  // Trades of one account follow each other; pairs of one trade may close together.
  const apart = unit === 'pairs' ? 0 : 4 * minute
  const many = Array.from({ length: 2_300 }, (_, index) => [fill(2 * index + 1, 'buy', 1, 6750, { time: monday + index * apart }), fill(2 * index + 2, 'sell', 1, 6751, { time: monday + index * apart + (index < 2_200 ? minute : 2 * minute) })]).flat()
  await take(store, ...many)
  const parts: string[] = []
  let after: CsvCursor | null = null
  do {
    const part = store.read.tradesCsv({ ...user, unit, filter: everyTrade, zone: null, after })
    parts.push(new TextDecoder('utf-8', { ignoreBOM: true }).decode(part.lines))
    after = part.next
  } while (after !== null)
  expect(parts.length).toBeGreaterThan(1)
  expect(parts.map((part) => part.startsWith('\ufeffTrading day,'))).toEqual(parts.map((_, index) => index === 0))
  const rows: Record<string, string>[] = parse(parts.join(''), { columns: true, bom: true })
  expect(rows).toHaveLength(2_300)
  expect(new Set(rows.map((row) => row[idColumn])).size).toBe(2_300)
  expect(statisticsOf(store, 'pairs').all.money).toMatchObject([{ count: 2_300, grossPnl: '11500.00' }])
})
