import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express'
import { localRoutes } from '#shared/api/contract.ts'
import { eventsPath } from '#shared/api/sync.ts'
import type { Log } from '#shared/base/log.ts'
import { brokerageHandlers } from '../accounts/routes.ts'
import { backupHandlers } from '../backups/routes.ts'
import { mountLedgerCsv } from '../copier/csv-routes.ts'
import { copierHandlers } from '../copier/routes.ts'
import { demoMarketHandlers } from '../demo-market/routes.ts'
import { mountBooksCsv } from '../finances/csv-routes.ts'
import { sessionHandlers } from '../identity/routes.ts'
import { importHandlers, mountUploads } from '../imports/routes.ts'
import { journalFileHandlers, mountJournalFile } from '../journal-file/routes.ts'
import { mirrorHandlers } from '../mirror/routes.ts'
import { ownDataHandlers } from '../own-data/routes.ts'
import { mountPictures } from '../pictures/routes.ts'
import { subscriptionHandlers } from '../plans/routes.ts'
import { positionHandlers } from '../positions/routes.ts'
import { priceHandlers } from '../prices/routes.ts'
import { reconciliationHandlers } from '../reconciliation/routes.ts'
import { mountReportPdf, reportHandlers } from '../reports/routes.ts'
import { ruleHandlers } from '../rules/routes.ts'
import { historyHandlers, syncHandlers } from '../sync/routes.ts'
import { mountTradesCsv, readHandlers, recordHandlers } from '../trades/routes.ts'
import { type Browser, type Caller, createAdmission } from './caller.ts'
import { streamEvents } from './events.ts'
import { enterByToken, type LaunchTokens } from './launch.ts'
import { type Admission, callerOf, type Handlers, mount, unreadableBody } from './mount.ts'
import { servePages } from './pages.ts'
import { failureOf, sendProblem } from './problem.ts'
import { serveAuthReturns, servePaymentReturns } from './returns.ts'
import type { Services } from './services.ts'

/** The handlers of every call that the program on this computer answers. */
const localHandlers = (services: Services): Handlers<typeof localRoutes, Browser, Caller> => ({
  ...sessionHandlers(services),
  ...recordHandlers(services),
  ...ownDataHandlers(services.own),
  ...readHandlers(services.read),
  ...reconciliationHandlers(services.read),
  ...brokerageHandlers(services),
  ...syncHandlers(services.runs),
  ...historyHandlers(services.history),
  ...mirrorHandlers(services.mirrors),
  ...importHandlers(services.imports),
  ...journalFileHandlers(services.journalFiles),
  ...backupHandlers(services.backups),
  ...subscriptionHandlers(services.subscriptions),
  ...copierHandlers(services),
  ...positionHandlers(services),
  ...priceHandlers(services),
  ...ruleHandlers(services),
  ...demoMarketHandlers(services),
  ...reportHandlers(services),
})

/** Everything sent as a file, in either direction, and not as a JSON call. */
const mountFiles = (app: Express, services: Services, admission: Admission<Browser, Caller>): void => {
  mountPictures(app, services.pictures, admission)
  mountJournalFile(app, services.journalFiles, admission)
  mountUploads(app, services.imports, admission)
  mountTradesCsv(app, services.read, admission)
  mountBooksCsv(app, services.read, admission)
  mountLedgerCsv(app, services.copierLedger, admission)
  mountReportPdf(app, services.reports, admission)
}

const loopbackNames = ['127.0.0.1', 'localhost']

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // UI primitives and charts add style elements at run time.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every response: the page runs only its own scripts, cannot be framed, and sends no referrer. */
const safeHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // The page opens sign-in windows of other providers, and must see when they close.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  })
  next()
}

/** Rejects a request that reached the loopback address under another name, as after DNS rebinding. */
const ownHostOnly =
  (port: () => number): RequestHandler =>
  (request, response, next) => {
    if (loopbackNames.some((name) => request.headers.host === `${name}:${String(port())}`)) next()
    else sendProblem(response, { code: 'strange-host' })
  }

/** Rejects a call from a page of another origin, and one that may change something without an origin. Browsers send it with every such call. */
const ownOriginOnly: RequestHandler = (request, response, next) => {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const ownOrigin = origin === undefined || origin === `http://${host ?? ''}`
  const ownSite = site === undefined || site === 'same-origin'
  const mayChange = request.method !== 'GET' && request.method !== 'HEAD'
  const isStated = origin !== undefined || site !== undefined
  if (ownOrigin && ownSite && (isStated || !mayChange)) next()
  else sendProblem(response, { code: 'strange-origin' })
}

/** An API response is valid for one moment and one user. */
const neverStored: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store')
  next()
}

/** Dependencies of the web server. */
export type AppDeps = {
  readonly services: Services
  readonly launchTokens: LaunchTokens
  /** The built page's folder. */
  readonly pages: string
  /** Called when a user returns from an external page, with the place where the app's window should go. */
  readonly comeForward: (route: string | null) => void
  readonly log: Log
  /** The port; a function, because it is known only after the start. */
  readonly port: () => number
  /** Aborts when the program stops: ends every open stream. */
  readonly stopped: AbortSignal
}

/** The program's web server: guard first, then calls, then the page. */
export const createApp = ({ services, launchTokens, pages, comeForward, log, port, stopped }: AppDeps): Express => {
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
    log.error({ path: request.path, error }, 'request failed')
    const failure = failureOf(error)
    if (failure.code === 'journal-damaged') metDamage()
    // A response that has begun cannot become a problem: Express cuts it off, and logs no error that it is not given.
    if (response.headersSent) return next()
    sendProblem(response, failure)
  }
