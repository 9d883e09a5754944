import { z } from 'zod'

/** What the identity provider may say no with, in its own words where the spec names them. */
export const identityCodes = [
  'network-request-failed',
  'internal-error',
  'user-token-expired',
  'user-disabled',
  'popup-blocked',
  'popup-closed-by-user',
  'cancelled-popup-request',
  'unauthorized-domain',
  'user-mismatch',
  'password-does-not-meet-requirements',
  'multi-factor-auth-required',
  'invalid-api-key',
  'web-storage-unsupported',
  'login-blocked',
  'link-not-good',
  'recent-login-needed',
  'not-offered',
  'other-sign-in-needed',
  'federated-denied',
] as const

/** Every reason for which a call can fail. The renderer owns the words. */
export const problemCode = z.enum([
  'invalid-request',
  'body-too-large',
  'unknown-call',
  'not-signed-in',
  'not-this-user',
  'strange-origin',
  'strange-host',
  'no-session',
  'email-taken',
  'wrong-credentials',
  'wrong-recovery-code',
  'password-too-short',
  'too-many-attempts',
  'not-found',
  'read-only-field',
  'brokerage-not-configured',
  'unknown-state',
  'consent-denied',
  'code-refused',
  'answer-lost',
  'brokerage-unreachable',
  'brokerage-busy',
  'login-needed',
  'no-token',
  'wrong-token',
  'picture-unreadable',
  'picture-too-large',
  'upload-too-large',
  'too-many-uploads',
  'import-cancelled',
  'journal-file-foreign',
  'journal-file-newer',
  'journal-file-broken',
  'journal-file-cut',
  'journal-file-too-large',
  'disk-full',
  'plan-needed',
  'not-sold',
  'already-subscribed',
  'payments-not-configured',
  'payments-unreachable',
  'unknown-checkout',
  'wrong-signature',
  'subscription-runs',
  'too-many-calls',
  'cloud-unreachable',
  'no-model',
  'preview-changed',
  'narrative-runs',
  ...identityCodes,
  'internal',
])
export type ProblemCode = z.infer<typeof problemCode>

/** The answer of every failed call. */
export const problem = z.object({
  success: z.literal(false),
  code: problemCode,
  /** The spec's error text where it fixes one, otherwise the code again. */
  error: z.string(),
  /** For `invalid-request`: which field wants which shape. */
  fields: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  /** For `too-many-attempts` and `brokerage-busy`: milliseconds until another try makes sense. */
  retryAfterMs: z.number().int().nonnegative().optional(),
})
export type Problem = z.infer<typeof problem>
