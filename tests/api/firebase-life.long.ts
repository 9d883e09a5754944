/**
 * @module-tag long
 * @module-tag nightly
 */

import { createLocalJWKSet } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openFirebase } from '#backend/identity/firebase/firebase.ts'
import { createIdTokenCheck } from '#backend/identity/firebase/id-token.ts'
import { recordRoutes } from '#shared/api/journal.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { startApp, startSharedApp, testFolder } from '#tests/helpers/app.ts'
import type { App } from '#tests/helpers/app.ts'
import { startAuthEmulator } from '#tests/helpers/auth-emulator.ts'
import type { AuthEmulator } from '#tests/helpers/auth-emulator.ts'
import type { Browser } from '#tests/helpers/browser.ts'
import { startCloud } from '#tests/helpers/cloud.ts'
import { currentUser, keptSignIn, newcomer, ownTrade, password, signIn, signUp } from '#tests/helpers/firebase-people.ts'
import { ownAt } from '#tests/helpers/browser.ts'
import { openProxy } from '#tests/helpers/proxy.ts'

let emulator: AuthEmulator
let app: App

beforeAll(async () => {
  emulator = await startAuthEmulator()
  app = await startSharedApp({ env: emulator.env })
}, 900_000)
afterAll(async () => {
  await app?.stop()
  await emulator?.stop()
})

describe('a sign-in', () => {
  test('continues after a restart', async () => {
    const dataDir = testFolder()
    const first = await startApp({ dataDir, env: emulator.env })
    const { browser, email } = await newcomer(first)
    const { uid } = (await signUp(browser, email)).currentUser
    await first.stop()
    const second = await startApp({ dataDir, env: emulator.env })
    const again = await second.newBrowser()
    // The same secrets; the port is another one, and so is its name.
    const own = ownAt(browser, again)
    expect(await answered(again, own)).toMatchObject({ currentUser: { uid, email }, endedBecause: null })
    const reloaded = await again.send(sessionRoutes.reloadUser.path, { method: 'POST', headers: { ...own, 'content-type': 'application/json' }, body: '{}' })
    expect(reloaded.status).toBe(200)
  })

  test.each([
    ['user-disabled', (email: string) => emulator.disable(email)],
    ['user-token-expired', (email: string) => emulator.remove(email)],
  ] as const)('that the provider ends (%s) is over in every browser, which shows why until someone signs in', async (because, end) => {
    const { browser, email } = await newcomer(app)
    await signUp(browser, email)
    const other = await app.newBrowser()
    await signIn(other, email)
    const events = await other.events()
    await end(email)
    expect(await browser.fail(sessionRoutes.reloadUser)).toMatchObject({ status: 401, code: because })
    await events.next('signed-out')
    for (const one of [browser, other]) expect(await one.call(sessionRoutes.session)).toMatchObject({ currentUser: null, endedBecause: because })
    expect(await other.fail(recordRoutes.getTrades, { query: { userId: 'whoever' } })).toMatchObject({ status: 401, code: 'not-signed-in' })
    await signUp(other, `next-${email}`)
    expect(await other.call(sessionRoutes.session)).toMatchObject({ endedBecause: null })
    await other.call(sessionRoutes.signOut)
    expect(await other.call(sessionRoutes.session)).toMatchObject({ currentUser: null, endedBecause: null })
  })

  test('that ended while the program was off is over at its start', async () => {
    const dataDir = testFolder()
    const first = await startApp({ dataDir, env: emulator.env })
    const { browser, email } = await newcomer(first)
    await signUp(browser, email)
    await first.stop()
    await emulator.disable(email)
    const second = await startApp({ dataDir, env: emulator.env })
    const own = ownAt(browser, second.browser)
    await expect.poll(() => answered(second.browser, own), { timeout: 60_000 }).toMatchObject({ currentUser: null, endedBecause: 'user-disabled' })
    expect(await keptSignIn(dataDir, emulator, (await emulator.accountOf(email)).localId)).toBeNull()
  })

  test('a disabled user does not get in', async () => {
    const { browser, email } = await newcomer(app)
    await signUp(browser, email)
    await browser.call(sessionRoutes.signOut)
    await emulator.disable(email)
    expect(await browser.fail(sessionRoutes.signIn, { body: { email, password } })).toMatchObject({ status: 401, code: 'user-disabled' })
  })

  test('of one user of a computer gives another user no access', async () => {
    const [ann, bob] = [await newcomer(app), await newcomer(app)]
    const [{ currentUser: first }, { currentUser: second }] = [await signUp(ann.browser, ann.email), await signUp(bob.browser, bob.email)]
    expect(first.uid).not.toBe(second.uid)
    await ann.browser.call(recordRoutes.addTrade, { body: { userId: first.uid, trade: ownTrade } })
    expect(await bob.browser.fail(recordRoutes.getTrades, { query: { userId: first.uid } })).toMatchObject({ status: 403, code: 'not-this-user' })
    expect((await bob.browser.call(recordRoutes.getTrades, { query: { userId: second.uid } })).trades).toEqual([])
    await ann.browser.call(sessionRoutes.signOut)
    expect((await bob.browser.call(sessionRoutes.reloadUser)).currentUser.uid).toBe(second.uid)
    expect(await signIn(ann.browser, ann.email)).toMatchObject({ currentUser: { uid: first.uid } })
  })

  test('in two browsers lasts until both have signed out', async () => {
    const { browser, email } = await newcomer(app)
    const { uid } = (await signUp(browser, email)).currentUser
    const other = await app.newBrowser()
    await signIn(other, email)
    const kept = () => keptSignIn(app.dataDir, emulator, uid)
    await browser.call(sessionRoutes.signOut)
    expect((await other.call(sessionRoutes.reloadUser)).currentUser.uid).toBe(uid)
    expect(await kept()).not.toBeNull()
    await other.call(sessionRoutes.signOut)
    expect(await kept()).toBeNull()
  })

  test('needs a token that is signed by the keys of the provider', async () => {
    const kept = new Map<string, string>()
    const firebase = openFirebase({
      settings: { apiKey: 'emulated-key', projectId: emulator.projectId, authDomain: 'demo.example', emulatorUrl: emulator.url },
      check: createIdTokenCheck({ projectId: emulator.projectId, now: Date.now, keys: createLocalJWKSet({ keys: [] }) }),
      storeOf: (uid) => ({ get: () => Promise.resolve(kept.get(uid) ?? null), set: (value) => Promise.resolve(void kept.set(uid, value)), remove: () => Promise.resolve(void kept.delete(uid)) }),
      renewed: () => undefined,
      ended: () => undefined,
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    })
    const { email } = await newcomer(app)
    expect(await firebase.signUp({ email, password, displayName: '' })).toEqual({ ok: false, error: 'internal-error' })
    expect(kept.size).toBe(0)
  })
})

