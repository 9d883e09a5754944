/** @module-tag long */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp, startSharedApp } from '#tests/helpers/app.ts'
import type { App } from '#tests/helpers/app.ts'
import { startAuthEmulator } from '#tests/helpers/auth-emulator.ts'
import type { AuthEmulator } from '#tests/helpers/auth-emulator.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { currentUser, keptSignIn, newcomer, password, signIn, signUp } from '#tests/helpers/firebase-people.ts'
import { startGoogle } from '#tests/helpers/google.ts'
import type { GoogleStandIn } from '#tests/helpers/google.ts'

let emulator: AuthEmulator
let google: GoogleStandIn
let app: App

beforeAll(async () => {
  ;[emulator, google] = await Promise.all([startAuthEmulator(), startGoogle()])
  app = await startSharedApp({ env: { ...emulator.env, ...google.env } })
}, 900_000)
afterAll(async () => {
  await app?.stop()
  await Promise.all([emulator?.stop(), google?.stop()])
})

describe('a new user', () => {
  test('is the Firebase user, and gets no recovery code', async () => {
    const { browser, email } = await newcomer(app)
    expect(await browser.call(sessionRoutes.session)).toMatchObject({ identity: 'firebase', federated: ['google'], endedBecause: null, currentUser: null })
    const made = await signUp(browser, email)
    const { localId } = await emulator.accountOf(email)
    expect(made).toMatchObject({ recoveryCode: null, currentUser: { uid: localId, email, emailVerified: false, displayName: 'Ann', isAnonymous: false, providerData: [{ providerId: 'password' }] } })
    expect(await currentUser(browser)).toEqual(made.currentUser)
  })

  test('stores tokens in the secret store, and nowhere else', async () => {
    const alone = await startApp({ env: emulator.env })
    const { browser, email } = await newcomer(alone)
    const { uid } = (await signUp(browser, email)).currentUser
    const tokens = (await keptSignIn(alone.dataDir, emulator, uid))?.stsTokenManager
    await browser.call(sessionRoutes.reloadUser)
    await alone.stop()
    const files = readdirSync(alone.dataDir, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).map((one) => readFileSync(join(one.parentPath, one.name)))
    expect(files.length).toBeGreaterThan(3)
    for (const token of [tokens?.refreshToken ?? '', tokens?.accessToken ?? '']) {
      expect(token.length).toBeGreaterThan(50)
      expect(files.filter((content) => content.includes(token))).toEqual([])
    }
  })

  test('is refused where the address is taken, or the password too short', async () => {
    const { browser, email } = await newcomer(app)
    await signUp(browser, email)
    const other = await app.newBrowser()
    expect(await other.fail(sessionRoutes.signUp, { body: { email, password } })).toMatchObject({ status: 409, code: 'email-taken' })
    expect(await other.fail(sessionRoutes.signUp, { body: { email: `new-${email}`, password: '12345' } })).toMatchObject({ status: 400, code: 'password-too-short' })
    expect(await other.call(sessionRoutes.passwordPolicy)).toEqual({ minLength: 6, maxLength: null, lowercase: false, uppercase: false, digit: false, symbol: false })
    expect(await currentUser(other)).toBeNull()
  })

  test('verifies the address by a mailed link, which a reload shows', async () => {
    const { browser, email } = await newcomer(app)
    await signUp(browser, email)
    await browser.call(sessionRoutes.mailVerification)
    await emulator.follow(await emulator.mailed(email, 'VERIFY_EMAIL'))
    expect((await currentUser(browser))?.emailVerified).toBe(false)
    expect((await browser.call(sessionRoutes.reloadUser)).currentUser.emailVerified).toBe(true)
    expect((await currentUser(browser))?.emailVerified).toBe(true)
  })
})

describe('a password', () => {
  test('that is wrong and a user who is unknown get the same answer', async () => {
    const { browser, email } = await newcomer(app)
    await signUp(browser, email)
    const stranger = await app.newBrowser()
    const wrong = await stranger.fail(sessionRoutes.signIn, { body: { email, password: 'wrong horse' } })
    expect(wrong).toMatchObject({ status: 401, code: 'wrong-credentials' })
    expect(await stranger.fail(sessionRoutes.signIn, { body: { email: 'nobody@example.com', password } })).toEqual(wrong)
  })

  test('is reset by a mailed link; an unknown address is never disclosed', async () => {
    const { browser, email } = await newcomer(app)
    await signUp(browser, email)
    await browser.call(sessionRoutes.signOut)
    await browser.call(sessionRoutes.mailPasswordReset, { body: { email } })
    await browser.call(sessionRoutes.mailPasswordReset, { body: { email: 'nobody@example.com' } })
    await emulator.follow(await emulator.mailed(email, 'PASSWORD_RESET'), { newPassword: 'battery staple' })
    expect(await browser.fail(sessionRoutes.signIn, { body: { email, password } })).toMatchObject({ code: 'wrong-credentials' })
    await signIn(browser, email, 'battery staple')
    expect(await browser.fail(sessionRoutes.resetPassword, { body: { email, recoveryCode: 'AAAA', newPassword: password } })).toMatchObject({ code: 'not-offered' })
  })
})

