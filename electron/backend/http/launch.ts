import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RequestHandler } from 'express'
import { browserKeyHeader, browserKeyName } from '#shared/api/session.ts'
import type { BrowserSession, Sessions } from '../identity/sessions.ts'
import { sessionByCookie, writeCookie } from './cookie.ts'

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Launch tokens: each opens the program in one browser, until its page has stored the key. */
export type LaunchTokens = ReturnType<typeof createLaunchTokens>

export const createLaunchTokens = () => {
  const waiting = new Map<string, { readonly userId: string | null }>()
  const openedBy = new Map<string, string>()
  return {
    /** A new token; the browser that presents it is signed in as `userId` if given. */
    mint: (userId: string | null): string => {
      const token = randomBytes(32).toString('base64url')
      waiting.set(hashOf(token), { userId })
      return token
    },
    /** Consumes the token and returns its user; null the second time. */
    take: (token: string): { readonly userId: string | null } | null => {
      const hash = hashOf(token)
      const found = waiting.get(hash) ?? null
      waiting.delete(hash)
      return found
    },
    /** Records that a token has opened or reopened a session. */
    opened: (token: string, sessionId: string): void => void openedBy.set(sessionId, hashOf(token)),
    /** Whether this token opened the session last. */
    hasOpened: (token: string, sessionId: string): boolean => openedBy.get(sessionId) === hashOf(token),
  }
}

/**
 * Exchanges the token of `GET /?token=…` for the two secrets of a session. The cookie is set as usual; the key is in
 * the page itself, which stores it in its origin's storage and removes the token from its URL, and in a header, for
 * callers that are not browsers. A page that closes before it has stored the key returns with the same URL: token and
 * cookie together get a new key as long as no call has used the previous one.
 */
export const enterByToken =
  (tokens: LaunchTokens, sessions: Sessions, pages: string): RequestHandler =>
  async (request, response, next) => {
    const given = request.query['token']
    if (given === undefined) return next()
    const token = typeof given === 'string' ? given : ''
    response.set('Cache-Control', 'no-store')
    const known = await sessionByCookie(request.headers.cookie, request.socket.localPort, sessions)
    const opened = tokens.take(token)
    const enter = async (): Promise<BrowserSession | null> => {
      if (opened === null) return known !== null && tokens.hasOpened(token, known.id) && sessions.awaitsKey(known) ? known : null
      if (known !== null && opened.userId === null) return known
      const started = known === null ? await sessions.start(opened.userId) : await sessions.replace(known, opened.userId)
      writeCookie(request, response, started.cookie)
      return started.session
    }
    const session = await enter()
    // A browser that is already known loses nothing by reopening an old URL.
    if (session === null) return known === null ? response.status(403).type('html').send(usedPage) : response.redirect(303, '/')
    tokens.opened(token, session.id)
    // A program started without its page, for API calls only, also admits them.
    const page = await readFile(join(pages, 'index.html'), 'utf8').catch(() => '<!doctype html><html><head></head></html>')
    const key = await sessions.issueKey(session)
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
