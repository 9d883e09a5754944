import { EventEmitter } from 'node:events'
import { whoseTurn, type Owner } from './clock.ts'

/** The broker's end of a socket, as `serveSocket` uses it. */
export type ServerEnd = EventEmitter & {
  readyState: number
  readonly OPEN: 1
  readonly send: (frame: string) => void
  readonly close: (code?: number, reason?: string) => void
  readonly terminate: () => void
  readonly pong: (data: unknown) => void
}

/** A message in transit: the receiving owner and what receiving it does. */
export type Carrier = {
  /** Takes a new connection, or refuses it with a status. */
  readonly accept: (url: string, end: ServerEnd, link: Link) => number | null
  /** Carries something to one end of a link; FIFO each way. */
  readonly carry: (link: Link, to: 'client' | 'server', work: () => void) => void
}

/** One connection between a run of the program and the brokerage. */
export type Link = {
  readonly owner: Owner
  /** Which login it is of, once that is known. */
  login: string | null
  /** What is lost on it: nothing, what the broker says, or everything. */
  mute: 'nothing' | 'from-broker' | 'everything'
  /** What was sent before it was this is lost for good: nothing that comes later on a line follows what was lost on it. */
  turn: number
  isOpen: boolean
  /** Since when (UTC ms) the program receives its accounts' events; null before. */
  syncedAt: number | null
  lastTo: { client: number; server: number }
  /** Closes it at both ends, with messages in transit. */
  readonly cut: () => void
  /** The program's end is gone: the broker notices after everything sent before. */
  readonly leave: () => void
}

let carrier: Carrier | null = null

/** Lets sockets go to a brokerage. */
export const connectThrough = (next: Carrier): void => void (carrier = next)

/** In place of the class of `ws`: the same calls, but messages go through the world's scheduler. */
export class WebSocket extends EventEmitter {
  static readonly CONNECTING = 0
  static readonly OPEN = 1
  static readonly CLOSING = 2
  static readonly CLOSED = 3
  readyState = WebSocket.CONNECTING
  readonly bufferedAmount = 0
  readonly isPaused = false
  readonly #link: Link
  readonly #server: ServerEnd
  readonly #by: Carrier

  constructor(url: string) {
    super()
    if (carrier === null) throw new Error('There is no brokerage to connect to')
    this.#by = carrier
    const link: Link = { owner: whoseTurn(), login: null, mute: 'nothing', turn: 0, isOpen: false, syncedAt: null, lastTo: { client: 0, server: 0 }, cut: () => { this.#cut() }, leave: () => { this.#by.carry(link, 'server', () => { this.#endServer() }) } }
    this.#link = link
    const carry = this.#by.carry
    this.#server = Object.assign(new EventEmitter(), {
      readyState: 1,
      OPEN: 1 as const,
      send: (frame: string) => { carry(link, 'client', () => { if (this.readyState === WebSocket.OPEN) this.emit('message', Buffer.from(frame)) }) },
      close: () => { this.#closeFromServer() },
      terminate: () => { this.#closeFromServer() },
      pong: () => { carry(link, 'client', () => this.emit('pong')) },
    })
    carry(link, 'server', () => {
      let refused: number | null = null
      // On its way before anything that the broker says on it.
      carry(link, 'client', () => {
        if (this.readyState !== WebSocket.CONNECTING) return
        this.readyState = refused === null ? WebSocket.OPEN : WebSocket.CLOSED
        if (refused === null) this.emit('open')
        else {
          this.emit('unexpected-response', { destroy: () => undefined }, { statusCode: refused })
          this.emit('close')
        }
      })
      refused = this.#by.accept(url, this.#server, link)
      link.isOpen = refused === null
    })
  }

  send(data: string, done?: (error?: Error) => void): void {
    if (this.readyState !== WebSocket.OPEN) {
      done?.(new Error('not open'))
      return
    }
    this.#by.carry(this.#link, 'server', () => {
      if (this.#server.readyState === 1) this.#server.emit('message', Buffer.from(data), false)
    })
    done?.()
  }

  ping(): void {
    this.#by.carry(this.#link, 'server', () => {
      if (this.#server.readyState === 1) this.#server.emit('ping', Buffer.alloc(0))
    })
  }

  close(): void {
    this.terminate()
  }

  terminate(): void {
    if (this.readyState === WebSocket.CLOSED) return
    this.readyState = WebSocket.CLOSED
    this.#by.carry(this.#link, 'server', () => { this.#endServer() })
    setImmediate(() => this.emit('close'))
  }

  #closeFromServer(): void {
    this.#endServer()
    this.#by.carry(this.#link, 'client', () => {
      if (this.readyState === WebSocket.CLOSED) return
      this.readyState = WebSocket.CLOSED
      this.emit('close')
    })
  }

  #endServer(): void {
    if (this.#server.readyState !== 1) return
    this.#server.readyState = 3
    this.#link.isOpen = false
    this.#server.emit('close')
  }

  #cut(): void {
    if (this.#link.mute !== 'nothing') this.#link.turn += 1
    this.#link.mute = 'nothing'
    this.#closeFromServer()
  }
}
