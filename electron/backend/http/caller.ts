import type { Request, Response } from 'express'
import { err, ok } from '#shared/base/result.ts'
import type { Events } from '../services/events.ts'
import type { IdentityPort, KnownUser } from '../services/users/identity.ts'
import type { BrowserSession, Sessions } from '../services/users/sessions.ts'
import { readCookie, writeCookie } from './cookie.ts'
import type { Admission } from './mount.ts'

/** A browser that has opened the program, whoever is signed in in it. */
export type Browser = {
  readonly session: BrowserSession
  /** Makes somebody the signed-in user of this browser, or nobody: under a new cookie, and with every page of the old one told once the answer is out. */
  readonly become: (userId: string | null) => Promise<void>
}

/** The signed-in user who calls. */
export type Caller = { readonly id: string; readonly user: KnownUser; readonly browser: Browser }

/** Admits by session cookie. */
export const createAdmission = ({ sessions, identity, events }: { readonly sessions: Sessions; readonly identity: IdentityPort; readonly events: Events }): Admission<Browser, Caller> => ({
  anyone: async (request: Request, response: Response) => {
    const cookie = readCookie(request)
    const session = cookie === null ? null : await sessions.find(cookie)
    if (session === null) return err({ code: 'no-session' })
    const become = async (userId: string | null): Promise<void> => {
      const replaced = await sessions.replace(session, userId)
      writeCookie(request, response, replaced.cookie)
      // A page that hears of it asks anew, and must find the new cookie in the browser.
      response.once('close', () => events.signedOut(session.id))
    }
    return ok({ session, become })
  },
  user: async (browser) => {
    const { userId } = browser.session
    const user = userId === null ? null : await identity.userOf(userId)
    return userId === null || user === null ? err({ code: 'not-signed-in' }) : ok({ userId, user: { id: userId, user, browser } })
  },
})
