import type { Response } from 'express'
import type { Problem, ProblemCode } from '#shared/api/problems.ts'

const statuses = {
  'invalid-request': 400,
  'no-token': 401,
  'wrong-token': 401,
  'account-gone': 401,
  'not-this-user': 403,
  'strange-host': 403,
  'not-found': 404,
  'unknown-call': 404,
  'picture-too-large': 413,
  'storage-full': 413,
  'disk-full': 507,
  'picture-unreadable': 400,
  'too-many-calls': 429,
  'wrong-signature': 400,
  'payments-not-configured': 409,
  'payments-unreachable': 502,
  internal: 500,
} as const satisfies Partial<Record<ProblemCode, number>>

/** A failure of a call that is not in the contract of routes. */
export type Refusal = Pick<Problem, 'fields' | 'retryAfterMs'> & { readonly code: keyof typeof statuses }

/** Answers a failed call with its problem; `status` if the code alone does not determine it. */
export const refuse = (response: Response, failure: Refusal, status: number = statuses[failure.code]): void => {
  const body: Problem = { success: false, error: failure.code, ...failure }
  if (failure.retryAfterMs !== undefined) response.set('Retry-After', String(Math.ceil(failure.retryAfterMs / 1_000)))
  response.status(status).json(body)
}
