import { expect, type Page } from '@playwright/test'
import { positionsOf } from '#tests/helpers/positions-live.ts'
import { goTo, signUp, test } from '../e2e/app-test.ts'
import { picture } from './picture.ts'
import { scannerReading, stubPositions, takePositionPushes } from '../e2e/stated/stated-positions.ts'

const scannerPath = '/dashboard/PositionScanner'

const show = async (page: Page, search = ''): Promise<void> => {
  await goTo(page, `${scannerPath}${search}`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'PositionScanner' })).toBeVisible()
}

test('the scanner with its positions', async ({ page }) => {
  // The program's own pushes know no account.
  await takePositionPushes(page)
  await signUp(page)
  await stubPositions(page, () => scannerReading(Date.now()))
  for (const by of ['account', 'product', 'firm']) {
    await show(page, `?by=${by}`)
    await expect(page.getByRole('row').nth(3)).toBeVisible()
    await page.mouse.move(0, 0)
    await picture(page, `scanner-${by}`)
  }
  await show(page)
  await page.getByRole('button', { name: 'Flatten NGF-EVAL150K-104871' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await picture(page, 'scanner-flatten')
  await page.route(/\/api\/positions\/flatten$/, (route) => route.fulfill({ json: { account: 'tradovate:demo:11', outcome: 'not-flat', left: [{ contract: 'NQZ6', net: 1 }], detail: 'Market is closed' } }))
  await page.getByRole('dialog').getByRole('button', { name: 'Flatten NGF-EVAL150K-104871' }).click()
  await expect(page.getByText('Not flat', { exact: true })).toBeVisible()
  await picture(page, 'scanner-not-flat')
})

test('the scanner without accounts, without positions, while it loads and where it fails', async ({ page }) => {
  await signUp(page)
  let reading = positionsOf(1)
  await stubPositions(page, () => reading)
  await show(page)
  await expect(page.getByText('Connect your accounts first')).toBeVisible()
  await picture(page, 'scanner-no-accounts')
  reading = { ...scannerReading(Date.now()), positions: [], exposure: [] }
  await show(page)
  await expect(page.getByText('No account has an open position.')).toBeVisible()
  await picture(page, 'scanner-flat')
  await page.unroute(/\/api\/positions$/)
  await page.route(/\/api\/positions$/, () => undefined)
  await show(page)
  await picture(page, 'scanner-loading')
  await page.unroute(/\/api\/positions$/)
  await page.route(/\/api\/positions$/, (route) => route.fulfill({ status: 400, json: { error: 'Internal', code: 'internal' } }))
  await show(page)
  await expect(page.getByText('Could not load this')).toBeVisible()
  await picture(page, 'scanner-failed')
})
