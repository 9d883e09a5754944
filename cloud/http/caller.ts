import type { Response } from 'express'
import type { Result } from '#shared/base/result.ts'

/** Whose token came with a call, or what was wrong with it. */
export type Caller = Result<{ readonly userId: string }, 'no-token' | 'wrong-token' | 'account-gone'>

/** Notes who calls, for whatever answers. */
export const noteCaller = (response: Response, caller: Caller): void => void (response.locals['bearer'] = caller)

/** Who calls, as it was noted; a call past that check is a bug. */
export const callerOf = (response: Response): Caller => {
  const caller = response.locals['bearer'] as Caller | undefined
  if (caller === undefined) throw new Error('A call came in past the check of its token')
  return caller
}
