import type { ErrorRequestHandler, RequestHandler } from 'express'
import type { Log } from '#shared/base/log.ts'
import { IdentityUnavailable } from '../identity/bearer.ts'
import { isDiskFull, mayPass } from '../store/fault.ts'
import { AccountDeleted } from '../store/owner.ts'
import { StorageFull } from '../store/storage.ts'
import { refuse } from './refuse.ts'

const retryAfterMs = 1_000

/** One line per call, without query, body, token or address. */
export const noteRequest =
  (log: Log): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now()
    const { method, path } = request
    response.on('close', () => log.debug({ method, path, status: response.statusCode, ms: Math.round(performance.now() - startedAt) }, 'request'))
    next()
  }

/** The service answers programs, not pages: nothing is stored, framed or shared with another origin. */
export const safeHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
  })
  next()
}

const loopbackName = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

/** Rejects a request to another host name than this computer's, as after DNS rebinding. */
export const loopbackNamesOnly: RequestHandler = (request, response, next) => {
  if (loopbackName.test(request.headers.host ?? '')) next()
  else refuse(response, { code: 'strange-host' })
}

/** Answers 503 with a retry once the service is shutting down. */
export const takeNoMore =
  (stopping: () => boolean): RequestHandler =>
  (_request, response, next) => {
    if (stopping()) refuse(response.set('Connection', 'close'), { code: 'internal', retryAfterMs }, 503)
    else next()
  }

/** Answers what no handler did: a temporary failure, a deleted account, or a bug. */
export const lastResort =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const { path } = request
    if (error instanceof AccountDeleted && !response.headersSent) return refuse(response.set('WWW-Authenticate', 'Bearer'), { code: 'account-gone' })
    if (error instanceof StorageFull && !response.headersSent) return refuse(response, { code: 'storage-full' })
    const passing = mayPass(error) || error instanceof IdentityUnavailable
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500
    if (passing) log.warn({ path, error }, 'a call can not be answered at the moment')
    else if (status >= 500) log.error({ path, error }, 'a call failed')
    // A response that has begun cannot become a problem: Express cuts it off.
    if (response.headersSent) return next(error)
    if (isDiskFull(error)) refuse(response, { code: 'disk-full', retryAfterMs })
    else if (passing) refuse(response, { code: 'internal', retryAfterMs }, 503)
    else refuse(response, { code: status < 500 ? 'invalid-request' : 'internal' })
  }
