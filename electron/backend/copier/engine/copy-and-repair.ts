import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { decide, type Decision } from '#shared/copier/decide.ts'
import type { CallKind, CallAllowance } from '#shared/copier/budget.ts'
import type { FillFact } from '#shared/copier/facts.ts'
import type { Cause, NotSent } from '../store/rows.ts'
import { wallOf, type Timing } from '../../brokers/timing.ts'
import type { CopierStore } from '../store/copier-store.ts'
import { countAhead, entryEffect } from './entries-own.ts'
import { otherAccountsOf, contractsOf, leaderContractsOf, leaderNet, matchOf, newestFill, recomputeTarget, situationOf, shrinkAlong, type OtherAccounts, type LeaderNets } from './followers.ts'
import { eventWithoutFill, marketDraft, type Draft, type OrderGateway } from './order-gateway.ts'
import { accountIn, followsHere, hasUnnamed, isUp, contractStateOf, type Account, type Follower, type Group, type NewFill, type World } from './world.ts'

/** A leader's fill to copy, and its arrival (`performance.now()`; null if read later). */
type FillCause = { readonly cause: Cause; readonly receivedAt: number | null }

/** Dependencies of deciding and sending. */
export type StepDeps = {
  readonly world: World
  readonly gateway: OrderGateway
  readonly timing: Timing
  /** Whether the budget allows a call of this kind to an account's login now; an allowed call is counted. */
  readonly takeCall: (account: Account, kind: CallKind) => CallAllowance
}

/** A follower without an order for a leader's fill, and why. */
type LeftOut = { readonly account: string; readonly contract: string; readonly why: string }

/** An active follower with its account. */
export type ActiveFollower = { readonly follower: Follower; readonly account: Account }

/** The active followers of a group. */
export const activeFollowers = (world: World, group: Group): ActiveFollower[] =>
  [...group.followers.values()].flatMap((follower) => {
    const account = accountIn(world, group, follower.account)
    return followsHere(follower) && account !== undefined ? [{ follower, account }] : []
  })

/** The leader's nets, computed once for all followers; null while its line is down: an empty book does not mean flat. */
export const leaderNetsOf = (world: World, group: Group): LeaderNets | null => {
  const leader = accountIn(world, group, group.settings.leader)
  if (leader === undefined || !isUp(world, leader) || hasUnnamed(leader)) return null
  return {
    nets: new Map(contractsOf(leader).map((contract) => [contract, leaderNet(world, group, contract)])),
    newestFill: (contract) => newestFill(leader, contract),
    countAhead: (follower, contract, target) => {
      const account = accountIn(world, group, follower.account)
      return account === undefined ? 0 : countAhead(world, group, follower, account, contract, target)
    },
  }
}

/** Contracts to check for a follower: those copied from the leader, with a deviation, or with copier orders. */
export const contractsToFollow = (follower: Follower, account: Account, leaderContracts: readonly string[]): Set<string> => {
  const contracts = new Set(follower.states.keys())
  for (const from of leaderContracts) {
    const match = matchOf(follower, from)
    if (match !== null) contracts.add(match.contract)
  }
  for (const { intent } of account.ours.values()) if (intent.groupId === follower.groupId) contracts.add(intent.contract)
  return contracts
}

