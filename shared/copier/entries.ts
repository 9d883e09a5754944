import type { ExactRatio } from '#shared/api/copier.ts'
import type { Side } from '#shared/fills/fill.ts'
import type { BookOrder } from './book.ts'
import { isExitType, kindOf, readPrices, triggerOf, type ExitPrices, type ExitType, type NotMirrored } from './exits.ts'
import { targetOf } from './target.ts'

/** A working order of the leader that opens or adds to a position. `left` and `filled` are contracts, prices whole ticks. */
export type LeaderEntry = ExitPrices & { readonly orderId: number; readonly side: Side; readonly left: number; readonly filled: number; readonly type: ExitType }

/** A follower's share of one leader entry, in the follower's contracts. */
export type EntryShare = {
  readonly side: Side
  /** The leader's fills that `ahead` and `behind` count. */
  readonly filled: number
  /** How much the follower's target grows when the rest of it fills. */
  readonly remaining: number
  /** The most contracts that own entries for it may fill, over its whole life. */
  readonly whole: number
  /** How far the follower's own entry has filled ahead of the leader's: part of its target while the leader's order works. */
  readonly ahead: number
  /** How far the leader's entry has filled ahead of the follower's own. */
  readonly behind: number
}

/** How far own entries for a leader's order have filled ahead of it, below zero behind it, with the first `filled` contracts of the leader counted. */
export type EntryCount = { readonly surplus: number; readonly filled: number }

/** The count for a leader's order; null if there is none yet. */
export type CountOf = (orderId: number) => EntryCount | null

/** Shares by the leader's order id; `most` caps the follower's working contracts on each side once all of them filled. */
export type EntryShares = { readonly shares: ReadonlyMap<number, EntryShare>; readonly most: { readonly buy: number; readonly sell: number } }

/** One of the leader's contracts with the follower's copy settings for it. */
export type EntryLeg = { readonly leader: number; readonly base: number; readonly factor: ExactRatio; readonly ratio: ExactRatio; readonly contractCap: number | null }

/** The leader's entries in a contract: those that can be mirrored, the nearest limits and stops first, and why the others cannot. */
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
  return { entries: nearestFirst(entries), not }
}

/** The nearest limit and the nearest stop of each side, then the second nearest: which of the two fills first is open. */
const nearestFirst = (entries: readonly LeaderEntry[]): readonly LeaderEntry[] => {
  const kindAndSide = ({ type, side }: LeaderEntry): string => `${kindOf(type)} ${side}`
  // The market lies above buy limits and sell stops, and below the others.
  const distance = (entry: LeaderEntry): number => ((kindOf(entry.type) === 'limit') === (entry.side === 'buy') ? -1 : 1) * triggerOf(entry)
  const ranked = [...Map.groupBy(entries, kindAndSide).values()].flatMap((alike) => alike.toSorted((one, other) => distance(one) - distance(other) || one.orderId - other.orderId).map((entry, rank) => ({ entry, rank })))
  return ranked.toSorted((one, other) => one.rank - other.rank || one.entry.orderId - other.entry.orderId).map(({ entry }) => entry)
}

/**
 * A follower's share of each leader entry. Entries of one side count one after another as given, so their sums follow the target's own rounding.
 * An entry that no longer works (`left` 0) has nothing to be ahead of.
 */
export const entryShares = (entries: readonly Pick<LeaderEntry, 'orderId' | 'side' | 'left' | 'filled'>[], { leader, base, ...rules }: EntryLeg, countOf: CountOf): EntryShares => {
  const shares = new Map<number, EntryShare>()
  const most = { buy: 0, sell: 0 }
  for (const side of ['buy', 'sell'] as const) {
    const sign = side === 'buy' ? 1 : -1
    // The follower's contracts on this side when the leader's position is `net`.
    const sizeAt = (net: number, uncopied = base): number => Math.max(0, sign * targetOf({ legs: [{ leader: net, base: uncopied, factor: rules.factor }], ratio: rules.ratio, contractCap: rules.contractCap }).target)
    // By how much the leader's fills raised the target, also if the leader has closed them since.
    const shareOf = (filled: number): number => (filled <= 0 ? 0 : Math.max(sizeAt(leader) - sizeAt(leader - sign * filled), sizeAt(sign * filled, 0)))
    let net = leader
    for (const { orderId, left, filled } of entries.filter((entry) => entry.side === side)) {
      const remaining = sizeAt(net + sign * left) - sizeAt(net)
      net += sign * left
      const known = countOf(orderId)
      const surplus = known === null ? 0 : known.surplus - shareOf(filled - known.filled)
      const whole = Math.ceil(((left + filled) * rules.ratio.num * rules.factor.num) / (rules.ratio.den * rules.factor.den))
      shares.set(orderId, { side, filled, remaining, whole, ahead: Math.min(remaining, Math.max(0, surplus)), behind: Math.max(0, 0 - surplus) })
    }
    most[side] = sizeAt(net)
  }
  return { shares, most }
}

/** Contracts of the follower's own entry beyond what is left of the leader's: they stand for its fills, or are about to be canceled. */
export const overhangOf = (left: number, share: EntryShare | undefined): number => Math.max(0, left - (share === undefined ? 0 : share.remaining - share.ahead))

/** Contracts that the follower's own entry should work. While the leader's fill is fresh (`mayFill`), it may still fill too. */
export const entryQty = (share: EntryShare | undefined, left: number, mayFill: boolean): number =>
  share === undefined ? 0 : share.remaining - share.ahead + (mayFill ? Math.min(share.behind, overhangOf(left, share)) : 0)
