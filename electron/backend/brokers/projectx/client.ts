import { z } from 'zod'
import { fitToShow } from '#shared/base/fit-to-show.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { longestWaitMs } from '#shared/sync/longest-wait.ts'
import { exchange, type Exchange } from '../exchange.ts'
import type { BrokerFailure } from '../failure.ts'
import type { BrokerAnswer } from '../port.ts'
import { readRows, type RefusedRow, type Rows } from '../rows.ts'
import { sleepUnlessAborted, type Timing } from '../timing.ts'
import { createPace } from '../pace.ts'
import * as wire from './wire.ts'

/** Every call that the journal may make, all of them reads: a key can trade, so nothing else is ever sent. */
export const journalCalls = ['/api/Auth/loginKey', '/api/Auth/validate', '/api/Account/search', '/api/Trade/search', '/api/Position/searchOpen', '/api/Order/searchOpen', '/api/Contract/searchById', '/api/History/retrieveBars'] as const

type JournalCall = (typeof journalCalls)[number]

/** The user name and the API key of a login. */
export type ApiKey = { readonly userName: string; readonly apiKey: string }

/** Dependencies of a client; one per login, since the rate limit and the token are the login's. */
export type ClientOptions = {
  readonly api: string
  readonly key: ApiKey
  readonly timing: Timing
  /** A key that was just entered: a refusal is reported to the user at once. */
  readonly isNew?: boolean
  /** Ends pauses at shutdown. */
  readonly stop?: AbortSignal | undefined
  readonly timeoutMs?: number | undefined
}

/** The journal's reads of ProjectX under one login. */
export type ProjectxClient = {
  /** Logs in, or renews the token if due; returns why there is no token, or null. */
  readonly prepare: () => Promise<BrokerFailure | null>
  /** The token of now; null before the first login. */
  readonly token: () => string | null
  /** All accounts, blown and hidden ones too. */
  readonly accounts: (signal?: AbortSignal) => BrokerAnswer<Rows<wire.WireAccount>>
  /** An account's trades in a span (UTC ms), or until now; `not-found` if there is no such account. */
  readonly trades: (accountId: string, span: { readonly from: number; readonly to: number | null }, signal: AbortSignal) => BrokerAnswer<Rows<wire.TradeRow>>
  readonly positions: (accountId: string, signal: AbortSignal) => BrokerAnswer<Rows<wire.PositionRow>>
  /** Working orders, without suspended ones. */
  readonly orders: (accountId: string, signal: AbortSignal) => BrokerAnswer<Rows<wire.OrderRow>>
  /** A contract, which may have expired; null if the broker does not know it. */
  readonly contract: (id: string, signal: AbortSignal) => BrokerAnswer<wire.ContractRow | null>
  /** Whole bars of a contract, at most `mostBars` of them: `unit` is `second` or `minute`, the span UTC ms. `not-found` if there is no such contract. */
  readonly bars: (id: string, unit: BarUnit, span: { readonly from: number; readonly to: number }, signal: AbortSignal) => BrokerAnswer<Rows<wire.BarRow>>
}

/** Bars that one answer may have. */
export const mostBars = 20_000

const barUnits = { second: 1, minute: 2 } as const
export type BarUnit = keyof typeof barUnits

const minute = 60_000
const hour = 60 * minute
/** A token lives 24 hours. */
const tokenLivesMs = 24 * hour
/** Renewed early: ProjectX does not document whether an expired token can still be renewed. */
const renewAfterMs = 20 * hour
/** The broker allows 200 requests a minute, logins included. */
const [requestsInSpan, spanMs] = [200, minute]
/** Requests for bars count among these, and have a limit of their own. */
const [barsInSpan, barSpanMs] = [50, 30_000]
const refusalPauseMs = 15_000
/** After a renewal that failed, a token that lives is used for this long before the next try. */
const quietMs = minute
const mostRetries = 3
const firstPauseMs = 500

/** The answer's value, or the call's error code. */
type Reply = { readonly kind: 'good'; readonly value: unknown } | { readonly kind: 'denied' } | { readonly kind: 'not-done'; readonly code: number; readonly detail: string } | { readonly kind: 'failed'; readonly failure: BrokerFailure; readonly passing: boolean }

const failed = (failure: BrokerFailure, passing = false): Reply => ({ kind: 'failed', failure, passing })

