import { createHash, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { browserKeyHeader, sessionRoutes, ticketParameter, type DownloadPath } from '#shared/api/session.ts'
import { err, ok } from '#shared/base/result.ts'
import type { Events } from '../events.ts'
import type { IdentityPort, KnownUser } from '../identity/identity.ts'
import type { BrowserSession, Sessions } from '../identity/sessions.ts'
import { sessionByCookie, writeCookie } from './cookie.ts'
import type { Admission } from './mount.ts'

/** A browser that has opened the program, signed in or not. */
export type Browser = {
  readonly session: BrowserSession
  /** Signs a user in to this browser, or out: under a new cookie. Every page of the old one is notified after the response. */
  readonly become: (userId: string | null) => Promise<void>
  /** A ticket for one download from this path. */
  readonly ticketFor: (path: DownloadPath) => string
}

/** The signed-in user of a call. */
export type Caller = { readonly id: string; readonly user: KnownUser; readonly browser: Browser }

/** Admits a browser by its session cookie together with its key, or with a ticket in place of the key. */
export const createAdmission = ({ sessions, identity, events }: { readonly sessions: Sessions; readonly identity: IdentityPort; readonly events: Events }): Admission<Browser, Caller> => {
  const tickets = createTickets(() => performance.now())

  const sessionOf = async (request: Request, response: Response): Promise<BrowserSession | null> => {
    const { cookie, [browserKeyHeader]: key } = request.headers
    const port = request.socket.localPort
    const ticket = request.query[ticketParameter]
    if (typeof key !== 'string') {
      const sessionId = request.method === 'GET' && typeof ticket === 'string' ? tickets.take(ticket, request.path) : null
      return sessionId === null ? null : sessionByCookie(cookie, port, sessions, ({ id }) => id === sessionId)
    }
    const found = await sessionByCookie(cookie, port, sessions, (session) => sessions.isKeyOf(key, session))
    // Another program on 127.0.0.1 can overwrite cookies: a browser that still has its key is recognized, and its user signs in again.
    if (found !== null || request.path !== sessionRoutes.session.path) return found
    const started = await sessions.startWithKey(key)
    if (started !== null) writeCookie(request, response, started.cookie)
    return started?.session ?? null
  }

  return {
    anyone: async (request, response) => {
      const session = await sessionOf(request, response)
      if (session === null) return err({ code: 'no-session' })
      const become = async (userId: string | null): Promise<void> => {
        const replaced = await sessions.replace(session, userId)
        writeCookie(request, response, replaced.cookie)
        // A notified page reloads, and must find the new cookie in the browser.
        response.once('close', () => events.signedOut(session.id))
      }
      return ok({ session, become, ticketFor: (path) => tickets.mint(session.id, path) })
    },
    user: async (browser) => {
      const { userId } = browser.session
      const user = userId === null ? null : await identity.userOf(userId)
      return userId === null || user === null ? err({ code: 'not-signed-in' }) : ok({ userId, user: { id: userId, user, browser } })
    },
  }
}

const ticketLifeMs = 30_000
const mostTickets = 100

const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('base64url')

/** Tickets for downloads, where a browser cannot send a header: each replaces the key of one session, for one path, once, for half a minute; `now` is in ms. */
const createTickets = (now: () => number) => {
  const waiting = new Map<string, { readonly sessionId: string; readonly path: string; readonly until: number }>()
  return {
    mint: (sessionId: string, path: string): string => {
      for (const [hash, { until }] of waiting) if (until <= now() || waiting.size >= mostTickets) waiting.delete(hash)
      const ticket = randomBytes(32).toString('base64url')
      waiting.set(hashOf(ticket), { sessionId, path, until: now() + ticketLifeMs })
      return ticket
    },
    /** The session of a ticket for this path; null the second time. */
    take: (ticket: string, path: string): string | null => {
      const hash = hashOf(ticket)
      const found = waiting.get(hash)
      waiting.delete(hash)
      return found !== undefined && found.path === path && found.until > now() ? found.sessionId : null
    },
  }
}
