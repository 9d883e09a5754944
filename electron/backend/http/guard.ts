import type { RequestHandler } from 'express'
import { sendProblem } from './problem.ts'

const loopbackNames = ['127.0.0.1', 'localhost']

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // Primitives and charts put style elements into the page at run time.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every answer: the page runs its own scripts only, is framed by nobody, and tells nobody where it came from. */
export const safeHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': contentSecurityPolicy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    // The page opens the windows of sign-ins elsewhere, and has to see when they are closed.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
  })
  next()
}

/** Refuses a request that reached the loopback address under another name, as a rebound DNS entry makes a browser do. */
export const ownHostOnly =
  (port: () => number): RequestHandler =>
  (request, response, next) => {
    if (loopbackNames.some((name) => request.headers.host === `${name}:${String(port())}`)) next()
    else sendProblem(response, { code: 'strange-host' })
  }

/** Refuses a call that a page of another origin made, and one that may change something and does not say where it comes from. Browsers say it with every such call. */
export const ownOriginOnly: RequestHandler = (request, response, next) => {
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const ownOrigin = origin === undefined || origin === `http://${host ?? ''}`
  const ownSite = site === undefined || site === 'same-origin'
  const mayChange = request.method !== 'GET' && request.method !== 'HEAD'
  const isStated = origin !== undefined || site !== undefined
  if (ownOrigin && ownSite && (isStated || !mayChange)) next()
  else sendProblem(response, { code: 'strange-origin' })
}

/** An answer of the API belongs to one moment and one user. */
export const neverStored: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store')
  next()
}
