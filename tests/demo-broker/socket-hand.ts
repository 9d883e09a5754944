import type { Inside } from '#demo-broker/broker.ts'
import type { Contract } from '#demo-broker/contracts.ts'
import type { ShutdownReason, SocketManners } from '#demo-broker/hooks.ts'
import type { QuoteSocket } from '#demo-broker/quotes.ts'
import type { LiveSocket } from '#demo-broker/socket.ts'
import type { Environment } from '#demo-broker/world.ts'
import type { SocketFaults, WhichSockets } from './socket-faults.ts'

/** The hand on a stand-in's sockets. */
export type Sockets = {
  /** Those that are open, oldest first. */
  readonly open: (which?: WhichSockets) => readonly { readonly environment: Environment; readonly login: string | null; readonly synced: boolean }[]
  /** Cuts them without a close frame. */
  readonly drop: (which?: WhichSockets) => void
  /** Says why, and closes them. */
  readonly shutdown: (reason: ShutdownReason, which?: WhichSockets) => void
  /** Leaves them open and sends nothing more on them. */
  readonly silence: (which?: WhichSockets) => void
  /** Sends the events that a fault kept back. */
  readonly release: (which?: WhichSockets) => void
  /** Whether new connections are answered 503. */
  readonly refuse: (refused: boolean) => void
  /** Changes how they behave from now on. */
  readonly behave: (manners: Partial<SocketManners>) => void
}

type WhichQuotes = { readonly login?: string | undefined }

/** The hand on a stand-in's prices, and on the sockets that send them. */
export type Quotes = {
  /** The sockets that are open, oldest first, with the names of the contracts that each is subscribed to. */
  readonly open: (which?: WhichQuotes) => readonly { readonly login: string | null; readonly contracts: readonly string[] }[]
  /** Cuts them without a close frame. */
  readonly drop: (which?: WhichQuotes) => void
  /** Leaves them open and sends nothing more on them. */
  readonly silence: (which?: WhichQuotes) => void
  /** Whether logins may read prices from now on: a login may authorize, but every symbol is reported as inaccessible. */
  readonly permit: (allowed: boolean, which?: WhichQuotes) => void
  /** Moves prices so many times a second, a little each time, until the next call: of contracts with an open position, or of those with a subscribed socket. 0 stops it. */
  readonly flow: (perSecond: number, of?: 'held' | 'told') => void
  /** How often prices moved by that since the start. */
  readonly moved: () => number
}

/** A hand on the sockets of a running stand-in. */
export const handOnSockets = ({ listening: { sockets: desk } }: Pick<Inside, 'listening'>, { release, refuse, behave }: SocketFaults): Sockets => {
  const those = ({ login, environment }: WhichSockets = {}): LiveSocket[] =>
    desk.live().filter((each) => (login === undefined || each.login() === login) && (environment === undefined || each.environment === environment))
  return {
    open: (which) => those(which).map((each) => ({ environment: each.environment, login: each.login(), synced: each.synced() })),
    drop: (which) => those(which).forEach((each) => each.cut()),
    shutdown: (reason, which) => those(which).forEach((each) => each.shutdown(reason)),
    silence: (which) => those(which).forEach((each) => each.silence()),
    release, refuse, behave,
  }
}

/** A hand on the prices of a running stand-in. */
export const handOnQuotes = ({ quotes, books, floor }: Pick<Inside, 'quotes' | 'books' | 'floor'>, { permitQuotes }: SocketFaults): Quotes => {
  const those = ({ login }: WhichQuotes = {}): QuoteSocket[] => quotes.live().filter((each) => login === undefined || each.login() === login)
  const held = (): Contract[] => [...new Map([...books.ledger().newest.values()].flatMap(({ net, last }) => (net.qty === 0 ? [] : [[last.contract.id, last.contract] as const]))).values()]
  return {
    open: (which) => those(which).map((each) => ({ login: each.login(), contracts: floor.contracts().filter(({ id }) => each.contracts().has(id)).map(({ name }) => name) })),
    drop: (which) => those(which).forEach((each) => each.cut()),
    silence: (which) => those(which).forEach((each) => each.silence()),
    permit: permitQuotes,
    flow: (perSecond, of = 'held') => (of === 'held' ? quotes.flow(perSecond, held) : quotes.flow(perSecond)),
    moved: quotes.moved,
  }
}
