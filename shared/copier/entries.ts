import type { ExactRatio } from '#shared/api/copier.ts'
import type { Side } from '#shared/fills/fill.ts'
import type { BookOrder } from './book.ts'
import { isExitType, readPrices, type ExitPrices, type ExitType, type NotMirrored } from './exits.ts'
import { targetOf } from './target.ts'

/** A working order of the leader that opens a position or adds to one. `filled` is what it did so far. Prices are whole ticks. */
export type LeaderEntry = ExitPrices & { readonly orderId: number; readonly side: Side; readonly left: number; readonly filled: number; readonly type: ExitType }

/** What one leader's entry means for a follower, in the follower's contracts. */
export type EntryShare = {
  /** What the follower's target gains when the rest of it fills. */
  readonly remaining: number
  /** What the follower's own entry filled before the leader's: its target has it as long as the leader's order works. */
  readonly ahead: number
  /** What the leader's filled before the follower's own. */
  readonly behind: number
}

/** By the leader's order, with what the follower comes to on each side once all of them filled: whatever its rounding, it never works for more. */
export type EntryShares = { readonly shares: ReadonlyMap<number, EntryShare>; readonly most: { readonly buy: number; readonly sell: number } }

/** One of the leader's contracts as a follower sees it. */
export type EntryLeg = { readonly leader: number; readonly base: number; readonly factor: ExactRatio; readonly ratio: ExactRatio; readonly contractCap: number | null }

/** Of the leader's orders in a contract those that open or add: the ones that can be mirrored, and why the others cannot. */
export const readEntries = (orders: readonly BookOrder[], leader: number, tickSize: string): { readonly entries: readonly LeaderEntry[]; readonly not: readonly NotMirrored[] } => {
  const entries: LeaderEntry[] = []
  const not: NotMirrored[] = []
  for (const { id, side, status, left, filled, version } of orders) {
    if (side === null || (leader !== 0 && leader > 0 !== (side === 'buy')) || left === null || left === 0 || status === 'Suspended' || status === 'PendingCancel' || version === null || version.type === 'Market') continue
    const { type } = version
    if (!isExitType(type)) {
      not.push({ type, why: 'type' })
      continue
    }
    const prices = readPrices(type, version, tickSize)
    if (prices === null) not.push({ type, why: 'price' })
    else entries.push({ orderId: id, side, left, filled, type, ...prices })
  }
  return { entries, not }
}

/**
 * What each of the leader's entries means for a follower whose own entries for it filled so much. Entries of one side count one after another,
 * so that the sums follow the target's own rounding. One that does not work any more (`left` 0) leaves nothing to be ahead of.
 */
export const entryShares = (entries: readonly Pick<LeaderEntry, 'orderId' | 'side' | 'left' | 'filled'>[], { leader, base, ...rules }: EntryLeg, ownFilled: (orderId: number) => number): EntryShares => {
  const shares = new Map<number, EntryShare>()
  const most = { buy: 0, sell: 0 }
  for (const side of ['buy', 'sell'] as const) {
    const sign = side === 'buy' ? 1 : -1
    // Contracts on this side of flat, once the leader holds so many.
    const sizeAt = (net: number): number => Math.max(0, sign * targetOf({ legs: [{ leader: net, base, factor: rules.factor }], ratio: rules.ratio, contractCap: rules.contractCap }).target)
    let net = leader
    for (const { orderId, left, filled } of entries.filter((entry) => entry.side === side).toSorted((one, other) => one.orderId - other.orderId)) {
      const remaining = sizeAt(net + sign * left) - sizeAt(net)
      net += sign * left
      const done = sizeAt(leader) - sizeAt(leader - sign * filled)
      const own = ownFilled(orderId)
      shares.set(orderId, { remaining, ahead: Math.min(remaining, Math.max(0, own - done)), behind: Math.max(0, done - own) })
    }
    most[side] = sizeAt(net)
  }
  return { shares, most }
}

/** Contracts of an own entry that nothing of the leader's order is left for: they stand for what it filled already, or are about to go. */
export const overhangOf = (left: number, share: EntryShare | undefined): number => Math.max(0, left - (share === undefined ? 0 : share.remaining - share.ahead))

/** Contracts for which an own entry should work. While the leader's fill is fresh (`mayFill`) it may still fill for that by itself. */
export const entryQty = (share: EntryShare | undefined, left: number, mayFill: boolean): number =>
  share === undefined ? 0 : share.remaining - share.ahead + (mayFill ? Math.min(share.behind, overhangOf(left, share)) : 0)
