import { expect, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { choose, labelDialog } from './broker-test.ts'
import { bodyOf, connection, finance, state } from './stated/stated.ts'

test.use({ begins: 'outside' })

const hourMs = 3_600_000
const row = (page: Page, account: string) => page.getByRole('row').filter({ hasText: account })

test('a label is saved before the next account is asked about, and the list is read again 1.2 s later', { tag: '@nightly' }, async ({ page }) => {
  await page.clock.install()
  await signUp(page)
  let known = [finance('A-1', { type: 'Account', firm: null }), finance('C-3', { type: 'Account', firm: null, platform: 'Elsewhere' })]
  const { calls } = await state(page, { finances: () => known, accounts: () => known.map(({ id }) => connection(id)) })
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  let answer: 'refuse' | 'hold' = 'refuse'
  await page.route('**/api/firestore-add-finance', async (route) => {
    if (answer === 'refuse') return route.fulfill({ status: 500, json: { success: false, error: 'Failed to save finance', code: 'internal' } })
    await held
    const saved = { ...known[0], ...(bodyOf(route.request())['finance'] as object) } as (typeof known)[0]
    known = known.map((one) => (one.id === saved.id ? saved : one))
    if (saved.id === 'A-1') known.push(finance('B-2', { type: 'Account', firm: null }))
    return route.fulfill({ json: { success: true, finance: saved } })
  })
  await goTo(page, '/dashboard/AutoSync')
  await page.reload()
  const dialog = labelDialog(page)
  await expect(dialog.getByText('A-1', { exact: true })).toBeVisible()
  await expect(dialog.getByText('$50,215')).toBeVisible()
  // It cannot be put off, and asks for both.
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog.getByRole('button')).toHaveText(['Save'])
  await expect(dialog.getByRole('combobox', { name: 'Account Type' })).toHaveText('Select Type')
  await expect(dialog.getByRole('combobox', { name: 'Firm' })).toHaveText('Select Firm')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await choose(page, 'Account Type', 'Funded Account')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await choose(page, 'Firm', 'Alpha Futures')
  await expect(dialog.getByRole('combobox', { name: 'Firm' })).toHaveText('AFAlpha Futures')

  // A save that fails says so and stays.
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Failed to save finance')
  await expect(dialog.getByText('A-1', { exact: true })).toBeVisible()

  // While a save is under way nothing else is asked.
  answer = 'hold'
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => calls('/api/firestore-add-finance').length).toBe(2)
  await expect(dialog).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expect(dialog.getByText('A-1', { exact: true })).toBeVisible()
  expect(bodyOf(calls('/api/firestore-add-finance')[1])['finance']).toMatchObject({ id: 'A-1', type: 'Funded Account', firm: 'Alpha Futures', platform: 'Tradovate' })

  await page.clock.pauseAt(new Date(Date.now() + 10_000))
  const read = calls('/api/firestore-get-finances').length
  letGo()
  await page.clock.runFor(100)
  await expect.poll(async () => {
    await page.clock.runFor(10)
    return await dialog.count()
  }).toBe(0)
  await expect(page.getByRole('row', { includeHidden: true }).filter({ hasText: 'A-1' })).toContainText('Funded Account')
  expect(calls('/api/firestore-get-finances').length).toBe(read)
  await page.clock.runFor(1_200)
  await expect.poll(() => calls('/api/firestore-get-finances').length).toBe(read + 1)
  await page.clock.resume()

  // An account that came meanwhile is asked about next.
  await expect(dialog.getByText('B-2', { exact: true })).toBeVisible()
  await choose(page, 'Account Type', 'Evaluation Account')
  await choose(page, 'Firm', 'Tradeify')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(row(page, 'B-2')).toContainText('Tradeify')
})