describe('a journal that began on this computer', () => {
  const began = async () => {
    const dataDir = testFolder()
    const { email } = await newcomer(app)
    const local = await startApp({ dataDir })
    const { userId } = await local.browser.signUp(email)
    await local.browser.call(recordRoutes.addTrade, { body: { userId, trade: ownTrade } })
    await local.stop()
    return { email, userId, ...(await startApp({ dataDir, env: emulator.env })) }
  }

  test('is continued by a user with its email verified', async () => {
    const { browser, email, userId } = await began()
    await browser.call(sessionRoutes.mailSignInLink, { body: { email } })
    const link = (await emulator.follow(await emulator.mailed(email, 'EMAIL_SIGNIN'))) ?? ''
    expect((await browser.call(sessionRoutes.signInByLink, { body: { link } })).currentUser).toMatchObject({ uid: userId, email })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId } })).trades).toHaveLength(1)
    expect((await browser.call(sessionRoutes.reloadUser)).currentUser.uid).toBe(userId)
  })

  test('is out of reach of a user with its email unverified', async () => {
    const { browser, email, userId } = await began()
    // A sign-up says how to verify the email, before it creates an account that could never get the journal.
    expect(await browser.fail(sessionRoutes.signUp, { body: { email, password } })).toMatchObject({ status: 409, code: 'journal-waits' })
    const { uid } = (await browser.call(sessionRoutes.signUp, { body: { email, password, beginsEmpty: true } })).currentUser
    expect(uid).not.toBe(userId)
    expect((await browser.call(recordRoutes.getTrades, { query: { userId: uid } })).trades).toEqual([])
  })
})

