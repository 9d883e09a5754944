import type { Side } from '#shared/fills/fill.ts'
import type { TickValue } from '#shared/market/contract-spec.ts'
import { multiplyDivide, type Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { sameSize } from './contract-match.ts'

/** A follower's slippage against the leader's price; positive is worse for the follower. `ticks` are ticks times contracts, `money` is 1/10,000 of its currency. */
export type Slippage = { readonly ticks: number; readonly money: Amount }

/**
 * The slippage of a follower's fills against the leader's price, both in whole ticks. Null if nothing filled or
 * if tick sizes differ: then the two prices cannot be compared exactly.
 */
export const slippageOf = (copy: {
  readonly side: Side
  readonly leader: { readonly price: Ticks; readonly tickSize: string }
  readonly follower: { readonly tickSize: string; readonly tickValue: TickValue }
  readonly fills: readonly { readonly price: Ticks; readonly qty: number }[]
}): Slippage | null => {
  const { side, leader, follower, fills } = copy
  if (fills.length === 0 || !sameSize(leader.tickSize, follower.tickSize)) return null
  const paid = fills.reduce((sum, { price, qty }) => sum + (price - leader.price) * qty, 0)
  const ticks = (side === 'buy' ? paid : 0 - paid) + 0
  return { ticks, money: multiplyDivide(ticks, follower.tickValue.num, 1, follower.tickValue.den) }
}
