import type { WebSocket } from 'ws'
import type { Contract } from './contract-library.ts'
import type { Floor } from './floor.ts'
import { openFlow, type Flow } from './quotes-flow.ts'
import { serveQuotes, type QuoteParts, type QuoteSocket } from './quotes-socket.ts'

/** Which sockets of prices are meant: all, unless told. */
export type WhichQuotes = { readonly login?: string | undefined }

/** The hand on a stand-in's prices, and on the sockets that tell them. */
export type Quotes = {
  /** The sockets that stand open, oldest first, with the names of the contracts that each is told of. */
  readonly open: (which?: WhichQuotes) => readonly { readonly login: string | null; readonly contracts: readonly string[] }[]
  /** Cuts them without a close frame. */
  readonly drop: (which?: WhichQuotes) => void
  /** Leaves them open and sends nothing more on them. */
  readonly silence: (which?: WhichQuotes) => void
  /** Whether logins may read prices from now on: a login may authorise, but is told that every symbol is inaccessible. */
  readonly permit: (allowed: boolean, which?: WhichQuotes) => void
  /** Moves prices so many times a second, a little each time, until told otherwise: of contracts that somebody holds, or that some socket is told of. 0 stops it. */
  readonly flow: (perSecond: number, of?: 'held' | 'told') => void
  /** How often prices moved by that since the start. */
  readonly moved: () => number
}

/** The brokerage's side of it. */
export type QuotesDesk = {
  readonly quotes: Quotes
  readonly accept: (wire: WebSocket, host: string) => void
  /** Cuts the sockets whose session was pushed out. */
  readonly recheck: () => void
  readonly stop: () => void
}

type Parts = Omit<QuoteParts, 'mayRead' | 'closed'> & { readonly floor: Floor; readonly held: () => readonly Contract[] }

/** Serves the sockets of prices of a floor. */
export const openQuotesDesk = (parts: Parts): QuotesDesk => {
  const { floor, held } = parts
  const live = new Set<QuoteSocket>()
  const denied = new Set<string>()
  let allDenied = false

  const those = ({ login }: WhichQuotes = {}): QuoteSocket[] => [...live].filter((each) => login === undefined || each.login() === login)
  const told = (): readonly Contract[] => {
    const ids = new Set([...live].flatMap((each) => [...each.contracts()]))
    // Whoever asks for all of them has every session traded first.
    if (ids.size === 0) return []
    return floor.contracts().filter(({ id }) => ids.has(id))
  }
  const hush = floor.hearPrices((contract) => {
    for (const socket of live) socket.tell(contract)
  })
  const flow: Flow = openFlow({ floor, now: parts.now, contracts: (of) => (of === 'held' ? held() : told()) })

  return {
    quotes: {
      open: (which) => those(which).map((each) => ({ login: each.login(), contracts: floor.contracts().filter(({ id }) => each.contracts().has(id)).map(({ name }) => name) })),
      drop: (which) => those(which).forEach((each) => each.cut()),
      silence: (which) => those(which).forEach((each) => each.silence()),
      permit: (allowed, { login } = {}) => {
        if (login === undefined) allDenied = !allowed
        else if (allowed) denied.delete(login)
        else denied.add(login)
      },
      flow: flow.set,
      moved: flow.moved,
    },
    accept: (wire, host) => {
      const socket = serveQuotes({ ...parts, mayRead: (login) => !allDenied && !denied.has(login), closed: () => live.delete(socket) }, wire, host)
      live.add(socket)
    },
    recheck: () => live.forEach((each) => each.recheck()),
    stop: () => {
      hush()
      flow.stop()
      live.forEach((each) => each.cut())
    },
  }
}
