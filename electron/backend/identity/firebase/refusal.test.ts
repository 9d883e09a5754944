import { AuthErrorCodes } from 'firebase/auth'
import { FirebaseError } from 'firebase/app'
import { expect, test } from 'vitest'
import { identityCodes, problemCode } from '#shared/api/problems.ts'
import { meanings, refusalOf } from './refusal.ts'

/** The codes that the specification lists; each keeps its name. */
const specified = [
  'network-request-failed', 'internal-error', 'user-token-expired', 'popup-blocked', 'popup-closed-by-user', 'cancelled-popup-request', 'unauthorized-domain', 'user-mismatch',
  'password-does-not-meet-requirements', 'multi-factor-auth-required', 'invalid-api-key', 'web-storage-unsupported', 'login-blocked',
]
const of = (code: string): string | null => refusalOf(new FirebaseError(`auth/${code}`, 'whatever ann@example.com typed'))

test.each(specified)('%s keeps the specification\'s name', (code) => {
  expect(of(code)).toBe(code)
  expect(identityCodes).toContain(code)
})

test('every mapped problem code has a text, and every key except the server\'s is an SDK code', () => {
  for (const meaning of Object.values(meanings)) expect(problemCode.options).toContain(meaning)
  const ofServers = ['auth/login-blocked', 'auth/invalid-login-credentials', 'auth/api-key-not-valid.-please-pass-a-valid-api-key.', 'auth/missing-password', 'auth/password-does-not-meet-requirements']
  const known = new Set<string>([...Object.values(AuthErrorCodes), ...ofServers])
  expect(Object.keys(meanings).map((code) => `auth/${code}`).filter((code) => !known.has(code))).toEqual([])
})

test('an unknown user and a wrong password give the same answer', () => {
  expect(['invalid-credential', 'wrong-password', 'user-not-found', 'invalid-email'].map(of)).toEqual(Array.from({ length: 4 }, () => 'wrong-credentials'))
})

test('an unknown SDK code is internal-error, and any other error is null', () => {
  expect(of('brand-new-trouble')).toBe('internal-error')
  expect(of('constructor')).toBe('internal-error')
  expect(refusalOf(new Error('a bug'))).toBeNull()
})
