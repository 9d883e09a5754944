import express from 'express'
import type { ErrorRequestHandler, Express, RequestHandler } from 'express'
import { localRoutes } from '#shared/api/contract.ts'
import { eventsPath } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import { createAdmission } from './caller.ts'
import { streamEvents } from './events.ts'
import { neverStored, ownHostOnly, ownOriginOnly, safeHeaders } from './guard.ts'
import { enterByToken, type LaunchTokens } from './launch.ts'
import { callerOf, mount, unreadableBody } from './mount.ts'
import { servePages } from './pages.ts'
import { serveAuthReturns, servePaymentReturns } from './returns.ts'
import { failureOf, sendProblem } from './problem.ts'
import { localHandlers, mountFiles } from './handlers.ts'
import type { Services } from './services.ts'

/** Dependencies of the web server. */
export type AppParts = {
  readonly services: Services
  readonly launchTokens: LaunchTokens
  /** The built page's folder. */
  readonly pages: string
  /** Called when a user returns from an external page, with the place where the app's window should go. */
  readonly comeForward: (place: string | null) => void
  readonly log: Log
  /** The port; a function, because it is known only after the start. */
  readonly port: () => number
  /** Aborts when the program stops: ends every open stream. */
  readonly stopped: AbortSignal
}

/** The program's web server: guard first, then calls, then the page. */
export const createApp = ({ services, launchTokens, pages, comeForward, log, port, stopped }: AppParts): Express => {
  const app = express()
  const admission = createAdmission(services)
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('query parser', 'simple')
  app.use(noteRequest(log), safeHeaders, ownHostOnly(port))
  app.use('/api', ownOriginOnly, neverStored)

  mount(app, localRoutes, localHandlers(services), admission)
  mountFiles(app, services, admission)
  app.get(eventsPath, async (request, response) => {
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return sendProblem(response, caller.error)
    const { id, browser: { session } } = caller.value.user
    streamEvents(services.events, { userId: id, sessionId: session.id }, response, stopped)
  })
  app.use('/api', (_request, response) => sendProblem(response, { code: 'unknown-call' }))

  app.get('/', enterByToken(launchTokens, services.sessions, pages))
  serveAuthReturns(app, services.identity, comeForward)
  servePaymentReturns(app, services, comeForward)
  servePages(app, pages)
  app.use(lastResort(log, services.backups.metDamage))
  return app
}

/** One line per call, without query, body, cookie or address. */
const noteRequest =
  (log: Log): RequestHandler =>
  (request, response, next) => {
    const startedAt = performance.now()
    const { method, path } = request
    response.on('close', () => log.debug({ method, path, status: response.statusCode, ms: Math.round(performance.now() - startedAt) }, 'request'))
    next()
  }

const lastResort =
  (log: Log, metDamage: () => void): ErrorRequestHandler =>
  (error: unknown, request, response, next) => {
    const status = typeof error === 'object' && error !== null && 'status' in error ? Number(error.status) : 500
    // A missing file or an undecodable path is not our bug.
    if (status < 500 && !response.headersSent) return request.path.startsWith('/api') ? sendProblem(response, unreadableBody(error) ?? { code: 'invalid-request' }) : void response.status(status).type('text').send('Not found')
    log.error({ path: request.path, error }, 'a request failed')
    const failure = failureOf(error)
    if (failure.code === 'journal-damaged') metDamage()
    // A response that has begun cannot become a problem: Express cuts it off, and logs no error that it is not given.
    if (response.headersSent) return next()
    sendProblem(response, failure)
  }
