import { expect, type Page } from '@playwright/test'
import { goTo, signUp, test } from './app-test.ts'
import { connect, readApi, test as withBroker } from './broker-test.ts'

test.use({ begins: 'outside' })

const enter = async (page: Page, fields: Record<string, string>): Promise<void> => {
  await page.getByRole('button', { name: 'Add trade' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add a trade' })
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(text)
}
const trades = (page: Page) => readApi<{ total: number; rows: { netPnl: string }[] }>(page, '/api/trades')
const submit = (page: Page): Promise<void> => page.getByRole('dialog').getByRole('button', { name: 'Add trade' }).click()
const micro = { Contract: 'MESH6', Account: 'Notebook', Qty: '3', 'Entry price': '6052.25', 'Exit price': '6054.75', 'Entry time': '2026-02-13T14:12:00', 'Exit time': '2026-02-13T14:41:07' }

test('a trade by hand: told what it comes to, refused in words, saved, changed, removed and brought back', async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/TradeLogbook')
  await expect(page.getByText('No trades yet')).toBeVisible()
  await enter(page, { ...micro, Qty: '1.5', 'Entry price': '' })
  await submit(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Give a whole number from 1.')).toBeVisible()
  await expect(dialog.getByText('This is needed.')).toBeVisible()
  await dialog.getByLabel('Qty').fill('3')
  await dialog.getByLabel('Entry price').fill('6052.25')
  await expect(dialog.getByRole('status')).toContainText('+31.80')
  await submit(page)

  const row = page.locator('[data-line="0"]')
  await expect(row).toContainText('+31.80')
  await expect(row).toContainText('By hand')
  await page.reload()
  await expect(row).toContainText('+31.80')

  await row.click()
  await dialog.getByRole('radio', { name: 'Short' }).click()
  await dialog.getByLabel('Fees').fill('1.50')
  await expect(dialog.getByRole('status')).toContainText('−39.00')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('−39.00')
  await expect.poll(async () => (await trades(page)).rows[0]?.netPnl).toBe('-39.00')

  await row.focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText('No trades yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('−39.00')
  await page.reload()
  await expect(row).toContainText('−39.00')
})

test('an edit that cannot be saved stays on the screen, is only logged, and goes along with the next', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/TradeLogbook')
  await enter(page, micro)
  await submit(page)
  const row = page.locator('[data-line="0"]')
  await expect(row).toContainText('By hand')
  await expect.poll(async () => (await trades(page)).total).toBe(1)

  const logged = page.waitForEvent('console', (message) => message.type() === 'error' && message.text().startsWith('Failed to update trade'))
  await page.route('**/api/firestore-update-trade', (route) => route.abort())
  await row.click()
  await page.getByLabel('Notes').fill('kept here')
  await page.getByRole('button', { name: 'Save' }).click()
  expect((await logged).text()).toBe('Failed to update trade program-unreachable')
  await expect(row).toContainText('Not saved')
  await expect(page.getByRole('status').filter({ hasText: 'Failed' })).toHaveCount(0)
  await row.click()
  await expect(page.getByLabel('Notes')).toHaveValue('kept here')

  await page.unroute('**/api/firestore-update-trade')
  await page.getByLabel('Tags').fill('second try')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(row).not.toContainText('Not saved')
  await page.reload()
  await row.click()
  await expect(page.getByLabel('Notes')).toHaveValue('kept here')
  await expect(page.getByRole('button', { name: 'Remove the tag second try' })).toBeVisible()
})

withBroker('contracts, sides and figures are whole in every width', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await goTo(page, '/dashboard/TradeLogbook')
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.locator('[data-line="0"]')).toContainText(/Long|Short/)
    const cut = () => page.locator('tbody td').evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
    await expect.poll(cut, { message: `cut at ${String(width)}` }).toEqual([])
  }
})

withBroker('filter, order and view stand in the address, and the keyboard alone goes through the list', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await goTo(page, '/dashboard/TradeLogbook')
  await expect(page.locator('[data-line="0"]')).toContainText(/Long|Short/)
  const symbol = (await page.locator('[data-line="0"] td').nth(1).innerText()).slice(0, 3)

  await page.keyboard.press('/')
  await page.keyboard.type(symbol.toLowerCase())
  await expect(page).toHaveURL(new RegExp(`symbol=${symbol.toLowerCase()}`))
  await expect(page.locator('tbody tr[data-line]').filter({ hasNotText: symbol })).toHaveCount(0)

  await page.getByRole('button', { name: 'Net P&L' }).click()
  await expect(page.getByRole('columnheader', { name: 'Net P&L' })).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Net P&L' }).press('Enter')
  await expect(page.getByRole('columnheader', { name: 'Net P&L' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByRole('button', { name: 'Net P&L' })).toBeFocused()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Net P&L' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByLabel('Filter by symbol')).toHaveValue(symbol.toLowerCase())

  await page.getByRole('radio', { name: 'Trips' }).click()
  const first = page.locator('[data-line="0"]')
  await expect(first).toHaveAttribute('aria-expanded', 'false')
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await expect(first).toHaveAttribute('aria-expanded', 'true')
  // Until its pairs are there, the next line is the next trip.
  await expect(page.locator('[data-line="1"]')).toHaveAttribute('aria-level', '2')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('[data-line="1"]')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('From the broker')
  await page.keyboard.press('Escape')
  await expect(page.locator('[data-line="1"]')).toBeFocused()
  await page.keyboard.press('Delete')
  await page.getByRole('dialog', { name: 'Remove this trade?' }).getByRole('button', { name: 'Cancel' }).press('Enter')
  await expect(page.locator('[data-line="1"]')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect(first).toHaveAttribute('aria-expanded', 'false')
})

withBroker('a trade of the broker that was removed stays removed through a sync', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await goTo(page, '/dashboard/TradeLogbook')
  const total = async (): Promise<number> => (await trades(page)).total
  const before = await total()
  // Lines stand there before their trades do, and take no key.
  await expect(page.getByText(`${String(before)} pairs`)).toBeVisible()
  await page.locator('[data-line="0"]').focus()
  await page.keyboard.press('Delete')
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText(`${String(before - 1)} pairs`)).toBeVisible()
  await expect.poll(total).toBe(before - 1)
  await page.getByRole('button', { name: 'Sync Trades' }).click()
  await expect(page.getByText('Trades are up to date', { exact: true })).toBeVisible()
  expect(await total()).toBe(before - 1)
})

test('where no brokerage is set up, connecting says what to set and offers the demo', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/AutoSync')
  await page.getByRole('button', { name: 'Add Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Tradovate & NinjaTrader Accounts' })
  await expect(dialog).toContainText('FILLBOOK_TRADOVATE_CLIENT_ID')
  await dialog.getByRole('button', { name: 'Try the demo brokerage' }).click()
  await expect(page.getByText('Demo', { exact: true })).toBeVisible()
})
