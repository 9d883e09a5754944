import { expect, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { connect, readApi, test as withBroker } from './broker-test.ts'

test.use({ begins: 'outside' })

const enter = async (page: Page, fields: Record<string, string>): Promise<void> => {
  await page.getByRole('button', { name: 'Add trade' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add trade' })
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(text)
}
const trades = (page: Page) => readApi<{ total: number; rows: { netPnl: string }[] }>(page, '/api/trades')
const submit = (page: Page): Promise<void> => page.getByRole('dialog').getByRole('button', { name: 'Add trade' }).click()
const micro = { Contract: 'MESH6', Account: 'Notebook', Qty: '3', 'Entry price': '6052.25', 'Exit price': '6054.75', 'Entry time': '2026-02-13T14:12:00', 'Exit time': '2026-02-13T14:41:07' }

test('a trade by hand: told what it comes to, refused in words, saved, changed, removed and brought back; what is thrown away comes back too', async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/TradeLogbook')
  await expect(page.getByText('No trades yet')).toBeVisible()
  await enter(page, { ...micro, Qty: '1.5', 'Entry price': '' })
  await submit(page)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Enter a whole number of at least 1.')).toBeVisible()
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  await dialog.getByLabel('Qty').fill('3')
  await dialog.getByLabel('Entry price').fill('6052.25')
  await expect(dialog.getByRole('status')).toContainText('+31.80')
  await dialog.getByLabel('Notes').fill('typed in vain?')
  // Beside the dialog.
  await page.mouse.click(5, 5)
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Changes discarded', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByLabel('Notes')).toHaveValue('typed in vain?')
  await expect(dialog.getByLabel('Entry price')).toHaveValue('6052.25')
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

  await row.click()
  await expect(dialog.getByLabel('Notes')).toBeVisible()
  // A click in the moment of opening still belongs to the row.
  await expect(async () => {
    await page.mouse.click(5, 5)
    await expect(dialog).toBeHidden({ timeout: 2_000 })
  }).toPass()
  await expect(page.getByText('Changes discarded', { exact: true })).toBeHidden()
  await row.focus()
  await page.keyboard.press('Delete')
  await expect(page.getByText('No trades yet')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toContainText('−39.00')
  await page.reload()
  await expect(row).toContainText('−39.00')
  await row.click()
  await expect(dialog.getByLabel('Notes')).toHaveValue('typed in vain?')
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
  await expect(page.getByRole('button', { name: 'Remove tag second try' })).toBeVisible()
})

withBroker('contracts, sides and figures are whole in every width', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  for (const unit of ['Fill pairs', 'Trades']) {
    await goTo(page, '/dashboard/TradeLogbook')
    await page.getByRole('radio', { name: unit }).click()
    for (const width of [1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await expect(page.locator('[data-line="0"]')).toContainText(/Long|Short/)
      const cut = () => page.locator('tbody td').evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent))
      await expect.poll(cut, { message: `cut at ${String(width)}` }).toEqual([])
    }
  }
})

withBroker('filter, order and view stand in the address, and the keyboard alone goes through the list', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await goTo(page, '/dashboard/TradeLogbook?unit=pairs')
  await expect(page.locator('[data-line="0"]')).toContainText(/Long|Short/)
  const symbol = (await page.locator('[data-line="0"] td').nth(1).innerText()).slice(0, 3)
  // Far away all at once: the rows come a few a frame, until each is whole.
  const lines = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1
  expect(lines).toBeGreaterThan(24)
  await page.locator('[data-line="0"]').focus()
  await page.keyboard.press('End')
  await expect(page.locator(`[data-line="${String(lines - 1)}"]`)).toBeFocused()
  await expect(page.locator('tr[data-line] td[colspan]')).toHaveCount(0)

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

  await page.getByRole('radio', { name: 'Trades' }).click()
  // A trade of one fill pair has nothing to show below it.
  const line = Number(await page.locator('tr[aria-expanded]').first().getAttribute('data-line'))
  const [first, next] = [page.locator(`[data-line="${String(line)}"]`), page.locator(`[data-line="${String(line + 1)}"]`)]
  await expect(first).toHaveAttribute('aria-expanded', 'false')
  await first.focus()
  await page.keyboard.press('ArrowRight')
  await expect(first).toHaveAttribute('aria-expanded', 'true')
  // Until its pairs are there, the next line is the next trip.
  await expect(next).toHaveAttribute('aria-level', '2')
  await page.keyboard.press('ArrowDown')
  await expect(next).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('From the broker')
  await expect(page.getByLabel('Notes')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(next).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect(first).toHaveAttribute('aria-expanded', 'false')
})

withBroker('a trade of the broker that is removed comes back as it was, and otherwise stays removed through a sync', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await goTo(page, '/dashboard/TradeLogbook?unit=pairs')
  const total = async (): Promise<number> => (await trades(page)).total
  const before = await total()
  // Lines stand there before their trades do, and take no key.
  await expect(page.getByText(`${String(before)} fill pairs`)).toBeVisible()
  const row = page.locator('[data-line="0"]')
  const words = await row.innerText()
  const remove = async (): Promise<void> => {
    await row.focus()
    await page.keyboard.press('Delete')
    await expect(page.getByText(`${String(before - 1)} fill pairs`)).toBeVisible()
    await expect.poll(total).toBe(before - 1)
  }
  await remove()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await expect(page.getByText(`${String(before)} fill pairs`)).toBeVisible()
  await expect.poll(total).toBe(before)
  expect(await row.innerText()).toBe(words)

  // From its dialog, with something typed: what was typed comes back with the trade.
  await row.click()
  await page.getByLabel('Notes').fill('half a note')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect.poll(total).toBe(before - 1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByLabel('Notes')).toHaveValue('half a note')
  await expect.poll(total).toBe(before)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await remove()
  await page.getByRole('button', { name: 'Sync Trades' }).click()
  await expect(page.getByText('Trades are up to date', { exact: true })).toBeVisible()
  expect(await total()).toBe(before - 1)
})

