import { startApp } from '#tests/helpers/running-app.ts'
import { expect, type Page } from '@playwright/test'
import { expectAccessible, goTo, signUp } from './app-test.ts'
import { brokerSettings, connect, goToConsent, labelAll, readApi, test } from './broker-test.ts'

test.use({ begins: 'outside' })

type Answers = { total: number; rows: { id: string; notes: string; netPnl: string }[] }

const tradesOf = (page: Page): Promise<Answers> => readApi(page, '/api/fill-pairs?limit=500')

test('from a new profile over consent and sync to a journal that survives a restart', async ({ page, app, broker, dataDir }) => {
  test.slow()
  const [first, second] = broker.walk
  broker.clock.set(first?.at ?? 0)
  await signUp(page)
  await expect(page.getByText('No accounts yet')).toBeVisible()
  await page.getByRole('link', { name: 'Add Account' }).click()
  await expect(page.getByRole('dialog', { name: 'Connect Tradovate & NinjaTrader Accounts' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByText('No account is connected', { exact: true })).toBeVisible()

  await goToConsent(page)
  // Fills come once the page was seen to wait for them, however long it takes to get there.
  broker.faults.set([{ kind: 'slow', ms: 1_500, path: 'account/list' }, { kind: 'slow', ms: 25_000, path: 'fill/list' }])
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Your Account is being connected to Tradovate', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(/^http:\/\/127\.0\.0\.1:\d+\/#\/dashboard\/AutoSync$/)
  await expect(page.getByRole('progressbar', { name: 'Sync progress', includeHidden: true })).toBeVisible()
  broker.faults.clear()
  await labelAll(page)
  await expect(page.getByRole('region', { name: 'Last sync' }).getByText('Trades are up to date')).toBeVisible()
  const accounts = broker.logins[0]?.accounts ?? []
  for (const account of accounts) await expect(page.getByRole('row').filter({ hasText: account.name })).toContainText('Tradovate')
  await expect(page.getByRole('table').getByRole('row').nth(1)).toContainText(/^I[A-Z]/)

  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(page.getByText('net P&L of closed trades, by trading day')).toBeVisible()
  await expect(page.getByRole('img', { name: /^Equity curve over 1 trading day,/ })).toBeVisible()
  await page.getByRole('radio', { name: 'Fill pairs' }).click()
  await expect(page.getByText('net P&L of closed fill pairs, by trading day')).toBeVisible()
  await expect(page).toHaveURL(/unit=pairs/)

  await page.getByRole('link', { name: 'TradeLogbook' }).click()
  const before = await tradesOf(page)
  expect(before.total).toBeGreaterThan(0)
  await expect(page.getByText(`${String(before.total)} fill pairs`)).toBeVisible()
  await page.locator('[data-line="0"]').filter({ hasText: /Long|Short/ }).click()
  await page.getByLabel('Notes').fill('Waited for the retest.')
  await page.getByLabel('Tags').fill('retest, patience')
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.poll(async () => (await tradesOf(page)).rows[0]?.notes).toBe('Waited for the retest.')

  broker.clock.set(second?.at ?? 0)
  await page.getByRole('button', { name: 'Sync Trades' }).click()
  // The first sync's message may still be there.
  await expect.poll(async () => (await tradesOf(page)).total).toBeGreaterThan(before.total)
  await expect(page.getByText(/^\d+ new fills · /).first()).toBeVisible()
  const after = await tradesOf(page)
  await expect(page.getByText(`${String(after.total)} fill pairs`)).toBeVisible()

  expect(await app.stop()).toBe(0)
  const again = await startApp({ dataDir, port: Number(new URL(app.origin).port), gates: 'open', env: brokerSettings(broker) })
  await page.reload()
  await expect(page.getByText(`${String(after.total)} fill pairs`)).toBeVisible()
  expect(await tradesOf(page)).toEqual(after)
  const noted = after.rows.findIndex(({ notes }) => notes !== '')
  // High enough for the row to be in the page.
  await page.setViewportSize({ width: 1440, height: 1400 })
  await page.locator(`[data-line="${String(noted)}"]`).click()
  await expect(page.getByLabel('Notes')).toHaveValue('Waited for the retest.')
  for (const tag of ['retest', 'patience']) await expect(page.getByRole('button', { name: `Remove tag ${tag}` })).toBeVisible()
  await again.stop()
})

test('a consent that is refused leads back and says so in words', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await goToConsent(page)
  await page.getByRole('button', { name: 'Deny' }).click()
  await expect(page).toHaveURL(/#\/dashboard\/AutoSync$/)
  await expect(page.getByText('The account was not connected', { exact: true })).toBeVisible()
  await expect(page.getByText('The broker was not allowed to share your accounts. Click Add Account to try again.', { exact: true })).toBeVisible()
  await expect(page.getByText('No account is connected', { exact: true })).toBeVisible()
})

test('a code that the brokerage refuses leads back and says so in words', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await goToConsent(page)
  const state = new URL(page.url()).searchParams.get('state') ?? ''
  const redirect = new URL(page.url()).searchParams.get('redirect_uri') ?? ''
  await page.goto(`${redirect}?code=invented&state=${state}`)
  await expect(page).toHaveURL(/#\/dashboard\/AutoSync$/)
  await expect(page.getByText('The broker did not accept the connection. Click Add Account and connect again.', { exact: true })).toBeVisible()
})

test('what stopped a sync is said with what to do, and connecting again heals it', { tag: '@nightly' }, async ({ page, broker }) => {
  // A refresh is tried twice, with a pause between, before an access counts as ended.
  test.slow()
  await signUp(page)
  await connect(page)
  broker.sessions.revoke(broker.logins[0]?.name ?? '')
  await page.getByRole('button', { name: 'Sync Trades' }).click()
  const last = page.getByRole('region', { name: 'Last sync' })
  await expect(last.getByText('Access to this login has ended. Click Add Account and connect it again.').first()).toBeVisible({ timeout: 45_000 })
  await expect(last.getByText('Sync failed')).toBeVisible()
  await connect(page)
  await expect(last.getByText('Trades are up to date')).toBeVisible()
})

test('the screens of the journal are accessible in both themes, with trades and with dialogs', { tag: '@nightly' }, async ({ page }) => {
  test.slow()
  await signUp(page)
  for (const [path, name] of [['/dashboard', 'Overview'], ['/dashboard/TradeLogbook', 'TradeLogbook'], ['/dashboard/AutoSync', 'AutoSync']] as const) {
    await goTo(page, path)
    await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
    await expectAccessible(page)
  }
  await connect(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add Account' }).click()
  await expectAccessible(page)
  await goTo(page, '/dashboard')
  await expect(page.getByRole('img', { name: /^Equity curve/ })).toBeVisible()
  await expectAccessible(page)
  await goTo(page, '/dashboard/TradeLogbook')
  await expect(page.locator('[data-line="0"]')).toBeVisible()
  await expectAccessible(page)
  await page.locator('[data-line="0"]').filter({ hasText: /Long|Short/ }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show fill pairs' }).first().click()
  await expect(page.locator('[aria-level="2"]').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add trade' }).click()
  await expectAccessible(page)
})