describe('deleting the account', () => {
  test('needs the password, and deletes user, journal and tokens', async () => {
    const alone = await startApp({ env: emulator.env })
    const { browser, email } = await newcomer(alone)
    const { uid } = (await signUp(browser, email)).currentUser
    await browser.call(recordRoutes.addTrade, { body: { userId: uid, trade: ownTrade } })
    const other = await alone.newBrowser()
    await signIn(other, email)
    expect(await browser.fail(sessionRoutes.deleteAccount, { body: { password: 'wrong horse' } })).toMatchObject({ status: 401, code: 'wrong-credentials' })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId: uid } })).trades).toHaveLength(1)
    await browser.call(sessionRoutes.deleteAccount, { body: { password } })
    expect(await currentUser(browser)).toBeNull()
    expect(await other.fail(sessionRoutes.session)).toMatchObject({ code: 'no-session' })
    expect((await emulator.accounts()).some((one) => one.email === email)).toBe(false)
    expect(await keptSignIn(alone.dataDir, emulator, uid)).toBeNull()
    expect((await alone.backend.totals(uid)).pairs).toBe(0)
    expect(await browser.call(sessionRoutes.session)).toMatchObject({ hasProfiles: false })
    const { uid: next } = (await signUp(browser, email)).currentUser
    expect(next).not.toBe(uid)
  })

  test('needs no password after a mailed link, also after a restart, while the sign-in is recent', async () => {
    const dataDir = testFolder()
    const first = await startApp({ dataDir, env: emulator.env })
    const { browser, email } = await newcomer(first)
    await browser.call(sessionRoutes.mailSignInLink, { body: { email } })
    const link = (await emulator.follow(await emulator.mailed(email, 'EMAIL_SIGNIN'))) ?? ''
    await browser.call(sessionRoutes.signInByLink, { body: { link } })
    await first.stop()
    const second = await startApp({ dataDir, env: emulator.env })
    const own = ownAt(browser, second.browser)
    const deleted = await second.browser.send(sessionRoutes.deleteAccount.path, { method: 'POST', headers: { ...own, 'content-type': 'application/json' }, body: '{}' })
    expect(deleted.status).toBe(200)
    expect((await emulator.accounts()).some((one) => one.email === email)).toBe(false)
  })
})

