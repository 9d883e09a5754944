import { join } from 'node:path'
import express from 'express'
import type { Express, RequestHandler } from 'express'

/** Serves the page and its files from `folder`, open to everyone on this computer: without a session they show nothing. */
export const servePages = (app: Express, folder: string): void => {
  app.get('/oauth/callback', intoHash('/oauth/callback'))
  app.get('/', express.static(folder, { cacheControl: false, setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache') }))
  // The build puts a content hash into every file name in assets/.
  app.use('/assets', express.static(join(folder, 'assets'), { index: false, immutable: true, maxAge: '1y', fallthrough: false }))
  app.use(express.static(folder, { index: false, cacheControl: false, setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache') }))
  app.get(/.*/, intoHash('/404'))
}

/** Redirects a browser path to the page's hash form, with the query unchanged. */
export const intoHash =
  (path: string): RequestHandler =>
  (request, response) => {
    const query = request.originalUrl.indexOf('?')
    response.set('Cache-Control', 'no-store').redirect(302, `/#${path}${query === -1 || path === '/404' ? '' : request.originalUrl.slice(query)}`)
  }
