import type { ProblemCode } from '#shared/api/problems.ts'

/** The problem code that a failed Firebase call becomes. */
export type Refusal = ProblemCode

/** Maps the SDK's codes, without `auth/`, to problem codes. */
export const meanings: Readonly<Record<string, Refusal>> = {
  // The specification names these.
  'network-request-failed': 'network-request-failed',
  'internal-error': 'internal-error',
  'user-token-expired': 'user-token-expired',
  'popup-blocked': 'popup-blocked',
  'popup-closed-by-user': 'popup-closed-by-user',
  'cancelled-popup-request': 'cancelled-popup-request',
  'unauthorized-domain': 'unauthorized-domain',
  'user-mismatch': 'user-mismatch',
  'password-does-not-meet-requirements': 'password-does-not-meet-requirements',
  'multi-factor-auth-required': 'multi-factor-auth-required',
  'invalid-api-key': 'invalid-api-key',
  'web-storage-unsupported': 'web-storage-unsupported',
  'login-blocked': 'login-blocked',
  // The common ones. The answer never reveals whether the email or the password was wrong.
  'user-disabled': 'user-disabled',
  'email-already-in-use': 'email-taken',
  'invalid-credential': 'wrong-credentials',
  'invalid-login-credentials': 'wrong-credentials',
  'wrong-password': 'wrong-credentials',
  'user-not-found': 'wrong-credentials',
  'invalid-email': 'wrong-credentials',
  'missing-password': 'wrong-credentials',
  'weak-password': 'password-too-short',
  'too-many-requests': 'too-many-attempts',
  'quota-exceeded': 'too-many-attempts',
  'operation-not-allowed': 'not-offered',
  'admin-restricted-operation': 'not-offered',
  'invalid-action-code': 'link-not-good',
  'expired-action-code': 'link-not-good',
  'argument-error': 'link-not-good',
  'requires-recent-login': 'recent-login-needed',
  'account-exists-with-different-credential': 'other-sign-in-needed',
  'credential-already-in-use': 'other-sign-in-needed',
  // Other names of the same errors.
  'invalid-user-token': 'user-token-expired',
  'timeout': 'network-request-failed',
  'unauthorized-continue-uri': 'unauthorized-domain',
  'app-not-authorized': 'invalid-api-key',
  'api-key-not-valid.-please-pass-a-valid-api-key.': 'invalid-api-key',
  'missing-or-invalid-nonce': 'federated-denied',
  'rejected-credential': 'federated-denied',
  'redirect-cancelled-by-user': 'popup-closed-by-user',
}

/** The SDK's own code of an error, without `auth/`; null for any other error. */
export const sdkCodeOf = (error: unknown): string | null => {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && code.startsWith('auth/') ? code.slice('auth/'.length) : null
}

/** Maps an SDK error to a problem code, unknown ones to `internal-error`. Null for an error that is not the SDK's. */
export const refusalOf = (error: unknown): Refusal | null => {
  const code = sdkCodeOf(error)
  return code === null ? null : meaningOf(code)
}

const meaningOf = (code: string): Refusal => (Object.hasOwn(meanings, code) ? (meanings[code] ?? 'internal-error') : 'internal-error')
