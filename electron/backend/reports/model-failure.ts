import type { NarrativeFailure } from '#shared/api/reports.ts'
import { AnswerTooLarge } from './model-fetch.ts'

/** The endpoint's own error message. Never log it: it may repeat the prompt. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

const tooLong = /context.{0,20}(length|window|size)|maximum.{0,20}tokens|too (long|many tokens|large)/i

/** The failure that the user sees for an error of the call. */
export const failureOf = async (error: unknown): Promise<NarrativeFailure> => {
  const { APIConnectionError, APIConnectionTimeoutError, APIError } = await import('openai')
  if (error instanceof AnswerTooLarge || (error instanceof Error && error.cause instanceof AnswerTooLarge)) return 'too-long'
  if (error instanceof APIConnectionTimeoutError) return 'timed-out'
  if (error instanceof APIConnectionError) return 'unreachable'
  if (error instanceof APIError) return failureOfStatus(error.status, error)
  // The SDK has no error of its own for a connection that breaks mid-answer.
  if (error instanceof TypeError) return 'unreachable'
  return error instanceof SyntaxError || (error instanceof Error && error.name === 'ZodError') ? 'unreadable' : 'internal'
}

const failureOfStatus = (status: number | undefined, error: { readonly code?: string | null | undefined; readonly message: string }): NarrativeFailure => {
  if (status === 401 || status === 403) return 'key-refused'
  if (status === 404) return 'model-unknown'
  if (status === 429) return 'too-many-calls'
  if (status === 408 || status === 504) return 'timed-out'
  if (status !== undefined && status >= 500) return 'unreachable'
  // No redirect is followed: it would take the key and the prompt along.
  if (status !== undefined && status < 400) return 'unreadable'
  // Without a status, the endpoint reported the error inside its stream.
  return status === 413 || error.code === 'context_length_exceeded' || tooLong.test(error.message) ? 'too-long' : 'refused'
}
