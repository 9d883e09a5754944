/**
 * What an account holds of one contract, in two parts: `held` came of the copier's own orders, `yours` is its user's. Signed contracts;
 * the sum is the account's net position.
 */
export type Held = { readonly held: number; readonly yours: number }

/** The part of `qty` that closes `position`: of the other sign, and never more than is there. */
const closing = (position: number, qty: number): number => (Math.sign(position) * Math.sign(qty) < 0 ? Math.sign(qty) * Math.min(Math.abs(position), Math.abs(qty)) : 0)

/** A fill of the copier's own order: all of it is the copier's. */
export const tradedByCopier = ({ held, yours }: Held, qty: number): Held => ({ held: held + qty, yours })

/** A trade by hand closes the user's own contracts first, then the copier's, and never opens anything of the copier's: what goes beyond is the user's. */
export const tradedByHand = ({ held, yours }: Held, qty: number): Held => {
  const ofYours = closing(yours, qty)
  const ofHeld = closing(held, qty - ofYours)
  return { held: held + ofHeld, yours: yours + qty - ofHeld }
}

/** A fill of an order that flattens the account, at the user's word: it closes the copier's contracts first, then the user's; what goes beyond was opened by the copier. */
export const flattened = ({ held, yours }: Held, qty: number): Held => {
  const ofHeld = closing(held, qty)
  const ofYours = closing(yours, qty - ofHeld)
  return { held: held + qty - ofYours, yours: yours + ofYours }
}

/** Working orders of the copier's own as they may fill: exits of the two kinds stand beside each other, of which only one fills. */
export type MayFill = { readonly side: 'buy' | 'sell'; readonly left: number; readonly kind: 'entry' | 'stop' | 'limit' }

/** The lowest and the highest position that may come of one, whichever of the orders under way fill. */
export type Reach = { readonly low: number; readonly high: number }

/** How far a position may go if the worst of its orders fill. */
export const reachOf = (net: number, orders: Iterable<MayFill>): Reach => {
  const buy = { entry: 0, stop: 0, limit: 0 }
  const sell = { entry: 0, stop: 0, limit: 0 }
  for (const { side, left, kind } of orders) (side === 'buy' ? buy : sell)[kind] += left
  return { low: net - sell.entry - Math.max(sell.stop, sell.limit), high: net + buy.entry + Math.max(buy.stop, buy.limit) }
}

/** The most contracts that a position can come to, of either side. */
export const mostOf = ({ low, high }: Reach): number => Math.max(Math.abs(low), Math.abs(high))
