import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { FloorEvent } from './floor-events.ts'
import { serveSocket, type LiveSocket, type SocketParts } from './socket.ts'

/** The brokerage's side of them. */
export type SocketDesk = {
  /** Those that stand open, oldest first. */
  readonly live: () => readonly LiveSocket[]
  /** Answers a server that is asked for a socket. */
  readonly upgrade: (request: IncomingMessage, line: Duplex, head: Buffer) => void
  /** Tells a change to all that see it. */
  readonly tell: (change: FloorEvent) => void
  /** Cuts those whose session was pushed out. */
  readonly recheck: () => void
  readonly stop: () => void
}

/** Takes WebSockets on `/live/v1/websocket`, `/demo/v1/websocket` and, for prices, `/md/v1/websocket` of servers that hand their upgrades on. */
export const openSockets = (parts: SocketParts, quotes: (wire: WebSocket, host: string) => void = () => undefined): SocketDesk => {
  // Whether a ping is answered is up to the socket: a silent one is silent there too.
  const upgrades = new WebSocketServer({ noServer: true, autoPong: false, maxPayload: 1_000_000 })
  const live = new Set<LiveSocket>()

  const refusal = (path: string, host: string): string | null => {
    if (!/^(?:127\.0\.0\.1|localhost):\d+$/.test(host)) return '400 Bad Request'
    if (path !== QUOTES_PATH && !SOCKET_PATH.test(path)) return '404 Not Found'
    return parts.hooks.refuseSocket(path, host)
  }

  const upgrade = (request: IncomingMessage, line: Duplex, head: Buffer): void => {
    const [path = ''] = (request.url ?? '').split('?')
    const host = request.headers.host ?? ''
    const no = refusal(path, host)
    if (no !== null) return void line.end(`HTTP/1.1 ${no}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    upgrades.handleUpgrade(request, line, head, (wire) => {
      if (path === QUOTES_PATH) return quotes(wire, host)
      const socket = serveSocket(parts, wire, path.startsWith('/live/') ? 'live' : 'demo', host)
      live.add(socket)
      wire.on('close', () => live.delete(socket))
    })
  }

  return {
    live: () => [...live],
    upgrade,
    tell: (change) => live.forEach((each) => each.tell(change)),
    recheck: () => live.forEach((each) => each.recheck()),
    stop: () => live.forEach((each) => each.cut()),
  }
}

const QUOTES_PATH = '/md/v1/websocket'
const SOCKET_PATH = /^\/(?:live|demo)\/v1\/websocket$/
