import { expect, onTestFinished, test } from 'vitest'
import { emulatorToken, firebaseAt, firebasePaths } from '#tests/helpers/firebase-at.ts'
import { startGoogle } from '#tests/helpers/google.ts'
import { serveLoopback } from '#tests/helpers/loopback.ts'
import type { Served } from '#tests/helpers/loopback.ts'
import { callsOf } from '#tests/helpers/mirror-device.ts'
import { openEmptyStore, user } from '#tests/helpers/store.ts'
import type { GoogleApplication } from './firebase/google.ts'
import { createEvents } from '../events.ts'
import { createFirebaseIdentity } from './firebase-identity.ts'
import { createLocalIdentity } from './local-identity.ts'
import { createSessions } from './sessions.ts'

const credentials = { browser: 'one', email: 'a@example.org', password: 'correct horse' }

/** Identity over Firebase's servers, which know one user, and a journal with the local profile of `user`. */
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
  const told: string[] = []
  const identity = createFirebaseIdentity({
    ...{ journal, sessions, now, google, events: createEvents(), local: createLocalIdentity({ journal, now, timeZone: 'UTC' }), timeZone: 'UTC' },
    firebase: firebaseAt(url, safe),
    tokenSync: { renewed: () => undefined, left: (whose) => void told.push(`left ${whose}`) },
    origin: () => 'http://127.0.0.1:47615',
    inUse: () => undefined,
    entered: () => undefined,
  })
  return { identity, sessions, store, safe, answers, seen, told }
}
const signIn = async ({ identity }: Pick<Awaited<ReturnType<typeof begin>>, 'identity'>): Promise<string> => {
  const entered = await identity.signIn(credentials)
  if (!entered.ok) throw new Error(entered.error.code)
  return entered.value.currentUser.uid
}

test('a young sign-in is proof enough without a password, an old one is not, and a password is checked', async () => {
  const young = await begin()
  expect(await young.identity.prove(await signIn(young), undefined)).toEqual({ ok: true, value: null })
  const old = await begin({ signedInAt: Date.now() - 241_000 })
  const userId = await signIn(old)
  expect(await old.identity.prove(userId, undefined)).toEqual({ ok: false, error: { code: 'recent-login-needed' } })
  old.answers[firebasePaths.signIn] = { status: 400, json: { error: { code: 400, message: 'INVALID_LOGIN_CREDENTIALS' } } }
  expect(await old.identity.prove(userId, 'wrong horse')).toEqual({ ok: false, error: { code: 'wrong-credentials' } })
})

test('a sign-out in one browser does not end what another one is about to be let in with', async () => {
  const it = await begin()
  const userId = await signIn(it)
  await it.identity.signedOut(userId)
  expect(it.safe.has('ann')).toBe(true)
  await it.identity.signedIn(userId)
  const { session } = await it.sessions.start(userId)
  await it.identity.signedOut(userId)
  expect([it.safe.has('ann'), it.told]).toEqual([true, []])
  await it.sessions.replace(session, null)
  await it.identity.signedOut(userId)
  expect([it.safe.has('ann'), it.told]).toEqual([false, ['left ann']])
})

test('what was kept for browsers that are forgotten goes at the next start', async () => {
  const it = await begin()
  await it.identity.signedIn(await signIn(it))
  await it.identity.restore()
  expect(it.safe.has('ann')).toBe(false)
})

test('whoever was let in to a profile of this computer is out once its e-mail turns out to be that of somebody else', async () => {
  const it = await begin({ emailVerified: true })
  const { cookie } = await it.sessions.start(user.userId)
  expect(await it.sessions.find(cookie)).not.toBeNull()
  expect(await signIn(it)).toBe(user.userId)
  expect(await it.sessions.find(cookie)).toBeNull()
  // From the second time on, other browsers of the user stay.
  const { cookie: other } = await it.sessions.start(user.userId)
  await signIn(it)
  expect(await it.sessions.find(other)).not.toBeNull()
})

test.each(['demo', 'auth0|ann', 'x'.repeat(101)])('a user whom Firebase calls %s gets a profile under an id of ours', async (uid) => {
  const it = await begin({ uid })
  const userId = await signIn(it)
  expect(userId).toMatch(/^[\da-f-]{36}$/)
  expect(it.store.read.profile({ id: userId })).toMatchObject({ firebaseUid: uid, demo: false })
})

test('a link for another address than the last one asks for whom it is, and an address that is given is told whether it is right', async () => {
  const it = await begin()
  const link = 'http://127.0.0.1:47615/auth/email-link?apiKey=key&mode=signIn&oobCode=code'
  const whose = { ok: false, error: { code: 'invalid-request', fields: [{ path: 'email' }] } }
  expect(await it.identity.signInByLink({ link, browser: 'one' })).toMatchObject(whose)
  await it.identity.mailSignInLink({ email: 'b@example.org', browser: 'one' })
  const known = it.answers[firebasePaths.signInByLink] ?? 'cut'
  it.answers[firebasePaths.signInByLink] = { status: 400, json: { error: { code: 400, message: 'INVALID_EMAIL' } } }
  expect(await it.identity.signInByLink({ link, browser: 'one' })).toMatchObject(whose)
  expect(await it.identity.signInByLink({ link, browser: 'one', email: 'c@example.org' })).toMatchObject({ ok: false, error: { code: 'wrong-credentials' } })
  it.answers[firebasePaths.signInByLink] = known
  expect(await it.identity.signInByLink({ link, browser: 'another' })).toMatchObject(whose)
  expect(await it.identity.signInByLink({ link, browser: 'one' })).toMatchObject({ ok: true })
  expect(it.seen.filter(({ path }) => path === firebasePaths.signInByLink).map(({ fields }) => fields['email'])).toEqual(['b@example.org', 'c@example.org', 'b@example.org'])
})

test('a link is awaited until somebody entered, by whatever way', async () => {
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

test('a project that does not take Google\'s word says so, and speaks of no password', async () => {
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

test('the demo profile has nothing that a provider could mail, reload, prove or delete', async () => {
  const { identity } = await begin()
  const { uid } = (await identity.signInDemo()).currentUser
  for (const refused of [await identity.mailVerification(uid), await identity.reloadUser(uid), await identity.prove(uid, undefined), await identity.removeUser(uid)]) {
    expect(refused).toEqual({ ok: false, error: { code: 'not-offered' } })
  }
})