/** Takes the next step for one contract of one follower: returns an order to send, or handles the rest itself. */
const step = (deps: StepDeps, group: Group, follower: Follower, account: Account, contract: string, others: OtherAccounts, promised = 0): Draft | null => {
  const { world, gateway, timing, takeCall } = deps
  const state = contractStateOf(follower, contract)
  const now = timing.now()
  const situation = situationOf({ world, group, follower, account, contract, others, now, promised, entries: entryEffect(world, group, follower, account, contract) })
  // The user is asked about what the follower lacks once its fills are counted.
  const decision: Decision = decide(follower.needsDecisionNext ? { ...situation, noAdding: situation.noAdding ?? 'reading' } : situation)
  state.retryAt = now < state.heldUntil ? state.heldUntil : null
  state.difference = decision.difference
  state.why = decision.why ?? state.apartWhy ?? (state.capped ? 'cap' : null)
  if (decision.do === 'nothing') return null
  if (decision.do === 'cancel') {
    for (const clOrdId of decision.orders) {
      const order = account.ours.get(clOrdId)
      if (order !== undefined && takeCall(account, 'reduce').ok) gateway.cancel(account, order)
    }
    return null
  }
  let { qty } = decision
  if (!group.settings.dryRun) {
    let call = takeCall(account, decision.adds > 0 ? 'enter' : 'reduce')
    if (!call.ok && decision.adds > 0 && decision.qty > decision.adds) {
      // The reducing part of a reversal does not wait for the room that the rest needs.
      state.why = call.why
      state.retryAt = now + call.waitMs
      qty -= decision.adds
      call = takeCall(account, 'reduce')
    }
    if (!call.ok) {
      state.why = call.why
      state.retryAt = now + call.waitMs
      return null
    }
  }
  // Later decisions of this tick see it as sent.
  if (decision.adds > 0) others.sides().add({ account: account.key, contract, low: decision.side === 'buy' ? 0 : -1, high: decision.side === 'buy' ? 1 : 0 })
  return marketDraft({ group, follower, account, contract, side: decision.side, qty, purpose: 'repair' })
}

/** Copies one leader fill to all followers: one statement, all requests in the same tick. Returns the ledger event if something was sent, and the followers left out. */
const copyFill = (deps: StepDeps, group: Group, followers: readonly ActiveFollower[], leaderContract: string, { cause, receivedAt }: FillCause): { readonly leftOut: readonly LeftOut[]; readonly event: number | null } => {
  const { world, gateway, timing } = deps
  const leader = leaderNetsOf(world, group)
  const others = otherAccountsOf(world, group, timing.now())
  const drafts: Draft[] = []
  const leftOut: LeftOut[] = []
  for (const { follower, account } of followers) {
    const match = matchOf(follower, leaderContract)
    if (match === null) {
      leftOut.push({ account: account.key, contract: leaderContract, why: 'product-not-copied' })
      continue
    }
    const state = contractStateOf(follower, match.contract)
    if (recomputeTarget(follower, leader, match.contract)) state.changed = true
    const draft = step(deps, group, follower, account, match.contract, others)
    if (draft === null) leftOut.push({ account: account.key, contract: match.contract, why: state.why ?? 'in-step' })
    else drafts.push({ ...draft, purpose: 'copy' })
  }
  const event = drafts.length > 0 ? gateway.send(cause, drafts, receivedAt) : null
  if (event === null) leftOut.push(...drafts.map(({ account, contract }) => ({ account: account.key, contract, why: 'not-saved' })))
  return { leftOut, event }
}

/** Checks every contract of these followers and repairs what is out of sync. */
export const repair = (deps: StepDeps, group: Group, followers: Iterable<ActiveFollower>): void => {
  const { world, gateway, timing } = deps
  const leader = leaderNetsOf(world, group)
  const leaderContracts = leaderContractsOf(world, group)
  const others = otherAccountsOf(world, group, timing.now())
  const drafts = new Map<string, Draft[]>()
  for (const { follower, account } of followers) {
    let promised = 0
    for (const contract of contractsToFollow(follower, account, leaderContracts)) {
      const state = contractStateOf(follower, contract)
      if (recomputeTarget(follower, leader, contract)) state.changed = true
      if (!follower.begun && isUp(world, account)) continue
      const draft = step(deps, group, follower, account, contract, others, promised)
      if (draft === null) continue
      promised += draft.qty
      const leaderContract = leaderContracts.find((from) => matchOf(follower, from)?.contract === contract) ?? contract
      getOrInsert(drafts, leaderContract, () => []).push(draft)
    }
  }
  for (const [contract, together] of drafts) gateway.send(eventWithoutFill(group, 'repair', contract, wallOf(timing)), together, null)
}

