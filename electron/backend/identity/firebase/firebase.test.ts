// @module-tag slow
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { emulatorToken, firebaseAt, firebasePaths } from '#tests/helpers/firebase-at.ts'
import { serveLoopback } from '#tests/helpers/loopback.ts'
import type { Served } from '#tests/helpers/loopback.ts'

const idToken = emulatorToken('ann')
/** A sign-in as the SDK stores it. */
const kept = JSON.stringify({ uid: 'ann', email: 'ann@example.com', emailVerified: true, isAnonymous: false, providerData: [], stsTokenManager: { refreshToken: 'refresh', accessToken: idToken, expirationTime: Date.now() + 3_600_000 }, createdAt: '1', lastLoginAt: '1' })
const { lookup } = firebasePaths

/** The Firebase adapter against a server that answers by path, with one stored sign-in in a slow secret store. */
const begin = async (answers: Record<string, Served>, { keepsMs = 0, forgetsMs = 0 } = {}) => {
  const { url } = await serveLoopback(({ path }) => answers[path] ?? { status: 404, json: { error: { code: 404, message: 'NOT_FOUND' } } })
  const safe = new Map([['ann', kept]])
  const events: string[] = []
  const warned: object[] = []
  const storeOf = (uid: string) => ({ get: () => Promise.resolve(safe.get(uid) ?? null), set: async (value: string) => (await pause(keepsMs), void safe.set(uid, value)), remove: async () => (await pause(forgetsMs), void safe.delete(uid)) })
  const firebase = firebaseAt(url, safe, {
    storeOf,
    renewed: (user) => void events.push(`renewed ${user.uid}`),
    ended: (uid, because) => void events.push(`ended ${uid} ${because}`),
    log: { debug: () => undefined, info: () => undefined, warn: (fields) => void warned.push(fields), error: () => undefined },
  })
  return { firebase, safe, events, warned, answers }
}
const user = { localId: 'ann', email: 'ann@example.com', emailVerified: true, createdAt: '1', lastLoginAt: '1' }

test('a stored sign-in is restored and its token reported', async () => {
  const { firebase, events } = await begin({ [lookup]: { json: { users: [user] } } })
  const signIn = await firebase.signInOf('ann')
  expect(signIn?.user()).toMatchObject({ uid: 'ann', email: 'ann@example.com' })
  expect(await signIn?.token(false)).toMatchObject({ ok: true, value: { token: idToken, uid: 'ann' } })
  await expect.poll(() => events).toEqual(['renewed ann'])
})

test('a server outage ends no sign-in: it stays stored and is restored afterwards', async () => {
  const { firebase, safe, events, answers } = await begin({ [lookup]: { status: 503, json: { error: { code: 503, message: 'BACKEND_ERROR' } } } })
  expect(await firebase.signInOf('ann')).toBeNull()
  expect([safe.get('ann'), events]).toEqual([kept, []])
  answers[lookup] = { json: { users: [user] } }
  expect((await firebase.signInOf('ann'))?.user().uid).toBe('ann')
})

test('a lost connection ends no sign-in either', async () => {
  const { firebase, safe, events } = await begin({ [lookup]: 'cut' })
  const signIn = await firebase.signInOf('ann')
  expect(signIn?.user()).toMatchObject({ uid: 'ann', email: 'ann@example.com' })
  expect(await signIn?.reload()).toEqual({ ok: false, error: 'network-request-failed' })
  expect(safe.has('ann')).toBe(true)
  expect(events.filter((one) => one.startsWith('ended'))).toEqual([])
})

test.each([
  ['USER_DISABLED', 'user-disabled'],
  ['TOKEN_EXPIRED', 'user-token-expired'],
  ['USER_NOT_FOUND', 'user-token-expired'],
  ['INVALID_ID_TOKEN', 'user-token-expired'],
])('a sign-in that the provider ended (%s) is deleted and reported as %s', async (message, because) => {
  const { firebase, safe, events } = await begin({ [lookup]: { status: 400, json: { error: { code: 400, message } } } })
  expect(await firebase.signInOf('ann')).toBeNull()
  expect([safe.has('ann'), events]).toEqual([false, [`ended ann ${because}`]])
})

