import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { browserKeyHeader, browserKeyName } from '#shared/api/session.ts'
import type { BrowserSession, Sessions } from '../services/users/sessions.ts'
import { sessionByCookie, writeCookie } from './cookie.ts'

/** Launch tokens: each opens the program for one browser, once. */
export type LaunchTokens = {
  /** A new token; the browser that brings it is signed in as `userId` where one is given. */
  readonly mint: (userId: string | null) => string
  /** What the token stands for; a second call with it gives null. */
  readonly take: (token: string) => { readonly userId: string | null } | null
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** A purse of launch tokens that lives as long as the program. */
export const createLaunchTokens = (): LaunchTokens => {
  const waiting = new Map<string, { readonly userId: string | null }>()
  return {
    mint: (userId) => {
      const token = randomBytes(32).toString('base64url')
      waiting.set(hashOf(token), { userId })
      return token
    },
    take: (token) => {
      const hash = hashOf(token)
      const found = waiting.get(hash) ?? null
      waiting.delete(hash)
      return found
    },
  }
}

/**
 * Swaps the token of `GET /?token=…` for the two secrets of a session. The cookie goes as cookies do; the key goes with the
 * page itself, which keeps it in the storage of its origin and takes the token out of its address, and in a header, for
 * callers that are no browser.
 */
export const enterByToken =
  (tokens: LaunchTokens, sessions: Sessions, pages: string): RequestHandler =>
  async (request, response, next) => {
    const token = request.query['token']
    if (token === undefined) return next()
    response.set('Cache-Control', 'no-store')
    const known = await sessionByCookie(request.headers.cookie, request.socket.localPort, sessions)
    const opened = typeof token === 'string' ? tokens.take(token) : null
    if (opened === null) {
      // A browser that is known already loses nothing by coming back with an old address.
      if (known !== null) return response.redirect(303, '/')
      return response.status(403).type('html').send(usedPage)
    }
    const enter = async (): Promise<BrowserSession> => {
      if (known !== null && opened.userId === null) return known
      const started = known === null ? await sessions.start(opened.userId) : await sessions.replace(known, opened.userId)
      writeCookie(request, response, started.cookie)
      return started.session
    }
    // A program that was started without its page, for calls alone, admits them all the same.
    const page = await readFile(join(pages, 'index.html'), 'utf8').catch(() => '<!doctype html><html><head></head></html>')
    const key = await sessions.giveKey(await enter())
    response.set(browserKeyHeader, key).type('html').send(page.replace('<head>', `<head><meta name="${browserKeyName}" content="${key}">`))
  }

const usedPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Fillbook: this address was used already</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem }
h1 { font-size: 1.25rem }
</style>
<main>
<h1>This address was used already</h1>
<p>It opens Fillbook once, so that nobody who finds it later gets in.</p>
<p>In the browser that used it, open <a href="/">Fillbook</a> without it. For another browser, stop Fillbook where you started it, start it again, and open the address that it prints.</p>
</main>
</html>
`
