import type { ChangeOutcome, OrderChange, OrderToPlace, OtherLeg, PairOutcome, PlaceOutcome } from '../../brokers/tradovate/live.ts'
import type { Pass } from '../../brokers/tradovate/login.ts'
import { createOrderWire, type OrderReply, type OrderRoute } from '../../brokers/tradovate/orders.ts'
import type { LiveSocket } from '../../brokers/tradovate/socket.ts'

/** A second refused token means a missing permission: no new token for this many milliseconds. */
const deniedMs = 60_000
/** How long a refused call waits for a new token and its socket, milliseconds. */
const renewingMs = 1_000

/** A line's current socket and the pass it was opened with. */
export type Connection = { readonly pass: Pass; readonly socket: LiveSocket }

type Parts = {
  readonly connection: () => Connection | null
  readonly now: () => number
  readonly calls: (count: number) => void
  /** Called when an answer looks like a closed session. */
  readonly suspect: () => void
  /** Replaces a pass that was refused or redirected, and reopens the line with it; false if there is none. */
  readonly renew: (refused: Connection) => Promise<boolean>
}

type Kept = Extract<PlaceOutcome, { kind: 'not-now' | 'lost' }>

/** A line's order calls. None of them ever rejects. */
export type LineOrders = ReturnType<typeof createLineOrders>

/** Sends on the line's socket in the same tick; if its token or host is refused, nothing was done, and the token is renewed once. */
export const createLineOrders = ({ connection: connectionNow, now, calls, suspect, renew }: Parts) => {
  const wire = createOrderWire()
  let refused: Connection | null = null
  let renewedAt = -Infinity

  /** Whether a refused socket is being replaced; not if it was renewed just now. */
  const replaces = (connection: Connection): boolean => {
    if (refused === connection) return true
    if (now() - renewedAt < deniedMs) return false
    refused = connection
    void renew(connection).then((renewed) => {
      if (renewed) renewedAt = now()
      else refused = null
    })
    return true
  }

  const send = async <T>(ask: (route: OrderRoute) => Promise<OrderReply<T>>): Promise<T | Kept> => {
    calls(1)
    const connection = connectionNow()
    if (connection === null) return { kind: 'lost', reached: false }
    const { outcome, about } = await ask({ ask: connection.socket.ask, token: connection.pass.access })
    if (about === 'session') suspect()
    return (about === 'token' || about === 'host') && replaces(connection) ? { kind: 'not-now', why: 'renewing', waitMs: renewingMs } : outcome
  }

  return {
    place: (order: OrderToPlace, onWire?: (at: number) => void): Promise<PlaceOutcome> => send((route) => wire.place(route, order, onWire)),
    placePair: (order: OrderToPlace, other: OtherLeg, onWire?: (at: number) => void): Promise<PairOutcome> => send((route) => wire.placePair(route, order, other, onWire)),
    modify: (change: OrderChange): Promise<ChangeOutcome> => send((route) => wire.modify(route, change)),
    cancel: (order: { readonly orderId: number; readonly clOrdId: string; readonly byHand?: boolean }): Promise<ChangeOutcome> => send((route) => wire.cancel(route, order)),
    liquidate: (position: { readonly accountId: number; readonly contractId: number }): Promise<PlaceOutcome> => send((route) => wire.liquidate(route, position)),
  }
}
