import type { ChangeOutcome, OrderChange, OrderToPlace, OtherLeg, PairOutcome, PlaceOutcome } from '../../brokers/tradovate/live.ts'
import type { Pass } from '../../brokers/tradovate/login.ts'
import { createOrderWire, type OrderReply, type OrderRoute } from '../../brokers/tradovate/orders.ts'
import type { LiveSocket } from '../../brokers/tradovate/socket.ts'

/** After a new token was refused too it is a permission that is missing: no further one is asked for during this time, milliseconds. */
const deniedMs = 60_000
/** How long whoever was refused waits for another token and the socket that is opened with it, milliseconds. */
const renewingMs = 1_000

/** The things that a line does at the broker. None of them ever rejects. */
export type LineOrders = {
  readonly place: (order: OrderToPlace, onWire?: (at: number) => void) => Promise<PlaceOutcome>
  readonly placePair: (order: OrderToPlace, other: OtherLeg, onWire?: (at: number) => void) => Promise<PairOutcome>
  readonly modify: (change: OrderChange) => Promise<ChangeOutcome>
  readonly cancel: (order: { readonly orderId: number; readonly clOrdId: string; readonly byHand?: boolean }) => Promise<ChangeOutcome>
  readonly liquidate: (position: { readonly accountId: number; readonly contractId: number }) => Promise<PlaceOutcome>
}

/** A line's socket of this moment with the pass that it was opened with. */
export type Seat = { readonly pass: Pass; readonly socket: LiveSocket }

type Parts = {
  readonly seat: () => Seat | null
  readonly now: () => number
  readonly calls: (count: number) => void
  /** An answer looked like that of a closed session. */
  readonly suspect: () => void
  /** Gets another pass in place of one that was refused or sent elsewhere, and opens the line with it; false where there is none. */
  readonly renew: (refused: Seat) => Promise<boolean>
}

type Kept = Extract<PlaceOutcome, { kind: 'not-now' | 'lost' }>

/** Sends on the line's own socket in the tick of the call; where its token or host is refused nothing was done, and it is renewed once. */
export const createLineOrders = ({ seat: seatNow, now, calls, suspect, renew }: Parts): LineOrders => {
  const wire = createOrderWire()
  let refused: Seat | null = null
  let renewedAt = -Infinity

  /** Whether a refused seat is being replaced; not where it came of a renewal just now. */
  const replaces = (seat: Seat): boolean => {
    if (refused === seat) return true
    if (now() - renewedAt < deniedMs) return false
    refused = seat
    void renew(seat).then((renewed) => {
      if (renewed) renewedAt = now()
      else refused = null
    })
    return true
  }

  const send = async <T>(ask: (route: OrderRoute) => Promise<OrderReply<T>>): Promise<T | Kept> => {
    calls(1)
    const seat = seatNow()
    if (seat === null) return { kind: 'lost', reached: false }
    const { outcome, about } = await ask({ ask: seat.socket.ask, token: seat.pass.access })
    if (about === 'session') suspect()
    return (about === 'token' || about === 'host') && replaces(seat) ? { kind: 'not-now', why: 'renewing', waitMs: renewingMs } : outcome
  }

  return {
    place: (order, onWire) => send((route) => wire.place(route, order, onWire)),
    placePair: (order, other, onWire) => send((route) => wire.placePair(route, order, other, onWire)),
    modify: (change) => send((route) => wire.modify(route, change)),
    cancel: (order) => send((route) => wire.cancel(route, order)),
    liquidate: (position) => send((route) => wire.liquidate(route, position)),
  }
}
