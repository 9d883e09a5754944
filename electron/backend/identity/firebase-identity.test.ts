// @module-tag slow
import { expect, onTestFinished, test } from 'vitest'
import { emulatorToken, firebaseAt, firebasePaths } from '#tests/helpers/firebase-at.ts'
import { startGoogle } from '#tests/helpers/google.ts'
import { serveLoopback } from '#tests/helpers/loopback.ts'
import type { Served } from '#tests/helpers/loopback.ts'
import { memorySecrets } from '#tests/helpers/memory-secrets.ts'
import { callsOf } from '#tests/helpers/mirror-device.ts'
import { openEmptyStore, user } from '#tests/helpers/store.ts'
import type { GoogleApplication } from './firebase/google.ts'
import { createEvents } from '../events.ts'
import { createFirebaseIdentity } from './firebase-identity.ts'
import { createLocalIdentity } from './local-identity.ts'
import { createSessions } from './sessions.ts'

const credentials = { browser: 'one', email: 'a@example.org', password: 'correct horse' }

/** Firebase identity against a fake server with one user, and a journal with the local profile of `user`. */
const begin = async ({ uid = 'ann', emailVerified = false, signedInAt = Date.now(), google = null as GoogleApplication | null } = {}) => {
  const entered = { idToken: emulatorToken(uid), refreshToken: 'refresh', expiresIn: '3600', localId: uid }
  const answers: Record<string, Served> = {
    [firebasePaths.signIn]: { json: entered },
    [firebasePaths.signInByLink]: { json: entered },
    [firebasePaths.mail]: { json: {} },
    [firebasePaths.lookup]: { json: { users: [{ localId: uid, email: credentials.email, emailVerified, createdAt: '1', lastLoginAt: '1', providerUserInfo: [{ providerId: 'password', rawId: credentials.email }] }] } },
    [firebasePaths.token]: { json: { access_token: emulatorToken(uid, signedInAt), refresh_token: 'next', expires_in: '3600' } },
  }
  const { url, seen } = await serveLoopback(({ path }) => answers[path] ?? { status: 400, json: { error: { code: 400, message: 'INTERNAL' } } })
  const safe = new Map<string, string>()
  const store = openEmptyStore()
  const journal = callsOf(store)
  const now = Date.now
  const sessions = createSessions({ journal, now })
  const synced: string[] = []
  const identity = createFirebaseIdentity({
    journal, sessions, now, google, events: createEvents(), local: createLocalIdentity({ journal, now, secrets: memorySecrets(), timeZone: 'UTC' }), timeZone: 'UTC',
    firebase: firebaseAt(url, safe),
    tokenSync: { renewed: () => undefined, left: (whose) => void synced.push(`left ${whose}`) },
    origin: () => 'http://127.0.0.1:47615',
    inUse: () => undefined,
    entered: () => undefined,
  })
  return { identity, sessions, store, safe, answers, seen, synced }
}
const signIn = async ({ identity }: Pick<Awaited<ReturnType<typeof begin>>, 'identity'>): Promise<string> => {
  const entered = await identity.signIn(credentials)
  if (!entered.ok) throw new Error(entered.error.code)
  return entered.value.currentUser.uid
}

test('a recent sign-in needs no password to reauthenticate, an old one does, and a password is checked', async () => {
  const young = await begin()
  expect(await young.identity.reauthenticate(await signIn(young), undefined)).toEqual({ ok: true, value: null })
  const old = await begin({ signedInAt: Date.now() - 241_000 })
  const userId = await signIn(old)
  expect(await old.identity.reauthenticate(userId, undefined)).toEqual({ ok: false, error: { code: 'recent-login-needed' } })
  old.answers[firebasePaths.signIn] = { status: 400, json: { error: { code: 400, message: 'INVALID_LOGIN_CREDENTIALS' } } }
  expect(await old.identity.reauthenticate(userId, 'wrong horse')).toEqual({ ok: false, error: { code: 'wrong-credentials' } })
})

test('a sign-out in one browser does not end a sign-in that another browser is completing', async () => {
  const it = await begin()
  const userId = await signIn(it)
  await it.identity.signedOut(userId)
  expect(it.safe.has('ann')).toBe(true)
  await it.identity.signedIn(userId)
  const { session } = await it.sessions.start(userId)
  await it.identity.signedOut(userId)
  expect([it.safe.has('ann'), it.synced]).toEqual([true, []])
  await it.sessions.replace(session, null)
  await it.identity.signedOut(userId)
  expect([it.safe.has('ann'), it.synced]).toEqual([false, ['left ann']])
})

test('the next start deletes stored sign-ins whose browser sessions have all expired', async () => {
  const it = await begin()
  await it.identity.signedIn(await signIn(it))
  await it.identity.restore()
  expect(it.safe.has('ann')).toBe(false)
})

