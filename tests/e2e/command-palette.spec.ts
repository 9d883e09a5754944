import { expect, type Locator, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { postApi, readApi } from './broker-test.ts'

test.use({ begins: 'outside' })

const palette = (page: Page): Locator => page.getByRole('dialog', { name: 'Command palette' })
const active = (page: Page): Locator => palette(page).getByRole('option', { selected: true })

const open = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k')
  await expect(palette(page).getByRole('combobox')).toBeFocused()
}
/** Types into the open palette and runs the line that is then the first of this name. */
const choose = async (page: Page, typed: string, name: string | RegExp): Promise<void> => {
  await page.keyboard.type(typed)
  await expect(active(page)).toHaveText(name)
  await page.keyboard.press('Enter')
  await expect(palette(page)).toHaveCount(0)
}

const entered = { account: 'Notebook', qty: 3, entryPrice: 6052.25, exitPrice: 6054.75, entryTime: '2026-02-13T14:12:00Z', exitTime: '2026-02-13T14:41:07Z' }
const enterTrades = async (page: Page): Promise<void> => {
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  for (const trade of [{ id: 'first', symbol: 'MESH6', tags: ['retest'] }, { id: 'second', symbol: 'NQH6', entryTime: '2026-02-12T14:12:00Z', exitTime: '2026-02-12T15:00:00Z' }]) await postApi(page, '/api/firestore-add-trade', { userId: currentUser.uid, trade: { ...entered, ...trade } })
  await page.reload()
}

test('the palette goes to pages, does things and finds trades, by keys alone', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await enterTrades(page)
  await goTo(page, '/dashboard/TradeLogbook')
  const field = page.getByLabel('Filter by symbol')
  await expect(field).toBeVisible()
  await page.keyboard.press('/')
  await expect(field).toBeFocused()

  // From within a field, and back to it.
  await open(page)
  await expect(active(page)).toHaveText(/^Overview/)
  await page.keyboard.press('End')
  await expect(active(page)).toHaveText(/^Notebook/)
  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toHaveText(/^Overview/)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect(active(page)).toHaveText(/^TradeLogbook/)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(field).toBeFocused()

  // A page; the last choice is first afterwards.
  await open(page)
  await choose(page, 'recon', /^Reconciliation/)
  await expect(page.getByRole('heading', { name: 'Reconciliation', level: 1 })).toBeVisible()
  await expect(page.locator('#content')).toBeFocused()
  await open(page)
  await expect(palette(page).getByRole('group').first()).toHaveText(/^RecentReconciliation/)
  await choose(page, 'theme dark', /^Theme: Dark/)
  await expect(page.locator('html')).toHaveClass(/dark/)
  await open(page)
  await choose(page, 'theme system', /^Theme: System/)

  // A trade by its tag, in its account and day; a reload does not open it again.
  await open(page)
  await page.keyboard.type('retest')
  const hit = palette(page).getByRole('group', { name: 'Trades', exact: true }).getByRole('option').first()
  await expect(hit).toHaveText(/^MESH6, Long 3Feb 13, 2026, .+ · Notebook\+31\.80$/)
  await expect(active(page)).toHaveText(/^MESH6/)
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^MESH6/ })
  await expect(dialog).toBeVisible()
  await expect(page).toHaveURL(/TradeLogbook\?from=2026-02-13&to=2026-02-13&account=Notebook/)
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.locator('[data-line="0"]')).toContainText('MESH6')
  await page.reload()
  await expect(page.locator('[data-line="0"]')).toContainText('MESH6')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  // All trades of one meaning, and what fits nothing.
  await open(page)
  await page.keyboard.type('feb 12')
  await expect(palette(page).getByRole('option')).toHaveText([/^NQH6/, /^Show 1 trade in TradeLogbookFeb 12, 2026$/])
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=2026-02-12&to=2026-02-12/)
  await expect(page.getByText('1 trade', { exact: true })).toBeVisible()
  // In the unit that the screens count.
  await page.getByRole('radio', { name: 'Fill pairs' }).click()
  await goTo(page, '/dashboard/AutoSync')
  await open(page)
  await page.keyboard.type('feb 12')
  await expect(palette(page).getByRole('option')).toHaveText([/^NQH6/, /^Show 1 fill pair in TradeLogbookFeb 12, 2026$/])
  await expect(palette(page).getByRole('group', { name: 'Fill pairs', exact: true })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /^NQH6/ })).toBeVisible()
  await expect(page).toHaveURL(/unit=pairs/)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Search pages, actions and trades' }).click()
  await page.keyboard.type('zzz nowhere')
  await expect(palette(page).getByText('No results for “zzz nowhere”')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
})

