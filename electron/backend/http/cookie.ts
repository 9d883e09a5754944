import type { Request, Response } from 'express'
import { sessionLifeMs, type BrowserSession, type Sessions } from '../identity/sessions.ts'

// Browsers keep cookies of 127.0.0.1 for all ports together: two programs must not overwrite each other's.
const cookieName = (port: number | undefined): string => `fillbook-${String(port)}`

// Too many to be a browser's own: the journal is not searched for each of them.
const mostCookies = 20

/** What may be the session cookie in a `Cookie` header for the program on this port. Programs on other ports can set cookies of the same name beside ours, so every one is tried. */
export const cookiesIn = (header: string | undefined, port: number | undefined): readonly string[] => {
  const name = `${cookieName(port)}=`
  const found = (header ?? '').split(';').map((part) => part.trim()).filter((part) => part.startsWith(name))
  return [...new Set(found.map((part) => part.slice(name.length)))].slice(0, mostCookies)
}

/** Gives the browser its session cookie: out of reach of scripts and of other sites. It lies under two paths, since a program on another port that sets one of the same name overwrites ours under that path alone. */
export const writeCookie = (request: Request, response: Response, value: string): void => {
  for (const path of ['/', '/api']) response.cookie(cookieName(request.socket.localPort), value, { httpOnly: true, sameSite: 'strict', path, maxAge: sessionLifeMs })
}

/** The session of a browser by its cookie alone, which lets nobody in; null where there is none, or where `fits` wants another. */
export const sessionByCookie = async (header: string | undefined, port: number | undefined, sessions: Pick<Sessions, 'find'>, fits: (session: BrowserSession) => boolean = () => true): Promise<BrowserSession | null> => {
  for (const cookie of cookiesIn(header, port)) {
    const session = await sessions.find(cookie)
    if (session !== null && fits(session)) return session
  }
  return null
}
