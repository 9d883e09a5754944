import type { Request, Response } from 'express'
import { sessionLifeMs, type BrowserSession, type Sessions } from '../identity/sessions.ts'

// Browsers share the cookies of 127.0.0.1 over all ports: two programs must not overwrite each other's.
const cookieName = (port: number | undefined): string => `fillbook-${String(port)}`

// More than a browser sends on its own: do not look up each of them in the journal.
const mostCookies = 20

/** The possible session cookies in a `Cookie` header for the program on this port. Programs on other ports can set cookies of the same name, so every one is tried. */
export const cookiesIn = (header: string | undefined, port: number | undefined): readonly string[] => {
  const name = `${cookieName(port)}=`
  const found = (header ?? '').split(';').map((part) => part.trim()).filter((part) => part.startsWith(name))
  return [...new Set(found.map((part) => part.slice(name.length)))].slice(0, mostCookies)
}

/**
 * Sets the session cookie: out of reach of scripts and of other sites. It is set under two paths, because a program on
 * another port that sets one of the same name overwrites ours under that path only.
 */
export const writeCookie = (request: Request, response: Response, value: string): void => {
  for (const path of ['/', '/api']) response.cookie(cookieName(request.socket.localPort), value, { httpOnly: true, sameSite: 'strict', path, maxAge: sessionLifeMs })
}

/** A browser's session by its cookie alone, which grants no access; null if there is none, or `fits` rejects it. */
export const sessionByCookie = async (header: string | undefined, port: number | undefined, sessions: Pick<Sessions, 'find'>, fits: (session: BrowserSession) => boolean = () => true): Promise<BrowserSession | null> => {
  for (const cookie of cookiesIn(header, port)) {
    const session = await sessions.find(cookie)
    if (session !== null && fits(session)) return session
  }
  return null
}
