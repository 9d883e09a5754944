import { expect, type Page } from '@playwright/test'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { listenDatabento } from '#tests/helpers/databento.ts'
import { startApp } from '#tests/helpers/running-app.ts'
import { listenProjectx } from '#tests/helpers/projectx-broker.ts'
import { readApi } from './broker-test.ts'
import { expectAccessible, goTo, send, signUp, test as base } from './app-test.ts'

const account = 900_101
const minute = 60_000
// The front months of now: bars of another are a matter of the broker.
const year = String(new Date().getUTCFullYear() + 1)
const contract = { id: `CON.F.US.ENQ.H${year.slice(2)}`, name: `NQH${year.slice(3)}`, tickSize: 0.25, tickCents: 500 }

const test = base.extend<{ broker: Awaited<ReturnType<typeof listenProjectx>>; vendor: Awaited<ReturnType<typeof listenDatabento>> }>({
  broker: async ({}, use) => {
    const broker = await listenProjectx({ now: Date.now, contracts: [contract], unlimited: true })
    await use(broker)
    await broker.stop()
  },
  vendor: async ({}, use) => {
    const vendor = await listenDatabento(() => 24_000)
    vendor.symbols.add(contract.name)
    await use(vendor)
    await vendor.stop()
  },
  app: async ({ dataDir, broker, vendor }, use) => {
    const app = await startApp({ dataDir, gates: 'open', env: { FILLBOOK_TOPSTEPX_URL: broker.url, FILLBOOK_DATABENTO_URL: vendor.url, FILLBOOK_TIMEZONE: 'America/Chicago' } })
    await use(app)
    await app.stop()
  },
})

const feeds = (page: Page) => readApi<AnswerOf<typeof priceRoutes.priceFeeds>>(page, priceRoutes.priceFeeds.path)

test('what trades need is fetched from TopstepX at one click, and from Databento after its cost was shown', { tag: '@nightly' }, async ({ page, broker, vendor }) => {
  broker.addAccount({ id: account, name: 'COMBINE-900101' })
  let day = previousTradingDay(tradingDay(Date.now()))
  for (let back = 0; back < 3; back += 1) {
    day = previousTradingDay(day)
    const at = sessionOf(day).opens + 16 * 60 * minute
    broker.trade({ account, contract, at, ticks: 24_000, side: 'buy', size: 1 })
    broker.trade({ account, contract, at: at + 9 * minute, ticks: 24_001, side: 'sell', size: 1 })
  }
  await signUp(page)
  await send(page, brokerageRoutes.connectKey.path, { firm: 'topstepx', ...broker.key })
  await expect.poll(async () => (await feeds(page)).missing, { timeout: 60_000 }).toBe(3)

  await goTo(page, '/dashboard/Settings?section=prices')
  const sources = page.getByRole('region', { name: 'Sources' })
  await expect(sources).toContainText('3 sessions of your trades lack prices.')
  await expect(sources.getByRole('listitem').filter({ hasText: 'Databento' })).toContainText('no key')
  await expectAccessible(page)

  // A lasting rate limit is shown in words, and fetched prices stay.
  broker.fault = ({ path }, answer) => (path === '/api/History/retrieveBars' && broker.asked(path) > 1 ? { status: 429, headers: { 'retry-after': '3600' }, text: '' } : answer())
  await sources.getByRole('button', { name: 'Fetch what my trades need' }).click()
  await expect(sources).toContainText('The source’s limit of requests is used up.')
  await expect(sources).toContainText('2 sessions of your trades lack prices.')
  broker.fault = null
  await sources.getByRole('button', { name: 'Fetch what my trades need' }).click()
  await expect(sources).toContainText('All sessions of your trades have prices.')
  await expect(sources).not.toContainText('limit of requests')
  await expect(page.getByRole('row', { name: /TopstepX bars/ })).toContainText('1-second bars')
  expect(vendor.asked).toEqual([])

  // TopstepX's bars are removed, and Databento has every trade.
  await page.getByRole('row', { name: /TopstepX bars/ }).getByRole('button', { name: /Remove/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(page.getByRole('row', { name: /TopstepX bars/ })).toHaveCount(0)
  await sources.getByRole('switch', { name: 'TopstepX' }).click()
  await sources.getByRole('button', { name: 'Set up' }).click()
  const setUp = page.getByRole('dialog', { name: 'Databento' })
  await setUp.getByLabel('API key').fill(vendor.key)
  await setUp.getByLabel('Limit for one fetch (US dollars)').fill('a lot')
  await expect(setUp.getByText('Enter an amount from 0 to 10,000.')).toBeVisible()
  await setUp.getByLabel('Limit for one fetch (US dollars)').fill('1.00')
  await setUp.getByRole('combobox', { name: 'What to fetch' }).click()
  await page.getByRole('option', { name: 'Every trade' }).click()
  await expectAccessible(page)
  await setUp.getByRole('button', { name: 'Save' }).click()
  await expect(setUp).toHaveCount(0)

  await sources.getByRole('button', { name: 'Fetch what my trades need' }).click()
  const cost = page.getByRole('dialog', { name: 'Cost at Databento' })
  await expect(cost).toContainText('for 2 sessions.')
  await expect(cost).toContainText('These are the newest of 3 sessions, as many as your limit of $1.00 allows.')
  expect(vendor.charged()).toBe(0)
  await expectAccessible(page)
  await cost.getByRole('button', { name: 'Fetch', exact: true }).click()
  await expect(page.getByRole('row', { name: /Databento trades/ })).toContainText('ticks')
  await expect(sources).toContainText('The next session would cost more than you allowed.')
  await expect(sources).toContainText('1 session of your trades lacks prices.')
  expect(vendor.charged()).toBeLessThanOrEqual(1)

  vendor.fault = () => 402
  await sources.getByRole('button', { name: 'Fetch what my trades need' }).click()
  await expect(cost).toContainText('Databento requires a payment before it delivers.')
  await cost.getByRole('button', { name: 'Cancel' }).click()
})
