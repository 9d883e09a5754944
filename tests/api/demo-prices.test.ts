import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { allow } from '#cli/headless-user.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { chartLimitRoutes } from '#shared/api/chart-limits.ts'
import { localRoutes } from '#shared/api/contract.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { noRules } from '#shared/rules/terms.ts'
import { startApp } from '#tests/helpers/app.ts'
import { until } from '#tests/helpers/until.ts'

const userId = 'demo'
const second = 1000

test('the demo’s trades have prices of its market and excursions after a sync, which go with its profile', { tags: ['long', 'nightly'] }, async () => {
  const { browser, dataDir } = await startApp()
  await browser.call(sessionRoutes.signInDemo)
  const { url } = await browser.call(brokerageRoutes.beginConsent, { body: { anotherLogin: true, history: false } })
  await browser.call(brokerageRoutes.tradovate, { body: { userId, ...(await allow(url, 'ava.morgan')) } })
  await until(async () => ((await browser.call(syncRoutes.syncState)).running === null ? true : null), 'the sync')
  const trades = async () => (await browser.call(localRoutes.tradePage, { query: { limit: 500 } })).rows
  const all = await trades()
  expect(all.length).toBeGreaterThan(20)
  const rows = await until(async () => {
    const now = await trades()
    return now.every(({ excursions }) => excursions !== undefined) ? now : null
  }, 'excursions of all trades')

  const stored = await browser.call(priceRoutes.prices)
  expect(new Set(stored.series.map(({ source }) => source))).toEqual(new Set(['demo']))
  expect(stored.bytes).toBeLessThan(10_000_000)
  expect((await browser.call(priceRoutes.priceFeeds)).missing).toBe(0)
  // A list states what the dialog computes.
  const none = { least: null, most: null }
  for (const { id, grossPnl, excursions } of rows.slice(0, 20)) {
    const { excursions: found } = await browser.call(priceRoutes.excursions, { query: { id } })
    expect(found?.result).toBe(grossPnl)
    expect(excursions).toEqual({ mfe: found?.mfe.amount, mae: found?.mae.amount, entryEfficiency: found?.entry ?? none, exitEfficiency: found?.exit ?? none })
  }
  // Its traders move their stops, and no print reaches one that was not filled.
  let moved = 0
  for (const { id, side, exitTime } of rows.slice(0, 16)) {
    const { chart } = await browser.call(priceRoutes.tradeChart, { query: { id } })
    const stops = chart?.orders.filter((order) => order.kind === 'stop' && order.side === (side === 'long' ? 'sell' : 'buy') && order.steps.length > 1 && order.until <= Date.parse(exitTime)) ?? []
    for (const { steps, until } of stops) {
      moved += 1
      for (const [index, { at, price }] of steps.entries()) {
        const to = (steps[index + 1]?.at ?? until) - second
        // An order moved to the market fills at the near price.
        if (to - at < 30 * second) continue
        const { candles } = await browser.call(priceRoutes.candles, { query: { id, from: Math.ceil(at / second) * second, to: Math.floor(to / second) * second, size: 1 } })
        expect(side === 'long' ? Math.min(...candles.low) > price : Math.max(...candles.high) < price, `${id} ${String(index)}`).toBe(true)
      }
    }
  }
  expect(moved).toBeGreaterThan(3)
  // A replay's limits begin with what the account's days before made.
  const last = rows[0]
  if (last === undefined) throw new Error('No trade')
  const limitsOf = async () => (await browser.call(chartLimitRoutes.chartLimits, { query: { id: last.id } })).limits
  // Without rules of one's own there are none, and its broker's may count.
  expect(await limitsOf()).toMatchObject({ set: { maxLoss: null, dailyLoss: null }, differs: false })
  const set = { ...noRules('USD'), startingBalance: '50000', dailyLoss: { amount: '1000', counts: 'with-open' as const, breach: 'pause' as const } }
  await browser.call(ruleRoutes.saveRules, { body: { account: last.accountId ?? '', set, presetId: null, since: null } })
  const limits = await limitsOf()
  const ownPairs = (await browser.call(localRoutes.pairPage, { query: { limit: 500 } })).rows.filter(({ accountId, currency }) => accountId === last.accountId && currency === 'USD')
  const sumOf = (before: boolean): number => ownPairs.filter(({ tradingDay }) => (before ? tradingDay < (limits?.tradingDay ?? '') : tradingDay === limits?.tradingDay)).reduce((sum, { netPnl }) => sum + Math.round(Number(netPnl) * 10_000), 0)
  expect(limits?.past.profit).toBe(sumOf(true))
  expect(limits?.booked.reduce((sum, { net }) => sum + net, 0)).toBe(sumOf(false))
  const pairs = (await browser.call(localRoutes.pairPage, { query: { limit: 500 } })).rows
  expect(pairs.every(({ excursions }) => excursions !== undefined)).toBe(true)

  // The next session's prices arrive with its sync, and so do removed ones.
  const [first] = stored.series
  if (first === undefined) throw new Error('No prices')
  await browser.call(priceRoutes.removePrices, { body: { contract: first.contract, source: first.source, grain: first.grain } })
  await until(async () => ((await trades()).some(({ symbol, excursions }) => symbol === first.contract && excursions !== undefined) ? null : true), 'excursions to go with their prices')
  await browser.call(syncRoutes.syncNow)
  await until(async () => ((await trades()).filter(({ excursions }) => excursions === undefined).length <= 2 && (await trades()).length > all.length ? true : null), 'the next session')
  expect((await browser.call(priceRoutes.prices)).series.map(({ contract }) => contract)).toContain(first.contract)

  await browser.call(sessionRoutes.deleteAccount, { body: {} })
  expect(readdirSync(join(dataDir, 'prices'))).toEqual([])
})
