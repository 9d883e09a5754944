import { expect } from '@playwright/test'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp } from '#tests/helpers/running-app.ts'
import { expectAccessible, goTo, password, signOut, signUp, signUpByHand, test } from './app-test.ts'

test('a new user makes a profile, finds the recovery code again after a reload, and is reminded of it until it is saved', async ({ page }) => {
  await goTo(page, '/auth/signup')
  await page.getByLabel('Email').fill('nina@example.com')
  await page.getByLabel('Password', { exact: true }).fill('12345')
  await page.getByRole('button', { name: 'Create profile' }).click()
  await expect(page.getByText('Use at least 6 characters.')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()

  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create profile' }).click()
  const code = page.getByTestId('recovery-code')
  const shown = await code.innerText()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expect(page.getByText(shown)).toHaveCount(0)
  await page.getByRole('link', { name: 'Show code' }).click()
  await page.getByRole('button', { name: 'Show code…' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(code).toHaveText(shown)
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('fillbook-recovery-code.txt')
  await page.getByRole('button', { name: 'I saved it' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Renew…' })).toBeFocused()
  expect(await page.evaluate(() => JSON.stringify([localStorage, sessionStorage, location.href, history.state]))).not.toContain(shown)
  await goTo(page, '/dashboard')
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Show code' })).toHaveCount(0)
})

test('a new profile starts at a clean address, and going Back brings nothing of the profile before', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await goTo(page, '/dashboard/TradeLogbook?accounts=ninas&trade=ninas-trade')
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  await goTo(page, '/dashboard/Settings?section=stops')
  await goTo(page, '/dashboard/TradeLogbook?symbols=NINAS')
  await signOut(page)
  await page.reload()
  await page.getByRole('link', { name: 'Create one' }).click()
  await signUpByHand(page, 'otto@example.com')
  await expect(page).toHaveURL(/#\/dashboard$/)
  for (let back = 0; back < 6; back += 1) {
    await page.goBack()
    await expect(page.getByRole('button', { name: /^Account of/ })).toBeVisible()
    await expect(page).toHaveURL(/#\/dashboard(\/TradeLogbook|\/Settings)?$/)
    expect(await page.evaluate(() => JSON.stringify([history.state, localStorage, sessionStorage]))).not.toContain('ninas')
  }
  // A user who signs in again returns to their last page.
  await goTo(page, '/dashboard/TradeLogbook?symbols=OTTOS')
  await expect(page.getByRole('heading', { name: 'TradeLogbook' })).toBeVisible()
  await signOut(page)
  await page.getByLabel('Email').fill('otto@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/symbols=OTTOS/)
})

test('sign-up says where the journal goes: to this computer only, or also to the configured cloud', { tag: '@nightly' }, async ({ page }) => {
  await goTo(page, '/auth/signup')
  const alone = page.getByText('It stays on this computer.')
  await expect(alone).toBeVisible()
  await page.route('**/api/session', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ json: { ...sessionRoutes.session.answer.parse(await answer.json()), cloud: 'mirrored' } })
  })
  await page.reload()
  await expect(page.getByText('Fillbook mirrors its journal to the configured cloud')).toBeVisible()
  await expect(alone).toHaveCount(0)
})

test('the recovery code sets a new password and gives the next code', { tag: '@long' }, async ({ page }) => {
  const code = await signUp(page)
  await signOut(page)
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await page.getByLabel('Email').fill('nina@example.com')
  await page.getByLabel('Recovery code').fill(code)
  await page.getByLabel('New password', { exact: true }).fill('another horse')
  await page.keyboard.press('Enter')
  const next = page.getByTestId('recovery-code')
  await expect(next).toBeVisible()
  expect(await next.innerText()).not.toBe(code)
  await page.getByRole('button', { name: 'I saved it' }).click()

  await page.getByLabel('Email').fill('nina@example.com')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Email or password is wrong.')
  await page.getByLabel('Password', { exact: true }).fill('another horse')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
})

test('a signed-out user is sent to sign in, does so by keyboard alone, and returns to the requested page', { tag: '@nightly' }, async ({ page }) => {
  await signUp(page)
  await signOut(page)
  await expect(page.getByLabel('Email')).toBeFocused()
  await goTo(page, '/dashboard/autosync')
  await expect(page).toHaveURL(/#\/auth\/signin$/)
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type('Nina@Example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#\/dashboard\/autosync$/)
  await expect(page.getByRole('heading', { name: 'AutoSync', exact: true })).toBeVisible()
})

test('the demo brokerage is the first step of a fresh installation, is marked, and can be removed', { tag: '@nightly' }, async ({ page }) => {
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await expect(page.getByText('Demo', { exact: true })).toBeVisible()

  await goTo(page, '/dashboard/Settings?section=account')
  await page.getByRole('button', { name: 'Remove demo profile…' }).click()
  await expect(page.getByRole('dialog', { name: 'Remove demo profile' })).toContainText('Your own profiles, exported files, theme, and language stay.')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Remove permanently' }).click()
  await expect(page).toHaveURL(/#\/auth\/signin$/)
  await expect(page.getByText('Demo profile removed', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Try it with the demo brokerage' }).click()
  await expect(page).toHaveURL(/#\/dashboard$/)
})

test('signing out in one window signs out every other one', { tag: '@nightly' }, async ({ page, context }) => {
  await signUp(page)
  const other = await context.newPage()
  const listening = other.waitForResponse('**/api/events')
  await other.goto(page.url())
  await listening
  await signOut(page)
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('a tab left open on another user writes nothing for the user signed in since, and switches to them', { tag: '@nightly' }, async ({ page, context }) => {
  await signUp(page)
  // This tab gets no event about the other one.
  await page.route('**/api/events', (route) => route.abort())
  await page.reload()
  await goTo(page, '/dashboard/Import')
  await expect(page.getByRole('heading', { name: 'Import', exact: true })).toBeVisible()
  const other = await context.newPage()
  await other.goto(page.url())
  await signOut(other)
  await signUp(other, 'bert@example.com')

  const refused = page.waitForResponse((answer) => answer.request().method() === 'POST' && answer.status() === 403)
  await page.locator('input[type=file]').first().setInputFiles({ name: 'Fills.csv', mimeType: 'text/csv', buffer: Buffer.from('fills of Nina') })
  expect(await (await refused).json()).toMatchObject({ code: 'not-this-user' })
  await page.getByRole('button', { name: /^Account of/ }).click()
  await expect(page.getByText('bert@example.com')).toBeVisible()
})

test('a session that ended unseen is noticed at the next reading', { tag: '@nightly' }, async ({ page, context }) => {
  await signUp(page)
  await context.clearCookies()
  await goTo(page, '/dashboard/TradeLogbook')
  // The browser still has its key: its user signs in again.
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Pages' })).toHaveCount(0)
})

test('a browser without the key learns how to get one on every page, and asks again only on request', { tag: '@nightly' }, async ({ browser, app }) => {
  const context = await browser.newContext()
  for (const path of ['/', '/#/dashboard']) {
    const page = await context.newPage()
    let asked = 0
    page.on('request', (request) => (asked += Number(request.url().endsWith(sessionRoutes.session.path))))
    await page.goto(`${app.origin}${path}`)
    await expect(page.getByRole('alert')).toContainText('This browser has no access to the journal.')
    await expectAccessible(page)
    expect(asked).toBe(1)
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => asked).toBe(2)
    await expect(page.getByRole('alert')).toBeVisible()
    await page.close()
  }
  await context.close()
})

test('a page that is left before it has kept its key gets its browser in when the same address is opened again, and nobody else', { tag: '@nightly' }, async ({ app, browser }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  // The scripts of the page never arrive.
  await page.route('**/*.js', () => undefined)
  await page.goto(app.launchUrl, { waitUntil: 'commit' })
  await page.goto(`${app.origin}/favicon.svg`)
  await page.unrouteAll()
  await page.goto(`${app.origin}/`)
  await expect(page.getByRole('alert')).toContainText('This browser has no access to the journal.')
  await page.goto(`${app.launchUrl}#/auth/signin`)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expect(page).toHaveURL(`${app.origin}/#/auth/signin`)
  const other = await browser.newContext()
  const elsewhere = await other.newPage()
  await elsewhere.goto(app.launchUrl)
  await expect(elsewhere.getByRole('heading', { name: 'This address was used already' })).toBeVisible()
  await Promise.all([context.close(), other.close()])
})

test('a browser used only for a payment is sent back to where the payment started', { tag: '@nightly' }, async ({ browser, app }) => {
  const context = await browser.newContext()
  const page = await context.newPage()
  for (const path of ['/portal/return', '/checkout/return?payment=success&session_id=cs_1']) {
    await page.goto(`${app.origin}${path}`)
    await expect(page.getByText('You can close this window')).toBeVisible()
    await expect(page.getByText('shows the result of the payment there')).toHaveCount(path.includes('payment=') ? 1 : 0)
    await expect(page.getByRole('alert')).toHaveCount(0)
    await expectAccessible(page)
  }
  await context.close()
})

test('a user stays signed in while the program restarts', { tag: '@nightly' }, async ({ page, app, dataDir }) => {
  await signUp(page)
  expect(await app.stop()).toBe(0)
  const again = await startApp({ dataDir, port: Number(new URL(app.origin).port) })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible()
  await again.stop()
})
