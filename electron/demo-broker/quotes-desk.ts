import type { WebSocket } from 'ws'
import type { Contract } from './contract-library.ts'
import type { Floor } from './floor.ts'
import { openFlow } from './quotes-flow.ts'
import { serveQuotes, type QuoteParts, type QuoteSocket } from './quotes-socket.ts'

/** The brokerage's side of it. */
export type QuotesDesk = {
  /** The sockets that stand open, oldest first. */
  readonly live: () => readonly QuoteSocket[]
  /** Moves prices so many times a second, a little each time, until told otherwise; of the contracts that some socket is told of unless others are given. 0 stops it. */
  readonly flow: (perSecond: number, contracts?: () => readonly Contract[]) => void
  /** How often prices moved by that since the start. */
  readonly moved: () => number
  readonly accept: (wire: WebSocket, host: string) => void
  /** Cuts the sockets whose session was pushed out. */
  readonly recheck: () => void
  readonly stop: () => void
}

type Parts = Omit<QuoteParts, 'closed'> & { readonly floor: Floor }

/** Serves the sockets of prices of a floor. */
export const openQuotesDesk = (parts: Parts): QuotesDesk => {
  const { floor } = parts
  const live = new Set<QuoteSocket>()

  const told = (): readonly Contract[] => {
    const ids = new Set([...live].flatMap((each) => [...each.contracts()]))
    // Whoever asks for all of them has every session traded first.
    if (ids.size === 0) return []
    return floor.contracts().filter(({ id }) => ids.has(id))
  }
  const hush = floor.hearPrices((contract) => {
    for (const socket of live) socket.tell(contract)
  })
  const flow = openFlow({ floor, now: parts.now })

  return {
    live: () => [...live],
    flow: (perSecond, contracts = told) => flow.set(perSecond, contracts),
    moved: flow.moved,
    accept: (wire, host) => {
      const socket = serveQuotes({ ...parts, closed: () => live.delete(socket) }, wire, host)
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
