import type { Response } from 'express'
import type { Problem, ProblemCode } from '#shared/api/problems.ts'

/** A failed call's answer, before it gets its text. */
export type Failure = Pick<Problem, 'code' | 'fields' | 'retryAfterMs'>

const statuses: Record<ProblemCode, number> = {
  'invalid-request': 400,
  'body-too-large': 413,
  'unknown-call': 404,
  'not-signed-in': 401,
  'not-this-user': 403,
  'strange-origin': 403,
  'strange-host': 403,
  'no-session': 401,
  'email-taken': 409,
  'journal-waits': 409,
  'wrong-credentials': 401,
  'wrong-recovery-code': 401,
  'password-too-short': 400,
  'too-many-attempts': 429,
  'not-found': 404,
  'read-only-field': 409,
  'brokerage-not-configured': 409,
  'unknown-state': 400,
  'consent-denied': 409,
  'code-refused': 409,
  'key-refused': 409,
  'key-not-allowed': 409,
  'database-missing': 404,
  'database-unreadable': 409,
  'database-changing': 409,
  'database-unknown-shape': 409,
  'answer-lost': 502,
  'brokerage-unreachable': 502,
  'brokerage-busy': 503,
  'login-needed': 409,
  'no-token': 401,
  'wrong-token': 401,
  'account-gone': 401,
  'picture-unreadable': 400,
  'picture-too-large': 413,
  'upload-too-large': 413,
  'too-many-uploads': 409,
  'import-cancelled': 409,
  'journal-file-foreign': 400,
  'journal-file-newer': 400,
  'journal-file-broken': 400,
  'journal-file-cut': 400,
  'journal-file-too-large': 413,
  'figures-too-large': 400,
  'disk-full': 507,
  'disk-failed': 507,
  'folder-unwritable': 507,
  'data-folder-unwritable': 507,
  'journal-damaged': 507,
  'journal-moved': 507,
  'journal-locked': 503,
  'copier-damaged': 507,
  'copier-locked': 503,
  'prices-damaged': 507,
  'prices-too-coarse': 409,
  'backup-unreadable': 409,
  'backup-failed': 507,
  'plan-needed': 402,
  'not-sold': 403,
  'already-subscribed': 409,
  'payments-not-configured': 409,
  'payments-unreachable': 502,
  'unknown-checkout': 404,
  'wrong-signature': 400,
  'subscription-runs': 409,
  'copier-working': 409,
  'storage-full': 413,
  'too-many-calls': 429,
  'cloud-unreachable': 502,
  'no-model': 409,
  'report-too-large': 413,
  'preview-changed': 409,
  'narrative-runs': 409,
  'network-request-failed': 502,
  'internal-error': 502,
  'user-token-expired': 401,
  'user-disabled': 401,
  'popup-blocked': 409,
  'popup-closed-by-user': 409,
  'cancelled-popup-request': 409,
  'unauthorized-domain': 409,
  'user-mismatch': 409,
  'password-does-not-meet-requirements': 400,
  'multi-factor-auth-required': 409,
  'invalid-api-key': 409,
  'web-storage-unsupported': 409,
  'login-blocked': 403,
  'link-not-good': 409,
  'recent-login-needed': 401,
  'not-offered': 409,
  'other-sign-in-needed': 409,
  'federated-denied': 409,
  internal: 500,
}

const full: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'disk-full']
// Not a folder, or another user's: the files of calls are only in the data folder.
const unwritable: readonly unknown[] = ['EEXIST', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'unwritable']

/** The failure that an error means to the caller: the user can fix a full disk, an unwritable folder, a damaged file and one that another program locks; anything else is a bug. */
export const failureOf = (error: unknown): Failure => {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const database = error instanceof Error && 'file' in error && /(?:^|[/\\])copier[^/\\]*$/.test(String(error.file)) ? 'copier' : 'journal'
  if (code === 'damaged-database') return { code: `${database}-damaged` }
  if (code === 'no-profile') return { code: 'not-signed-in' }
  if (code === 'journal-moved') return { code }
  if (code === 'out-of-range') return { code: 'figures-too-large' }
  if (code === 'busy') return { code: `${database}-locked` }
  if (code === 'EIO' || code === 'disk-failed') return { code: 'disk-failed' }
  if (full.includes(code)) return { code: 'disk-full' }
  return { code: unwritable.includes(code) ? 'data-folder-unwritable' : 'internal' }
}

/** Answers a failed call: the only place that turns a code into a status and a body. `text` is the spec's error text if it fixes one. */
export const sendProblem = (response: Response, failure: Failure, text: string = failure.code): void => {
  const body: Problem = { success: false, error: text, ...failure }
  if (failure.retryAfterMs !== undefined) response.set('Retry-After', String(Math.ceil(failure.retryAfterMs / 1_000)))
  response.status(statuses[failure.code]).json(body)
}