test('while a code is exchanged the screen says so, then it leads to AutoSync, and trades are read again 1.2 s later', { tag: '@nightly' }, async ({ page }) => {
  await page.clock.install()
  await signUp(page)
  const { calls } = await state(page, { finances: () => [finance('A-1')], accounts: () => [connection('A-1')] })
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/api/firestore-add-finance', (route) => route.fulfill({ json: { success: true, finance: finance('A-1') } }))
  await page.route('**/api/tradovate', async (route) => {
    const { code, action } = bodyOf(route.request())
    if (code === undefined) return route.fulfill({ json: action === 'account' ? { success: true, accounts: [{ id: 'A-1', name: 'A-1', balance: 50_214.61, currency: 'USD', fills: [] }] } : { success: true, needsReauth: false, expiredAccounts: [] } })
    await held
    return route.fulfill({ json: { success: true, tokens: { access_token: 'kept-by-the-program' }, tokenDocId: 'doc', returnTo: 'autosync' } })
  })
  // Back from the brokerage in the browser's path, which becomes the one in the hash with its query.
  await page.goto(`${new URL(page.url()).origin}/oauth/callback?code=a%2Bb&state=S1`)
  await expect(page).toHaveURL(/\/#\/oauth\/callback\?code=a%2Bb&state=S1$/)
  await expect(page.getByRole('status').getByText('Your Account is being connected to Tradovate', { exact: true })).toBeVisible()
  await expect(page.getByRole('status').getByText('Fillbook', { exact: true })).toBeVisible()
  await expectAccessible(page)
  expect(calls('/api/tradovate').map((call) => bodyOf(call)['code'])).toEqual(['a+b'])

  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  letGo()
  /** Lets a little time go by until something holds. */
  const soon = (holds: () => Promise<void>): Promise<void> =>
    expect(async () => {
      await page.clock.runFor(10)
      await holds()
    }).toPass()
  await soon(() => expect(page).toHaveURL(/#\/dashboard\/AutoSync$/, { timeout: 100 }))
  await goTo(page, '/dashboard/TradeLogbook?unit=pairs')
  await soon(() => expect(page.getByText('No trades yet')).toBeVisible({ timeout: 100 }))
  const read = (): number => calls('/api/fill-pairs').length
  expect(read()).toBe(1)
  await page.clock.runFor(1_200)
  await expect.poll(read).toBe(2)
})

test('no label is asked for while another dialog is open', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  let known = [finance('A-1')]
  await state(page, { finances: () => known, accounts: () => known.map(({ id }) => connection(id)) })
  await page.clock.install()
  await goTo(page, '/dashboard/AutoSync')
  await page.reload()
  await page.getByRole('button', { name: 'Add Account' }).click()
  const connecting = page.getByRole('dialog', { name: 'Connect Tradovate & NinjaTrader Accounts' })
  await expect(connecting).toBeVisible()
  known = [finance('A-1'), finance('B-2', { type: 'Account', firm: null })]
  await page.clock.fastForward(hourMs)
  await expect(page.getByRole('row', { includeHidden: true }).filter({ hasText: 'B-2' })).toHaveCount(1)
  await expect(connecting).toBeVisible()
  await expect(labelDialog(page)).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(labelDialog(page).getByText('B-2', { exact: true })).toBeVisible()
})

test('a disconnected account leaves at once, its end is announced after 1.5 s, and a later failure is only logged', { tag: '@nightly' }, async ({ page }) => {
  await page.clock.install()
  await signUp(page)
  const known = [finance('A-1'), finance('B-2', { type: 'Funded Account' })]
  const { calls } = await state(page, { finances: () => known, accounts: () => known.map(({ id }) => connection(id)), expired: () => [] })
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  await page.route('**/api/firestore-remove-*', async (route) => {
    await held
    return route.fulfill({ status: 500, json: { success: false, error: 'Failed to remove', code: 'internal' } })
  })
  await goTo(page, '/dashboard/AutoSync')
  await page.reload()
  await expect(row(page, 'B-2')).toBeVisible()
  await expect(page.getByTitle('Delete Account')).toHaveCount(2)
  await page.clock.pauseAt(new Date(Date.now() + 10_000))
  const logged: string[] = []
  page.on('console', (message) => { if (message.type() === 'error') logged.push(message.text()) })

  await page.getByRole('button', { name: 'Delete Account A-1' }).click()
  const working = page.getByRole('dialog', { name: 'Disconnecting Account' })
  await page.clock.runFor(50)
  await expect(working.getByText('A-1', { exact: true })).toBeVisible()
  await expect(working.getByText('Please wait while we disconnect your account', { exact: true })).toBeVisible()
  await expect(page.getByRole('row', { includeHidden: true })).toHaveCount(2)
  await expect(working.getByRole('button', { name: 'Continue' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await page.clock.runFor(1_400)
  await expect(working.getByRole('button', { name: 'Continue' })).toBeDisabled()
  await page.clock.runFor(100)
  const done = page.getByRole('dialog', { name: 'Connection removed successfully' })
  await expect(done.getByText('Account A-1 has been disconnected', { exact: true })).toBeVisible()
  await expect(done.getByRole('button', { name: 'Continue' })).toBeFocused()
  await page.clock.resume()

  letGo()
  await expect.poll(() => calls('/api/tradovate', 'removeToken').map((call) => bodyOf(call)['accountId'])).toEqual(['A-1'])
  expect(bodyOf(calls('/api/firestore-remove-finance')[0])).toMatchObject({ id: 'A-1' })
  expect(bodyOf(calls('/api/firestore-remove-trade')[0])).toMatchObject({ accountId: 'A-1' })
  expect(logged.filter((text) => text.startsWith('Failed to remove'))).toEqual(['Failed to remove finance internal', 'Failed to remove trade internal'])
  await expect(page.getByRole('region', { name: /^Notifications/ }).getByRole('listitem')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(done).toHaveCount(0)
})

test('health and balances are read at start and every hour on any screen, and ended access shows there', { tag: '@nightly' }, async ({ page }) => {
  await page.clock.install()
  await signUp(page)
  let expired: { accountId: string; accountName: string | null; lastError: string | null; tokenDocId: string }[] = []
  let known = [finance('A-1'), finance('B-2')]
  const { calls } = await state(page, { finances: () => known, accounts: () => known.map(({ id }) => connection(id)), expired: () => expired })
  await page.route('**/api/firestore-remove-*', (route) => route.fulfill({ json: { success: true } }))
  const checks = () => calls('/api/tradovate', 'checkTokenHealth').length
  const balances = () => calls('/api/firestore-get-finances').length
  await page.reload()
  await expect.poll(checks).toBe(1)
  await expect.poll(balances).toBe(1)
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await page.clock.fastForward(hourMs - 120_000)
  await expect(page.getByText('No accounts yet')).toBeVisible()
  expect([checks(), balances()]).toEqual([1, 1])

  expired = [
    { accountId: 'A-1', accountName: 'A-1', lastError: 'invalid_grant: token revoked', tokenDocId: 'doc-1' },
    { accountId: 'B-2', accountName: null, lastError: null, tokenDocId: 'doc-2' },
  ]
  await page.clock.fastForward(120_000)
  await expect.poll(checks).toBe(2)
  await expect.poll(balances).toBe(2)
  const dialog = page.getByRole('dialog', { name: 'Account Access Expired' })
  await expect(dialog).toContainText('These accounts have invalid access tokens and were automatically disconnected and removed from the dashboard. To reconnect, click Add Account and redo the platform authorization.')
  const items = dialog.getByRole('listitem')
  await expect(items.nth(0)).toHaveText('A-1ID: A-1Reason: invalid_grant: token revoked')
  await expect(items.nth(1)).toHaveText('Unknown AccountID: B-2')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button')).toHaveText(['Acknowledge & Remove'])
  await expectAccessible(page)

  known = []
  await dialog.getByRole('button', { name: 'Acknowledge & Remove' }).click()
  await expect(dialog).toHaveCount(0)
  const sentFields = (path: string, action: string | undefined, field: string) => calls(path, action).map((call) => bodyOf(call)[field]).sort()
  await expect.poll(() => sentFields('/api/tradovate', 'removeToken', 'tokenDocId')).toEqual(['doc-1', 'doc-2'])
  expect(sentFields('/api/tradovate', 'removeToken', 'accountId')).toEqual(['A-1', 'B-2'])
  expect(sentFields('/api/firestore-remove-finance', undefined, 'id')).toEqual(['A-1', 'B-2'])
  expect(sentFields('/api/firestore-remove-trade', undefined, 'accountId')).toEqual(['A-1', 'B-2'])
  await goTo(page, '/dashboard/AutoSync')
  await expect(page.getByText('No account is connected', { exact: true })).toBeVisible()
})

test('a health check that fails is only logged', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await page.route('**/api/tradovate', (route) => route.fulfill({ status: 400, json: { success: false, error: 'x', code: 'brokerage-unreachable' } }))
  const logged = page.waitForEvent('console', (message) => message.type() === 'error' && message.text() === '/api/tradovate brokerage-unreachable')
  await page.reload()
  await logged
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('alert')).toHaveCount(0)
})