const judge = (answer: Exchange, secrets: readonly string[]): Reply => {
  if (answer.kind === 'aborted') return failed({ kind: 'aborted' })
  if (answer.kind === 'lost') return failed({ kind: 'unreachable', cause: answer.cause, status: null }, true)
  const { status, retryAfterMs } = answer
  if (status === 401) return { kind: 'denied' }
  if (status === 403) return failed({ kind: 'permission-missing' })
  if (status === 404 || status === 405) return failed({ kind: 'not-found' })
  if (status >= 300 && status < 400) return failed({ kind: 'wrong-host' })
  if (status === 429) return failed({ kind: 'rate-limited', waitMs: Math.min(retryAfterMs ?? spanMs, longestWaitMs) }, true)
  if (status === 408 || status >= 500) return failed({ kind: 'unreachable', cause: 'server', status }, true)
  if (status >= 400) return failed({ kind: 'refused-by-broker', detail: `http-${String(status)}` })
  if (answer.kind === 'text') return failed({ kind: 'unreadable-answer' }, true)
  const { data } = wire.envelope.safeParse(answer.value)
  if (data === undefined) return failed({ kind: 'unreadable-answer' })
  return data.success ? { kind: 'good', value: answer.value } : { kind: 'not-done', code: data.errorCode, detail: fitToShow(data.errorMessage ?? `error ${String(data.errorCode)}`, secrets) }
}

// The login call's own numbers.
const wrongKey = 3
const loginDetails = new Map([[7, 'agreements-not-signed'], [9, 'no-api-subscription'], [10, 'key-login-off']])
// Error codes of the searches and of bars: the account or contract is unknown.
const accountUnknown = 1
const contractUnknown = 1

