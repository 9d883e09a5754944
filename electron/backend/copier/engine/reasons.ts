import { contractsOf, heldOf, inFlight, isCounted, isNewer, leaderContractsOf, leaderNet, matchOf, oursIn, reckon, shrinkAlong } from './followers.ts'
import { contractsToFollow, following, leaderNetsOf, type StepParts } from './steps.ts'
import { accountIn, isUp, netOf, standOf, type Account, type Follower, type Group, type Stand, type World } from './world.ts'

// Never more risk without a fresh reason. A start, a reconnect, a changed rule may reduce; it adds only what the leader's fills since the last
// known state ask for. Where the leader holds more than its fills explain, or a rule asks for more than before, the user is asked once, and
// nothing is added before the answer.

/** Accounts for what the leader holds in a contract by its fills; false where they do not explain it. */
const accountFor = (group: Group, leader: Account, contract: string, net: number): boolean => {
  const known = group.leaders.get(contract) ?? { net: 0, taken: { time: 0, id: 0 }, since: { time: 0, id: 0 }, counted: new Set(), isOfBefore: false, changed: false }
  group.leaders.set(contract, known)
  const { isOfBefore } = known
  known.isOfBefore = false
  if (known.net === net && !isOfBefore) return true
  const id = leader.contracts.byName.get(contract)?.id
  let explained = known.net
  const through: number[] = []
  for (const fill of [...leader.knownFills.values()].filter(({ contractId }) => contractId === id).toSorted((one, other) => (isNewer(one, other) ? 1 : -1))) {
    if (known.counted.has(fill.id) || !isNewer(fill, known.since)) continue
    known.counted.add(fill.id)
    if (isNewer(fill, known.taken)) known.taken = { time: fill.time, id: fill.id }
    if (fill.active) through.push(explained += fill.side === 'buy' ? fill.qty : 0 - fill.qty)
  }
  // What came while the program lived was copied fill by fill.
  if (isOfBefore) shrinkAlong(group, contract, through)
  known.net = net
  known.changed = true
  return explained === net
}

/** Whether a follower's contract would be opened or grow if it went to its target now. */
const wouldAdd = (follower: Follower, account: Account, stand: Stand): boolean => {
  if (stand.target === null) return false
  const wanted = stand.target + stand.apart
  const { buying, selling } = inFlight(oursIn(account, stand.contract))
  const projected = heldOf(follower, stand.contract) + buying - selling
  return Math.abs(wanted) > Math.abs(projected) || wanted * projected < 0
}

/** A question about nothing: neither the leader nor the follower holds anything of it any more. */
const isMoot = (world: World, group: Group, follower: Follower, account: Account, { contract }: Stand, leaderContracts: readonly string[]): boolean =>
  netOf(account, contract) === 0 && heldOf(follower, contract) === 0 && oursIn(account, contract).length === 0 && leaderContracts.every((name) => matchOf(follower, name)?.contract !== contract || leaderNet(world, group, name) === 0)

/** Asks the users of followers before anything is added that no fill of the leader asks for, and lets questions go that are about nothing any more. Gives the followers that have asked first. */
export const askBeforeAdding = ({ world }: Pick<StepParts, 'world'>, group: Group): readonly Follower[] => {
  const leader = accountIn(world, group, group.kept.leader)
  const led = leaderNetsOf(world, group)
  if (leader === undefined || led === null) return []
  const asked: Follower[] = []
  const unexplained = new Set<string>()
  for (const contract of new Set([...contractsOf(leader), ...group.leaders.keys()])) {
    const net = led.nets.has(contract) ? (led.nets.get(contract) ?? null) : 0
    if (net !== null && !accountFor(group, leader, contract, net)) unexplained.add(contract)
  }
  const leaderContracts = leaderContractsOf(world, group)
  for (const { follower, account } of following(world, group)) {
    if (!follower.begun) continue
    const isRead = isUp(world, account)
    const about = new Set([...unexplained].map((name) => matchOf(follower, name)?.contract))
    for (const contract of contractsToFollow(follower, account, leaderContracts)) {
      const stand = standOf(follower, contract)
      if (about.has(contract) || (follower.asksFirst && isRead && isCounted(account, stand))) {
        if (reckon(follower, led, contract)) stand.changed = true
        if (!stand.asks && wouldAdd(follower, account, stand)) Object.assign(stand, { asks: true, changed: true })
      } else if (stand.asks && isRead && isMoot(world, group, follower, account, stand, leaderContracts)) Object.assign(stand, { asks: false, changed: true })
    }
    if (isRead && follower.asksFirst) asked.push(Object.assign(follower, { asksFirst: false }))
  }
  return asked
}
