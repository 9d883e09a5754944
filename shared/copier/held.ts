/**
 * An account's position in one contract by owner: `held` is the copier's, `yours` the user's. Signed contracts;
 * the sum is the account's net position.
 */
export type Ownership = { readonly held: number; readonly yours: number }

/** The part of `qty` that closes `position`: of the opposite sign, never more than the position. */
const closing = (position: number, qty: number): number => (Math.sign(position) * Math.sign(qty) < 0 ? Math.sign(qty) * Math.min(Math.abs(position), Math.abs(qty)) : 0)

/** After a fill of the copier's own order: all of it is the copier's. */
export const tradedByCopier = ({ held, yours }: Ownership, qty: number): Ownership => ({ held: held + qty, yours })

/** After a manual trade: it closes the user's contracts first, then the copier's; any excess is the user's. */
export const tradedByHand = ({ held, yours }: Ownership, qty: number): Ownership => {
  const ofYours = closing(yours, qty)
  const ofHeld = closing(held, qty - ofYours)
  return { held: held + ofHeld, yours: yours + qty - ofHeld }
}

/** After a fill of an account flatten that the user asked for: it closes the copier's contracts first, then the user's; any excess is the copier's. */
export const flattened = ({ held, yours }: Ownership, qty: number): Ownership => {
  const ofHeld = closing(held, qty)
  const ofYours = closing(yours, qty - ofHeld)
  return { held: held + qty - ofYours, yours: yours + ofYours }
}

/** A working order of the copier that may fill; of a stop and a limit exit over the same contracts only one does. */
export type MayFill = { readonly side: 'buy' | 'sell'; readonly left: number; readonly kind: 'entry' | 'stop' | 'limit' }

/** The lowest and highest position that pending orders can lead to. */
export type Reach = { readonly low: number; readonly high: number }

/** The range of a position over all ways that its orders may fill. */
export const reachOf = (net: number, orders: Iterable<MayFill>): Reach => {
  const buy = { entry: 0, stop: 0, limit: 0 }
  const sell = { entry: 0, stop: 0, limit: 0 }
  for (const { side, left, kind } of orders) (side === 'buy' ? buy : sell)[kind] += left
  return { low: net - sell.entry - Math.max(sell.stop, sell.limit), high: net + buy.entry + Math.max(buy.stop, buy.limit) }
}

/** The largest size that a position can reach on either side. */
export const mostOf = ({ low, high }: Reach): number => Math.max(Math.abs(low), Math.abs(high))
