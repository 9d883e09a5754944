import { expect, type Page } from '@playwright/test'
import type { SyncProgress, SyncReceipt } from '#shared/api/sync.ts'
import { button, goTo, password, signOut, signUp, test } from '../e2e/app-test.ts'
import { choose, readApi } from '../e2e/broker-test.ts'
import { connectDemo, dashboard, dismiss, loaded, open, picture, readings } from './picture.ts'
import { inEveryState, mirror, state, type Stated } from '../e2e/stated/stated.ts'

const addByHand = async (page: Page, symbol: string, entry: string, exit: string): Promise<void> => {
  await button(page, 'Add trade').click()
  const dialog = page.getByRole('dialog', { name: 'Add trade' })
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
    await loaded(page)
    await picture(page, `${name}-empty`)
  }
  await open(page, '/dashboard/AutoSync', 'AutoSync')
  await button(page, 'Add Account').click()
  await picture(page, 'connect-not-set-up')
  await dismiss(page)
  await button(page, 'This computer only').click()
  await picture(page, 'place')
  await dismiss(page)
  await button(page, /^Account of/).click()
  await picture(page, 'account-menu')
  await dismiss(page)
  await signOut(page)
  for (const [path, heading, name] of [['/auth/signin', 'Sign in', 'sign-in'], ['/auth/forgot-password', 'Set a new password', 'forgot-password'], ['/404', '404', 'not-found'], ['/auth/signup', 'Create a profile', 'sign-up']] as const) {
    await open(page, path, heading)
    await picture(page, name)
  }
  await page.getByLabel('Email').fill('nina')
  await button(page, 'Create profile').click()
  await picture(page, 'sign-up-refused')
  await page.getByLabel('Email').fill('nina.keller@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Create profile').click()
  await expect(page.getByTestId('recovery-code')).toBeVisible()
  await picture(page, 'recovery-code')
})

test('the dashboard of the demo, with its trades', async ({ page }) => {
  await button(page, 'Try it with the demo brokerage').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
  await connectDemo(page, 'ava.morgan')
  await connectDemo(page, 'ben.keller')
  await button(page, 'Add Account').click()
  await picture(page, 'connect')
  await dismiss(page)
  for (const [path, heading, name] of dashboard) {
    await open(page, path, heading)
    if (name !== 'import') await expect(page.getByRole('row').nth(1)).toBeVisible()
    if (name === 'overview') await expect(page.getByRole('img', { name: /^Equity curve/ })).toBeVisible()
    await page.mouse.move(0, 0)
    await picture(page, name)
  }

  await goTo(page, '/dashboard/TradeLogbook?unit=trades')
  await button(page, 'Show fill pairs').first().click()
  await expect(page.locator('[aria-level="2"]').first()).toBeVisible()
  await page.mouse.move(0, 0)
  await picture(page, 'trades')
  await goTo(page, '/dashboard/TradeLogbook?symbol=nothing')
  await expect(page.getByText('No trade matches the filter')).toBeVisible()
  await picture(page, 'no-match')
  await goTo(page, '/dashboard/TradeLogbook')
  await page.locator('[data-line="0"]').click()
  await picture(page, 'trade')
  await dismiss(page)

  await button(page, 'Add trade').click()
  await page.getByLabel('Qty').fill('1.5')
  await page.getByRole('dialog').getByRole('button', { name: 'Add trade' }).click()
  await picture(page, 'add-refused')
  // Escape would keep what was entered for the next trade.
  await button(page, 'Cancel').click()
  await addByHand(page, 'FDXSZ6', '24100', '24142')
  await addByHand(page, 'QQQZ6', '512.25', '514.5')
  await page.reload()
  await picture(page, 'warning', async () => {
    await page.keyboard.press('Escape')
    await page.getByTitle(/^1 warning/).click()
    await expect(page.getByText('Unknown contract', { exact: true })).toBeVisible()
  })
  await dismiss(page)

  await button(page, 'Minimize sidebar').click()
  await open(page, '/dashboard?unit=pairs', 'Overview')
  await expect(page.getByText('EUR').first()).toBeVisible()
  await expect(page.getByRole('img', { name: /^Equity curve/ })).toBeVisible()
  await picture(page, 'two-currencies-minimised')
})

