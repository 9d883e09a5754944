import { expect, type Page } from '@playwright/test'
import { fileURLToPath } from 'node:url'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import { goTo, password, signOut, signUp, test } from './app-test.ts'
import { readApi } from './broker-test.ts'

const folder = fileURLToPath(new URL('../../screenshots/', import.meta.url))
const sizes = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }]

/** Takes one screen in every size and theme; `show` brings up what another size would close. */
const picture = async (page: Page, name: string, show: () => Promise<void> = async () => undefined): Promise<void> => {
  for (const size of sizes) {
    await page.setViewportSize(size)
    await show()
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveClass(colorScheme === 'dark' ? /\bdark\b/ : /^(?!.*\bdark\b)/)
      await page.screenshot({ path: `${folder}${name}-${String(size.width)}-${colorScheme}.png`, animations: 'disabled' })
    }
  }
}

const dashboard = [['/dashboard', 'Overview', 'overview'], ['/dashboard/TradeLogbook', 'TradeLogbook', 'trade-logbook'], ['/dashboard/AutoSync', 'AutoSync', 'auto-sync']] as const

/** Every reading of the pages; not those of the session and of the events. */
const readings = /\/api\/(overview|trades|trips|sync|accounts|firestore-get-finances)\b/

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()

const open = async (page: Page, path: string, heading: string): Promise<void> => {
  await goTo(page, path)
  await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
}