test('sessions of a local profile end when a Firebase user takes it over', async () => {
  const it = await begin({ emailVerified: true })
  const { cookie } = await it.sessions.start(user.userId)
  expect(await it.sessions.find(cookie)).not.toBeNull()
  expect(await signIn(it)).toBe(user.userId)
  expect(await it.sessions.find(cookie)).toBeNull()
  // A second sign-in keeps the user's other browsers.
  const { cookie: other } = await it.sessions.start(user.userId)
  await signIn(it)
  expect(await it.sessions.find(other)).not.toBeNull()
})

test.each(['demo', 'auth0|ann', 'x'.repeat(101)])('a user with the Firebase uid %s gets a profile with a random id', async (uid) => {
  const it = await begin({ uid })
  const userId = await signIn(it)
  expect(userId).toMatch(/^[\da-f-]{36}$/)
  expect(it.store.read.profile({ id: userId })).toMatchObject({ firebaseUid: uid, demo: false })
})

test('a link for an email other than the last requested asks for the email, and an entered email is checked', async () => {
  const it = await begin()
  const link = 'http://127.0.0.1:47615/auth/email-link?apiKey=key&mode=signIn&oobCode=code'
  const emailNeeded = { ok: false, error: { code: 'invalid-request', fields: [{ path: 'email' }] } }
  expect(await it.identity.signInByLink({ link, browser: 'one' })).toMatchObject(emailNeeded)
  await it.identity.mailSignInLink({ email: 'b@example.org', browser: 'one' })
  const known = it.answers[firebasePaths.signInByLink] ?? 'cut'
  it.answers[firebasePaths.signInByLink] = { status: 400, json: { error: { code: 400, message: 'INVALID_EMAIL' } } }
  expect(await it.identity.signInByLink({ link, browser: 'one' })).toMatchObject(emailNeeded)
  expect(await it.identity.signInByLink({ link, browser: 'one', email: 'c@example.org' })).toMatchObject({ ok: false, error: { code: 'wrong-credentials' } })
  it.answers[firebasePaths.signInByLink] = known
  expect(await it.identity.signInByLink({ link, browser: 'another' })).toMatchObject(emailNeeded)
  expect(await it.identity.signInByLink({ link, browser: 'one' })).toMatchObject({ ok: true })
  expect(it.seen.filter(({ path }) => path === firebasePaths.signInByLink).map(({ fields }) => fields['email'])).toEqual(['b@example.org', 'c@example.org', 'b@example.org'])
})

test('a link is expected until any sign-in succeeds', async () => {
  const it = await begin()
  const { identity } = it
  const asks = async (): Promise<boolean> => {
    await identity.mailSignInLink({ email: credentials.email, browser: 'one' })
    return identity.awaitsLink()
  }
  const ways = [() => signIn(it), () => identity.signInByLink({ link: 'http://127.0.0.1:47615/auth/email-link?apiKey=key&mode=signIn&oobCode=code', browser: 'one', email: credentials.email }), identity.signInDemo]
  expect(identity.awaitsLink()).toBe(false)
  for (const enter of ways) {
    expect(await asks()).toBe(true)
    await enter()
    expect(identity.awaitsLink()).toBe(false)
  }
  await asks()
  it.answers[firebasePaths.signIn] = { status: 400, json: { error: { code: 400, message: 'INVALID_LOGIN_CREDENTIALS' } } }
  await identity.signIn(credentials)
  expect(identity.awaitsLink()).toBe(true)
})

test('a project that rejects Google\'s token answers federated-denied, not wrong credentials', async () => {
  const google = await startGoogle()
  onTestFinished(google.stop)
  const { env } = google
  const it = await begin({ google: { clientId: env['FILLBOOK_GOOGLE_CLIENT_ID'] ?? '', clientSecret: env['FILLBOOK_GOOGLE_CLIENT_SECRET'] ?? '', authorizeUrl: env['FILLBOOK_GOOGLE_AUTHORIZE_URL'] ?? '', tokenUrl: env['FILLBOOK_GOOGLE_TOKEN_URL'] ?? '' } })
  google.answer = { kind: 'account', account: google.account }
  it.answers[firebasePaths.federated] = { status: 400, json: { error: { code: 400, message: 'INVALID_IDP_RESPONSE' } } }
  const begun = await it.identity.beginFederated({ browser: 'one' })
  if (!begun.ok) throw new Error(begun.error.code)
  const { searchParams } = new URL(await google.visit(begun.value.url))
  it.identity.federatedReturned({ state: searchParams.get('state') ?? '', code: searchParams.get('code') })
  expect(await it.identity.endFederated({ browser: 'one', attempt: begun.value.attempt })).toEqual({ ok: false, error: { code: 'federated-denied' } })
  expect(it.seen.filter(({ path }) => path === firebasePaths.federated)).toHaveLength(1)
})

test('the demo profile has nothing that a provider could mail, reload, reauthenticate or delete', async () => {
  const { identity } = await begin()
  const { uid } = (await identity.signInDemo()).currentUser
  for (const refused of [await identity.mailVerification(uid), await identity.reloadUser(uid), await identity.reauthenticate(uid, undefined), await identity.removeUser(uid)]) {
    expect(refused).toEqual({ ok: false, error: { code: 'not-offered' } })
  }
})
