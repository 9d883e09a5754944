import { ok, type Result } from '#shared/base/result.ts'

/** The result of a call that returns nothing else. */
export const done = ok({ success: true as const })

/** `done` for a success, whatever its value; a failure stays. */
export const doneIf = <E>(result: Result<unknown, E>): Result<{ success: true }, E> => (result.ok ? done : result)
