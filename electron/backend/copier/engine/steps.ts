import { decide, type Decision } from '#shared/copier/decide.ts'
import type { CallKind, CallLeave } from '#shared/copier/budget.ts'
import type { Cause } from '../store/rows.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { entryEffect } from './entries-own.ts'
import { besideOf, contractsOf, leaderContractsOf, leaderNet, matchOf, newestFill, reckon, situationOf, type Beside, type LeaderNets } from './followers.ts'
import { marketDraft, type Draft, type Outlet } from './orders-out.ts'
import { accountIn, followsHere, hasUnnamed, isUp, standOf, type Account, type Follower, type Group, type World } from './world.ts'

/** A leader's fill that copies follow, and when it was heard (`performance.now()`; null where it was read later). */
export type FillCause = { readonly cause: Cause; readonly heardAt: number | null }

/** What deciding and sending work with. */
export type StepParts = {
  readonly world: World
  readonly outlet: Outlet
  readonly timing: Timing
  /** Whether a call of this kind may go to an account's login now; it is counted where it may. */
  readonly leave: (account: Account, kind: CallKind) => CallLeave
}

/** Why a follower got nothing for a leader's fill. */
export type LeftOut = { readonly account: string; readonly contract: string; readonly why: string }

/** A follower that follows at all, with its account. */
export type Following = { readonly follower: Follower; readonly account: Account }

/** The followers of a group that follow at all. */
export const following = (world: World, group: Group): Following[] =>
  [...group.followers.values()].flatMap((follower) => {
    const account = accountIn(world, group, follower.account)
    return followsHere(follower) && account !== undefined ? [{ follower, account }] : []
  })

/** What the leader holds in each of them, reckoned once for all followers; null while its line is not up: a book that is still empty is no flat leader. */
export const leaderNetsOf = (world: World, group: Group): LeaderNets | null => {
  const leader = accountIn(world, group, group.kept.leader)
  if (leader === undefined || !isUp(world, leader) || hasUnnamed(leader)) return null
  return { nets: new Map(contractsOf(leader).map((contract) => [contract, leaderNet(world, group, contract)])), newestFill: (contract) => newestFill(leader, contract) }
}

/** The contracts in which a follower has something to do: what follows the leader's, what stands apart, and where orders of ours are. */
export const contractsToFollow = (follower: Follower, account: Account, leaderContracts: readonly string[]): Set<string> => {
  const contracts = new Set(follower.stands.keys())
  for (const from of leaderContracts) {
    const match = matchOf(follower, from)
    if (match !== null) contracts.add(match.contract)
  }
  for (const { intent } of account.ours.values()) if (intent.groupId === follower.groupId) contracts.add(intent.contract)
  return contracts
}

/** Takes the next step of one contract of one follower: gives an order to send, or does the rest itself. */
const step = (parts: StepParts, group: Group, follower: Follower, account: Account, contract: string, beside: Beside, promised = 0): Draft | null => {
  const { world, outlet, timing, leave } = parts
  const stand = standOf(follower, contract)
  const now = timing.now()
  const decision: Decision = decide(situationOf(world, group, follower, account, contract, beside, now, promised, entryEffect(world, group, follower, account, contract)))
  stand.retryAt = now < stand.heldUntil ? stand.heldUntil : null
  stand.difference = decision.difference
  stand.why = decision.why ?? stand.apartWhy ?? (stand.capped ? 'cap' : null)
  if (decision.do === 'nothing') return null
  if (decision.do === 'cancel') {
    for (const clOrdId of decision.orders) {
      const order = account.ours.get(clOrdId)
      if (order !== undefined && leave(account, 'reduce').ok) outlet.cancel(account, order)
    }
    return null
  }
  let { qty } = decision
  if (!group.kept.dryRun) {
    let left = leave(account, decision.adds > 0 ? 'enter' : 'reduce')
    if (!left.ok && decision.adds > 0 && decision.qty > decision.adds) {
      // What reduces does not wait for the room that the rest of a flip has to wait for.
      stand.why = left.why
      stand.retryAt = now + left.waitMs
      qty -= decision.adds
      left = leave(account, 'reduce')
    }
    if (!left.ok) {
      stand.why = left.why
      stand.retryAt = now + left.waitMs
      return null
    }
  }
  // Whoever is decided on next in this turn sees it as sent.
  if (decision.adds > 0) beside.sides().add({ account: account.key, contract, low: decision.side === 'buy' ? 0 : -1, high: decision.side === 'buy' ? 1 : 0 })
  return marketDraft({ group, follower, account, contract, side: decision.side, qty, purpose: 'repair' })
}

/** Copies one leader's fill to all followers at once: one statement, all requests in the same tick. Gives the ledger's event where something was sent, and who got nothing. */
export const copyFill = (parts: StepParts, group: Group, followers: readonly Following[], leaderContract: string, { cause, heardAt }: FillCause): { readonly leftOut: readonly LeftOut[]; readonly event: number | null } => {
  const { world, outlet, timing } = parts
  const leader = leaderNetsOf(world, group)
  const beside = besideOf(world, group, timing.now())
  const drafts: Draft[] = []
  const leftOut: LeftOut[] = []
  for (const { follower, account } of followers) {
    const match = matchOf(follower, leaderContract)
    if (match === null) {
      leftOut.push({ account: account.key, contract: leaderContract, why: 'product-not-copied' })
      continue
    }
    const stand = standOf(follower, match.contract)
    if (reckon(follower, leader, match.contract)) stand.changed = true
    const draft = step(parts, group, follower, account, match.contract, beside)
    if (draft === null) leftOut.push({ account: account.key, contract: match.contract, why: stand.why ?? 'in-step' })
    else drafts.push({ ...draft, purpose: 'copy' })
  }
  return { leftOut, event: drafts.length > 0 ? outlet.send(cause, drafts, heardAt) : null }
}

/** Looks at every contract of these followers of a group and repairs what is out of step. */
export const repair = (parts: StepParts, group: Group, followers: Iterable<Following>): void => {
  const { world, outlet, timing } = parts
  const leader = leaderNetsOf(world, group)
  const leaderContracts = leaderContractsOf(world, group)
  const beside = besideOf(world, group, timing.now())
  const drafts = new Map<string, Draft[]>()
  for (const { follower, account } of followers) {
    let promised = 0
    for (const contract of contractsToFollow(follower, account, leaderContracts)) {
      const stand = standOf(follower, contract)
      if (reckon(follower, leader, contract)) stand.changed = true
      if (!follower.begun && isUp(world, account)) continue
      const draft = step(parts, group, follower, account, contract, beside, promised)
      if (draft === null) continue
      promised += draft.qty
      const leaderContract = leaderContracts.find((from) => matchOf(follower, from)?.contract === contract) ?? contract
      const together = drafts.get(leaderContract)
      if (together === undefined) drafts.set(leaderContract, [draft])
      else together.push(draft)
    }
  }
  for (const [contract, together] of drafts) {
    outlet.send({ groupId: group.id, at: timing.now(), kind: 'repair', leaderAccount: group.kept.leader, contract, fillId: null, side: null, qty: 0, price: null }, together, null)
  }
}