describe('with a cloud', () => {
  test('the journal is mirrored for the user whom Firebase knows, again after a sign-out, and goes with the account', async () => {
    const cloud = await startCloud({ dataDir: testFolder(), env: { FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: emulator.projectId, FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on' } })
    onTestFinished(async () => void (await cloud.stop()))
    const { backend, browser, dataDir } = await startApp({ env: { ...emulator.env, FILLBOOK_CLOUD_URL: cloud.url } })
    const { email } = await newcomer(app)
    const { uid } = (await signUp(browser, email)).currentUser
    const token = (await keptSignIn(dataDir, emulator, uid))?.stsTokenManager.accessToken ?? ''
    const askCloud = () => fetch(`${cloud.url}${recordRoutes.getTrades.path}?userId=${uid}`, { headers: { authorization: `Bearer ${token}` } })
    const inCloud = async () => recordRoutes.getTrades.answer.parse(await (await askCloud()).json()).trades.map(({ id }) => id)
    await browser.call(recordRoutes.addTrade, { body: { userId: uid, trade: ownTrade } })
    expect(await backend.mirrored(uid)).toBeGreaterThan(0)
    expect(await inCloud()).toEqual(['hand-1'])
    await browser.call(sessionRoutes.signOut)
    await signIn(browser, email)
    await browser.call(recordRoutes.addTrade, { body: { userId: uid, trade: { ...ownTrade, id: 'hand-2' } } })
    expect(await backend.mirrored(uid)).toBeGreaterThan(0)
    expect((await inCloud()).toSorted()).toEqual(['hand-1', 'hand-2'])
    await browser.call(sessionRoutes.deleteAccount, { body: { password } })
    expect((await askCloud()).status).toBe(401)
    expect((await backend.totals(uid)).pairs).toBe(0)
    expect((await emulator.accounts()).some((one) => one.email === email)).toBe(false)
  })

  test('an account deleted from another computer leaves its journal here for a user with its email verified; the new account gets it when the user agrees', async () => {
    const cloud = await startCloud({ dataDir: testFolder(), env: { FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: emulator.projectId, FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on' } })
    onTestFinished(async () => void (await cloud.stop()))
    const env = { ...emulator.env, FILLBOOK_CLOUD_URL: cloud.url }
    const { email } = await newcomer(app)
    const byLink = async (browser: Browser): Promise<string> => {
      await browser.call(sessionRoutes.mailSignInLink, { body: { email } })
      const link = (await emulator.follow(await emulator.mailed(email, 'EMAIL_SIGNIN'))) ?? ''
      return (await browser.call(sessionRoutes.signInByLink, { body: { link } })).currentUser.uid
    }
    const first = await startApp({ env })
    const uid = await byLink(first.browser)
    await first.browser.call(recordRoutes.addTrade, { body: { userId: uid, trade: ownTrade } })
    expect(await first.backend.mirrored(uid)).toBeGreaterThan(0)
    const { backend, browser } = await startApp({ env })
    expect(await byLink(browser)).toBe(uid)
    await expect.poll(async () => (await browser.call(recordRoutes.getTrades, { query: { userId: uid } })).trades.length, { timeout: 60_000 }).toBe(1)
    await first.browser.call(sessionRoutes.deleteAccount, { body: {} })

    expect(await browser.fail(sessionRoutes.reloadUser)).toMatchObject({ status: 401, code: 'user-token-expired' })
    await expect.poll(() => currentUser(browser), { timeout: 60_000 }).toBeNull()
    // The e-mail alone does not open it.
    expect(await browser.fail(sessionRoutes.signUp, { body: { email, password } })).toMatchObject({ status: 409, code: 'journal-waits' })
    expect((await emulator.accounts()).some((one) => one.email === email)).toBe(false)

    expect(await byLink(browser)).toBe(uid)
    const { localId } = await emulator.accountOf(email)
    expect(localId).not.toBe(uid)
    expect((await browser.call(recordRoutes.getTrades, { query: { userId: uid } })).trades).toHaveLength(1)
    const state = async () => (await browser.call(mirrorStateRoutes.mirrorNow), (await browser.call(mirrorStateRoutes.mirrorState)).state)
    await expect.poll(state, { timeout: 60_000 }).toBe('account-gone')
    await browser.call(mirrorStateRoutes.mirrorToNewAccount)
    await expect.poll(state, { timeout: 60_000 }).toBe('up-to-date')
    expect(await backend.mirrored(uid)).toBeGreaterThan(0)
    await browser.call(sessionRoutes.deleteAccount, { body: {} })
    expect((await emulator.accounts()).some((one) => one.email === email)).toBe(false)
  })

  test('that cannot be reached nothing is deleted', async () => {
    const cloud = await startCloud({ dataDir: testFolder(), env: { FILLBOOK_CLOUD_FIREBASE_PROJECT_ID: emulator.projectId, FILLBOOK_CLOUD_FIREBASE_EMULATOR: 'on' } })
    const { browser } = await startApp({ env: { ...emulator.env, FILLBOOK_CLOUD_URL: cloud.url } })
    const { email } = await newcomer(app)
    const { uid } = (await signUp(browser, email)).currentUser
    await browser.call(recordRoutes.addTrade, { body: { userId: uid, trade: ownTrade } })
    await cloud.stop()
    expect(await browser.fail(sessionRoutes.deleteAccount, { body: { password } })).toMatchObject({ status: 502, code: 'cloud-unreachable' })
    expect((await browser.call(recordRoutes.getTrades, { query: { userId: uid } })).trades).toHaveLength(1)
    expect((await browser.call(sessionRoutes.reloadUser)).currentUser.uid).toBe(uid)
  })
})

describe('without a network', () => {
  test('the journal works, nobody is signed out, and calls that need the provider say so', async () => {
    const line = await openProxy(emulator.url)
    const env = { ...emulator.env, FILLBOOK_FIREBASE_EMULATOR_URL: line.url }
    const dataDir = testFolder()
    const first = await startApp({ dataDir, env })
    const { browser, email } = await newcomer(first)
    const { uid } = (await signUp(browser, email)).currentUser
    line.decide = () => 'cut'
    expect(await browser.fail(sessionRoutes.reloadUser)).toMatchObject({ status: 502, code: 'network-request-failed' })
    await browser.call(recordRoutes.addTrade, { body: { userId: uid, trade: ownTrade } })
    await first.stop()
    const second = await startApp({ dataDir, env })
    const secrets = ownAt(browser, second.browser)
    const reloaded = await second.browser.send(sessionRoutes.reloadUser.path, { method: 'POST', headers: { ...secrets, 'content-type': 'application/json' }, body: '{}' })
    expect(reloaded).toMatchObject({ status: 502 })
    expect(await answered(second.browser, secrets)).toMatchObject({ currentUser: { uid, email }, endedBecause: null })
    expect(await keptSignIn(dataDir, emulator, uid)).not.toBeNull()
  })
})

const answered = async (browser: Browser, own: Record<string, string>): Promise<unknown> => JSON.parse((await browser.send(sessionRoutes.session.path, { headers: own })).body) as unknown
