import type { Problem, ProblemCode } from '#shared/api/problems.ts'
import { err } from '#shared/base/result.ts'

/** Why a call was not done, as a value: the code that the caller gets, and what goes with it. */
export type Refused = { readonly code: ProblemCode; readonly retryAfterMs?: number; readonly fields?: NonNullable<Problem['fields']> }

/** The outcome of a call that was refused. */
export const refuse = (code: ProblemCode, details: Omit<Refused, 'code'> = {}): { readonly ok: false; readonly error: Refused } => err({ code, ...details })
