import { samePrices } from '#shared/copier/contract-match.ts'
import { entryShares, overhangOf, readEntries, type EntryShare, type LeaderEntry } from '#shared/copier/entries.ts'
import type { NotMirrored } from '#shared/copier/exits.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import { leaderContractsOf, leaderNet, matchOf, oursIn, type EntryEffect } from './followers.ts'
import { accountIn, type Account, type Follower, type Group, type NotMirroredHere, type OutOrder, type World } from './world.ts'

/** A follower's own entries in a contract that may still fill. */
export const entriesIn = (account: Account, group: Group, contract: string): OutOrder[] => oursIn(account, contract).filter(({ intent }) => intent.purpose === 'entry' && intent.groupId === group.id)

/** The open quantity of an own entry; during a modify, the larger of both quantities. */
export const leftOf = (account: Account, { asked, filled, changing, orderId }: OutOrder): number => {
  const brokerQty = changing && orderId !== null ? (account.book.order(orderId)?.version?.qty ?? 0) : 0
  return Math.max(0, Math.max(asked.qty, brokerQty) - filled)
}

/** Filled quantity of a follower's own entries, by the leader's order. */
const filledFor = (account: Account, group: Group, contract: string): ReadonlyMap<number, number> => {
  const filled = new Map<number, number>()
  for (const { intent, follows, filled: qty } of account.placed.values()) {
    if (intent.purpose === 'entry' && intent.groupId === group.id && intent.contract === contract && follows !== null && qty > 0) filled.set(follows, (filled.get(follows) ?? 0) + qty)
  }
  return filled
}

/** The leader's entries for a follower's contract, their shares, and what is not mirrored. */
type EntriesOf = { readonly entries: readonly { readonly entry: LeaderEntry; readonly from: LiveContract }[]; readonly shares: ReadonlyMap<number, EntryShare>; readonly most: { readonly buy: number; readonly sell: number }; readonly not: readonly NotMirroredHere[] }

export const entriesOf = (world: World, group: Group, follower: Follower, account: Account, to: LiveContract, leaderContracts: readonly string[]): EntriesOf => {
  const leaderAccount = accountIn(world, group, group.kept.leader)
  const entries: { readonly entry: LeaderEntry; readonly from: LiveContract }[] = []
  const shares = new Map<number, EntryShare>()
  const most = { buy: 0, sell: 0 }
  const not: NotMirroredHere[] = []
  const own = filledFor(account, group, to.name)
  const followed = new Set([...entriesIn(account, group, to.name).flatMap(({ follows }) => follows ?? []), ...own.keys()])
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
      const of = entryShares([...read.entries, ...gone], { leader, base: follower.bases.get(name) ?? 0, factor: match.factor, ratio, contractCap }, (orderId) => own.get(orderId) ?? 0)
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

const noEffect: EntryEffect = { ahead: 0, buying: 0, selling: 0 }

/** The effect of own entries; zero if a follower never had one. */
export const entryEffect = (world: World, group: Group, follower: Follower, account: Account, contract: string): EntryEffect => {
  const standing = entriesIn(account, group, contract)
  const to = account.contracts.byName.get(contract)
  if (to === undefined || (group.kept.mode !== 'orders' && standing.length === 0)) return noEffect
  const { entries, shares } = entriesOf(world, group, follower, account, to, leaderContractsOf(world, group))
  let [ahead, buying, selling] = [0, 0, 0]
  for (const { entry } of entries) ahead += (entry.side === 'buy' ? 1 : -1) * (shares.get(entry.orderId)?.ahead ?? 0)
  for (const order of standing) {
    if (order.intent.dryRun) continue
    const overhang = overhangOf(leftOf(account, order), order.follows === null ? undefined : shares.get(order.follows))
    if (order.intent.side === 'buy') buying += overhang
    else selling += overhang
  }
  return { ahead, buying, selling }
}
