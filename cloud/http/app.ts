import express from 'express'
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import { mount } from '#backend/http/mount.ts'
import type { Admission, Handlers } from '#backend/http/mount.ts'
import { cloudRoutes, healthPath, readyPath } from '#shared/api/cloud.ts'
import type { mirrorRoutes } from '#shared/api/mirror.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok } from '#shared/base/result.ts'
import { cloudCalls } from '../calls/cloud-calls.ts'
import type { CloudCaller } from '../calls/cloud-calls.ts'
import type { DevIssuer } from '../dev-issuer.ts'
import { IdentityUnavailable } from '../identity/bearer.ts'
import type { Bearer } from '../identity/bearer.ts'
import type { BrokerSettings } from '../settings.ts'
import { mayPass } from '../store/fault.ts'
import type { Journals } from '../store/journals.ts'
import type { Pictures } from '../store/pictures.ts'
import type { Subscriptions } from '../store/subscriptions.ts'
import { mountPictures } from './picture-calls.ts'
import { refuse } from './refuse.ts'

/** What the web server stands on. */
export type AppParts = {
  readonly bearer: Bearer
  /** In development mode, where tokens come from nowhere else. */
  readonly devIssuer: DevIssuer | null
  readonly journals: Journals
  readonly subscriptions: Subscriptions
  readonly pictures: Pictures
  readonly broker: BrokerSettings | null
  /** Whether calls can be answered at the moment. */
  readonly ready: () => Promise<boolean>
  /** UTC ms. */
  readonly now: () => number
  readonly log: Log
}

const retryAfterMs = 1_000

/** The cloud's web server. It answers programs and not pages: nothing is stored, framed or shared with another origin. */
export const createApp = (parts: AppParts): Express => {
  const { bearer, devIssuer, journals, log } = parts
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(noteRequest(log), safeHeaders)

  app.get(healthPath, (_request, response) => void response.json({ status: 'ok' }))
  app.get(readyPath, async (_request, response) => {
    const ready = await parts.ready()
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not-ready' })
  })
  devIssuer?.mount(app)
  mount(app, cloudRoutes, { ...mirrorCalls(journals), ...cloudCalls(parts), whoAmI: ({ caller }) => Promise.resolve(ok({ userId: caller.userId })) }, admissionBy(bearer))
  mountPictures(app, parts)
  app.use((_request, response) => refuse(response, { code: 'unknown-call' }))
  app.use(lastResort(log))
  return app
}

const mirrorCalls = (journals: Journals): Handlers<typeof mirrorRoutes, CloudCaller, CloudCaller> => ({
  push: async ({ caller: { userId }, body }) => ok(await journals.push(userId, body)),
  changes: async ({ caller: { userId }, query }) => {
    const page = await journals.changes(userId, query)
    return ok({ ...page, records: [...page.records] })
  },
  journal: async ({ caller: { userId }, query }) => ok(query.rows === 'counted' ? await journals.state(userId) : { ...(await journals.head(userId)), rows: null }),
})

const admissionBy = (bearer: Bearer): Admission<CloudCaller, CloudCaller> => ({
  anyone: async (request, response) => {
    const caller = await bearer(request.headers.authorization)
    if (!caller.ok) response.set('WWW-Authenticate', 'Bearer')
    return caller.ok ? caller : err({ code: caller.error })
  },
  user: (caller) => Promise.resolve(ok({ userId: caller.userId, user: caller })),
})

const safeHeaders: RequestHandler = (_request, response, next) => {
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

/** One line a call, without query, body, token or address. */
const noteRequest =
  (log: Log): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now()
    const { method, path } = request
    response.on('close', () => log.debug({ method, path, status: response.statusCode, ms: Math.round(performance.now() - startedAt) }, 'request'))
    next()
  }

const lastResort =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const { path } = request
    const passing = mayPass(error) || error instanceof IdentityUnavailable
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500
    if (passing) log.warn({ path, error }, 'a call can not be answered at the moment')
    else if (status >= 500) log.error({ path, error }, 'a call failed')
    // Half an answer can't become a problem any more: Express cuts it off.
    if (response.headersSent) return next(error)
    if (passing) refuse(response, { code: 'internal', retryAfterMs }, 503)
    else refuse(response, { code: status < 500 ? 'invalid-request' : 'internal' })
  }
