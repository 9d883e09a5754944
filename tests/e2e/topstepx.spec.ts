import { expect } from '@playwright/test'
import { sessionRoutes } from '#shared/api/session.ts'
import { previousTradingDay, sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { startApp } from '#tests/helpers/running-app.ts'
import { listenProjectx, standInContracts } from '#tests/helpers/projectx-broker.ts'
import { goTo, openOutside, password, send, signUp, test as base } from './app-test.ts'

const account = 900_101
const [contract] = standInContracts

const test = base.extend<{ broker: Awaited<ReturnType<typeof listenProjectx>> }>({
  broker: async ({}, use) => {
    const broker = await listenProjectx({ now: Date.now, contracts: standInContracts, unlimited: true })
    await use(broker)
    await broker.stop()
  },
  app: async ({ dataDir, broker }, use) => {
    const env = { FILLBOOK_TOPSTEPX_URL: broker.url, FILLBOOK_TOPSTEPX_HUB_URL: broker.hub.url, FILLBOOK_TIMEZONE: 'America/Chicago' }
    const first = await startApp({ dataDir, gates: 'open', env })
    let running = first
    const again = async () => {
      await running.kill()
      running = await startApp({ dataDir, gates: 'open', env, port: Number(new URL(first.origin).port) })
      return running
    }
    await use({ ...first, again } as typeof first)
    await running.stop()
  },
})

test('a TopstepX login brings its history, shows a position live, and is reconciled after the program was killed in between', { tag: '@nightly' }, async ({ page, app, broker }) => {
  broker.addAccount({ id: account, name: 'COMBINE-900101' })
  const { opens } = sessionOf(previousTradingDay(previousTradingDay(tradingDay(Date.now()))))
  // On a weekend the last moment of Friday's session counts as now.
  const friday = sessionOf(previousTradingDay(tradingDay(Date.now()))).closes - 60_000
  const trade = (side: 'buy' | 'sell', ticks: number, size: number): number =>
    broker.hub.trade({ account, contract, ticks, side, size, at: Date.now() >= sessionOf(tradingDay(Date.now())).opens ? Date.now() : friday })
  broker.trade({ account, contract, at: opens + 3_600_000, ticks: 24_000, side: 'buy', size: 2 })
  broker.trade({ account, contract, at: opens + 7_200_000, ticks: 24_010, side: 'sell', size: 2 })
  await signUp(page)

  await goTo(page, '/dashboard/AutoSync')
  await page.getByRole('button', { name: 'Add Account' }).first().click()
  await page.getByRole('radio', { name: 'TopstepX' }).click()
  await page.getByLabel('TopstepX user name').fill(broker.key.userName)
  await page.getByLabel('API key').fill(broker.key.apiKey)
  await page.getByRole('button', { name: 'Connect TopstepX' }).click()
  const label = page.getByRole('dialog', { name: 'Set TopstepX Account Type & Firm' })
  await expect(label).toBeVisible()
  await page.getByRole('combobox', { name: 'Account Type' }).click()
  await page.getByRole('option', { name: 'Evaluation Account', exact: true }).click()
  await page.getByRole('combobox', { name: 'Firm' }).click()
  await page.getByRole('option').first().click()
  await label.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('1 TopstepX account', { exact: false }).first()).toBeVisible()

  await goTo(page, '/dashboard/PositionScanner')
  await expect(page.getByText('COMBINE-900101').first()).toBeVisible()
  await expect.poll(() => broker.hub.connections()).toBe(1)
  trade('buy', 24_100, 3)
  const line = page.getByRole('row', { name: /NQH6/ })
  await expect(line).toContainText('3')
  await expect(line.getByRole('button', { name: /Close/ })).toBeDisabled()
  broker.hub.order(account, 1, true)
  await expect(page.getByText('1 working order', { exact: true })).toBeVisible()

  const { again } = app as typeof app & { again: () => Promise<typeof app> }
  const restarted = again()
  trade('sell', 24_104, 1)
  await openOutside(page, await restarted)
  await send(page, sessionRoutes.signIn.path, { email: 'nina@example.com', password })
  await page.goto(`${app.origin}/#/dashboard/PositionScanner`)
  await expect(page.getByRole('row', { name: /NQH6/ })).toContainText('2')
  trade('sell', 24_108, 2)
  await expect(page.getByRole('row', { name: /NQH6/ })).toHaveCount(0)

  await goTo(page, '/dashboard/AutoSync')
  await page.getByRole('button', { name: 'Sync Trades' }).first().click()
  await expect(page.getByText('Trades are up to date').first()).toBeVisible()
  await goTo(page, '/dashboard/Reconciliation')
  await expect(page.getByText('2 of 2 days reconciled', { exact: false })).toBeVisible()
  await page.getByRole('row', { name: /Reconciled$/ }).first().click()
  const day = page.getByRole('dialog')
  await expect(day.getByText('equals TopstepX’s own P&L and fees of each fill to the cent', { exact: false })).toBeVisible()
  await expect(day.getByRole('columnheader', { name: 'TopstepX', exact: true }).first()).toBeVisible()
})
