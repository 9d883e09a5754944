import { AuthErrorCodes } from 'firebase/auth'
import { FirebaseError } from 'firebase/app'
import { expect, test } from 'vitest'
import { identityCodes, problemCode } from '#shared/api/problems.ts'
import { meanings, refusalOf } from './refusal.ts'

/** The codes that the specification lists, each of which keeps its name. */
const specified = [
  'network-request-failed', 'internal-error', 'user-token-expired', 'popup-blocked', 'popup-closed-by-user', 'cancelled-popup-request', 'unauthorized-domain', 'user-mismatch',
  'password-does-not-meet-requirements', 'multi-factor-auth-required', 'invalid-api-key', 'web-storage-unsupported', 'login-blocked',
]
const of = (code: string): string | null => refusalOf(new FirebaseError(`auth/${code}`, 'whatever ann@example.com typed'))

test.each(specified)('%s is told as the specification names it', (code) => {
  expect(of(code)).toBe(code)
  expect(identityCodes).toContain(code)
})

test('every meaning is a code that the page has words for, and every code but those of the server is one of the SDK', () => {
  for (const meaning of Object.values(meanings)) expect(problemCode.options).toContain(meaning)
  const ofServers = ['auth/login-blocked', 'auth/invalid-login-credentials', 'auth/api-key-not-valid.-please-pass-a-valid-api-key.', 'auth/missing-password', 'auth/password-does-not-meet-requirements']
  const known = new Set<string>([...Object.values(AuthErrorCodes), ...ofServers])
  expect(Object.keys(meanings).map((code) => `auth/${code}`).filter((code) => !known.has(code))).toEqual([])
})

test('who is unknown and whose password is wrong are told apart by nobody', () => {
  expect(['invalid-credential', 'wrong-password', 'user-not-found', 'invalid-email'].map(of)).toEqual(Array.from({ length: 4 }, () => 'wrong-credentials'))
})

test('a code that nobody knows is the provider having failed, and another error is no answer of it', () => {
  expect(of('brand-new-trouble')).toBe('internal-error')
  expect(of('constructor')).toBe('internal-error')
  expect(refusalOf(new Error('a bug'))).toBeNull()
})
