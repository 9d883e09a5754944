import type { Response } from 'express'
import { problemStatuses } from '#shared/api/problem-status.ts'
import type { Problem } from '#shared/api/problems.ts'

/** A failure of a call that is not in the contract of routes. */
type Refusal = Pick<Problem, 'code' | 'fields' | 'retryAfterMs'>

/** Answers a failed call with its problem; `status` if the code alone does not determine it. */
export const refuse = (response: Response, failure: Refusal, status: number = problemStatuses[failure.code]): void => {
  const body: Problem = { success: false, error: failure.code, ...failure }
  if (failure.retryAfterMs !== undefined) response.set('Retry-After', String(Math.ceil(failure.retryAfterMs / 1_000)))
  response.status(status).json(body)
}
