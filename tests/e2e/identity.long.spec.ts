import { expect, type Page } from '@playwright/test'
import { startAuthEmulator, type AuthEmulator } from '#tests/helpers/auth-emulator.ts'
import { startGoogle, type GoogleStandIn } from '#tests/helpers/google.ts'
import { startApp, type RunningApp } from '#tests/helpers/running-app.ts'
import { goTo, password, signOut, test as base } from './app-test.ts'
import { google, overview, said } from './identity-test.ts'

/** The program with Firebase's own Auth emulator and a stand-in of Google behind it, which all tests of a worker share. */
const test = base.extend<{ app: RunningApp }, { emulator: AuthEmulator; googleStandIn: GoogleStandIn }>({
  emulator: [
    async ({}, use) => {
      const emulator = await startAuthEmulator()
      await use(emulator)
      await emulator.stop()
    },
    { scope: 'worker', timeout: 900_000 },
  ],
  googleStandIn: [
    async ({}, use) => {
      const standIn = await startGoogle()
      await use(standIn)
      await standIn.stop()
    },
    { scope: 'worker' },
  ],
  app: async ({ dataDir, emulator, googleStandIn }, use) => {
    const app = await startApp({ dataDir, env: { ...emulator.env, ...googleStandIn.env } })
    await use(app)
    await app.stop()
  },
})

const signUp = async (page: Page, email: string): Promise<void> => {
  await goTo(page, '/auth/signup')
  await page.getByLabel('Name').fill('Nina Keller')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(overview(page)).toBeVisible()
}
const signIn = async (page: Page, email: string, given: string): Promise<void> => {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(given)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
/** Opens a mailed link as its reader does, in a tab beside. */
const openMailed = async (page: Page, link: string): Promise<void> => {
  const tab = await page.context().newPage()
  await tab.goto(link)
  await tab.close()
}
const wrong = 'Email or password is wrong. Check both, or set a new password with “Forgot password?”.'

test('a new user signs up, verifies the e-mail, signs out and in again', async ({ page, emulator }) => {
  const email = 'life@example.com'
  await goTo(page, '/auth/signup')
  await expect(page.getByRole('listitem')).toHaveText(['At least 6 characters'])
  await signUp(page, email)
  await page.getByRole('button', { name: /^Account of Nina Keller/ }).click()
  await page.getByRole('menuitem', { name: 'Verify your email' }).click()
  const looked = page.getByRole('button', { name: 'I verified it' })
  await looked.click()
  await expect(page.getByText('Not verified yet.')).toBeVisible()
  await openMailed(page, await emulator.mailed(email, 'VERIFY_EMAIL'))
  await looked.click()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()

  await page.reload()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await signOut(page)
  await signIn(page, email, 'wrong horse')
  await expect(page.getByRole('alert')).toHaveText(wrong)
  await signIn(page, email, password)
  await expect(overview(page).or(page.getByRole('heading', { name: 'Settings' }))).toBeVisible()

  await signOut(page)
  await goTo(page, '/auth/signup')
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('alert')).toHaveText('An account with this email already exists. Sign in, or use another email.')
})

test('a forgotten password is reset by the mailed link', { tag: '@nightly' }, async ({ page, emulator }) => {
  const email = 'forgetful@example.com'
  await signUp(page, email)
  await signOut(page)
  for (const address of ['nobody@example.com', email]) {
    await goTo(page, '/auth/forgot-password')
    await page.getByLabel('Email', { exact: true }).fill(address)
    await page.getByRole('button', { name: 'Email me the link' }).click()
    await expect(page.getByText(`If ${address} has an account, a link`)).toBeVisible()
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  }
  const link = new URL(await emulator.mailed(email, 'PASSWORD_RESET'))
  link.searchParams.set('newPassword', 'another horse')
  await openMailed(page, link.href)
  await signIn(page, email, password)
  await expect(page.getByRole('alert')).toHaveText(wrong)
  await signIn(page, email, 'another horse')
  await expect(overview(page)).toBeVisible()
})

test('a mailed link signs in, once', { tag: '@nightly' }, async ({ page, emulator }) => {
  const email = 'letters@example.com'
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const link = await emulator.mailed(email, 'EMAIL_SIGNIN')
  await page.goto(link)
  await expect(overview(page)).toBeVisible()
  await signOut(page)
  const used = await page.context().newPage()
  await used.goto(link)
  await used.getByLabel('Email', { exact: true }).fill(email)
  await used.getByRole('button', { name: 'Sign in' }).click()
  await expect(used.getByRole('alert')).toHaveText(said['link-not-good'])
  await used.close()

  // Pasted, as where the mail opens in another browser.
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  const another = await emulator.mailed(email, 'EMAIL_SIGNIN')
  expect(another).not.toBe(link)
  await page.getByLabel('Link from the email').fill(another)
  await page.keyboard.press('Enter')
  await expect(overview(page)).toBeVisible()
})

test('Google signs in through its own window, or says why not', { tag: '@nightly' }, async ({ page, googleStandIn }) => {
  const choose = async (answer: 'Allow' | 'Deny'): Promise<void> => {
    const opened = page.waitForEvent('popup')
    await google(page).click()
    const popup = await opened
    await expect(popup.getByRole('heading', { name: 'Choose an account' })).toBeVisible()
    const closed = popup.waitForEvent('close')
    await popup.getByRole('link', { name: answer }).click()
    await closed
  }
  await choose('Deny')
  await expect(page.getByRole('alert')).toHaveText(said['federated-denied'])
  await choose('Allow')
  await expect(overview(page)).toBeVisible()
  await goTo(page, '/dashboard/Settings?section=account')
  await expect(page.getByRole('main').getByText(googleStandIn.account.email)).toBeVisible()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await signOut(page)
})

test('a disabled user is signed out with the reason, in every window', { tag: '@nightly' }, async ({ page, context, emulator }) => {
  const email = 'disabled@example.com'
  await signUp(page, email)
  const other = await context.newPage()
  const listening = other.waitForResponse('**/api/events')
  await other.goto(page.url())
  await listening
  await expect(overview(other)).toBeVisible()
  await emulator.disable(email)
  await goTo(page, '/dashboard/Settings?section=account')
  await page.getByRole('button', { name: 'I verified it' }).click()
  for (const window of [page, other]) await expect(window.getByText(said['user-disabled'])).toBeVisible()
  await signIn(page, email, password)
  await expect(page.getByRole('alert')).toHaveText(said['user-disabled'])
  await emulator.disable(email, false)
  await signIn(page, email, password)
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await expect(page.getByText(said['user-disabled'])).toHaveCount(0)
})

test('a deleted account is gone at the provider and on this computer', { tag: '@nightly' }, async ({ page, emulator }) => {
  const email = 'leaver@example.com'
  await signUp(page, email)
  await goTo(page, '/dashboard/Settings?section=account')
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await dialog.getByLabel(`To confirm, type ${email}`).fill(email)
  await dialog.getByLabel('Your password').fill('wrong horse')
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('The password is wrong.')
  expect((await emulator.accountOf(email)).email).toBe(email)
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('Your account and its journal are deleted.')).toBeVisible()
  await expect(page).toHaveURL(/#\/auth\/signup$/)
  expect((await emulator.accounts()).some((one) => one.email === email)).toBe(false)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, email, password)
  await expect(page.getByRole('alert')).toHaveText(wrong)
})
