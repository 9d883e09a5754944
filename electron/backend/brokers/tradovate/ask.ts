import { exchange, type Question } from '../exchange.ts'
import { slept, type Timing } from '../timing.ts'
import { failed, judge, type Verdict } from './verdict.ts'

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
      if (!(await slept(timing, waitMs, signal))) return failed({ kind: 'aborted' })
    }
  }
}