test('what shows while readings are on their way, and where they fail', async ({ page }) => {
  await button(page, 'Try it with the demo brokerage').click()
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible()
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
  const holding = { accountId: 'tradovate:demo:700101', accountName: 'NGF-EVAL50K-104233', contract: 'MESZ6' } as const
  const holdings: SyncReceipt['holdings'] = [
    { ...holding, kind: 'carried', broker: 2, ours: 0 },
    { ...holding, contract: 'GCG7', kind: 'fills-missing', broker: 6, ours: 4 },
    { ...holding, contract: 'CLF7', kind: 'pairs-differ', broker: 3, ours: 2 },
  ]
  const answer = await readApi<{ last: SyncReceipt }>(page, '/api/sync')
  await page.route('**/api/sync', (route) => route.fulfill({ json: { ...answer, last: { ...answer.last, outcome: 'partial', troubles, holdings, refused, refusedTotal: refused.length } } }))
  await page.reload()
  await expect(page.getByText('Partly synced')).toBeVisible()
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
    await expect(page.getByText('Could not load this').first()).toBeVisible()
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

test('accounts in every state, and their dialogs', async ({ page }) => {
  await signUp(page)
  const { accounts, finances: labeled } = inEveryState()
  const stated = { finances: labeled, expired: [] as ReturnType<NonNullable<Stated['expired']>>, place: mirror({ state: 'this-computer-only' }) }
  const gap = (accountId: string, day: string) => ({ accountId, accountName: accountId, tradingDay: day, from: `${day}T16:02:00Z`, to: `${day}T22:00:00Z` })
  const missed = ['2026-02-13', '2026-02-12', '2026-02-11', '2026-02-10'].flatMap((day) => [gap('NGF-EVAL50K-104233', day), gap('NGF-EVAL150K-104871', day)])
  let gaps: typeof missed = []
  await state(page, { accounts: () => accounts, finances: () => stated.finances, expired: () => stated.expired, gaps: () => gaps, mirror: () => stated.place })
  await page.route('**/api/firestore-add-finance', (route) => route.fulfill({ status: 400, json: { success: false, error: 'Failed to save finance', code: 'internal' } }))
  const autoSync = async (): Promise<void> => {
    await goTo(page, '/dashboard/AutoSync')
    await page.reload()
  }
  await autoSync()
  await expect(page.getByText('Login needed')).toBeVisible()
  await picture(page, 'accounts-states')
  gaps = missed
  await autoSync()
  await expect(page.getByText('4 sessions may be missing fills')).toBeVisible()
  await picture(page, 'accounts-gaps')
  gaps = []

  await button(page, 'Delete Account KELLER-LIVE-2').click()
  await expect(page.getByRole('dialog', { name: 'Connection removed successfully' })).toBeVisible()
  await picture(page, 'disconnected')
  await button(page, 'Continue').click()
  await page.clock.install()
  await page.reload()
  await expect(button(page, 'Delete Account KELLER-LIVE-2')).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await button(page, 'Delete Account KELLER-LIVE-2').click()
  await page.clock.runFor(100)
  await picture(page, 'disconnecting')
  await page.clock.resume()
  await page.reload()

  const waiting = (...places: readonly number[]): void => {
    stated.finances = labeled.map((one, index) => (places.includes(index) ? { ...one, type: 'Account', firm: null } : one))
  }
  waiting(0)
  await autoSync()
  await expect(page.getByRole('combobox', { name: 'Firm' })).toBeVisible()
  await picture(page, 'label')
  await picture(page, 'label-firms', async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('combobox', { name: 'Firm' }).click()
    await expect(page.getByRole('option').first()).toBeVisible()
  })
  await page.keyboard.press('Escape')
  await choose(page, 'Account Type', 'Funded Account')
  await choose(page, 'Firm', 'Alpha Futures')
  await picture(page, 'label-chosen')
  await button(page, 'Save').click()
  await expect(page.getByRole('alert')).toBeVisible()
  await picture(page, 'label-failed')

  waiting(0, 2, 3, 4)
  await autoSync()
  const labels = page.getByRole('dialog', { name: 'Label your accounts' })
  await expect(labels).toBeVisible()
  await picture(page, 'labels')
  await choose(page, 'Account Type of KELLER-LIVE-2', 'Own account')
  await choose(page, 'Account Type of FUNDEDNEXT-150K-9', 'Funded Account')
  await choose(page, 'Firm of NGF-EVAL50K-104233', 'Other')
  await picture(page, 'labels-complete')
  await button(page, 'Save').click()
  await expect(labels.getByRole('alert')).toBeVisible()
  await picture(page, 'labels-failed')

  stated.finances = labeled
  stated.expired = [
    { accountId: 'tradovate:demo:700101', accountName: 'NGF-EVAL50K-104233', lastError: 'invalid_grant: the refresh token was revoked', tokenDocId: 'a' },
    { accountId: 'tradovate:live:700105', accountName: null, lastError: null, tokenDocId: 'b' },
  ]
  await page.goto('about:blank')
  await page.goBack()
  await expect(page.getByRole('dialog', { name: 'Account Access Expired' })).toBeVisible()
  await picture(page, 'expired')
  stated.expired = []

  stated.place = mirror({ state: 'restoring', restoring: { done: 41_200, total: 100_000 } })
  await goTo(page, '/dashboard')
  await page.reload()
  await picture(page, 'restoring')
  await open(page, '/dashboard/AutoSync', 'AutoSync')
  stated.finances = []
  await page.reload()
  await expect(page.getByText('Restoring your accounts')).toBeVisible()
  await picture(page, 'accounts-restoring')

  gaps = missed
  stated.place = mirror({ state: 'this-computer-only' })
  await open(page, '/dashboard', 'Overview')
  await page.reload()
  await expect(page.getByText(/^Fillbook missed 4 sessions/)).toBeVisible()
  await picture(page, 'overview-empty-gaps')
  const chart = await page.screenshot()
  await page.unroute('**/api/firestore-*')
  await open(page, '/dashboard/TradeLogbook', 'TradeLogbook')
  await addByHand(page, 'MESZ6', '6052.25', '6054.75')
  await page.locator('[data-line="0"]').click()
  await page.getByRole('dialog').locator('input[type=file]').first().setInputFiles({ name: 'chart.png', mimeType: 'image/png', buffer: chart })
  await expect(page.getByRole('group', { name: 'First picture' }).locator('img')).toBeVisible()
  await picture(page, 'trade-pictures', () => page.getByLabel('Headline of the first picture').scrollIntoViewIfNeeded())
  await page.keyboard.press('Escape')
  stated.place = mirror({ state: 'restoring', restoring: { done: 41_200, total: 100_000 } })
  await open(page, '/dashboard', 'Overview')
  await page.reload()
  await expect(page.getByText('Fillbook is still restoring your journal', { exact: false })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Equity curve/ })).toBeVisible()
  await picture(page, 'overview-gaps-restoring')
})

