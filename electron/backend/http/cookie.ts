import type { Request, Response } from 'express'
import { sessionLifeMs } from '../services/sessions.ts'

// Browsers keep cookies of 127.0.0.1 for all ports together: two programs must not overwrite each other's.
const cookieName = (request: Request): string => `fillbook-${String(request.socket.localPort)}`

/** The session cookie's value; null where there is none. */
export const readCookie = (request: Request): string | null => {
  const name = `${cookieName(request)}=`
  const found = (request.headers.cookie ?? '').split(';').map((part) => part.trim()).find((part) => part.startsWith(name))
  return found === undefined ? null : found.slice(name.length)
}

/** Gives the browser its session cookie: out of reach of scripts and of other sites. */
export const writeCookie = (request: Request, response: Response, value: string): void => {
  response.cookie(cookieName(request), value, { httpOnly: true, sameSite: 'strict', path: '/', maxAge: sessionLifeMs })
}
