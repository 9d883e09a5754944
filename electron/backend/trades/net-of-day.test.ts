// @module-tag slow
import { expect, test } from 'vitest'
import { newTrade } from '#shared/api/records.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { toDecimalString } from '#shared/money/money.ts'
import { statisticsOf } from '#tests/helpers/statistics.ts'
import { account, day, fill, monday, openStore, other, take, user, type TestStore } from '#tests/helpers/store.ts'

const netAt = (store: TestStore, at: number) => store.read.netOfDay({ ...user, at }).net.map(({ currency, amount }) => [currency, toDecimalString(amount)])
/** The same as Overview has it. */
const statisticsAt = (store: TestStore, at: number) => statisticsOf(store, 'pairs', { from: tradingDay(at), to: tradingDay(at) }).all.money.map(({ currency, netPnl }) => [currency, netPnl])

const openTraded = async (): Promise<TestStore> => {
  const store = openStore()
  const entered = (id: string, symbol: string, exit: number) =>
    newTrade.parse({ id, symbol, qty: 2, entryPrice: 100, exitPrice: 101, entryTime: new Date(exit - 1_000).toISOString(), exitTime: new Date(exit).toISOString() })
  await take(
    store,
    ...[fill(1, 'buy', 2, 6750), fill(2, 'sell', 1, 6751, { feeText: '0.37' }), fill(3, 'sell', 1, 6740)],
    ...[fill(4, 'sell', 1, 6750, { account: other }), fill(5, 'buy', 1, 6749, { account: other })],
    ...[fill(6, 'buy', 1, 6750, { time: monday + day, tradeDate: '2026-01-06' }), fill(7, 'sell', 1, 6760, { time: monday + day + 1_000, tradeDate: '2026-01-06' })],
  )
  // Entered by hand, in another currency, and in the evening session, which counts on the next day.
  for (const [id, symbol, exit] of [['hand-1', 'FDXSH6', monday + 2_000], ['hand-2', 'MESH6', monday + 10 * 3_600_000]] as const) expect(store.write.addTrade({ ...user, trade: entered(id, symbol, exit), at: monday }).ok).toBe(true)
  return store
}

test("a day's net is that of the statistics, each currency separately", async () => {
  const store = await openTraded()
  for (const at of [monday - day, monday, monday + 3_600_000, monday + 10 * 3_600_000, monday + day, monday + 2 * day]) expect([at, netAt(store, at)]).toEqual([at, statisticsAt(store, at)])
  expect(netAt(store, monday).map(([currency]) => currency)).toEqual(['EUR', 'USD'])
  expect(netAt(store, monday + day)).not.toEqual([])
  expect(netAt(store, monday + 2 * day)).toEqual([])
  expect(store.read.netOfDay({ ...user, at: monday }).timeZone).toBe('America/New_York')
})

test('of a trade that lasts two days each day has what was closed on it, as the broker books it', async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 2, 6000), fill(2, 'sell', 1, 6020), fill(3, 'sell', 1, 5990, { time: monday + day, tradeDate: '2026-01-06' }))
  expect([netAt(store, monday), netAt(store, monday + day)]).toEqual([[['USD', '98.10']], [['USD', '-51.90']]])
})

test('what was closed on a holiday is of that day while it runs, and of the next one, which it clears with', async () => {
  const store = openStore()
  const holiday = monday + 14 * day
  await take(store, fill(1, 'buy', 1, 6000, { time: holiday, tradeDate: null }), fill(2, 'sell', 1, 6001, { time: holiday + 1_000, tradeDate: null }))
  expect([holiday - 3 * day, holiday, holiday + day, holiday + 2 * day].map((at) => netAt(store, at).length)).toEqual([0, 1, 1, 0])
})

test('removed fill pairs do not count', async () => {
  const store = await openTraded()
  store.write.removeTrade({ ...user, at: monday, id: 'hand-1' })
  expect(netAt(store, monday)).toEqual(statisticsAt(store, monday))
  expect(netAt(store, monday).map(([currency]) => currency)).toEqual(['USD'])
  store.write.removeAccount({ ...user, at: monday, account })
  expect(netAt(store, monday)).toEqual(statisticsAt(store, monday))
})

test('the day is found by the index, however large the journal', async () => {
  const store = await openTraded()
  const asked: string[] = []
  const { database } = store.writer
  const prepare = database.prepare.bind(database)
  database.prepare = ((sql: string) => {
    asked.push(sql)
    return prepare(sql)
  }) as typeof database.prepare
  store.read.netOfDay({ ...user, at: monday + 3 * day })
  database.prepare = prepare
  const sql = asked.find((one) => one.includes('sum("net")')) ?? ''
  const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array.from(sql.matchAll(/\?/g), () => '')) as { detail: string }[]
  const rows = plan.map(({ detail }) => detail).filter((detail) => /(SEARCH|SCAN) row\b/.test(detail))
  expect(rows).toEqual([expect.stringMatching(/SEARCH row USING INDEX fill_pairs_by_day \(user_id=\? AND trading_day=\?/)])
})