test('a sign-in that the provider ends at run time is reported once', async () => {
  const { firebase, safe, events, answers } = await begin({ [lookup]: { json: { users: [user] } } })
  const signIn = await firebase.signInOf('ann')
  answers[firebasePaths.token] = { status: 400, json: { error: { code: 400, message: 'USER_DISABLED' } } }
  expect(await signIn?.token(true)).toEqual({ ok: false, error: 'user-disabled' })
  await expect.poll(() => events.filter((one) => one.startsWith('ended'))).toEqual(['ended ann user-disabled'])
  expect(safe.has('ann')).toBe(false)
})

const entering = { [lookup]: { json: { users: [user] } }, [firebasePaths.signIn]: { json: { idToken, refreshToken: 'next', expiresIn: '3600', localId: 'ann' } } }
const credentials = { email: 'ann@example.com', password: 'correct horse' }

test('a sign-in found ended while its user is deleted is reported too', async () => {
  const { firebase, safe, events, answers } = await begin({ [lookup]: { json: { users: [user] } } })
  const signIn = await firebase.signInOf('ann')
  answers[firebasePaths.remove] = { status: 400, json: { error: { code: 400, message: 'USER_DISABLED' } } }
  expect(await signIn?.remove()).toEqual({ ok: false, error: 'user-disabled' })
  expect([safe.has('ann'), events.filter((one) => one.startsWith('ended'))]).toEqual([false, ['ended ann user-disabled']])
})

test('of two concurrent sign-ins of one user one survives, and signing out of it stops storage and renewal', async () => {
  const { firebase, safe, events, answers } = await begin(entering, { keepsMs: 100 })
  const both = await Promise.all([firebase.signIn(credentials), firebase.signIn(credentials)])
  const last = await firebase.signInOf('ann')
  await last?.leave()
  expect(safe.has('ann')).toBe(false)
  answers[firebasePaths.token] = { json: { access_token: emulatorToken('ann'), refresh_token: 'renewed', expires_in: '3600' } }
  events.length = 0
  for (const one of both) expect(one.ok && (await one.value.token(true))).toEqual({ ok: false, error: 'network-request-failed' })
  expect([safe.has('ann'), events]).toEqual([false, []])
})

test('signing out of a replaced sign-in does not touch its replacement', async () => {
  const { firebase, safe } = await begin(entering)
  const [first, second] = [await firebase.signIn(credentials), await firebase.signIn(credentials)]
  if (!first.ok || !second.ok) throw new Error('Both are right')
  await first.value.leave()
  expect(safe.has('ann')).toBe(true)
  expect(await firebase.signInOf('ann')).toBe(second.value)
})

test('a sign-in during a sign-out succeeds', async () => {
  const { firebase, safe } = await begin(entering, { forgetsMs: 500 })
  const signIn = await firebase.signInOf('ann')
  const [, entered] = await Promise.all([signIn?.leave(), firebase.signIn(credentials)])
  if (!entered.ok) throw new Error('It is right')
  expect(safe.has('ann')).toBe(true)
  expect(await firebase.signInOf('ann')).toBe(entered.value)
})

test('the password policy is the project\'s, or the standard if it is unreachable', async () => {
  const customStrengthOptions = { minPasswordLength: 10, maxPasswordLength: 64, containsUppercaseCharacter: true, containsNumericCharacter: true }
  const { firebase } = await begin({ [firebasePaths.policy]: { json: { customStrengthOptions, schemaVersion: 1, enforcementState: 'ENFORCE' } } })
  expect(await firebase.passwordPolicy()).toEqual({ minLength: 10, maxLength: 64, lowercase: false, uppercase: true, digit: true, symbol: false })
  expect(await (await begin({})).firebase.passwordPolicy()).toEqual({ minLength: 6, maxLength: null, lowercase: false, uppercase: false, digit: false, symbol: false })
})

test('an unknown refusal becomes internal-error, and only its code is logged', async () => {
  const { firebase, warned } = await begin({ [firebasePaths.signIn]: { status: 400, json: { error: { code: 400, message: 'BRAND_NEW : of ann@example.com' } } } })
  expect(await firebase.signIn({ email: 'ann@example.com', password: 'correct horse' })).toEqual({ ok: false, error: 'internal-error' })
  expect(warned).toEqual([{ code: 'brand-new' }])
})
