import type { ProblemCode } from '#shared/api/problems.ts'

/** Why a call to the cloud failed: codes only, never a token or a user's data. */
export type CloudFailure =
  /** No network, a timeout, a failing server, or an invalid answer: a retry may help. */
  | {
      readonly kind: 'unreachable'
      readonly cause: 'network' | 'timeout' | 'server' | 'unreadable-answer'
      readonly status: number | null
      /** The code that a failing server sent, if any. */
      readonly code?: ProblemCode | undefined
      readonly retryAfterMs?: number | undefined
      /** Set if the cloud certainly never received the call. */
      readonly reached?: false | undefined
    }
  /** The cloud refused the call; `code` is its reason, if it gave one. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly code: ProblemCode | null
      /** The message of the first invalid field. */
      readonly fieldMessage?: string | undefined
    }
  /** The caller aborted. */
  | { readonly kind: 'aborted' }

export const unreachable = (cause: 'network' | 'timeout' | 'server' | 'unreadable-answer', status: number | null = null): CloudFailure => ({ kind: 'unreachable', cause, status })