/** A client that logs in with a key and keeps the token in memory alone. */
export const createProjectxClient = ({ api, key, timing, isNew = false, stop, timeoutMs = 30_000 }: ClientOptions): ProjectxClient => {
  const pace = createPace(timing, requestsInSpan, spanMs)
  const barPace = createPace(timing, barsInSpan, barSpanMs)
  let token: { readonly text: string; readonly since: number; readonly renewAt: number } | null = null
  let renewal: Promise<BrokerFailure | null> | null = null

  /** Sends one call; retries passing failures, and waits once for a rate limit that another program used up. */
  const send = async (call: JournalCall, body: Readonly<Record<string, unknown>>, bearer: string | null, signal: AbortSignal | undefined): Promise<Reply> => {
    for (let retries = 0, waited = false; ; ) {
      if (call === '/api/History/retrieveBars' && !(await barPace(signal))) return failed({ kind: 'aborted' })
      if (!(await pace(signal))) return failed({ kind: 'aborted' })
      const reply = judge(await exchange({ url: `${api}${call}`, json: body, ...(bearer === null ? {} : { bearer }) }, timeoutMs, signal), [key.apiKey, ...(bearer === null ? [] : [bearer])])
      if (reply.kind !== 'failed' || !reply.passing) return reply
      let pauseMs: number
      if (reply.failure.kind === 'rate-limited') {
        if (waited || reply.failure.waitMs > spanMs) return reply
        waited = true
        pauseMs = reply.failure.waitMs
      } else {
        if (retries === mostRetries) return reply
        pauseMs = firstPauseMs * 2 ** retries * (0.5 + timing.random())
        retries += 1
      }
      if (!(await sleepUnlessAborted(timing, pauseMs, signal))) return failed({ kind: 'aborted' })
    }
  }

  const keep = (text: string): null => {
    token = { text, since: timing.now(), renewAt: timing.now() + renewAfterMs }
    return null
  }

  const logIn = async (): Promise<BrokerFailure | null> => {
    for (let refusals = 0; ; refusals += 1) {
      const reply = await send('/api/Auth/loginKey', { userName: key.userName, apiKey: key.apiKey }, null, stop)
      if (reply.kind === 'failed') return reply.failure
      if (reply.kind === 'good') {
        const { data } = wire.loginAnswer.safeParse(reply.value)
        return data === undefined ? { kind: 'unreadable-answer' } : keep(data.token)
      }
      if (reply.kind === 'not-done' && reply.code !== wrongKey) return { kind: 'refused-by-broker', detail: loginDetails.get(reply.code) ?? reply.detail }
      // Only a key that is refused twice, with a pause between, ends a connection.
      if (isNew || refusals === 1) return { kind: 'login-needed', lastError: 'key-refused' }
      if (!(await sleepUnlessAborted(timing, refusalPauseMs, stop))) return { kind: 'aborted' }
    }
  }

  const renew = async (): Promise<BrokerFailure | null> => {
    const living = token !== null && timing.now() - token.since < tokenLivesMs ? token : null
    if (living !== null) {
      const reply = await send('/api/Auth/validate', {}, living.text, stop)
      const { data } = wire.validateAnswer.safeParse(reply.kind === 'good' ? reply.value : null)
      if (data !== undefined) return keep(data.newToken)
    }
    const failure = await logIn()
    if (failure === null || failure.kind === 'login-needed' || living === null) return failure
    // A temporary failure to log in does not end a valid token.
    token = { ...living, renewAt: timing.now() + quietMs }
    return null
  }

  const isDue = (): boolean => token === null || timing.now() >= token.renewAt || timing.now() < token.since

  const prepare = (): Promise<BrokerFailure | null> => {
    if (!isDue()) return Promise.resolve(null)
    renewal ??= renew().finally(() => {
      renewal = null
    })
    return renewal
  }

  /** A read: a token that is refused is replaced once. */
  const read = async (call: JournalCall, body: Readonly<Record<string, unknown>>, signal: AbortSignal | undefined): Promise<Reply> => {
    for (let denied = 0; ; denied += 1) {
      const failure = await prepare()
      if (failure !== null) return failed(failure)
      const used = token
      if (used === null) return failed({ kind: 'no-tokens' })
      const reply = await send(call, body, used.text, signal)
      if (reply.kind !== 'denied') return reply
      // The login went well just now: it is this call that is not allowed.
      if (denied === 1) return failed({ kind: 'permission-missing' })
      if (token === used) token = null
    }
  }

  const answerOf = <T>(reply: Reply, schema: z.core.$ZodType<T>): Result<T, BrokerFailure> => {
    switch (reply.kind) {
      case 'good': {
        const { data } = z.safeParse(schema, reply.value)
        return data === undefined ? err({ kind: 'unreadable-answer' }) : ok(data)
      }
      case 'not-done':
        return err({ kind: 'refused-by-broker', detail: reply.detail })
      case 'denied':
        return err({ kind: 'permission-missing' })
      case 'failed':
        return err(reply.failure)
    }
  }

  /** A search of one account: a row that names another one would count there, too. */
  const rowsOfAccount = <T extends { readonly id: number; readonly accountId: number }>(accountId: string, ...search: Parameters<typeof rowsOf<T>>): Result<Rows<T>, BrokerFailure> => {
    const found = rowsOf(...search)
    if (!found.ok) return found
    const [own, others] = [true, false].map((isOwn) => found.value.rows.filter((row) => (String(row.accountId) === accountId) === isOwn))
    const [, , entity] = search
    return ok({ rows: own ?? [], refused: [...found.value.refused, ...(others ?? []).map(({ id }): RefusedRow => ({ entity, id: String(id), reason: 'unreadable', field: 'accountId' }))] })
  }

  const rowsOf = <T>(reply: Reply, list: z.core.$ZodType<readonly unknown[]>, entity: string, row: z.core.$ZodType<T>): Result<Rows<T>, BrokerFailure> => {
    // An account may be gone meanwhile; the search of all accounts has no such number.
    if (reply.kind === 'not-done' && reply.code === accountUnknown && entity !== 'account') return err({ kind: 'not-found' })
    const listed = answerOf(reply, list)
    if (!listed.ok) return listed
    const rows = readRows(entity, row, listed.value)
    return rows === null ? err({ kind: 'unreadable-answer' }) : ok(rows)
  }

  return {
    prepare,
    token: () => token?.text ?? null,
    accounts: async (signal) => rowsOf(await read('/api/Account/search', { onlyActiveAccounts: false }, signal), wire.accountList, 'account', wire.accountRow),
    trades: async (accountId, { from, to }, signal) => {
      const body = { accountId: Number(accountId), startTimestamp: new Date(from).toISOString(), ...(to === null ? {} : { endTimestamp: new Date(to).toISOString() }) }
      return rowsOfAccount(accountId, await read('/api/Trade/search', body, signal), wire.tradeList, 'fill', wire.tradeRow)
    },
    positions: async (accountId, signal) => rowsOfAccount(accountId, await read('/api/Position/searchOpen', { accountId: Number(accountId) }, signal), wire.positionList, 'position', wire.positionRow),
    orders: async (accountId, signal) => rowsOfAccount(accountId, await read('/api/Order/searchOpen', { accountId: Number(accountId) }, signal), wire.orderList, 'order', wire.orderRow),
    contract: async (id, signal) => {
      const reply = await read('/api/Contract/searchById', { contractId: id }, signal)
      if (reply.kind === 'not-done' && reply.code === contractUnknown) return ok(null)
      const answer = answerOf(reply, wire.contractAnswer)
      if (!answer.ok) return answer
      // An answer about another contract would price fills by its tick.
      return answer.value.contract.id === id ? ok(answer.value.contract) : err({ kind: 'unreadable-answer' })
    },
    bars: async (id, unit, { from, to }, signal) => {
      const body = { contractId: id, live: false, startTime: new Date(from).toISOString(), endTime: new Date(to).toISOString(), unit: barUnits[unit], unitNumber: 1, limit: mostBars, includePartialBar: false }
      return rowsOf(await read('/api/History/retrieveBars', body, signal), wire.barList, 'bar', wire.barRow)
    },
  }
}
