import type { DemoBroker } from '#backend/demo/broker-types.ts'
import { startDemoBroker } from '#backend/demo/demo-broker.ts'
import { startApp } from '#tests/helpers/running-app.ts'
import { expect, type Page } from '@playwright/test'
import { goTo, test as base } from './app-test.ts'

/** The settings that make the stand-in this program's brokerage. */
export const brokerSettings = ({ clientId, clientSecret, origins }: DemoBroker): Record<string, string> => ({
  FILLBOOK_TRADOVATE_CLIENT_ID: clientId,
  FILLBOOK_TRADOVATE_CLIENT_SECRET: clientSecret,
  FILLBOOK_TRADOVATE_AUTHORIZE_URL: origins.consentUrl,
  FILLBOOK_TRADOVATE_TOKEN_URL: origins.tokenUrls[0],
  FILLBOOK_TRADOVATE_LIVE_URL: origins.liveApi,
  FILLBOOK_TRADOVATE_DEMO_URL: origins.demoApi,
  FILLBOOK_TIMEZONE: 'America/Chicago',
})

/** Tests against the real program with a brokerage of its own, whose consent page is another site. */
export const test = base.extend<{ broker: DemoBroker }>({
  broker: async ({}, use) => {
    const broker = await startDemoBroker({ anchor: '2026-02-13' })
    await use(broker)
    await broker.stop()
  },
  app: async ({ dataDir, broker }, use) => {
    const app = await startApp({ dataDir, env: brokerSettings(broker) })
    await use(app)
    await app.stop()
  },
})

/** Opens the connect dialog of AutoSync and goes on to the consent page. */
export const goToConsent = async (page: Page): Promise<void> => {
  await goTo(page, '/dashboard/AutoSync')
  await page.getByRole('button', { name: 'Add Account' }).first().click()
  await expect(page.getByRole('dialog', { name: 'Connect Tradovate & NinjaTrader Accounts' })).toBeVisible()
  await page.getByRole('button', { name: '+ Add Account here' }).click()
  await expect(page).toHaveURL(/^http:\/\/localhost:/)
}

/** Connects the first login of the brokerage and waits until its first sync has ended. */
export const connect = async (page: Page): Promise<void> => {
  await goToConsent(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/#\/dashboard\/AutoSync$/)
  await expect(page.getByRole('region', { name: 'Last sync' })).toBeVisible()
}

/** Reads a call of the program with the page's own session. */
export const readApi = <T>(page: Page, path: string): Promise<T> => page.evaluate(async (asked) => (await (await fetch(asked)).json()) as T, path)
