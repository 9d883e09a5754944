import type { ProblemCode } from '#shared/api/problems.ts'

/** Why a call to the cloud brought nothing: codes only, never a token or a user's data. */
export type CloudFailure =
  /** No network, a time-out, a server in trouble, or an answer that is not in the agreed shape: it may pass by itself. */
  | {
      readonly kind: 'unreachable'
      readonly cause: 'network' | 'timeout' | 'server' | 'unreadable-answer'
      readonly status: number | null
      /** What a server in trouble said of it, where it said something. */
      readonly code?: ProblemCode | undefined
      readonly retryAfterMs?: number | undefined
      /** Given where the cloud surely never saw the call. */
      readonly reached?: false | undefined
    }
  /** The cloud understood and said no; `code` is its reason where it gave one. */
  | { readonly kind: 'refused'; readonly status: number; readonly code: ProblemCode | null; /** What the field in question was told, where one was named. */ readonly said?: string | undefined }
  /** The caller gave up waiting. */
  | { readonly kind: 'aborted' }

/** Nothing of the cloud could be reached. */
export const unreachable = (cause: 'network' | 'timeout' | 'server' | 'unreadable-answer', status: number | null = null): CloudFailure => ({ kind: 'unreachable', cause, status })
