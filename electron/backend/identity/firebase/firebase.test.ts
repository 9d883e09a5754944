import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { emulatorToken, firebaseAt, firebasePaths } from '#tests/helpers/firebase-at.ts'
import { serveLoopback } from '#tests/helpers/loopback.ts'
import type { Served } from '#tests/helpers/loopback.ts'

const idToken = emulatorToken('ann')
/** A sign-in as the SDK keeps it. */
const kept = JSON.stringify({ uid: 'ann', email: 'ann@example.com', emailVerified: true, isAnonymous: false, providerData: [], stsTokenManager: { refreshToken: 'refresh', accessToken: idToken, expirationTime: Date.now() + 3_600_000 }, createdAt: '1', lastLoginAt: '1' })
const { lookup } = firebasePaths

/** Firebase against a server that answers by path, with one user's sign-in kept, in a safe that takes its time to keep and to forget. */
const begin = async (answers: Record<string, Served>, { keepsMs = 0, forgetsMs = 0 } = {}) => {
  const { url } = await serveLoopback(({ path }) => answers[path] ?? { status: 404, json: { error: { code: 404, message: 'NOT_FOUND' } } })
  const safe = new Map([['ann', kept]])
  const told: string[] = []
  const warned: object[] = []
  const keepOf = (uid: string) => ({ get: () => Promise.resolve(safe.get(uid) ?? null), set: async (value: string) => (await pause(keepsMs), void safe.set(uid, value)), remove: async () => (await pause(forgetsMs), void safe.delete(uid)) })
  const firebase = firebaseAt(url, safe, {
    keepOf,
    renewed: (user) => void told.push(`renewed ${user.uid}`),
    ended: (uid, because) => void told.push(`ended ${uid} ${because}`),
    log: { debug: () => undefined, info: () => undefined, warn: (fields) => void warned.push(fields), error: () => undefined },
  })
  return { firebase, safe, told, warned, answers }
}
const user = { localId: 'ann', email: 'ann@example.com', emailVerified: true, createdAt: '1', lastLoginAt: '1' }

test('a kept sign-in is taken up again, and its token told', async () => {
  const { firebase, told } = await begin({ [lookup]: { json: { users: [user] } } })
  const signIn = await firebase.signInOf('ann')
  expect(signIn?.user()).toMatchObject({ uid: 'ann', email: 'ann@example.com' })
  expect(await signIn?.token(false)).toMatchObject({ ok: true, value: { token: idToken, uid: 'ann' } })
  await expect.poll(() => told).toEqual(['renewed ann'])
})

test('a server in trouble ends nobody: what is kept stays, and is taken up when it is well again', async () => {
  const { firebase, safe, told, answers } = await begin({ [lookup]: { status: 503, json: { error: { code: 503, message: 'BACKEND_ERROR' } } } })
  expect(await firebase.signInOf('ann')).toBeNull()
  expect([safe.get('ann'), told]).toEqual([kept, []])
  answers[lookup] = { json: { users: [user] } }
  expect((await firebase.signInOf('ann'))?.user().uid).toBe('ann')
})

test('a line that is cut ends nobody either: the sign-in is there as it was kept', async () => {
  const { firebase, safe, told } = await begin({ [lookup]: 'cut' })
  const signIn = await firebase.signInOf('ann')
  expect(signIn?.user()).toMatchObject({ uid: 'ann', email: 'ann@example.com' })
  expect(await signIn?.reload()).toEqual({ ok: false, error: 'network-request-failed' })
  expect(safe.has('ann')).toBe(true)
  expect(told.filter((one) => one.startsWith('ended'))).toEqual([])
})

test.each([
  ['USER_DISABLED', 'user-disabled'],
  ['TOKEN_EXPIRED', 'user-token-expired'],
  ['USER_NOT_FOUND', 'user-token-expired'],
  ['INVALID_ID_TOKEN', 'user-token-expired'],
])('a sign-in that the provider ended (%s) is forgotten, and told as %s', async (message, because) => {
  const { firebase, safe, told } = await begin({ [lookup]: { status: 400, json: { error: { code: 400, message } } } })
  expect(await firebase.signInOf('ann')).toBeNull()
  expect([safe.has('ann'), told]).toEqual([false, [`ended ann ${because}`]])
})