test('the copy in the cloud', async ({ page }) => {
  await signUp(page)
  let current = mirror()
  await state(page, { mirror: () => current })
  const places = [
    ['up-to-date', mirror({ lastSentAt: '2026-02-13T20:41:00Z' })],
    ['sending', mirror({ state: 'sending', waiting: 1_204, waitingSince: '2026-02-13T20:41:00Z', lastSentAt: '2026-02-13T20:41:00Z' })],
    ['offline', mirror({ state: 'offline', waiting: 1_204, waitingSince: '2026-02-13T20:41:00Z', lastSentAt: '2026-02-12T20:41:00Z', nextTryAt: '2026-02-13T21:00:05Z' })],
    ['refused', mirror({ state: 'refused', waiting: 2, waitingSince: '2026-02-13T20:41:00Z', nextTryAt: '2026-02-13T21:00:05Z' })],
    ['comparing', mirror({ state: 'comparing', comparing: { done: 41_200, total: 100_000 }, waiting: 1_204, storage: { bytes: 38_400_000, limit: 100_000_000 }, lastSentAt: '2026-02-13T20:41:00Z' })],
    ['pictures-waiting', mirror({ state: 'pictures-waiting', pictures: { waiting: 3, bytes: 2_400_000, status: 413, nextTryAt: '2026-02-13T21:00:05Z' }, storage: { bytes: 38_400_000, limit: 100_000_000 }, lastSentAt: '2026-02-13T20:41:00Z' })],
    ['account-gone', mirror({ state: 'account-gone', waiting: 2, waitingSince: '2026-02-13T20:41:00Z', lastSentAt: '2026-02-13T20:41:00Z', nextTryAt: '2026-02-13T21:00:05Z' })],
    ['restoring', mirror({ state: 'restoring', restoring: { done: 41_200, total: 100_000 } })],
  ] as const
  const line = /^(Cloud|Sending|Offline|Refused|Comparing|Pictures|Account deleted|Restoring)/
  for (const [name, place] of places) {
    current = place
    await goTo(page, '/dashboard')
    await page.reload()
    await loaded(page)
    await button(page, line).click()
    await picture(page, `mirror-${name}`)
    await dismiss(page)
  }
})
