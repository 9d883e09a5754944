import type { AnswerOf } from '#shared/api/route.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import { createFormat } from '#renderer/lib/format.ts'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, goTo, test } from './app-test.ts'
import { connect, readApi } from './broker-test.ts'

const format = createFormat('en', 'America/Chicago')
const trades = (page: Page, search = '') => readApi<AnswerOf<typeof journalRoutes.tradePage>>(page, `${journalRoutes.tradePage.path}?limit=500${search}`)

test('the demo has excursions after its sync: the logbook shows and filters by MAE, a trade and a point of the Overview open', { tag: '@nightly' }, async ({ page }) => {
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await connect(page)
  // By itself, with no file and no account of a vendor.
  await expect.poll(async () => (await trades(page)).rows.filter(({ excursions }) => excursions === undefined).length, { timeout: 120_000 }).toBe(0)

  await goTo(page, '/dashboard/TradeLogbook')
  await page.getByRole('button', { name: 'Columns' }).click()
  for (const name of ['MAE', 'MFE', 'Exit efficiency']) await page.getByRole('checkbox', { name, exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: 'MAE' }).getByRole('button').click()
  const { rows, total } = await trades(page, '&sort=mae')
  const [deepest] = rows
  if (deepest?.excursions === undefined) throw new Error('No trade')
  const mae = format.money(deepest.excursions.mae.least ?? '')
  const first = page.locator('[data-line="0"]')
  await expect(first).toContainText(mae)
  await expectAccessible(page)

  await page.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('textbox', { name: 'MAE at least' }).fill('a lot')
  await expect(page.getByRole('textbox', { name: 'MAE at least' })).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('textbox', { name: 'MAE at least' }).fill('100')
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/mae-from=100/)
  const found = await trades(page, '&mae-from=100')
  expect(found.total).toBeGreaterThan(0)
  expect(found.total).toBeLessThan(total)
  await expect(page.getByText(`${format.count(found.total)} trades`)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Active filters' })).toContainText('MAE≥ 100.00')

  await first.click()
  const excursions = page.getByRole('dialog').getByLabel('Excursions')
  await expect(excursions).toContainText(format.fullMoney(deepest.excursions.mae.least ?? '', deepest.currency))
  await page.keyboard.press('Escape')

  await goTo(page, '/dashboard?view=breakdown&by=hour')
  await expect(page.getByRole('columnheader', { name: 'Exit efficiency' })).toBeVisible()
  await goTo(page, '/dashboard?view=risk')
  const chart = page.getByRole('group', { name: `MAE against the gross result of ${String(total)} trades` })
  await chart.focus()
  await page.keyboard.press('ArrowLeft')
  const readout = page.getByRole('status').filter({ hasText: `${deepest.symbol}, ` })
  await expect(readout).toContainText(`MAE ${format.fullMoney(deepest.excursions.mae.least ?? '', deepest.currency)}`)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/TradeLogbook/)
  await expect(page.getByRole('dialog').getByLabel('Excursions')).toBeVisible()
})
