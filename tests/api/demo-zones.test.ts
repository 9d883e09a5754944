import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { allow, loginsOffered } from '#cli/headless-user.ts'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { historyRoutes } from '#shared/api/history.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { syncRoutes } from '#shared/api/sync.ts'
import { startApp } from '#tests/helpers/app.ts'
import { isNightly } from '#tests/helpers/cases.ts'

/** Connects the demo as the dialog does, its history preselected, walks it to its end, and gives what the journal comes to. */
const demoIn = async (zone: string) => {
  const { browser, stop } = await startApp({ env: { FILLBOOK_TIMEZONE: zone } })
  await browser.call(sessionRoutes.signInDemo)
  const userId = 'demo'
  const events = await browser.events()
  const consent = async (): Promise<string> => (await browser.call(brokerageRoutes.beginConsent, { body: { anotherLogin: true, history: true } })).url
  const logins = await loginsOffered(await consent())
  for (const login of logins) await browser.call(brokerageRoutes.tradovate, { body: { userId, ...(await allow(await consent(), login)) } })
  const settled = async (): Promise<boolean> => {
    const [{ running }, history] = [await browser.call(syncRoutes.syncState), await browser.call(historyRoutes.history)]
    return running === null && history.logins.length === logins.length && history.logins.every(({ state }) => state === 'done' || state === 'refused')
  }
  await expect.poll(settled, { timeout: 300_000, interval: 250 }).toBe(true)
  events.close()
  const { trades } = await browser.call(recordRoutes.getTrades, { query: { userId } })
  const { days, all } = await browser.call(reconciliationRoutes.reconciliation)
  const statistics = await browser.call(statisticsRoutes.statistics, { query: { unit: 'trades' } })
  await stop()
  const pairs = trades.map(({ id, qty, netPnl, tradingDay, warnings }) => JSON.stringify([id, qty, netPnl, tradingDay, warnings])).sort()
  const open = days.filter(({ state }) => state !== 'equal').map(({ account, tradingDay, state, reason, difference }) => ({ account, tradingDay, state, reason, difference }))
  return { pairs: createHash('sha256').update(pairs.join('\n')).digest('hex'), count: pairs.length, trades: statistics.all.count, money: statistics.all.money, days: all, open }
}

const check = async (zones: readonly string[]): Promise<void> => {
  const [first, ...others] = zones
  const home = await demoIn(first ?? '')
  expect(home.count).toBeGreaterThan(1_000)
  expect(home.days.daysEqual).toBeGreaterThan(300)
  // The last session still runs: it is no closed day.
  const last = home.open.map(({ tradingDay }) => tradingDay).toSorted().at(-1)
  expect(home.open.filter(({ tradingDay }) => tradingDay !== last)).toEqual([])
  for (const zone of others) expect({ zone, ...(await demoIn(zone)) }).toEqual({ zone, ...home })
}

// The first ones lie furthest from the exchange. A demo with its history takes half a minute.
const otherZones = ['Asia/Tokyo', 'Pacific/Honolulu', 'Australia/Lord_Howe', 'America/Los_Angeles', 'America/Chicago', 'America/Sao_Paulo', 'UTC', 'Europe/Berlin', 'Africa/Johannesburg', 'Asia/Kolkata', 'Asia/Singapore', 'Pacific/Auckland']
test.runIf(isNightly)(`the demo with its history has the same trades and P&L in New York, ${otherZones.join(', ')}, and every closed day reconciles`, { tags: 'long', timeout: 1_200_000 }, () => check(['America/New_York', ...otherZones]))
