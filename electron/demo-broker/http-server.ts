import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { bearerOf, empty, type Call } from './answers.ts'
import { whose } from './grants.ts'
import { openSockets, type SocketDesk } from './sockets.ts'
import type { SocketParts } from './socket.ts'

const BODY_LIMIT = 1_000_000
const fieldsSchema = z.record(z.string(), z.unknown()).catch({})

/** A stand-in's ports on 127.0.0.1. */
export type Listening = {
  readonly port: number
  readonly desk: SocketDesk
  /** Serves the same on one more port. */
  readonly more: () => Promise<number>
  /** Cuts every connection and frees the ports. */
  readonly stop: () => Promise<void>
}

/** Listens for requests and for sockets; every request is read whole, answered, and reported to the hook `saw`. */
export const listen = async (
  port: number, parts: SocketParts, quotes: (wire: WebSocket, host: string) => void,
): Promise<Listening> => {
  const servers: Server[] = []
  const desk = openSockets(parts, quotes)
  const listenAt = async (wanted: number): Promise<number> => {
    const server = createServer((request, response) => {
      void serve(request, response, parts).catch(() => response.destroy())
    })
    server.on('upgrade', desk.upgrade)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, '127.0.0.1', resolve)
    })
    servers.push(server)
    return (server.address() as AddressInfo).port
  }
  const stop = (server: Server): Promise<void> => {
    server.off('upgrade', desk.upgrade)
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return {
    port: await listenAt(port),
    desk,
    more: () => listenAt(0),
    stop: async () => {
      desk.stop()
      await Promise.all(servers.map(stop))
    },
  }
}

const serve = async (request: IncomingMessage, response: ServerResponse, { respond, hooks: { saw }, ...people }: SocketParts): Promise<void> => {
  const body = await readBody(request)
  const call = body === null ? null : readCall(request, body)
  const login = call === null ? null : whose(people, bearerOf(call))
  const begun = performance.now()
  const outcome = call === null ? empty(400) : await respond(call)
  const seen = { host: call?.host ?? '', login, method: request.method ?? '', path: call?.path ?? '', busyMs: performance.now() - begun }
  if (outcome === 'silence') return saw({ ...seen, status: 0 })
  if (outcome === 'cut') {
    saw({ ...seen, status: 0 })
    response.destroy()
    return
  }
  response.writeHead(outcome.status, { ...outcome.headers, 'content-length': Buffer.byteLength(outcome.body) })
  response.end(outcome.body)
  saw({ ...seen, status: outcome.status })
}

const readBody = async (request: IncomingMessage): Promise<string | null> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length
    if (size > BODY_LIMIT) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const readCall = (request: IncomingMessage, body: string): Call | null => {
  const host = request.headers.host ?? ''
  // Only its own names: a page elsewhere that points a name of its own at loopback is not answered.
  if (!/^(?:127\.0\.0\.1|localhost):\d+$/.test(host)) return null
  const url = new URL(request.url ?? '/', `http://${host}`)
  const [, environment, below] = /^\/(live|demo)(\/.*)$/.exec(url.pathname) ?? []
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  const parsed = isForm ? Object.fromEntries(new URLSearchParams(body)) : jsonOf(body)
  return {
    method: request.method ?? 'GET',
    path: url.pathname,
    environment: environment === 'live' || environment === 'demo' ? environment : null,
    below: below ?? url.pathname,
    query: url.searchParams,
    body: fieldsSchema.parse(parsed),
    json: parsed,
    host,
    authorization: request.headers.authorization ?? null,
    cookie: request.headers.cookie ?? '',
  }
}

const jsonOf = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
