import { expect } from '@playwright/test'
import { button, goTo, password, signUp, test } from '../e2e/app-test.ts'
import { begin, beginInside, email, google, held, providerPage } from '../e2e/identity-test.ts'
import { dismiss, open, picture } from './picture.ts'

test('signing in and up with an account', async ({ page }) => {
  const stated = await begin(page)
  await picture(page, 'account-sign-in')
  const busy = held<object>()
  stated.answers.signIn = () => busy.promise
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Sign in').click()
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toHaveAttribute('aria-busy', 'true')
  await picture(page, 'account-sign-in-busy')
  busy.settle({ refused: 'wrong-credentials', status: 401 })
  await expect(page.getByRole('alert')).toBeVisible()
  await picture(page, 'account-sign-in-refused')
  stated.answers.mailSignInLink = () => ({ success: true })
  await button(page, 'Email me a sign-in link').click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await picture(page, 'account-link-sent')

  stated.session.endedBecause = 'user-disabled'
  await page.reload()
  await expect(page.getByText('This account was disabled.')).toBeVisible()
  await picture(page, 'account-ended')
  stated.session.endedBecause = null

  await open(page, '/auth/forgot-password', 'Set a new password')
  await picture(page, 'account-forgot')
  stated.answers.mailPasswordReset = () => ({ success: true })
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await picture(page, 'account-forgot-sent')

  stated.answers.passwordPolicy = () => ({ minLength: 8, maxLength: 64, lowercase: true, uppercase: true, digit: true, symbol: true })
  await open(page, '/auth/signup', 'Create an account')
  await page.reload()
  await picture(page, 'account-sign-up')
  await page.getByLabel('Email', { exact: true }).fill('nina')
  await page.getByLabel('Password', { exact: true }).fill('secret')
  await button(page, 'Create account').click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await picture(page, 'account-sign-up-refused')
})

test('Google and mailed links', async ({ page }) => {
  const stated = await begin(page)
  const answers = [held<object>(), held<object>()]
  stated.answers.beginFederated = () => ({ attempt: 'A1', url: providerPage })
  stated.answers.endFederated = () => answers[0]?.promise ?? {}
  const opened = page.waitForEvent('popup')
  await google(page).click()
  const popup = await opened
  await expect(popup.getByRole('heading', { name: 'Sign in at the provider' })).toBeVisible()
  await picture(page, 'account-google-waiting')
  answers[0]?.settle({ refused: 'federated-denied' })
  await expect(page.getByRole('alert')).toBeVisible()
  await picture(page, 'account-google-denied')

  stated.answers.signInByLink = () => answers[1]?.promise ?? {}
  await goTo(page, '/auth/email-link?oobCode=1')
  await expect(page.getByText('Signing you in…')).toBeVisible()
  await picture(page, 'account-link-following')
  answers[1]?.settle({ refused: 'link-not-good' })
  await expect(page.getByRole('alert')).toBeVisible()
  await picture(page, 'account-link-used')
  stated.answers.signInByLink = () => ({ refused: 'invalid-request', status: 400, fields: [{ path: 'email', message: '' }] })
  await goTo(page, '/auth/email-link?oobCode=2')
  await expect(page.getByText('The link was requested in another browser.', { exact: false })).toBeVisible()
  await picture(page, 'account-link-whose')
  await open(page, '/auth/email-link', 'Sign in by link')
  await picture(page, 'account-link-paste')
})

test('the account in Settings', async ({ page }) => {
  const stated = await beginInside(page)
  stated.session.cloud = 'mirrored'
  stated.answers.mailVerification = () => ({ success: true })
  await page.reload()
  await button(page, /^Account of/).click()
  await picture(page, 'account-menu-unverified')
  await dismiss(page)
  await open(page, '/dashboard/Settings?section=account', 'Settings')
  await picture(page, 'account-unverified')
  await button(page, 'Send again').click()
  await expect(page.getByText('We sent a link to')).toBeVisible()
  await picture(page, 'account-verification-sent')
  await button(page, 'Delete account…').click()
  await picture(page, 'account-delete')
  stated.answers.deleteAccount = () => ({ refused: 'subscription-runs' })
  await page.getByLabel('Your password').fill(password)
  await page.getByLabel(`To confirm, type ${email}`).fill(email)
  await button(page, 'Delete permanently').click()
  await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
  await picture(page, 'account-delete-refused')
  stated.answers.deleteAccount = async () => {
    stated.session.currentUser = null
    return { success: true }
  }
  await button(page, 'Delete permanently').click()
  await expect(page.getByText('Your account and its journal are deleted.')).toBeVisible()
  await picture(page, 'account-deleted')
})

test('the profile on this computer in Settings', async ({ page }) => {
  await signUp(page)
  await open(page, '/dashboard/Settings?section=account', 'Settings')
  await button(page, 'Delete account…').click()
  await picture(page, 'profile-delete')
})