test('one that is ended while the program runs is told once', async () => {
  const { firebase, safe, told, answers } = await begin({ [lookup]: { json: { users: [user] } } })
  const signIn = await firebase.signInOf('ann')
  answers[firebasePaths.token] = { status: 400, json: { error: { code: 400, message: 'USER_DISABLED' } } }
  expect(await signIn?.token(true)).toEqual({ ok: false, error: 'user-disabled' })
  await expect.poll(() => told.filter((one) => one.startsWith('ended'))).toEqual(['ended ann user-disabled'])
  expect(safe.has('ann')).toBe(false)
})

const entering = { [lookup]: { json: { users: [user] } }, [firebasePaths.signIn]: { json: { idToken, refreshToken: 'next', expiresIn: '3600', localId: 'ann' } } }
const credentials = { email: 'ann@example.com', password: 'correct horse' }

test('one that turns out to be ended while its user is being deleted is told, too', async () => {
  const { firebase, safe, told, answers } = await begin({ [lookup]: { json: { users: [user] } } })
  const signIn = await firebase.signInOf('ann')
  answers[firebasePaths.remove] = { status: 400, json: { error: { code: 400, message: 'USER_DISABLED' } } }
  expect(await signIn?.remove()).toEqual({ ok: false, error: 'user-disabled' })
  expect([safe.has('ann'), told.filter((one) => one.startsWith('ended'))]).toEqual([false, ['ended ann user-disabled']])
})

test('of two sign-ins of one user at the same time one goes on, and once that is left nothing is kept or renewed', async () => {
  const { firebase, safe, told, answers } = await begin(entering, { keepsMs: 100 })
  const both = await Promise.all([firebase.signIn(credentials), firebase.signIn(credentials)])
  const last = await firebase.signInOf('ann')
  await last?.leave()
  expect(safe.has('ann')).toBe(false)
  answers[firebasePaths.token] = { json: { access_token: emulatorToken('ann'), refresh_token: 'renewed', expires_in: '3600' } }
  told.length = 0
  for (const one of both) expect(one.ok && (await one.value.token(true))).toEqual({ ok: false, error: 'network-request-failed' })
  expect([safe.has('ann'), told]).toEqual([false, []])
})

test('leaving a sign-in that another one replaced leaves that one as it is', async () => {
  const { firebase, safe } = await begin(entering)
  const [first, second] = [await firebase.signIn(credentials), await firebase.signIn(credentials)]
  if (!first.ok || !second.ok) throw new Error('Both are right')
  await first.value.leave()
  expect(safe.has('ann')).toBe(true)
  expect(await firebase.signInOf('ann')).toBe(second.value)
})

test('whoever signs in while a sign-out is under way is signed in', async () => {
  const { firebase, safe } = await begin(entering, { forgetsMs: 500 })
  const signIn = await firebase.signInOf('ann')
  const [, entered] = await Promise.all([signIn?.leave(), firebase.signIn(credentials)])
  if (!entered.ok) throw new Error('It is right')
  expect(safe.has('ann')).toBe(true)
  expect(await firebase.signInOf('ann')).toBe(entered.value)
})

test('the password policy is the project\'s, and the standard where it cannot be had', async () => {
  const customStrengthOptions = { minPasswordLength: 10, maxPasswordLength: 64, containsUppercaseCharacter: true, containsNumericCharacter: true }
  const { firebase } = await begin({ [firebasePaths.policy]: { json: { customStrengthOptions, schemaVersion: 1, enforcementState: 'ENFORCE' } } })
  expect(await firebase.passwordPolicy()).toEqual({ minLength: 10, maxLength: 64, lowercase: false, uppercase: true, digit: true, symbol: false })
  expect(await (await begin({})).firebase.passwordPolicy()).toEqual({ minLength: 6, maxLength: null, lowercase: false, uppercase: false, digit: false, symbol: false })
})

test('a refusal that nobody knows is told as a failure of the provider, and logged by its code alone', async () => {
  const { firebase, warned } = await begin({ [firebasePaths.signIn]: { status: 400, json: { error: { code: 400, message: 'BRAND_NEW : of ann@example.com' } } } })
  expect(await firebase.signIn({ email: 'ann@example.com', password: 'correct horse' })).toEqual({ ok: false, error: 'internal-error' })
  expect(warned).toEqual([{ said: 'brand-new' }])
})
