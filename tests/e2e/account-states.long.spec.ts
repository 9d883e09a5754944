import { expect, type Page, type Request } from '@playwright/test'
import { expectAccessible, goTo, signUp, test } from './app-test.ts'
import { postApi, readApi } from './broker-test.ts'
import { bodyOf, connection, finance, inEveryState, mirror, state } from './stated/stated.ts'

test.use({ begins: 'outside' })

const row = (page: Page, account: string) => page.getByRole('row').filter({ hasText: account })

/** Enters a trade by hand, past the screens. */
const enterTrade = async (page: Page): Promise<void> => {
  const { currentUser } = await readApi<{ currentUser: { uid: string } }>(page, '/api/session')
  const trade = { id: 'by-hand', symbol: 'MESH6', qty: 1, entryPrice: 6052.25, exitPrice: 6054.75, entryTime: '2026-02-13T15:12:00Z', exitTime: '2026-02-13T15:41:07Z' }
  await postApi(page, '/api/firestore-add-trade', { userId: currentUser.uid, trade })
}

/** Whether anything is wider than the window or its box. */
const overflowing = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...document.querySelectorAll('html, main, main *')].filter((box) => box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== 'visible' && !box.className.includes('sr-only') && !box.classList.contains('truncate')).map((box) => box.className))

test('every account state has a text with the next step, in a small window too', { tag: '@nightly' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await signUp(page)
  const { accounts, finances } = inEveryState()
  await state(page, { accounts: () => accounts, finances: () => finances })
  await goTo(page, '/dashboard/AutoSync')
  await page.reload()
  await expect(row(page, 'NGF-EVAL50K')).toContainText(/Synced Feb 13, \d\d:41/)
  await expect(row(page, 'NGF-EVAL150K')).toContainText('Syncing now')
  await expect(row(page, 'PA-APEX')).toContainText(/Waiting for the broker.*next retry Feb 14, .*last synced Feb 13, /)
  await expect(row(page, 'KELLER-LIVE-2')).toContainText(/Login needed.*last synced Feb 13, /)
  await expect(row(page, 'KELLER-LIVE-2').getByRole('cell').nth(5)).toHaveText('–')
  await expect(row(page, 'FUNDEDNEXT')).toContainText('Not connected here')
  await expect(row(page, 'TOPONE')).toContainText('Not synced yet')
  for (const [width, height] of [[1440, 900], [1024, 768]] as const) {
    await page.setViewportSize({ width, height })
    // A window that was just resized is laid out a moment later, and its letters come after its words.
    await expect.poll(() => overflowing(page), String(width)).toEqual([])
    await expectAccessible(page)
  }
  for (const link of ['Reconnect: KELLER-LIVE-2', 'Connect here: FUNDEDNEXT-150K-9']) {
    await page.getByRole('button', { name: link }).click()
    await expect(page.getByRole('dialog', { name: 'Connect Tradovate & NinjaTrader Accounts' })).toBeVisible()
    await page.keyboard.press('Escape')
  }
})

