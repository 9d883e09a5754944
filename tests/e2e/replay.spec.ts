import { expect } from '@playwright/test'
import { journalRoutes } from '#shared/api/journal.ts'
import { priceRoutes } from '#shared/api/prices.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { goTo, test } from './app-test.ts'
import { connect, readApi } from './broker-test.ts'

test('a replay starts, stops, fills the screen and is left without an error on the page', { tag: '@nightly' }, async ({ page }) => {
  const broken: string[] = []
  page.on('pageerror', ({ message, stack }) => broken.push(stack ?? message))
  page.setDefaultTimeout(15_000)
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await connect(page)
  const { rows } = await readApi<AnswerOf<typeof journalRoutes.tradePage>>(page, `${journalRoutes.tradePage.path}?limit=50`)
  const id = rows[0]?.id ?? ''
  // Prices come after the sync.
  await expect.poll(async () => (await readApi<AnswerOf<typeof priceRoutes.tradeChart>>(page, `${priceRoutes.tradeChart.path}?id=${encodeURIComponent(id)}`)).chart?.known.length ?? 0, { timeout: 60_000 }).toBeGreaterThan(0)

  const dialog = page.getByRole('dialog')
  const candles = page.getByRole('application', { name: /^Candles of/ })
  const steps = page.getByText(/^[\d,]+ steps$/)
  await goTo(page, `/dashboard/TradeLogbook?trade=${encodeURIComponent(id)}`)
  await expect(candles.locator('canvas').first()).toBeVisible()
  await dialog.getByRole('link', { name: 'Replay' }).click()
  await expect(steps).toBeVisible()
  expect(broken, 'from the dialog into a replay').toEqual([])
  const replay = page.getByRole('button', { name: 'Replay', exact: true })
  for (const scope of ['Session', 'Trade']) {
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.getByRole('radio', { name: scope }).click()
    await expect(steps).toBeVisible()
    await page.getByRole('button', { name: 'End replay' }).click()
    await expect(candles.locator('canvas').first()).toBeVisible()
    await replay.click()
    await expect(steps).toBeVisible()
  }
  expect(broken, 'starting and stopping').toEqual([])
  await page.keyboard.press('Escape')
  await expect(replay).toBeVisible()
  await page.getByRole('button', { name: 'Back' }).click()
  await expect(dialog).toBeVisible()
  await expect(candles.locator('canvas').first()).toBeVisible()
  await dialog.getByRole('link', { name: 'Full screen' }).click()
  await expect(candles.locator('canvas').first()).toBeVisible()
  await page.goBack()
  await expect(candles.locator('canvas').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(broken, 'full screen and closing the dialog').toEqual([])
})
