import type { Response } from 'express'
import type { Result } from '#shared/base/result.ts'

/** The user of a call's token, or what is wrong with it. */
export type Caller = Result<{ readonly userId: string }, 'no-token' | 'wrong-token' | 'account-gone'>

/** Sets the caller for the handlers. */
export const setCaller = (response: Response, caller: Caller): void => void (response.locals['bearer'] = caller)

/** The stored caller; a call without one is a bug. */
export const callerOf = (response: Response): Caller => {
  const caller = response.locals['bearer'] as Caller | undefined
  if (caller === undefined) throw new Error('A call came in past the check of its token')
  return caller
}