test('text typed while the palette loads is no shortcut, and is in it once loaded', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  let fetch: () => void = () => undefined
  const asked = new Promise<void>((resolve) => { fetch = resolve })
  await page.route(/command-palette-[\w-]+\.js/, async (route) => {
    await asked
    await route.continue()
  })
  const syncs: string[] = []
  page.on('request', (request) => { if (request.method() === 'POST') syncs.push(request.url()) })
  await page.keyboard.press('Control+k')
  await page.keyboard.type('short g l')
  fetch()
  await expect(palette(page).getByRole('combobox')).toHaveValue('short g l')
  await expect(page).toHaveURL(/#\/dashboard$/)
  expect(syncs).toEqual([])
})

test('shortcuts of single keys lead, are listed, keep out of fields, and can be switched off for good', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const heading = (name: string): Locator => page.getByRole('heading', { name, level: 1 })
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await expect(heading('Settings')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog', { name: 'Add trade' })).toBeVisible()
  await page.getByLabel('Contract').focus()
  await page.keyboard.type('g?s')
  await expect(page.getByLabel('Contract')).toHaveValue('g?s')
  // A dialog that asks comes before the palette.
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('/')
  await page.keyboard.type('gs?')
  await expect(page.getByLabel('Filter by symbol')).toHaveValue('gs?')
  await expect(heading('TradeLogbook')).toBeVisible()
  await page.locator('#content').focus()

  const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/sync'))
  await page.keyboard.press('s')
  await asked
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(list.getByText('keys in sequence', { exact: false }).first()).toBeVisible()
  await expectAccessible(page)
  await list.getByRole('switch', { name: 'Single-key shortcuts' }).press('Space')
  await expect(list.getByText('off', { exact: true })).toHaveCount(16)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(heading('TradeLogbook')).toBeVisible()
  for (const key of ['g', 'o', 'n', '?', '/']) await page.keyboard.press(key)
  await open(page)
  await expect(palette(page).getByText('G', { exact: true })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(heading('TradeLogbook')).toBeVisible()
})

test('the palette waits behind a menu, opens over a panel, and says so where trades cannot be searched', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await enterTrades(page)
  await page.getByRole('button', { name: /^Account of/ }).press('Enter')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(palette(page)).toHaveCount(0)
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')

  await goTo(page, '/dashboard/TradeLogbook')
  await page.getByRole('button', { name: 'More' }).press('Enter')
  await page.getByRole('checkbox', { name: 'Long' }).focus()
  await open(page)
  await expect(page.getByRole('checkbox', { name: 'Long' })).toHaveCount(0)
  await expect(palette(page).getByRole('combobox')).toBeFocused()

  await page.route('**/api/trades?*', (route) => route.abort())
  await page.keyboard.type('nq')
  await expect(palette(page).getByRole('alert')).toContainText('Trade search failed.', { timeout: 60_000 })
  await expectAccessible(page)
  await page.unroute('**/api/trades?*')
  await page.keyboard.press('Tab')
  await expect(palette(page).getByRole('button', { name: 'Try again' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(palette(page).getByRole('option', { name: /^NQH6/ })).toBeVisible()
})