describe('a mailed link', () => {
  const linkFor = async (browser: Browser, email: string) => {
    await browser.call(sessionRoutes.mailSignInLink, { body: { email } })
    const back = await emulator.follow(await emulator.mailed(email, 'EMAIL_SIGNIN'))
    expect(back).toMatch(`${browser.origin}/auth/email-link?`)
    const led = await browser.send((back ?? '').slice(browser.origin.length))
    expect(led.status).toBe(302)
    return `${browser.origin}${led.headers.location ?? ''}`
  }

  test('signs in the browser that asked for it, once', async () => {
    const { browser, email } = await newcomer(app)
    const link = await linkFor(browser, email)
    expect(link).toContain('/#/auth/email-link?')
    expect((await browser.call(sessionRoutes.signInByLink, { body: { link } })).currentUser).toMatchObject({ email, emailVerified: true })
    expect(await browser.fail(sessionRoutes.signInByLink, { body: { link, email } })).toMatchObject({ status: 409, code: 'link-not-good' })
  })

  test('needs the address in another browser, and the right one', async () => {
    const { browser, email } = await newcomer(app)
    const link = await linkFor(browser, email)
    const other = await app.newBrowser()
    expect(await other.fail(sessionRoutes.signInByLink, { body: { link } })).toMatchObject({ status: 400, code: 'invalid-request', fields: [{ path: 'email' }] })
    expect(await other.fail(sessionRoutes.signInByLink, { body: { link, email: 'mallory@example.com' } })).toMatchObject({ code: 'wrong-credentials' })
    expect((await other.call(sessionRoutes.signInByLink, { body: { link, email } })).currentUser.email).toBe(email)
    expect(await currentUser(browser)).toBeNull()
  })

  test('that is none is not good', async () => {
    const { browser, email } = await newcomer(app)
    expect(await browser.fail(sessionRoutes.signInByLink, { body: { link: 'https://example.com/?mode=signIn', email } })).toMatchObject({ code: 'link-not-good' })
  })
})

describe('signing in with Google', () => {
  const begin = (browser: Browser) => browser.call(sessionRoutes.beginFederated, { body: { provider: 'google' } })
  const end = (browser: Browser, attempt: string) => browser.call(sessionRoutes.endFederated, { body: { attempt } })
  const comeBack = async (browser: Browser, url: string) => {
    const back = await google.visit(url)
    return browser.send(back.slice(browser.origin.length), { headers: { cookie: '' } })
  }
  const as = (email: string, more: { emailVerified?: boolean } = {}) => void (google.answer = { kind: 'account', account: { sub: `sub of ${email}`, email, name: 'Nina Keller', ...more } })

  test('leads back to a page that needs no cookie, and enters in the browser that began', async () => {
    const { browser, email } = await newcomer(app)
    as(email)
    const { attempt, url } = await begin(browser)
    const page = await comeBack(browser, url)
    expect(page).toMatchObject({ status: 200, headers: { 'cross-origin-opener-policy': 'unsafe-none' } })
    expect(page.body).toContain('You can close this window')
    expect(await (await app.newBrowser()).fail(sessionRoutes.endFederated, { body: { attempt } })).toMatchObject({ status: 409, code: 'cancelled-popup-request' })
    const entered = await end(browser, attempt)
    expect(entered).toMatchObject({ state: 'entered', currentUser: { email, emailVerified: true, displayName: 'Nina Keller', providerData: [{ providerId: 'google.com' }] } })
    expect((await currentUser(browser))?.email).toBe(email)
    expect(await browser.fail(sessionRoutes.endFederated, { body: { attempt } })).toMatchObject({ code: 'cancelled-popup-request' })
  })

  test('that is refused there says so', async () => {
    const { browser } = await newcomer(app)
    google.answer = { kind: 'denied' }
    const { attempt, url } = await begin(browser)
    await comeBack(browser, url)
    expect(await browser.fail(sessionRoutes.endFederated, { body: { attempt } })).toMatchObject({ status: 409, code: 'federated-denied' })
  })

  test('again in the same browser ends the previous attempt', async () => {
    const { browser, email } = await newcomer(app)
    as(email)
    const first = await begin(browser)
    const waiting = browser.fail(sessionRoutes.endFederated, { body: { attempt: first.attempt } })
    const second = await begin(browser)
    expect(await waiting).toMatchObject({ code: 'cancelled-popup-request' })
    await comeBack(browser, first.url)
    await comeBack(browser, second.url)
    expect((await end(browser, second.attempt)).state).toBe('entered')
  })

  test('by a token that is not the answer to this attempt is refused', async () => {
    const { browser, email } = await newcomer(app)
    as(email)
    for (const spoiled of [{ nonce: 'of another attempt' }, { aud: 'another-application' }]) {
      google.spoil = (claims) => ({ ...claims, ...spoiled })
      const { attempt, url } = await begin(browser)
      await comeBack(browser, url)
      expect(await browser.fail(sessionRoutes.endFederated, { body: { attempt } })).toMatchObject({ code: 'federated-denied' })
    }
    google.spoil = null
    expect((await emulator.accounts()).some((one) => one.email === email)).toBe(false)
  })

  test('with an address that Google has not verified does not enter the account of that address', async () => {
    const { browser, email } = await newcomer(app)
    await signUp(browser, email)
    const other = await app.newBrowser()
    as(email, { emailVerified: false })
    const { attempt, url } = await begin(other)
    await comeBack(other, url)
    expect(await other.fail(sessionRoutes.endFederated, { body: { attempt } })).toMatchObject({ code: 'other-sign-in-needed' })
  })
})

describe('the demo profile', () => {
  test('is local all the same, and can be removed', async () => {
    const browser = await app.newBrowser()
    expect((await browser.call(sessionRoutes.signInDemo)).currentUser).toMatchObject({ uid: 'demo', isAnonymous: true })
    expect(await browser.call(sessionRoutes.session)).toMatchObject({ demo: true, identity: 'firebase' })
    expect(await browser.call(sessionRoutes.deleteAccount, { body: {} })).toEqual({ success: true })
    expect(await browser.call(sessionRoutes.session)).toMatchObject({ demo: false, currentUser: null })
  })
})
