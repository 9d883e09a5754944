import { expect } from '@playwright/test'
import type { PasswordPolicy } from '#shared/api/session.ts'
import { expectAccessible, goTo, password, test } from './app-test.ts'
import { begin, email, enter, held, overview, said, tabTo } from './identity-test.ts'

const strict: PasswordPolicy = { minLength: 8, maxLength: 64, lowercase: true, uppercase: true, digit: true, symbol: false }

test.describe('signing up', () => {
  test('what a password needs ticks off while it is typed, and nothing is sent before', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page)
    stated.answers.passwordPolicy = () => strict
    stated.answers.signUp = async () => ({ ...(await enter(page)), recoveryCode: null })
    await goTo(page, '/auth/signup')
    const field = page.getByLabel('Password', { exact: true })
    const needs = page.getByRole('listitem')
    await expect(needs).toHaveText(['At least 8 characters', 'At most 64 characters', 'A lowercase letter, a to z', 'An uppercase letter, A to Z', 'A digit'])
    await field.fill('secret')
    await expect(needs.filter({ hasText: 'met' })).toHaveText(['At most 64 characters, met', 'A lowercase letter, a to z, met'])
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('The password does not meet every requirement below yet.')
    await expect(field).toBeFocused()
    await expect(field).toHaveAccessibleDescription(/The password does not meet every requirement below yet.*At least 8 characters/)
    await field.fill('Secret-1234')
    await expect(needs.filter({ hasText: 'met' })).toHaveCount(5)
    expect(stated.made.filter(({ call }) => call === 'signUp')).toEqual([])

    await page.getByLabel('Name').fill('Nina Keller')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(overview(page)).toBeVisible()
    expect(stated.made.filter(({ call }) => call === 'signUp').map(({ body }) => body)).toEqual([{ displayName: 'Nina Keller', email, password: 'Secret-1234' }])
  })

  test('a journal that waits for the address is said before an account begins without it, and left aside only when asked', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page)
    const begun: unknown[] = []
    stated.answers.signUp = () => ({ refused: 'journal-waits' })
    page.on('request', (request) => { if (new URL(request.url()).pathname === '/api/auth/sign-up') begun.push((request.postDataJSON() as { beginsEmpty?: boolean }).beginsEmpty ?? false) })
    await goTo(page, '/auth/signup')
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    const empty = page.getByRole('button', { name: 'Start with an empty journal' })
    await expect(empty).toHaveCount(0)
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('This computer has a journal for this email. To open it, sign in with an email link or with Google')
    await expectAccessible(page)
    await empty.click()
    await expect.poll(() => begun).toEqual([false, true])
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect.poll(() => begun).toEqual([false, true, false])
  })
})

test.describe('signing in', () => {
  test('a sign-in that the provider ended says why until somebody signs in', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page, { endedBecause: 'user-disabled' })
    await expect(page.getByText(said['user-disabled'])).toBeVisible()
    await expectAccessible(page)
    stated.answers.signIn = async () => {
      stated.session.endedBecause = null
      return enter(page)
    }
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await expect(overview(page)).toBeVisible()
    await expect(page.getByText(said['user-disabled'])).toHaveCount(0)
  })

  test('a forgotten password answers the same for everybody', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page)
    stated.answers.mailPasswordReset = () => ({ success: true })
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.getByLabel('Email', { exact: true }).fill('nobody')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Enter an email address, like name@example.com.')
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.keyboard.press('Enter')
    await expect(page.getByText(`If ${email} has an account, a link to set a new password is on its way.`)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeFocused()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to sign in' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    expect(stated.made).toEqual([{ call: 'mailPasswordReset', body: { email } }])
  })

  test('the keyboard alone signs in, and reaches every other way in', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page)
    stated.answers.signIn = () => enter(page)
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    for (const name of ['Show password', 'Sign in', 'Email me a sign-in link', 'Continue with Google', 'Try it with the demo brokerage']) await tabTo(page, page.getByRole('button', { name, exact: true }))
    for (const name of ['Create one', 'Forgot password?']) await tabTo(page, page.getByRole('link', { name }))
    await page.getByLabel('Email', { exact: true }).focus()
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await expect(overview(page)).toBeVisible()
  })
})

test.describe('a mailed link', () => {
  const link = 'https://fillbook.firebaseapp.com/__/auth/action?mode=signIn&oobCode=C0DE&apiKey=key'

  test('it is mailed to the address in the form, and may be pasted here', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page)
    stated.answers.mailSignInLink = () => ({ success: true })
    stated.answers.signInByLink = async (body) => ('email' in (body as object) ? enter(page) : { refused: 'invalid-request', status: 400, fields: [{ path: 'email', message: 'Required' }] })
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await expect(page.getByRole('alert')).toHaveText('Enter an email address, like name@example.com.')
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await expect(page.getByText(`A sign-in link is on its way to ${email}.`)).toBeVisible()
    await expectAccessible(page)

    await page.getByLabel('Link from the email').fill('C0DE')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toHaveText('Paste the whole link, from https to its end.')
    await page.getByLabel('Link from the email').fill(` ${link} `)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Email', { exact: true })).toBeFocused()
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await expect(overview(page)).toBeVisible()
    expect(stated.made).toEqual([{ call: 'mailSignInLink', body: { email } }, { call: 'signInByLink', body: { link } }, { call: 'signInByLink', body: { link, email } }])
  })

  test('its page signs in once by its own address, which then appears nowhere', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page)
    const answer = held<object>()
    stated.answers.signInByLink = () => answer.promise
    await goTo(page, '/auth/email-link?mode=signIn&oobCode=C0DE&apiKey=key')
    await expect(page.getByRole('status').filter({ hasText: 'Signing you in…' })).toBeVisible()
    await expectAccessible(page)
    answer.settle(await enter(page))
    await expect(overview(page)).toBeVisible()
    expect(stated.made).toEqual([{ call: 'signInByLink', body: { link: `${new URL(page.url()).origin}/auth/email-link?mode=signIn&oobCode=C0DE&apiKey=key` } }])
    await page.goBack().catch(() => null)
    expect(page.url()).not.toContain('C0DE')
  })

  test('in another browser it asks for the e-mail', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page)
    stated.answers.signInByLink = async (body) => ('email' in (body as object) ? enter(page) : { refused: 'invalid-request', status: 400, fields: [{ path: 'email', message: 'Required' }] })
    await goTo(page, '/auth/email-link?mode=signIn&oobCode=C0DE')
    await expect(page.getByText('The link was requested in another browser. Enter the email that it was sent to.')).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel('Email', { exact: true }).fill(email)
    await page.keyboard.press('Enter')
    await expect(overview(page)).toBeVisible()
  })

  test('one that was used, or none at all, leaves a field for another', { tag: '@nightly' }, async ({ page }) => {
    const stated = await begin(page)
    stated.answers.signInByLink = () => ({ refused: 'link-not-good' })
    await goTo(page, '/auth/email-link?mode=signIn&oobCode=USED')
    await expect(page.getByRole('alert')).toHaveText(said['link-not-good'])
    await expect(page.getByLabel('Link from the email')).toBeVisible()
    await expectAccessible(page)
    await goTo(page, '/auth/email-link')
    await expect(page.getByText('Paste the link from the email.')).toBeVisible()
    stated.answers.signInByLink = () => enter(page)
    await page.getByLabel('Link from the email').fill(link)
    await page.keyboard.press('Enter')
    await expect(overview(page)).toBeVisible()
  })
})
