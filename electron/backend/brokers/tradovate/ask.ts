import { z } from 'zod'
import { fitToShow } from '#shared/base/fit-to-show.ts'
import { longestWaitMs } from '#shared/sync/longest-wait.ts'
import { exchange, type Question, type Exchange } from '../exchange.ts'
import { sleepUnlessAborted, type Timing } from '../timing.ts'
import type { BrokerFailure } from '../failure.ts'

const granted = (waitMs: number): number => Math.min(waitMs, longestWaitMs)

/** A failed request. */
type Failed = {
  readonly kind: 'failed'
  readonly failure: BrokerFailure
  /** Worth a retry, if the request is repeatable. */
  readonly passing: boolean
  /** A session pushed out by newer ones looks like this too. */
  readonly suspect: boolean
  /** The broker may have acted despite the failure. */
  readonly maybeDone: boolean
}

/** The meaning of an answer, whatever the request. */
type Verdict =
  | { readonly kind: 'good'; readonly value: unknown }
  /** Not done: wait, and resend with the ticket. */
  | { readonly kind: 'ticket'; readonly ticket: string; readonly waitMs: number }
  /** The token expired or lacks permission: the answer does not show which. */
  | { readonly kind: 'denied'; readonly detail: string }
  | { readonly kind: 'moved' }
  | Failed

/** A failure; by default final, with nothing done at the broker. */
const failed = (failure: BrokerFailure, marks: { passing?: boolean; suspect?: boolean; maybeDone?: boolean } = {}): Failed => ({
  kind: 'failed',
  failure,
  passing: marks.passing ?? false,
  suspect: marks.suspect ?? false,
  maybeDone: marks.maybeDone ?? false,
})

const complaint = z.object({
  'p-ticket': z.string().optional(),
  'p-time': z.number().nonnegative().optional(),
  'p-captcha': z.boolean().optional(),
  errorText: z.string().optional(),
  failureReason: z.string().optional(),
  failureText: z.string().optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
})

const failureOf = (text: string, more: string | undefined, secrets: readonly string[]): Verdict => {
  if (/should be called on/i.test(text)) return { kind: 'moved' }
  const detail = fitToShow(more ? `${text}: ${more}` : text, secrets)
  return /^(access is denied|expired access token)/i.test(text) ? { kind: 'denied', detail } : failed({ kind: 'refused-by-broker', detail })
}

const ofBody = (value: unknown, secrets: readonly string[]): Verdict => {
  const { data } = complaint.safeParse(value)
  if (data === undefined) return { kind: 'good', value }
  if (data['p-captcha'] === true) return failed({ kind: 'captcha', waitMs: longestWaitMs })
  if (data['p-ticket'] !== undefined) return { kind: 'ticket', ticket: data['p-ticket'], waitMs: granted((data['p-time'] ?? 0) * 1000) }
  if (data.errorText) return failureOf(data.errorText, undefined, secrets)
  if (data.error) return failureOf(data.error, data.error_description, secrets)
  if (data.failureReason && data.failureReason !== 'Success') return failureOf(data.failureReason, data.failureText, secrets)
  return { kind: 'good', value }
}

// Some refusals are a plain sentence; HTML or truncated JSON is not.
const isSentence = (text: string): boolean => /^\p{L}/u.test(text) && text.length <= 300

const ofContent = (answer: Exclude<Exchange, { kind: 'lost' | 'aborted' }>, secrets: readonly string[]): Verdict => {
  if (answer.kind === 'json') return ofBody(answer.value, secrets)
  if (isSentence(answer.text)) return failureOf(answer.text, undefined, secrets)
  return failed({ kind: 'unreadable-answer' }, { passing: true, maybeDone: true })
}