test('a missed session is named with its accounts and times until the trader says that nothing is missing', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const gap = (accountId: string, day: number) => ({ accountId, accountName: accountId, tradingDay: `2026-02-${String(day)}`, from: `2026-02-${String(day)}T16:02:00Z`, to: `2026-02-${String(day)}T22:00:00Z` })
  // Two accounts may have missed different stretches of one session.
  let gaps = [gap('A-1', 13), gap('B-2', 13), gap('A-1', 12), { ...gap('B-2', 12), from: '2026-02-11T23:00:00Z' }, gap('A-1', 11), gap('A-1', 10)]
  const { calls } = await state(page, { gaps: () => gaps, accounts: () => [connection('A-1'), connection('B-2')], finances: () => [finance('A-1'), finance('B-2')] })
  let refuse = true
  await page.route('**/api/accounts/gaps/close', (route) => {
    if (refuse) return route.fulfill({ status: 404, json: { success: false, error: 'not-found', code: 'not-found' } })
    const closed = bodyOf(route.request())
    gaps = gaps.filter(({ accountId, tradingDay }) => accountId !== closed['accountId'] || tradingDay !== closed['tradingDay'])
    return route.fulfill({ json: { success: true } })
  })
  await goTo(page, '/dashboard/AutoSync')
  await page.reload()
  const sessions = page.getByRole('list', { name: 'Missed sessions' }).getByRole('listitem')
  await expect(page.getByText('4 sessions may be missing fills')).toBeVisible()
  await expect(sessions).toHaveCount(3)
  await expect(sessions.first()).toContainText(/Session of Feb 13, 2026.*Feb 13, \d\d:02\s–\s\d\d:00.*A-1, B-2/)
  await expect(page.getByText('export the session’s fills at the broker and import the file.', { exact: false })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Import files' })).toHaveAttribute('href', '#/dashboard/Import')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show all 5' }).click()
  await expect(sessions).toHaveCount(5)

  const close = page.getByRole('button', { name: 'Mark complete: session of Feb 13, 2026' })
  await close.click()
  await expect(page.getByText('The session could not be marked complete', { exact: true })).toBeVisible()
  await expect(sessions).toHaveCount(5)
  refuse = false
  await close.click()
  await expect(sessions).toHaveCount(4)
  const closed = calls('/api/accounts/gaps/close').map((call) => bodyOf(call))
  expect(closed.slice(-2)).toEqual([{ accountId: 'A-1', tradingDay: '2026-02-13' }, { accountId: 'B-2', tradingDay: '2026-02-13' }])
})

test('the overview says that figures may lack missed sessions, also where there is no trade yet, and leads to where they are settled', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const gap = (day: string) => ({ accountId: 'A-1', accountName: 'A-1', tradingDay: day, from: `${day}T16:02:00Z`, to: `${day}T22:00:00Z` })
  let gaps = [gap('2026-02-13')]
  await state(page, { gaps: () => gaps })
  await page.reload()
  const note = page.getByText(/missed .*sessions?/)
  await expect(note).toHaveText('Fillbook missed the session of Feb 13, 2026. Its trades may be incomplete.')
  await expect(page.getByText('No accounts yet')).toBeVisible()

  await enterTrade(page)
  gaps = [gap('2026-02-13'), { ...gap('2026-02-13'), accountId: 'B-2' }, gap('2026-02-12')]
  await page.reload()
  await expect(page.getByText('Win rate', { exact: true })).toBeVisible()
  await expect(note).toHaveText('Fillbook missed 2 sessions, the latest on Feb 13, 2026. Their trades may be incomplete.')
  for (const [width, height] of [[1440, 900], [1024, 768]] as const) {
    await page.setViewportSize({ width, height })
    // A window that was just resized is laid out a moment later, and its letters come after its words.
    await expect.poll(() => overflowing(page), String(width)).toEqual([])
    await expectAccessible(page)
  }
  await page.getByRole('link', { name: 'Open AutoSync' }).click()
  await expect(page.getByText('2 sessions may be missing fills')).toBeVisible()

  gaps = []
  await goTo(page, '/dashboard')
  await page.reload()
  await expect(page.getByText('Win rate', { exact: true })).toBeVisible()
  await expect(note).toHaveCount(0)
})

test('the sidebar shows the state of the cloud copy, and retries on request', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  let place = mirror()
  const { calls } = await state(page, { mirror: () => place })
  const line = (text: string) => page.getByRole('complementary', { name: 'Pages' }).getByRole('button', { name: text, exact: true })
  const show = async (next: typeof place, text: string): Promise<void> => {
    place = next
    await page.reload()
    await expect(line(text)).toBeVisible()
  }
  await show(mirror({ state: 'this-computer-only' }), 'This computer only')
  await show(mirror({ lastSentAt: '2026-02-13T20:41:00Z' }), 'Cloud up to date')
  await show(mirror({ state: 'sending', waiting: 1_204, waitingSince: '2026-02-13T20:41:00Z' }), 'Sending, 1,204 pending')
  await show(mirror({ state: 'refused', waiting: 2 }), 'Refused, 2 pending')
  await show(mirror({ state: 'offline', waiting: 1, waitingSince: '2026-02-13T20:41:00Z', lastSentAt: '2026-02-12T20:41:00Z', nextTryAt: '2026-02-13T21:00:05Z' }), 'Offline, 1 pending')
  await line('Offline, 1 pending').click()
  await expect(page.getByText(/^1 change pending since Feb 13, \d\d:41\.$/)).toBeVisible()
  await expect(page.getByText(/^Next retry at \d\d:00:05\.$/)).toBeVisible()
  await expectAccessible(page)
  place = mirror({ state: 'sending', waiting: 1, waitingSince: '2026-02-13T20:41:00Z' })
  await page.getByRole('button', { name: 'Retry now' }).click()
  await expect(line('Sending, 1 pending')).toHaveCount(1)
  expect(calls('/api/mirror').filter((call) => call.method() === 'POST')).toHaveLength(1)
})