/** Connects a login of the demo and waits until all its sessions are synced. */
const connectDemo = async (page: Page, login: string): Promise<void> => {
  await open(page, '/dashboard/AutoSync', 'AutoSync')
  await button(page, 'Add Account').click()
  await button(page, '+ Add Account here').or(button(page, 'Connect another login')).last().click()
  const other = page.getByRole('link', { name: 'Use another login' })
  await expect(button(page, 'Allow')).toBeVisible()
  if (await other.isVisible()) await other.click()
  await page.getByLabel(login).check()
  await button(page, 'Allow').click()
  await expect(page).toHaveURL(/#\/dashboard\/AutoSync$/)
  const synced = async (): Promise<boolean> => {
    const { accounts } = await readApi<{ accounts: { loginName: string }[] }>(page, '/api/accounts')
    const { running } = await readApi<{ running: unknown }>(page, '/api/sync')
    return running === null && accounts.some(({ loginName }) => loginName === login)
  }
  await expect.poll(synced, { timeout: 60_000 }).toBe(true)
  await expect(page.getByText('Trades are up to date').first()).toBeVisible()
  await closeToasts(page)
}

const closeToasts = async (page: Page): Promise<void> => {
  const toasts = page.getByRole('region', { name: /^Notifications/ }).getByRole('button', { name: 'Close' })
  while ((await toasts.count()) > 0) await toasts.first().click()
}

const addByHand = async (page: Page, symbol: string, entry: string, exit: string): Promise<void> => {
  await button(page, 'Add trade').click()
  const dialog = page.getByRole('dialog', { name: 'Add a trade' })
  for (const [label, text] of [['Contract', symbol], ['Account', 'Notebook'], ['Entry price', entry], ['Exit price', exit]] as const) await dialog.getByLabel(label, { exact: true }).fill(text)
  await dialog.getByRole('button', { name: 'Add trade' }).click()
  await expect(page.getByRole('row').filter({ hasText: symbol })).toBeVisible()
}

test('identity and shell, with an empty journal', async ({ page }) => {
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await picture(page, 'sign-in-first')
  await signUp(page)
  for (const [path, heading, name] of dashboard) {
    await open(page, path, heading)
    await page.waitForLoadState('networkidle')
    await picture(page, `${name}-empty`)
  }
  await button(page, 'Add Account').click()
  await picture(page, 'connect-not-set-up')
  await page.keyboard.press('Escape')
  await button(page, 'This computer only').click()
  await picture(page, 'place')
  await page.keyboard.press('Escape')
  await button(page, /^Account of/).click()
  await picture(page, 'account-menu')
  await page.keyboard.press('Escape')
  await signOut(page)
  for (const [path, heading, name] of [['/auth/signin', 'Sign in', 'sign-in'], ['/auth/forgot-password', 'Set a new password', 'forgot-password'], ['/404', '404', 'not-found'], ['/auth/signup', 'Create a profile', 'sign-up']] as const) {
    await open(page, path, heading)
    await picture(page, name)
  }
  await page.getByLabel('E-mail').fill('nina')
  await button(page, 'Create profile').click()
  await picture(page, 'sign-up-refused')
  await page.getByLabel('E-mail').fill('nina.keller@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Create profile').click()
  await expect(page.getByTestId('recovery-code')).toBeVisible()
  await picture(page, 'recovery-code')
})

test('the dashboard of the demo, with its trades', async ({ page }) => {
  await button(page, 'Try it with the demo brokerage').click()
  await connectDemo(page, 'ava.morgan')
  await connectDemo(page, 'ben.keller')
  await button(page, 'Add Account').click()
  await picture(page, 'connect')
  await page.keyboard.press('Escape')
  for (const [path, heading, name] of dashboard) {
    await open(page, path, heading)
    await expect(page.getByRole('row').nth(1)).toBeVisible()
    if (name === 'overview') await expect(page.getByRole('img', { name: /^Equity curve/ })).toBeVisible()
    await page.mouse.move(0, 0)
    await picture(page, name)
  }

  await goTo(page, '/dashboard/TradeLogbook?unit=trips')
  await page.getByRole('row').filter({ hasText: 'pairs' }).first().click()
  await expect(page.locator('[aria-level="2"]').first()).toBeVisible()
  await page.mouse.move(0, 0)
  await picture(page, 'trips')
  await goTo(page, '/dashboard/TradeLogbook?symbol=nothing')
  await expect(page.getByText('No trade fits the filter')).toBeVisible()
  await picture(page, 'no-match')
  await goTo(page, '/dashboard/TradeLogbook')
  await page.locator('[data-line="0"]').click()
  await picture(page, 'trade')
  await page.keyboard.press('Escape')

  await button(page, 'Add trade').click()
  await page.getByLabel('Qty').fill('1.5')
  await page.getByRole('dialog').getByRole('button', { name: 'Add trade' }).click()
  await picture(page, 'add-refused')
  await page.keyboard.press('Escape')
  await addByHand(page, 'FDXSZ6', '24100', '24142')
  await addByHand(page, 'QQQZ6', '512.25', '514.5')
  await page.reload()
  await picture(page, 'warning', async () => {
    await page.keyboard.press('Escape')
    await button(page, /^1 warning/).click()
    await expect(page.getByText('Unknown contract', { exact: true })).toBeVisible()
  })
  await page.keyboard.press('Escape')

  await button(page, 'Minimise the sidebar').click()
  await open(page, '/dashboard?unit=pairs', 'Overview')
  await expect(page.getByText('EUR').first()).toBeVisible()
  await expect(page.getByRole('img', { name: /^Equity curve/ })).toBeVisible()
  await picture(page, 'two-currencies-minimised')
})

test('what shows while readings are on their way, and where they fail', async ({ page }) => {
  await button(page, 'Try it with the demo brokerage').click()
  await connectDemo(page, 'ava.morgan')

  const troubles: SyncReceipt['troubles'] = [
    { loginId: 'a', loginName: 'ava.morgan', environment: 'live', code: 'login-needed', detail: null, retryAfterMs: null },
    { loginId: 'a', loginName: 'ava.morgan', environment: 'demo', code: 'refused-by-broker', detail: 'Account is locked for maintenance', retryAfterMs: null },
    { loginId: 'b', loginName: 'ben.keller', environment: null, code: 'stopped', detail: null, retryAfterMs: null },
  ]
  const refused: SyncReceipt['refused'] = [
    { entity: 'fill', id: '880012345', account: 'NGF-EVAL50K-104233', reason: 'unreadable:price' },
    { entity: 'fill', id: '880012399', account: null, reason: 'no-order' },
  ]
  const answer = await readApi<{ last: SyncReceipt }>(page, '/api/sync')
  await page.route('**/api/sync', (route) => route.fulfill({ json: { ...answer, last: { ...answer.last, outcome: 'partial', troubles, refused } } }))
  await page.reload()
  await expect(page.getByText('Synced, but not everything')).toBeVisible()
  await picture(page, 'auto-sync-troubles')
  await page.unrouteAll()

  const running: SyncProgress = { runId: answer.last.runId, phase: 'fills', done: 3, total: 5, overall: 0.42 }
  await page.route('**/api/sync', (route) => route.fulfill({ json: { ...answer, running } }))
  await page.reload()
  await expect(page.getByRole('progressbar')).toBeVisible()
  await picture(page, 'auto-sync-running')
  await page.unrouteAll()

  await page.route(readings, () => undefined)
  for (const [path, heading, name] of dashboard) {
    await open(page, path, heading)
    await page.reload()
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
    await picture(page, `${name}-loading`)
  }
  await page.unrouteAll()
  // A refusal is not tried again, so that the error shows at once.
  await page.route(readings, (route) => route.fulfill({ status: 400, json: { error: 'Internal', code: 'internal' } }))
  for (const [path, heading, name] of dashboard) {
    await open(page, path, heading)
    await page.reload()
    await expect(page.getByRole('alert').first()).toBeVisible()
    await picture(page, `${name}-failed`)
  }
  await page.unrouteAll()

  await page.route('**/api/tradovate', () => undefined)
  await goTo(page, '/oauth/callback?code=one&state=two')
  await expect(page.getByText('Your Account is being connected to Tradovate')).toBeVisible()
  await picture(page, 'callback')
  await page.unrouteAll()

  await page.route('**/assets/overview-page-*.js', (route) => route.abort())
  await goTo(page, '/404')
  await page.reload()
  await goTo(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'Ooops, something went wrong :(' })).toBeVisible()
  await picture(page, 'error')
})
