import { join } from 'node:path'
import express from 'express'
import type { Express, RequestHandler } from 'express'

/** The page and its files from `folder`, open to everybody on this computer: without a session they show nothing. */
export const servePages = (app: Express, folder: string): void => {
  app.get('/oauth/callback', intoHash('/oauth/callback'))
  app.get('/', express.static(folder, { cacheControl: false, setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache') }))
  // The build puts a hash of its content into the name of every file in assets/.
  app.use('/assets', express.static(join(folder, 'assets'), { index: false, immutable: true, maxAge: '1y', fallthrough: false }))
  app.use(express.static(folder, { index: false, cacheControl: false, setHeaders: (response) => response.setHeader('Cache-Control', 'no-cache') }))
  app.get(/.*/, intoHash('/404'))
}

/** Leads a browser path to the same place in the page's own form, the query kept as it came. */
export const intoHash =
  (path: string): RequestHandler =>
  (request, response) => {
    const query = request.originalUrl.indexOf('?')
    response.set('Cache-Control', 'no-store').redirect(302, `/#${path}${query === -1 || path === '/404' ? '' : request.originalUrl.slice(query)}`)
  }
