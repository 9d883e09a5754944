import type { Response } from 'express'
import { problemStatuses } from '#shared/api/problem-status.ts'
import type { Problem } from '#shared/api/problems.ts'

/** A failed call's answer, before it gets its text. */
export type Failure = Pick<Problem, 'code' | 'fields' | 'retryAfterMs'>

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
  response.status(problemStatuses[failure.code]).json(body)
}
