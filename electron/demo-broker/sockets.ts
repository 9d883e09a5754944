import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Environment } from './broker-types.ts'
import type { FloorEvent } from './floor-events.ts'
import type { ShutdownReason } from './socket-faults.ts'
import { serveSocket, type LiveSocket, type SocketManners, type SocketParts } from './socket.ts'

/** Which sockets are meant: all, unless told. */
export type WhichSockets = { readonly login?: string | undefined; readonly environment?: Environment | undefined }

/** One socket that stands open. */
export type OpenSocket = { readonly environment: Environment; readonly login: string | null; readonly synced: boolean }

/** The hand on a stand-in's sockets. */
export type Sockets = {
  /** Those that stand open, oldest first. */
  readonly open: (which?: WhichSockets) => readonly OpenSocket[]
  /** Cuts them without a close frame. */
  readonly drop: (which?: WhichSockets) => void
  /** Says why, and closes them. */
  readonly shutdown: (reason: ShutdownReason, which?: WhichSockets) => void
  /** Leaves them open and sends nothing more on them. */
  readonly silence: (which?: WhichSockets) => void
  /** Tells the events that a fault kept back. */
  readonly release: (which?: WhichSockets) => void
  /** Whether new connections are answered 503. */
  readonly refuse: (refused: boolean) => void
  /** Changes how they behave from now on. */
  readonly behave: (manners: Partial<SocketManners>) => void
}

/** The brokerage's side of them. */
export type SocketDesk = {
  readonly sockets: Sockets
  /** Answers a server that is asked for a socket. */
  readonly upgrade: (request: IncomingMessage, line: Duplex, head: Buffer) => void
  /** Of its time in life, how long silences take. */
  readonly timeScale: () => number
  /** Tells a change to all that see it. */
  readonly tell: (change: FloorEvent) => void
  /** Cuts those whose session was pushed out. */
  readonly recheck: () => void
  readonly stop: () => void
}

const MANNERS: SocketManners = { timeScale: 1, split: 'parts', apartMs: 0, emptyByDefault: false }

/** Takes WebSockets on `/live/v1/websocket`, `/demo/v1/websocket` and, for prices, `/md/v1/websocket` of servers that hand their upgrades on. */
export const openSockets = (parts: Omit<SocketParts, 'manners'>, given: Partial<SocketManners> = {}, quotes: (wire: WebSocket, host: string) => void = () => undefined): SocketDesk => {
  // Whether a ping is answered is up to the socket: a silent one is silent there too.
  const upgrades = new WebSocketServer({ noServer: true, autoPong: false, maxPayload: 1_000_000 })
  const live = new Set<LiveSocket>()
  let manners: SocketManners = { ...MANNERS, ...given }
  let refused = false

  const refusal = (path: string, host: string): string | null => {
    if (!/^(?:127\.0\.0\.1|localhost):\d+$/.test(host)) return '400 Bad Request'
    if (path !== QUOTES_PATH && !SOCKET_PATH.test(path)) return '404 Not Found'
    if (refused || parts.faults.take('socket-unreachable', path) !== null) return '503 Service Unavailable'
    // Whose socket it is shows when it authorizes.
    return parts.moves.elsewhere({ host, path, userId: null }) === null ? null : path === QUOTES_PATH ? '404 Not Found' : '421 Misdirected Request'
  }

  const upgrade = (request: IncomingMessage, line: Duplex, head: Buffer): void => {
    const [path = ''] = (request.url ?? '').split('?')
    const host = request.headers.host ?? ''
    const no = refusal(path, host)
    if (no !== null) return void line.end(`HTTP/1.1 ${no}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
    upgrades.handleUpgrade(request, line, head, (wire) => {
      if (path === QUOTES_PATH) return quotes(wire, host)
      const socket = serveSocket({ ...parts, manners: () => manners }, wire, path.startsWith('/live/') ? 'live' : 'demo', host)
      live.add(socket)
      wire.on('close', () => live.delete(socket))
    })
  }

  const those = ({ login, environment }: WhichSockets = {}): LiveSocket[] =>
    [...live].filter((each) => (login === undefined || each.login() === login) && (environment === undefined || each.environment === environment))

  return {
    sockets: {
      open: (which) => those(which).map((each) => ({ environment: each.environment, login: each.login(), synced: each.synced() })),
      drop: (which) => those(which).forEach((each) => each.cut()),
      shutdown: (reason, which) => those(which).forEach((each) => each.shutdown(reason)),
      silence: (which) => those(which).forEach((each) => each.silence()),
      release: (which) => those(which).forEach((each) => each.release()),
      refuse: (no) => void (refused = no),
      behave: (change) => void (manners = { ...manners, ...change }),
    },
    upgrade,
    timeScale: () => manners.timeScale,
    tell: (change) => live.forEach((each) => each.tell(change)),
    recheck: () => live.forEach((each) => each.recheck()),
    stop: () => live.forEach((each) => each.cut()),
  }
}

const QUOTES_PATH = '/md/v1/websocket'
const SOCKET_PATH = /^\/(?:live|demo)\/v1\/websocket$/