/** Interprets an answer by its status, and if successful by its body. `secrets` never appear in a text. */
export const judge = (answer: Exchange, secrets: readonly string[] = []): Verdict => {
  if (answer.kind === 'aborted') return failed({ kind: 'aborted' }, { maybeDone: true })
  if (answer.kind === 'lost') return failed({ kind: 'unreachable', cause: answer.cause, status: null }, { passing: true, maybeDone: answer.reached })
  const { status, retryAfterMs } = answer
  if (status === 404 || status === 405) return failed({ kind: 'not-found' })
  if (status === 421 || (status >= 300 && status < 400)) return { kind: 'moved' }
  if (status === 423) return failed({ kind: 'captcha', waitMs: longestWaitMs })
  if (status === 429) return failed({ kind: 'rate-limited', waitMs: granted(retryAfterMs ?? longestWaitMs) }, { suspect: retryAfterMs === null })
  if (status === 408 || status >= 500) {
    return failed({ kind: 'unreachable', cause: 'server', status }, { passing: true, suspect: status === 408 || status === 500, maybeDone: true })
  }
  const content = ofContent(answer, secrets)
  if (status < 400) return content
  const detail = content.kind === 'failed' && content.failure.kind === 'refused-by-broker' ? content.failure.detail : `http-${String(status)}`
  return status === 401 || status === 403 ? { kind: 'denied', detail } : failed({ kind: 'refused-by-broker', detail })
}

const mostTickets = 3
const longestPenaltyMs = 120_000
const mostRetries = 3
const firstPauseMs = 500

/** An answer after penalty tickets and retries. */
export type Reply = Exclude<Verdict, { kind: 'ticket' }>

/** Whether no connection was made: the host has no address or refuses. */
export const isUnreached = (reply: Reply): boolean => reply.kind === 'failed' && reply.failure.kind === 'unreachable' && reply.failure.cause === 'network' && !reply.maybeDone

/** Request options. */
export type Manner = {
  /** True only for reads: they are retried after temporary failures. */
  readonly repeatable: boolean
  readonly signal?: AbortSignal | undefined
}

/** Sends a request and honors the broker's penalties. */
export type Ask = (question: Question, manner: Manner) => Promise<Reply>

// The broker reads the ticket from the body, whatever the method.
const withTicket = (question: Question, ticket: string): Question =>
  question.form !== undefined ? { ...question, form: { ...question.form, 'p-ticket': ticket } } : { ...question, json: { ...question.json, 'p-ticket': ticket } }

const secretsOf = ({ bearer, form }: Question): string[] =>
  [bearer, form?.['code'], form?.['client_secret'], form?.['refresh_token']].filter((secret) => secret !== undefined)

/** A requester that remembers a captcha lockout: nothing is sent until its hour is over. */
export const createAsk = (timing: Timing, timeoutMs = 30_000): Ask => {
  let lockedUntil = 0

  return async (question, { repeatable, signal }) => {
    let asked = question
    let tickets = 0
    let retries = 0
    for (;;) {
      if (timing.now() < lockedUntil) return failed({ kind: 'captcha', waitMs: lockedUntil - timing.now() })
      const verdict = judge(await exchange(asked, timeoutMs, signal), secretsOf(question))
      let waitMs: number
      if (verdict.kind === 'ticket') {
        tickets += 1
        if (tickets > mostTickets || verdict.waitMs > longestPenaltyMs) return failed({ kind: 'penalty', waitMs: verdict.waitMs })
        waitMs = verdict.waitMs
        asked = withTicket(question, verdict.ticket)
      } else if (verdict.kind === 'failed' && verdict.passing && repeatable && retries < mostRetries) {
        waitMs = firstPauseMs * 2 ** retries * (0.5 + timing.random())
        retries += 1
      } else {
        if (verdict.kind === 'failed' && verdict.failure.kind === 'captcha') lockedUntil = timing.now() + verdict.failure.waitMs
        return verdict
      }
      if (!(await sleepUnlessAborted(timing, waitMs, signal))) return failed({ kind: 'aborted' })
    }
  }
}