/** How long a follower's own exit may take to fill after the leader's. */
const twinMs = 1_500

/** Delay before logging what was not sent, so that orders reach the wire first. */
const notesAfterMs = 30

const signed = ({ side, qty }: FillFact): number => (side === 'buy' ? qty : 0 - qty)

/** Copies a group's new fills of the leader as far as the leader's position is certain; ledger entries follow after the orders. True if something was sent. */
export type CopyNewFills = (group: Group) => boolean

type CopyNewFillsDeps = {
  readonly steps: StepDeps
  readonly store: CopierStore
  /** Runs `act` after `ms`, unless the copier stops first. */
  readonly later: (ms: number, act: () => void) => void
}

/** Creates the step that copies a leader's new fills at once. */
export const createCopyNewFills = ({ steps, store, later }: CopyNewFillsDeps): CopyNewFills => {
  const { world, timing } = steps

  const causeOf = (group: Group, contract: string, fill: FillFact): Cause => ({
    groupId: group.id,
    at: wallOf(timing),
    kind: 'fill',
    leaderAccount: group.settings.leader,
    contract,
    fillId: String(fill.id),
    side: fill.side,
    qty: fill.qty,
    price: String(fill.price),
  })

  /** Gives a follower's own exit for the leader's filled order a moment to fill at the same price. */
  const letTwinsFill = (followers: readonly ActiveFollower[], leaderOrderId: number): void => {
    for (const { follower, account } of followers) {
      if (account.ours.size === 0) continue
      for (const order of account.ours.values()) {
        if (order.follows !== leaderOrderId) continue
        const state = contractStateOf(follower, order.intent.contract)
        if (order.intent.purpose === 'entry') state.entryUntil = timing.now() + twinMs
        else {
          order.twin = true
          state.twinUntil = timing.now() + twinMs
        }
      }
    }
  }

  /** Logs followers without an order for a fill, and why, once the orders are out. */
  const note = (event: number | Cause, leftOut: readonly LeftOut[]): void =>
    later(notesAfterMs, () => {
      const cause = typeof event === 'number' ? event : store.writeCause(event)
      const rows: NotSent[] = leftOut.map(({ account, contract, why }) => ({ cause, account, contract, why }))
      if (rows.length > 0) store.notSent(rows)
    })

  return (group) => {
    const leader = accountIn(world, group, group.settings.leader)
    if (leader === undefined || group.newFills.length === 0) return false
    let sent = false
    const followers = activeFollowers(world, group)
    const { byId } = leader.contracts
    const waiting: NewFill[] = []
    const byContract = new Map<string, NewFill[]>()
    for (const news of group.newFills) {
      const contract = byId.get(news.fill.contractId)?.name
      if (contract === undefined || leaderNet(world, group, contract) === null) waiting.push(news)
      else getOrInsert(byContract, contract, () => []).push(news)
    }
    group.newFills = waiting
    for (const [contract, fills] of byContract) {
      const last = fills.at(-1)
      if (last === undefined) continue
      let net = fills.reduce((sum, { fill }) => sum - signed(fill), leaderNet(world, group, contract) ?? 0)
      shrinkAlong(group, contract, fills.map(({ fill }) => (net += signed(fill))))
      // Fills of one message are copied together: one order per follower, after the last fill.
      for (const { fill } of fills) letTwinsFill(followers, fill.orderId)
      const cause = causeOf(group, contract, last.fill)
      const { leftOut, event } = copyFill(steps, group, followers, contract, { cause, receivedAt: last.receivedAt })
      for (const { fill } of fills.slice(0, -1)) {
        note(causeOf(group, contract, fill), followers.map(({ account }) => ({ account: account.key, contract, why: 'with-next-fill' })))
      }
      sent ||= event !== null
      note(event ?? cause, leftOut)
    }
    return sent
  }
}
