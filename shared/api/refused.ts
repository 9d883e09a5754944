import { err } from '#shared/base/result.ts'
import type { Problem, ProblemCode } from './problems.ts'

/** Why a call was refused, as a value: the caller's code, and its details. */
export type Refused = { readonly code: ProblemCode; readonly retryAfterMs?: number; readonly fields?: NonNullable<Problem['fields']> }

/** The outcome of a refused call. */
export const refuse = (code: ProblemCode, details: Omit<Refused, 'code'> = {}): { readonly ok: false; readonly error: Refused } => err({ code, ...details })

/** The outcome of a call with an invalid field. */
export const wrongField = (path: string, message: string): ReturnType<typeof refuse> => refuse('invalid-request', { fields: [{ path, message }] })
