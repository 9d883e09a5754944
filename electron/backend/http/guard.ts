import type { RequestHandler } from 'express'
import { sendProblem } from './problem.ts'

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
export const safeHeaders: RequestHandler = (_request, response, next) => {
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
export const ownHostOnly =
  (port: () => number): RequestHandler =>
  (request, response, next) => {
    if (loopbackNames.some((name) => request.headers.host === `${name}:${String(port())}`)) next()
    else sendProblem(response, { code: 'strange-host' })
  }

/** Rejects a call from a page of another origin, and one that may change something without an origin. Browsers send it with every such call. */
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

/** An API response is valid for one moment and one user. */
export const neverStored: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'no-store')
  next()
}