test('the line of the sidebar says how far a comparison is, which pictures wait and what helps, and that an account is gone, whose journal goes on when its user says so', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  let place = mirror({ state: 'comparing', comparing: { done: 41_200, total: 100_000 }, lastSentAt: '2026-02-13T20:41:00Z' })
  const { calls } = await state(page, { mirror: () => place })
  await page.route('**/api/mirror/new-account', (route) => {
    place = mirror({ state: 'sending', waiting: 2 })
    return route.fulfill({ json: { success: true } })
  })
  const line = (text: string) => page.getByRole('complementary', { name: 'Pages' }).getByRole('button', { name: text, exact: true })
  const opened = page.getByRole('dialog', { name: 'Journal storage' })
  const show = async (next: typeof place, text: string): Promise<void> => {
    place = next
    await page.reload()
    await line(text).click()
    await expect(opened).toBeVisible()
  }
  /** Nothing is cut off or out of the window in either size, and axe finds nothing. */
  const fits = async (): Promise<void> => {
    for (const [width, height] of [[1440, 900], [1024, 768]] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(async () => { const box = await opened.boundingBox(); return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height }, String(width)).toBe(true)
      await expectAccessible(page)
    }
  }
  await show(place, 'Comparing 41%')
  await expect(opened.getByRole('progressbar', { name: 'Records compared' })).toHaveAttribute('aria-valuenow', '41')
  await expect(opened.getByText('41,200 of about 100,000 records compared.')).toBeVisible()
  await expect(opened.getByText('keeps everything that either has', { exact: false })).toBeVisible()
  await expect(opened.getByText('Everything that Fillbook mirrors is in the cloud.')).toHaveCount(0)
  await fits()
  await show(mirror({ state: 'comparing', comparing: { done: 0, total: 0 } }), 'Comparing 0%')
  await expect(opened.getByText('records compared')).toHaveCount(0)

  await show(mirror({ state: 'pictures-waiting', pictures: { waiting: 3, bytes: 2_400_000, status: 413, nextTryAt: '2026-02-13T21:00:05Z' } }), 'Pictures pending')
  await expect(opened.getByText('3 pictures of up to 3 MB are pending: the cloud, or a server in front of it, refused them with status 413. They are safe on this computer.')).toBeVisible()
  await expect(opened.getByText('in nginx that is client_max_body_size 11m', { exact: false })).toBeVisible()
  await expect(opened.getByText(/^Next retry at \d\d:00:05\.$/)).toBeVisible()
  await fits()

  await show(mirror({ state: 'pictures-waiting', pictures: { waiting: 1, bytes: 2_400_000, status: 403, nextTryAt: '2026-02-13T21:00:05Z' } }), 'Pictures pending')
  await expect(opened.getByText('refused it with status 403', { exact: false })).toBeVisible()
  await expect(opened.getByText('nginx', { exact: false })).toHaveCount(0)

  await show(mirror({ state: 'account-gone', waiting: 2, waitingSince: '2026-02-13T20:41:00Z', nextTryAt: '2026-02-13T21:00:05Z' }), 'Account deleted')
  await expect(opened.getByText('The journal is safe on this computer', { exact: false })).toBeVisible()
  await expect(opened.getByText('Next retry', { exact: false })).toHaveCount(0)
  await fits()
  await opened.getByRole('button', { name: 'Send to the new account' }).click()
  await expect(line('Sending, 2 pending')).toHaveCount(1)
  expect(calls('/api/mirror/new-account')).toHaveLength(1)
})

