import { createHash } from 'node:crypto'
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler, type Response } from 'express'
import { type Admission, mount } from '#backend/http/mount.ts'
import { cloudRoutes, deleteCloudAccount, healthPath, readyPath } from '#shared/api/cloud.ts'
import { largestPicture, picturePath } from '#shared/api/pictures.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok } from '#shared/base/result.ts'
import { pictureName, pictureNameOf, pictureTypeOf } from '#shared/mirror/picture.ts'
import { accountCalls, type AccountDeps } from '../calls/account-calls.ts'
import { type CloudCaller, cloudCalls, type CloudCallsDeps, copierLeaseCalls, type LeaseDeps, mirrorCalls } from '../calls/cloud-calls.ts'
import type { DevIssuer } from '../dev-issuer.ts'
import { type Bearer, IdentityUnavailable } from '../identity/bearer.ts'
import { mountWebhook } from '../payments/webhook.ts'
import type { Accounts } from '../store/accounts.ts'
import { isDiskFull, mayPass } from '../store/fault.ts'
import type { Stores } from '../store/open-stores.ts'
import { AccountDeleted } from '../store/owner.ts'
import type { Pictures } from '../store/pictures.ts'
import { StorageFull } from '../store/storage.ts'
import { callerOf, setCaller } from './caller.ts'
import { createLimits, type Limits, mountStorageLimit, mountConcurrencyLimits } from './limits.ts'
import { mountOauthBounce } from './oauth-bounce.ts'
import { refuse } from './refuse.ts'

const retryAfterMs = 1_000

/** One line per call, without query, body, token or address. */
const noteRequest =
  (log: Log): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now()
    const { method, path } = request
    response.on('close', () => log.debug({ method, path, status: response.statusCode, ms: Math.round(performance.now() - startedAt) }, 'request'))
    next()
  }

/** The service answers programs, not pages: nothing is stored, framed or shared with another origin. */
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

const loopbackName = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i

/** Rejects a request to another host name than this computer's, as after DNS rebinding. */
const loopbackNamesOnly: RequestHandler = (request, response, next) => {
  if (loopbackName.test(request.headers.host ?? '')) next()
  else refuse(response, { code: 'strange-host' })
}

/** Answers 503 with a retry once the service is shutting down. */
const takeNoMore =
  (stopping: () => boolean): RequestHandler =>
  (_request, response, next) => {
    if (stopping()) refuse(response.set('Connection', 'close'), { code: 'internal', retryAfterMs }, 503)
    else next()
  }

/** Answers what no handler did: a temporary failure, a deleted account, or a bug. */
const lastResort =
  (log: Log): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const { path } = request
    if (error instanceof AccountDeleted && !response.headersSent) return refuse(response.set('WWW-Authenticate', 'Bearer'), { code: 'account-gone' })
    if (error instanceof StorageFull && !response.headersSent) return refuse(response, { code: 'storage-full' })
    const passing = mayPass(error) || error instanceof IdentityUnavailable
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500
    if (passing) log.warn({ path, error }, 'call cannot be answered now')
    else if (status >= 500) log.error({ path, error }, 'call failed')
    // A response that has begun cannot become a problem: Express cuts it off.
    if (response.headersSent) return next(error)
    if (isDiskFull(error)) refuse(response, { code: 'disk-full', retryAfterMs })
    else if (passing) refuse(response, { code: 'internal', retryAfterMs }, 503)
    else refuse(response, { code: status < 500 ? 'invalid-request' : 'internal' })
  }

// Untrusted bytes: a browser must treat them as a picture and run nothing.
const harmless = { 'Content-Security-Policy': "default-src 'none'; sandbox", 'X-Content-Type-Options': 'nosniff', 'Content-Disposition': 'inline' }