withBroker('a trade of several fill pairs is noted, tagged, selected and removed as one, and comes back', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  await goTo(page, '/dashboard/TradeLogbook')
  const line = Number(await page.locator('tr[aria-expanded]').first().getAttribute('data-line'))
  const row = page.locator(`[data-line="${String(line)}"]`)
  const at = { trip: '', pairs: 0 }
  const pairs = () => readApi<{ rows: { id: string; notes: string; tags: string[]; stop: string | null }[] }>(page, `/api/trips/pairs?tripId=${encodeURIComponent(at.trip)}`)
  const { rows: trips, total } = await readApi<{ total: number; rows: { id: string; pairs: number }[] }>(page, '/api/trips')
  Object.assign(at, { trip: trips[line]?.id, pairs: trips[line]?.pairs })
  expect(at.pairs).toBeGreaterThan(1)

  await row.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('From the broker')
  await dialog.getByLabel('Notes').fill('Scaled out too early.')
  await dialog.getByLabel('Tags').fill('breakout')
  await dialog.getByLabel('Stop').fill('6700')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(dialog.getByLabel('Notes')).toHaveValue('Scaled out too early.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('breakout')
  await expect.poll(async () => (await pairs()).rows.map(({ tags, stop }) => [tags, stop])).toEqual(Array.from({ length: at.pairs }, () => [['breakout'], '6700']))
  expect((await pairs()).rows.map(({ notes }) => notes).filter(Boolean)).toEqual(['Scaled out too early.'])
  await page.reload()
  await expect(row).toContainText('breakout')

  await row.focus()
  await page.keyboard.press('Space')
  const bar = page.getByRole('group', { name: 'Selected rows' })
  await expect(bar.getByRole('status')).toHaveText('1 trade selected')
  await expect(row).toHaveAttribute('aria-selected', 'true')
  await bar.getByLabel('Tag').fill('reviewed')
  await bar.getByLabel('Tag').press('Enter')
  await expect.poll(async () => (await pairs()).rows.every(({ tags }) => tags.includes('reviewed'))).toBe(true)
  await bar.getByRole('button', { name: 'Clear selection' }).click()

  await row.focus()
  await page.keyboard.press('Delete')
  await expect.poll(async () => (await readApi<{ total: number }>(page, '/api/trips')).total).toBe(total - 1)
  await expect(page.getByText(`${String(total - 1)} trades`)).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`${String(total)} trades`)).toBeVisible()
  await row.click()
  await expect(dialog.getByLabel('Notes')).toHaveValue('Scaled out too early.')
  await expect(dialog.getByRole('button', { name: 'Remove tag reviewed' })).toBeVisible()
})

withBroker('trades are counted first, one switch holds on every screen and is remembered, and an address that names a unit wins', { tag: '@long' }, async ({ page }) => {
  await signUp(page)
  await connect(page)
  const switchOf = page.getByRole('radiogroup', { name: 'Count by' })
  const expectUnit = async (unit: 'Trades' | 'Fill pairs'): Promise<void> => {
    for (const path of ['/dashboard', '/dashboard/TradeLogbook']) {
      await goTo(page, path)
      await expect(switchOf.getByRole('radio')).toHaveText(['Trades', 'Fill pairs'])
      await expect(switchOf.getByRole('radio', { name: unit })).toBeChecked()
    }
  }
  await expectUnit('Trades')
  await goTo(page, '/dashboard')
  await expect(page.getByText('5 latest trades')).toBeVisible()
  await switchOf.getByRole('radio', { name: 'Fill pairs' }).click()
  await expect(page.getByText('5 latest fill pairs')).toBeVisible()
  await expectUnit('Fill pairs')
  await page.reload()
  await expectUnit('Fill pairs')
  await goTo(page, '/dashboard/TradeLogbook?unit=trips')
  await expect(switchOf.getByRole('radio', { name: 'Trades' })).toBeChecked()
  await expectUnit('Fill pairs')
})

test('where no brokerage is set up, connecting says what to set and offers the demo', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/AutoSync')
  await page.getByRole('button', { name: 'Add Account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Connect Tradovate & NinjaTrader Accounts' })
  await expect(dialog).toContainText('FILLBOOK_TRADOVATE_CLIENT_ID')
  await dialog.getByRole('button', { name: 'Try the demo brokerage' }).click()
  await expect(page.getByText('Demo', { exact: true })).toBeVisible()
})
