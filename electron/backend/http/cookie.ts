import type { Request, Response } from 'express'
import { sessionLifeMs } from '../services/users/sessions.ts'

// Browsers keep cookies of 127.0.0.1 for all ports together: two programs must not overwrite each other's.
const cookieName = (port: number | undefined): string => `fillbook-${String(port)}`

/** The session cookie's value in a `Cookie` header for the program on this port; null where there is none. */
export const cookieIn = (header: string | undefined, port: number | undefined): string | null => {
  const name = `${cookieName(port)}=`
  const found = (header ?? '').split(';').map((part) => part.trim()).find((part) => part.startsWith(name))
  return found === undefined ? null : found.slice(name.length)
}

/** The same of a request. */
export const readCookie = (request: Request): string | null => cookieIn(request.headers.cookie, request.socket.localPort)

/** Gives the browser its session cookie: out of reach of scripts and of other sites. */
export const writeCookie = (request: Request, response: Response, value: string): void => {
  response.cookie(cookieName(request.socket.localPort), value, { httpOnly: true, sameSite: 'strict', path: '/', maxAge: sessionLifeMs })
}
