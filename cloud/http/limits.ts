import { once } from 'node:events'
import type { Express, RequestHandler } from 'express'
import { rateLimit } from 'express-rate-limit'
import type { AugmentedRequest, Options, Store } from 'express-rate-limit'
import pLimit, { type LimitFunction } from 'p-limit'
import { recordRoutes } from '#shared/api/journal.ts'
import { mirrorRoutes } from '#shared/api/mirror.ts'
import { picturePath } from '#shared/api/pictures.ts'
import type { Route } from '#shared/api/route.ts'
import type { Log } from '#shared/base/log.ts'
import type { Storage } from '../store/storage.ts'
import { callerOf } from './caller.ts'
import { refuse } from './refuse.ts'

/** The calls that one instance accepts per minute. */
export const perMinute = {
  /** Per user. */
  calls: 1_200,
  /** Per user's mirror: a computer that pushes a journal of a million records stays far below. */
  bulk: 30_000,
  /** Per user to the payment provider: after a checkout each computer polls every three seconds. */
  payments: 60,
  /** Per address with a rejected token or signature. */
  strangers: 60,
  /** Per address that returns from a brokerage. */
  bounces: 60,
} as const

const windowMs = 60_000
const mostKeys = 100_000

/** Counts calls, and rejects those above a limit. */
export type Limits = {
  /** For a call with a known user, by that user. */
  readonly users: RequestHandler
  /** For a call to the payment provider, in addition to `users`. */
  readonly payments: RequestHandler
  /** For a call with a refused token or signature, by address: valid callers at the same address are not limited. */
  readonly strangers: RequestHandler
  /** For a browser that returns from a brokerage, by its address. */
  readonly bounces: RequestHandler
}

/** The limits of one instance; their counters are in its memory. */
export const createLimits = (log: Log): Limits => {
  const limiter = (limit: number, by: Partial<Options>): RequestHandler =>
    rateLimit({
      windowMs,
      limit,
      store: createCounters(windowMs, mostKeys),
      standardHeaders: false,
      legacyHeaders: false,
      logger: { error: (error) => log.error({ error }, 'rate limiter reports a wrong configuration'), warn: (error) => log.warn({ error }, 'rate limiter reports a wrong configuration') },
      handler: (request, response) => {
        const { resetTime } = (request as AugmentedRequest)['rateLimit'] ?? {}
        refuse(response, { code: 'too-many-calls', retryAfterMs: Math.max(1, (resetTime?.getTime() ?? 0) - Date.now()) })
      },
      ...by,
    })
  const byUser: Partial<Options> = {
    // It is rejected anyway, and counted by its address.
    skip: (_request, response) => !callerOf(response).ok,
    keyGenerator: (_request, response) => {
      const caller = callerOf(response)
      return caller.ok ? caller.value.userId : ''
    },
  }
  const [calls, bulk] = [limiter(perMinute.calls, byUser), limiter(perMinute.bulk, byUser)]
  return {
    users: (request, response, next) => void (bulkPaths.has(request.path) ? bulk : calls)(request, response, next),
    payments: limiter(perMinute.payments, byUser),
    strangers: limiter(perMinute.strangers, {}),
    bounces: limiter(perMinute.bounces, {}),
  }
}

/**
 * Counts calls by key in memory; a key's count resets `windowMs` after its first call. At most `mostKeys` keys are
 * known: one more drops the key with the oldest window.
 */
export const createCounters = (windowMs: number, mostKeys: number): Store => {
  // In the order in which their windows began.
  const counters = new Map<string, { totalHits: number; readonly resetTime: Date }>()

  const begin = (key: string, now: number): { totalHits: number; readonly resetTime: Date } => {
    const counter = { totalHits: 0, resetTime: new Date(now + windowMs) }
    counters.delete(key)
    counters.set(key, counter)
    for (const [oldest, { resetTime }] of counters) {
      if (counters.size <= mostKeys && resetTime.getTime() > now) break
      counters.delete(oldest)
    }
    return counter
  }

  return {
    localKeys: true,
    get: (key) => counters.get(key),
    increment: (key) => {
      const now = Date.now()
      const known = counters.get(key)
      const counter = known !== undefined && known.resetTime.getTime() > now ? known : begin(key, now)
      counter.totalHits += 1
      return { ...counter }
    },
    decrement: (key) => {
      const counter = counters.get(key)
      if (counter !== undefined && counter.totalHits > 0) counter.totalHits -= 1
    },
    resetKey: (key) => void counters.delete(key),
  }
}

// Each may take seconds, for which everyone else would wait.
const callsAtOnce = 2
// Each may hold as much memory as its body is large; a computer sends one after another.
const uploadsAtOnce = 4

/** Lets this many calls of one user run at a time; the user's next ones wait before their bodies are read. */
export const limitConcurrency = (atOnce = callsAtOnce): RequestHandler => {
  const limits = new Map<string, LimitFunction>()
  return (_request, response, next) => {
    const caller = callerOf(response)
    if (!caller.ok) return next()
    const { userId } = caller.value
    const limit = limits.get(userId) ?? pLimit(atOnce)
    limits.set(userId, limit)
    const read = async (): Promise<void> => {
      // Skip a caller that disconnected while waiting.
      if (response.destroyed) return
      const over = once(response, 'close')
      next()
      await over
    }
    void limit(read).finally(() => {
      if (limit.activeCount + limit.pendingCount === 0) limits.delete(userId)
    })
  }
}

/** Limits concurrent uploads, and the calls on records: those that read whole lists, and those that write, because notes are searched for in the whole journal. */
export const mountConcurrencyLimits = (app: Express): void => {
  const calls = limitConcurrency()
  for (const path of new Set(Object.values<Route>(recordRoutes).map((route) => route.path))) app.use(path, calls)
  const uploads = limitConcurrency(uploadsAtOnce)
  for (const path of [mirrorRoutes.push.path, picturePath]) app.post(path, uploads)
}

const bulkPaths: ReadonlySet<string> = new Set([picturePath, ...Object.values(mirrorRoutes).map(({ path }) => path)])

// A push may also make a journal smaller, so a small one is read, and judged by its effect.
const smallBytes = 65_536

/** Rejects an upload that exceeds the user's storage, before its body is read. One without a size is measured when it is written. */
export const mountStorageLimit = (app: Express, storage: Storage): void => {
  const before: RequestHandler = async (request, response, next) => {
    const caller = callerOf(response)
    const length = Number(request.headers['content-length'] ?? 0)
    const isPicture = request.path === picturePath
    if (!caller.ok || (!isPicture && length <= smallBytes)) return next()
    const { bytes, limit } = await storage.of(caller.value.userId)
    // Most of a push may replace existing records.
    if (bytes + (isPicture ? length : 0) < limit) return next()
    refuse(response.set('Connection', 'close'), { code: 'storage-full' })
  }
  for (const path of [mirrorRoutes.push.path, picturePath]) app.post(path, before)
}
