import { expect, onTestFinished, test } from 'vitest'
import { startTestBroker, type TestBroker } from '#tests/demo-broker/broker.ts'
import { failureOf, missing } from '#tests/helpers/fed-journal.ts'
import { openFeeds, type FeedStage } from '#tests/helpers/price-feeds.ts'
import { brokerageAt } from '#tests/helpers/stand-in.ts'
import { openSyncJournal, type SyncJournal } from '#tests/helpers/sync-journal.ts'
import { testTiming } from '#tests/helpers/test-timing.ts'
import { contractKey } from '#shared/prices/contract-key.ts'

const minute = 60_000_000

type Stage = { readonly broker: TestBroker; readonly it: SyncJournal; readonly stand: FeedStage }

/** The journal of the stand-in's last session, with Tradovate's prices on. */
const stage = async (): Promise<Stage> => {
  const broker = await startTestBroker({ anchor: '2026-03-06', seed: 11 })
  onTestFinished(() => broker.stop())
  const timing = testTiming(broker.clock.now())
  const it = await openSyncJournal({ brokerage: brokerageAt(broker), timing })
  await it.connect(broker.logins[0]?.name ?? '')
  expect((await it.sync('connect')).outcome).toBe('complete')
  const stand = openFeeds(it)
  await stand.feeds.set(it.userId, { feed: 'tradovate', on: true })
  expect(await missing(stand, it)).toBeGreaterThan(1)
  return { broker, it, stand }
}

test('minute bars of the stand-in’s market cover every fill of the trades, and each chart is canceled', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, stand } = await stage()
  await stand.fetch()
  expect(await failureOf(stand, it, 'tradovate')).toBeNull()
  expect(await missing(stand, it)).toBe(0)
  expect(new Set(stand.series().map(({ source, grain }) => `${source} ${String(grain)}`))).toEqual(new Set([`tradovate-bars ${String(minute)}`]))
  const asked = (path: string): number => broker.traffic.seen().filter((one) => one.path === `/md/v1/md/${path}`).length
  await expect.poll(() => asked('cancelchart')).toBe(asked('getchart'))
  const pairs = (it.rows()['fill_pairs'] ?? []) as unknown as { symbol: string; tick_size: string; entry_time: number; entry_price: number; exit_time: number; exit_price: number }[]
  expect(pairs.length).toBeGreaterThan(5)
  for (const { symbol, tick_size: tickSize, entry_time, entry_price, exit_time, exit_price } of pairs) {
    const bars = stand.tape(contractKey(symbol) ?? '', tickSize)
    for (const [time, price] of [[entry_time, entry_price], [exit_time, exit_price]] as const) {
      const bar = bars.find((one) => 'width' in one && one.at <= time * 1000 && time * 1000 < one.at + one.width)
      expect([symbol, bar !== undefined && 'width' in bar && bar.low <= price && price <= bar.high]).toEqual([symbol, true])
    }
  }
})

test('an account without market data is reported as such, and nothing is stored', { tags: ['long', 'nightly'] }, async () => {
  const { broker, it, stand } = await stage()
  broker.quotes.permit(false)
  await stand.fetch()
  expect(await failureOf(stand, it, 'tradovate')).toMatchObject({ code: 'no-permission', contract: null })
  expect(stand.series()).toEqual([])
  broker.quotes.permit(true)
  await stand.fetch()
  expect([await missing(stand, it), await failureOf(stand, it, 'tradovate')]).toEqual([0, null])
})
