import { samePrices } from '#shared/copier/contract-match.ts'
import { entryShares, overhangOf, readEntries, type CountOf, type EntryCount, type EntryShare, type LeaderEntry } from '#shared/copier/entries.ts'
import type { NotMirrored } from '#shared/copier/exits.ts'
import { flattens } from '#shared/copier/lock.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import { heldOf, inFlight, leaderContractsOf, leaderNet, matchOf, oursIn, type EntryEffect } from './followers.ts'
import { accountIn, contractStateOf, type Account, type Follower, type Group, type NotMirroredHere, type CopierOrder, type World } from './world.ts'

/** A follower's own entries in a contract that may still fill. */
export const entriesIn = (account: Account, group: Group, contract: string): CopierOrder[] => oursIn(account, contract).filter(({ intent }) => intent.purpose === 'entry' && intent.groupId === group.id)

/** The open quantity of an own entry; during a modify, the larger of both quantities. */
export const leftOf = (account: Account, { asked, filled, changing, orderId }: CopierOrder): number => {
  const brokerQty = changing && orderId !== null ? (account.book.order(orderId)?.version?.qty ?? 0) : 0
  return Math.max(0, Math.max(asked.qty, brokerQty) - filled)
}

/** Filled quantity of a follower's own entries, by the leader's order; of the past days too. */
export const filledFor = (account: Account, group: Group, contract: string): ReadonlyMap<number, number> => {
  const filled = new Map<number, number>()
  for (const { intent, follows, filled: qty } of account.placed.values()) {
    if (intent.purpose === 'entry' && intent.groupId === group.id && intent.contract === contract && follows !== null && qty > 0) filled.set(follows, (filled.get(follows) ?? 0) + qty)
  }
  return filled
}

/** The leader's entries for a follower's contract, their shares, and what is not mirrored. */
type EntriesOf = {
  readonly entries: readonly { readonly entry: LeaderEntry; readonly from: LiveContract }[]
  /** By the leader's order. */
  readonly shares: ReadonlyMap<number, EntryShare>
  /** The most that entries may work on each side. */
  readonly most: { readonly buy: number; readonly sell: number }
  readonly not: readonly NotMirroredHere[]
}

export const entriesOf = (world: World, group: Group, follower: Follower, account: Account, to: LiveContract, leaderContracts: readonly string[], countOf?: CountOf): EntriesOf => {
  const leaderAccount = accountIn(world, group, group.settings.leader)
  const entries: { readonly entry: LeaderEntry; readonly from: LiveContract }[] = []
  const shares = new Map<number, EntryShare>()
  const most = { buy: 0, sell: 0 }
  const not: NotMirroredHere[] = []
  const { entries: counted } = contractStateOf(follower, to.name)
  const followed = new Set([...entriesIn(account, group, to.name).flatMap(({ follows }) => follows ?? []), ...counted.keys()])
  for (const name of leaderAccount === undefined ? [] : leaderContracts) {
    const match = matchOf(follower, name)
    const leader = leaderNet(world, group, name)
    const from = leaderAccount?.contracts.byName.get(name)
    if (leaderAccount === undefined || match?.contract !== to.name || leader === null || from === undefined) continue
    const read = readEntries(leaderAccount.book.working(from.id), leader, from.tickSize)
    const all: readonly Pick<NotMirrored, 'type'>[] = [...read.entries, ...read.not]
    if (follower.rule.invert) not.push(...all.map(({ type }) => ({ type, why: 'invert' as const })))
    else if (!samePrices(from, to)) not.push(...all.map(({ type }) => ({ type, why: 'other-prices' as const })))
    else {
      not.push(...read.not)
      entries.push(...read.entries.map((entry) => ({ entry, from })))
      // Leader orders that filled or ended but still have own entries.
      const gone = [...followed].flatMap((orderId) => {
        const order = read.entries.some((entry) => entry.orderId === orderId) ? null : leaderAccount.book.order(orderId)
        return order === null || order.side === null || order.contractId !== from.id ? [] : [{ orderId, side: order.side, left: 0, filled: order.filled }]
      })
      const { ratio, contractCap } = follower.rule
      const of = entryShares([...read.entries, ...gone], { leader, base: follower.bases.get(name) ?? 0, factor: match.factor, ratio, contractCap }, countOf ?? ((orderId) => counted.get(orderId) ?? null))
      for (const [orderId, share] of of.shares) shares.set(orderId, share)
      most.buy += of.most.buy
      most.sell += of.most.sell
    }
  }
  // One cap for all leader contracts that map to this one.
  const { contractCap } = follower.rule
  const capped = contractCap === null ? most : { buy: Math.min(most.buy, contractCap), sell: Math.min(most.sell, contractCap) }
  return { entries, shares, most: capped, not }
}

/**
 * Counts the leader's new fills against what own entries filled ahead of them, and returns how far those are ahead now, signed. Only an own fill raises
 * it: what a hand, an exit, or a flatten took from the position is not bought again for the leader's order. `target` is the follower's without it.
 */
export const countAhead = (world: World, group: Group, follower: Follower, account: Account, contract: string, target: number): number => {
  const state = contractStateOf(follower, contract)
  const workingEntries = entriesIn(account, group, contract)
  const to = account.contracts.byName.get(contract)
  const before = state.entries
  const after = new Map<number, EntryCount>()
  state.entries = after
  if (to === undefined || (group.settings.mode !== 'orders' && workingEntries.length === 0)) return 0
  const filled = filledFor(account, group, contract)
  const { entries, shares } = entriesOf(world, group, follower, account, to, leaderContractsOf(world, group), (orderId) => before.get(orderId) ?? { surplus: filled.get(orderId) ?? 0, filled: 0 })
  const { buying, selling } = inFlight(oursIn(account, contract))
  // After a start, only contracts that the copier holds beyond its target can be ahead.
  let spare = heldOf(follower, contract) + buying - selling - target - state.apart
  let ahead = 0
  for (const [orderId, share] of shares) {
    const sign = share.side === 'buy' ? 1 : -1
    const left = workingEntries.reduce((sum, order) => sum + (order.follows === orderId ? leftOf(account, order) : 0), 0)
    if (left === 0 && !entries.some(({ entry }) => entry.orderId === orderId)) continue
    const most = flattens(follower.lock) ? 0 : before.has(orderId) ? share.ahead : Math.max(0, sign * spare)
    const own = Math.min(share.ahead, most)
    spare -= sign * own
    ahead += sign * own
    // Behind is only what its own entry may still fill.
    after.set(orderId, { surplus: own > 0 ? own : 0 - Math.min(share.behind, overhangOf(left, share)), filled: share.filled })
  }
  return ahead
}

const noEffect: EntryEffect = { buying: 0, selling: 0 }

/** The effect of own entries; zero if a follower never had one. */
export const entryEffect = (world: World, group: Group, follower: Follower, account: Account, contract: string): EntryEffect => {
  const workingEntries = entriesIn(account, group, contract)
  const to = account.contracts.byName.get(contract)
  if (to === undefined || workingEntries.length === 0) return noEffect
  const { shares } = entriesOf(world, group, follower, account, to, leaderContractsOf(world, group))
  let [buying, selling] = [0, 0]
  for (const order of workingEntries) {
    if (order.intent.dryRun) continue
    const overhang = overhangOf(leftOf(account, order), order.follows === null ? undefined : shares.get(order.follows))
    if (order.intent.side === 'buy') buying += overhang
    else selling += overhang
  }
  return { buying, selling }
}
