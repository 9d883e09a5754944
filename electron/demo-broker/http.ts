import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import { z } from 'zod'
import { bearerOf, empty, jsonOf, type Call } from './answers.ts'
import { loginOfToken } from './grants.ts'
import type { FloorEvent } from './rows.ts'
import { serveSocket, type LiveSocket, type SocketDeps } from './socket.ts'

const BODY_LIMIT = 1_000_000
// No other host names, against DNS rebinding.
const LOOPBACK = /^(?:127\.0\.0\.1|localhost):\d+$/
const fieldsSchema = z.record(z.string(), z.unknown()).catch({})

/** The demo brokerage's ports on 127.0.0.1. */
export type Listening = Awaited<ReturnType<typeof listen>>

/** Serves requests and sockets; reads each request completely, answers it, and reports it to the hook `saw`. */
export const listen = async (port: number, deps: SocketDeps, quotes: (wire: WebSocket, host: string) => void) => {
  const servers: Server[] = []
  const sockets = openSockets(deps, quotes)
  const listenAt = async (wanted: number): Promise<number> => {
    const server = createServer((request, response) => {
      void serve(request, response, deps).catch(() => response.destroy())
    })
    server.on('upgrade', sockets.upgrade)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(wanted, '127.0.0.1', resolve)
    })
    servers.push(server)
    return (server.address() as AddressInfo).port
  }
  const stop = (server: Server): Promise<void> => {
    server.off('upgrade', sockets.upgrade)
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return {
    port: await listenAt(port),
    sockets,
    /** Serves the same on another port. */
    more: (): Promise<number> => listenAt(0),
    /** Cuts every connection and frees the ports. */
    stop: async (): Promise<void> => {
      sockets.stop()
      await Promise.all(servers.map(stop))
    },
  }
}

const serve = async (request: IncomingMessage, response: ServerResponse, { respond, hooks: { saw }, ...people }: SocketDeps): Promise<void> => {
  const body = await readBody(request)
  const call = body === null ? null : readCall(request, body)
  const login = call === null ? null : loginOfToken(people, bearerOf(call))
  const outcome = call === null ? empty(400) : await respond(call)
  const seen = { host: call?.host ?? '', login, method: request.method ?? '', path: call?.path ?? '' }
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
  if (!LOOPBACK.test(host)) return null
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

/** Serves WebSockets on `/live/v1/websocket`, `/demo/v1/websocket` and, for quotes, `/md/v1/websocket`. */
export const openSockets = (deps: SocketDeps, quotes: (wire: WebSocket, host: string) => void = () => undefined) => {
  // No automatic pongs: a silenced socket must not answer pings either.
  const upgrades = new WebSocketServer({ noServer: true, autoPong: false, maxPayload: 1_000_000 })
  const live = new Set<LiveSocket>()

  const refusal = (path: string, host: string): string | null => {
    if (!LOOPBACK.test(host)) return '400 Bad Request'
    if (path !== QUOTES_PATH && !SOCKET_PATH.test(path)) return '404 Not Found'
    return deps.hooks.refuseSocket(path, host)
  }

  const upgrade = (request: IncomingMessage, line: Duplex, head: Buffer): void => {
    const [path = ''] = (request.url ?? '').split('?')
    const host = request.headers.host ?? ''
    const no = refusal(path, host)
    if (no !== null) return void line.end(`HTTP/1.1 ${no}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    upgrades.handleUpgrade(request, line, head, (wire) => {
      if (path === QUOTES_PATH) return quotes(wire, host)
      const socket = serveSocket(deps, wire, path.startsWith('/live/') ? 'live' : 'demo', host)
      live.add(socket)
      wire.on('close', () => live.delete(socket))
    })
  }

  return {
    /** The open sockets, oldest first. */
    live: (): readonly LiveSocket[] => [...live],
    /** Handles a server's upgrade request. */
    upgrade,
    /** Sends a change to every socket that sees it. */
    publish: (change: FloorEvent): void => live.forEach((each) => each.publish(change)),
    /** Cuts the sockets whose session another login closed. */
    recheck: (): void => live.forEach((each) => each.recheck()),
    stop: (): void => live.forEach((each) => each.cut()),
  }
}

const QUOTES_PATH = '/md/v1/websocket'
const SOCKET_PATH = /^\/(?:live|demo)\/v1\/websocket$/
