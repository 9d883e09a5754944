import { expect, type Page } from '@playwright/test'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { goTo, signUp } from './app-test.ts'
import { readApi, test } from './broker-test.ts'

test.use({ begins: 'outside' })

const here = /^http:\/\/127\.0\.0\.1:\d+\/#\/dashboard\/TradeCopier$/

const toConsent = async (page: Page): Promise<void> => {
  await goTo(page, '/dashboard/TradeCopier')
  await page.getByRole('button', { name: 'Connect accounts' }).click()
  await expect(page.getByRole('button', { name: 'Allow' })).toBeVisible()
}

test('connecting from the copier returns to it, with the accounts or without', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await toConsent(page)
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page).toHaveURL(here)
  await expect(page.getByRole('button', { name: 'Connect accounts' })).toBeVisible()

  await toConsent(page)
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page).toHaveURL(here)
  expect((await readApi<{ accounts: readonly unknown[] }>(page, brokerageRoutes.connectedAccounts.path)).accounts.length).toBeGreaterThan(1)
  await expect(page.getByRole('button', { name: 'Connect accounts' })).toHaveCount(0)
})