/** Mounts the pictures on Express: each user uploads and downloads their own, and a name is accepted only if it follows from the bytes. */
const mountPictures = (app: Express, pictures: Pictures): void => {
  const enter: RequestHandler = (request, response, next) => {
    const caller = callerOf(response)
    if (!caller.ok) return refuse(response, { code: caller.error })
    const { userId } = caller.value
    if (request.query['userId'] !== undefined && request.query['userId'] !== userId) return refuse(response, { code: 'not-this-user' })
    const name = pictureName.safeParse(request.query['name'])
    if (!name.success) return refuse(response, { code: 'invalid-request', fields: [{ path: 'name', message: 'SHA-256 and ending' }] })
    Object.assign(response.locals, { userId, name: name.data } satisfies Entered)
    next()
  }

  const take = async (request: Request, response: Response): Promise<void> => {
    const { userId, name } = response.locals as Entered
    const bytes: unknown = request.body
    const type = bytes instanceof Uint8Array ? pictureTypeOf(bytes) : null
    if (!(bytes instanceof Uint8Array) || type === null) return refuse(response, { code: 'picture-unreadable' })
    if (pictureNameOf(type, createHash('sha256').update(bytes).digest('hex')) !== name) return refuse(response, { code: 'invalid-request', fields: [{ path: 'name', message: 'SHA-256 of the bytes' }] })
    await pictures.put(userId, { name, type, bytes })
    response.json({ success: true })
  }

  const give = async (_request: Request, response: Response): Promise<void> => {
    const { userId, name } = response.locals as Entered
    const picture = await pictures.get(userId, name)
    if (picture === null) return refuse(response, { code: 'not-found' })
    response.set({ ...harmless, 'Cache-Control': 'no-store', 'Content-Type': picture.type }).send(Buffer.from(picture.bytes))
  }

  app.post(picturePath, enter, express.raw({ type: () => true, limit: largestPicture }), take, tooLarge)
  app.get(picturePath, enter, give)
}

type Entered = { readonly userId: string; readonly name: string }

const tooLarge: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (typeof error === 'object' && error !== null && 'type' in error && error.type === 'entity.too.large') refuse(response, { code: 'picture-too-large' })
  else next(error)
}

/** Dependencies of the web server. */
export type AppDeps = CloudCallsDeps & AccountDeps & LeaseDeps & Pick<Stores, 'pictures' | 'storage'> & {
  readonly bearer: Bearer
  /** Development mode only, where it is the only source of tokens. */
  readonly devIssuer: DevIssuer | null
  /** In development mode the service is for this computer only, and answers to no other host name. */
  readonly development: boolean
  /** The number of proxies in front of the service, whose report of a caller's address is trusted. */
  readonly trustedProxies: number
  /** Whether calls can be answered now. */
  readonly ready: () => Promise<boolean>
  /** True once the service is shutting down. */
  readonly stopping: () => boolean
  readonly log: Log
}

/** The cloud's web server: open routes first, then those that need a token. */
export const createApp = (deps: AppDeps): Express => {
  const { log } = deps
  const limits = createLimits(log)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('trust proxy', deps.trustedProxies === 0 ? false : deps.trustedProxies)
  app.use(noteRequest(log), safeHeaders)
  if (deps.development) app.use(loopbackNamesOnly)

  app.get(healthPath, (_request, response) => void response.json({ status: 'ok' }))
  app.get(readyPath, async (_request, response) => {
    const ready = !deps.stopping() && (await deps.ready())
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not-ready' })
  })
  app.use(takeNoMore(deps.stopping))
  deps.devIssuer?.mount(app)

  mountWebhook(app, deps.payments, limits.strangers)
  mountOauthBounce(app, limits.bounces)

  app.use(identify(deps.bearer, deps.accounts, limits))
  app.post(subscriptionRoutes.payments.path, limits.payments)
  mountConcurrencyLimits(app)
  mountStorageLimit(app, deps.storage)
  mount(app, cloudRoutes, { ...mirrorCalls(deps.journals), ...cloudCalls(deps), ...accountCalls(deps), ...copierLeaseCalls(deps) }, admission)
  mountPictures(app, deps.pictures)
  app.use((_request, response) => refuse(response, { code: 'unknown-call' }))
  app.use(lastResort(log))
  return app
}

/**
 * Identifies the user of a call's token, and counts the call: for a user by user, for a stranger by address. A deleted
 * account's token is rejected with that reason; only the deletion may be requested again, because its answer may have
 * been lost.
 */
const identify =
  (bearer: Bearer, accounts: Pick<Accounts, 'isDeleted'>, limits: Limits): RequestHandler =>
  async (request, response, next) => {
    const named = await bearer(request.headers.authorization)
    const deleted = named.ok && request.path !== deleteCloudAccount.path && (await accounts.isDeleted(named.value.userId))
    const caller = deleted ? err('account-gone' as const) : named
    setCaller(response, caller)
    if (caller.ok) return limits.users(request, response, next)
    response.set('WWW-Authenticate', 'Bearer')
    limits.strangers(request, response, next)
  }

/** Requires an identified caller. */
const admission: Admission<CloudCaller, CloudCaller> = {
  anyone: (_request, response) => {
    const caller = callerOf(response)
    return Promise.resolve(caller.ok ? caller : err({ code: caller.error }))
  },
  user: (caller) => Promise.resolve(ok({ userId: caller.userId, user: caller })),
}
