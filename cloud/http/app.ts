import express, { type Express, type RequestHandler } from 'express'
import { mount, type Admission } from '#backend/http/mount.ts'
import { cloudRoutes, deleteCloudAccount, healthPath, readyPath } from '#shared/api/cloud.ts'
import { subscriptionRoutes } from '#shared/api/subscription.ts'
import type { Log } from '#shared/base/log.ts'
import { err, ok } from '#shared/base/result.ts'
import { accountCalls, type AccountParts } from '../calls/account-calls.ts'
import { cloudCalls, copierLeaseCalls, mirrorCalls, type CloudCaller, type CloudCallsParts, type LeaseParts } from '../calls/cloud-calls.ts'
import type { DevIssuer } from '../dev-issuer.ts'
import type { Bearer } from '../identity/bearer.ts'
import { mountWebhook } from '../payments/webhook.ts'
import type { Accounts } from '../store/accounts.ts'
import type { Stores } from '../store/open-stores.ts'
import { callerOf, noteCaller } from './caller.ts'
import { lastResort, loopbackNamesOnly, noteRequest, safeHeaders, takeNoMore } from './every-call.ts'
import { createLimits, mountRoom, mountTurns, type Limits } from './limits.ts'
import { mountOauthBounce } from './oauth-bounce.ts'
import { mountPictures } from './picture-calls.ts'
import { refuse } from './refuse.ts'

/** Dependencies of the web server. */
export type AppParts = CloudCallsParts & AccountParts & LeaseParts & Pick<Stores, 'pictures' | 'storage'> & {
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
export const createApp = (parts: AppParts): Express => {
  const { log } = parts
  const limits = createLimits(log)
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.set('trust proxy', parts.trustedProxies === 0 ? false : parts.trustedProxies)
  app.use(noteRequest(log), safeHeaders)
  if (parts.development) app.use(loopbackNamesOnly)

  app.get(healthPath, (_request, response) => void response.json({ status: 'ok' }))
  app.get(readyPath, async (_request, response) => {
    const ready = !parts.stopping() && (await parts.ready())
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not-ready' })
  })
  app.use(takeNoMore(parts.stopping))
  parts.devIssuer?.mount(app)

  mountWebhook(app, parts.payments, limits.strangers)
  mountOauthBounce(app, limits.bounces)

  app.use(identify(parts.bearer, parts.accounts, limits))
  app.post(subscriptionRoutes.payments.path, limits.payments)
  mountTurns(app)
  mountRoom(app, parts.storage)
  mount(app, cloudRoutes, { ...mirrorCalls(parts.journals), ...cloudCalls(parts), ...accountCalls(parts), ...copierLeaseCalls(parts) }, admission)
  mountPictures(app, parts.pictures)
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
    noteCaller(response, caller)
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