test('a journal being restored shows its progress instead of the empty screen', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await state(page, { mirror: () => mirror({ state: 'restoring', restoring: { done: 41_200, total: 100_000 } }) })
  await page.reload()
  const progress = page.getByRole('main').getByRole('progressbar', { name: 'Journal restored' })
  await expect(progress).toHaveAttribute('aria-valuenow', '41')
  await expect(page.getByText('41,200 of 100,000 records')).toBeVisible()
  await expect(page.getByText('No accounts yet')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Restoring 41%' })).toBeVisible()
  await expectAccessible(page)
  await goTo(page, '/dashboard/AutoSync')
  await expect(page.getByText('Restoring your accounts')).toBeVisible()
})

test('an unfinished restore is shown while the cloud is unreachable, even without known progress', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  let place = mirror({ state: 'offline', restoring: { done: 41_200, total: 100_000 }, nextTryAt: '2026-02-13T21:00:05Z' })
  await state(page, { mirror: () => place })
  await page.reload()
  const progress = page.getByRole('main').getByRole('progressbar', { name: 'Journal restored' })
  await expect(progress).toHaveAttribute('aria-valuenow', '41')
  await expect(page.getByText('The cloud is not sending the rest right now')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Offline', exact: true })).toBeVisible()
  place = mirror({ state: 'offline', restoring: { done: 0, total: 0 }, nextTryAt: '2026-02-13T21:00:05Z' })
  await page.reload()
  await expect(page.getByText('The cloud is not sending the rest right now')).toBeVisible()
  await expect(progress).toHaveCount(0)
  await expect(page.getByText('No accounts yet')).toHaveCount(0)
  await expectAccessible(page)
  await goTo(page, '/dashboard/AutoSync')
  await expect(page.getByText('Restoring your accounts')).toBeVisible()
})

test('mirror events show at once, and a repaired journal is read again', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const { calls } = await state(page, { mirror: () => mirror({ state: 'restoring', restoring: { done: 1, total: 4 } }) })
  let push = (): void => undefined
  const pushed = new Promise<void>((resolve) => (push = resolve))
  await page.route('**/api/events', async (route) => {
    await pushed
    const mirrorNow = JSON.stringify({ type: 'mirror-changed', mirror: mirror() })
    await route.fulfill({ contentType: 'text/event-stream', body: `retry: 1000000\nevent: mirror-changed\ndata: ${mirrorNow}\n\n` })
  })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Restoring 25%' })).toBeVisible()
  await expect.poll(() => calls('/api/statistics').length).toBe(1)
  await page.unroute('**/api/mirror')
  await page.route('**/api/mirror', (route) => route.fulfill({ json: mirror() }))
  push()
  await expect(page.getByRole('button', { name: 'Cloud up to date' })).toBeVisible()
  await expect.poll(() => calls('/api/statistics').length).toBe(2)
  await expect(page.getByText('No accounts yet')).toBeVisible()
})

test('a mirror event wins over an older read that arrives later', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  const [asked, letGo] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()]
  await page.route('**/api/mirror', async (route) => {
    asked.resolve(undefined)
    await letGo.promise
    await route.fulfill({ json: mirror({ state: 'sending' }) })
  })
  await page.route('**/api/events', async (route) => {
    await asked.promise
    await route.fulfill({ contentType: 'text/event-stream', body: `retry: 1000000\nevent: mirror-changed\ndata: ${JSON.stringify({ type: 'mirror-changed', mirror: mirror() })}\n\n` })
  })
  const isReading = (request: Request): boolean => new URL(request.url()).pathname === '/api/mirror'
  const over = Promise.race([page.waitForEvent('requestfinished', isReading), page.waitForEvent('requestfailed', isReading)])
  await page.reload()
  await expect(page.getByRole('button', { name: 'Cloud up to date' })).toBeVisible()
  letGo.resolve(undefined)
  await over
  await page.evaluate(() => fetch('/licenses.json'))
  await expect(page.getByRole('button', { name: 'Cloud up to date' })).toBeVisible()
})
