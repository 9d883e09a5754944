import type { CopyGroup, FollowerRule, LockReason, WaitReason } from '#shared/api/copier.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { Book } from '#shared/copier/book.ts'
import type { Budget } from '#shared/copier/budget.ts'
import type { ContractMatch } from '#shared/copier/contract-match.ts'
import type { OpenSnapshot } from '#shared/copier/day-bounds.ts'
import type { EntryCount } from '#shared/copier/entries.ts'
import type { SessionMoney } from '#shared/copier/session-money.ts'
import type { WantedExit } from '#shared/copier/exits.ts'
import type { Fact, FillFact } from '#shared/copier/facts.ts'
import type { Hedge } from '#shared/copier/hedge.ts'
import type { Intent, SavedGroup, OrderStage, CountedFill } from '../store/rows.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import type { CopierAccount, Entries } from './calls.ts'
import type { BrokerLine } from './line.ts'
import type { LineState } from './line-reading.ts'

/** A copier order until it is complete. Times named `…Ms` are UTC, those named `…At` are `performance.now()`. */
export type CopierOrder = {
  readonly intent: Intent
  stage: OrderStage
  orderId: number | null
  filled: number
  /** When the leader's fill arrived, if it copies one. */
  readonly receivedAt: number | null
  /** The leader's contract and price for slippage. */
  readonly leader: { readonly contract: string; readonly price: number } | null
  wireAt: number | null
  /** When the order was sent. */
  readonly sentMs: number
  /** When the request was cut without an answer; a read that begins 10 s later knows the outcome. */
  cutMs: number | null
  /** It has ended, and its fills are being reread. */
  ended: boolean
  cancelMs: number | null
  /** A modify is pending. */
  changing: boolean
  /** The last requested total quantity and wire prices, and when; the broker's version may lag. */
  asked: { qty: number; price: number | null; stopPrice: number | null; pegDifference: number | null }
  askedMs: number
  /** For a mirrored exit or entry: the leader's order it mirrors now. */
  follows: number | null
  /** The clOrdId of its OCO partner. */
  readonly pair: string | null
  /** It was seen working at the broker: if it ends without a cancel of ours, it was canceled manually. */
  wasWorking: boolean
  /** The leader's order that it mirrors has filled: it may fill too, and is canceled first if it does not. */
  twin: boolean
  /** An entry that counts for the leader's order that it mirrors, which may still work. */
  counts: boolean
  /** Its contracts became the user's after it had ended: what is busted of them is the user's too. */
  givenToUser: boolean
}

/** A copier order as written, before anything became of it. */
export const newOrder = (intent: Intent): CopierOrder => ({
  intent, stage: intent.dryRun ? 'dry-run' : 'sent', orderId: null, filled: 0,
  receivedAt: null, leader: null, wireAt: null, sentMs: intent.writtenAt, cutMs: null,
  ended: false, cancelMs: null, changing: false,
  asked: { qty: intent.qty, price: intent.price, stopPrice: intent.stopPrice, pegDifference: intent.pegDifference },
  askedMs: 0, follows: intent.leaderOrderId, pair: null,
  wasWorking: false, twin: false, counts: false, givenToUser: false,
})

/** A brokerage account, as known from its line. */
export type Account = CopierAccount & {
  readonly userId: string
  readonly contracts: Contracts
  readonly book: Book
  /** Copier orders that may still fill, by clOrdId. */
  readonly ours: Map<string, CopierOrder>
  /** The session's known fills by id; any other is new. */
  readonly knownFills: Map<number, FillFact>
  /** Current and past copier orders, by the broker's id. */
  readonly placed: Map<number, CopierOrder>
  /** Copier orders that ended without a broker id, by clOrdId: one may still arrive late. */
  readonly givenUp: Map<string, CopierOrder>
  /** A follower's fills not yet counted in `held` or `yours`, with their arrival (UTC ms). */
  readonly uncounted: Map<number, { readonly fill: FillFact; readonly since: number }>
  /** Contracts being closed at the user's request: nothing else is sent for them meanwhile. */
  readonly liquidating: Set<number>
  /** The newest session of its facts, `YYYY-MM-DD`; fills of earlier ones are not new. */
  session: string
  restricted: boolean
  closed: boolean
  /** Removed by the user while copier orders worked: nothing copies with it any more, and the orders are managed until they end. */
  gone: boolean
  /** Whether its line has been up since the account became known. */
  wasUp: boolean
  /** Whether the orders of earlier runs are known. */
  recovered: boolean
  /** The broker's open P&L, 1/10,000 of the currency, its request time (UTC ms), and the positions it is valid for. */
  open: (OpenSnapshot & { readonly positions: string }) | null
  /** A session's transfers, once checked. */
  money: { readonly session: string; readonly transfers: SessionMoney } | null
}

/** The state of one contract of one follower. Contracts are signed. */
export type ContractState = {
  readonly contract: string
  /** The copier's position: from its own orders, less manual closes; in a dry run, the adopted part. */
  held: number
  /** The user's part of the position, which the copier neither closes nor counts. */
  yours: number
  /** The newest fill counted in both. */
  taken: CountedFill
  /** The deliberate deviation of `held` from the target. */
  apart: number
  apartWhy: 'exit-filled' | 'by-hand' | null
  /** The newest manual fill that reduced `held`. */
  lastManualClose: CountedFill
  /** Waiting for the user's answer, nothing is added: positions were open at the start, or the target grew without a leader fill. */
  needsDecision: boolean
  /** The last computed target, with what own entries filled ahead of the leader; null while the leader's position is unknown. */
  target: number | null
  /** The last known target. */
  lastTarget: number | null
  /** Whether the cap limits the target. */
  capped: boolean
  /** Until when (UTC ms) nothing, or nothing that adds, is sent, and why. */
  heldUntil: number
  pauses: 'all' | 'adding'
  heldWhy: WaitReason
  /** Consecutive rejects, for the backoff. */
  failures: number
  /** Until when (UTC ms) no exit, no OCO, and no modify is sent, after a reject of each. */
  exitsHeldUntil: number
  pairHeldUntil: number
  movesHeldUntil: number
  /** Consecutive exit rejects, for the backoff. */
  exitsFailures: number
  /** The broker's reason for a rejected exit, until one is accepted or none is wanted. */
  exitsRefused: string | null
  /** When (UTC ms) exits that wait for calls are retried, 0 if none wait, and the reason, or that they could not be written. */
  exitsCallsAt: number
  exitsCallsWhy: WaitReason | null
  /** Since when (UTC ms) contracts lack their stop; null if all have it. */
  bareSince: number | null
  /** They have lacked it for longer than a round trip. */
  unprotected: boolean
  /** The last stop, to restore when the broker rejects a close. */
  lastStop: WantedExit | null
  notMirrored: readonly NotMirroredHere[]
  /** How far own entries have filled ahead of the leader's working orders, by the leader's order. */
  entries: ReadonlyMap<number, EntryCount>
  /** The part of `target` that own entries filled ahead of the leader. */
  ahead: number
  /** Leader orders whose own entries were canceled manually: they are not placed again. */
  readonly declined: Set<number>
  /** Until when (UTC ms) its own entry may fill for the leader's fill. */
  entryUntil: number
  /** Until when (UTC ms) its own exit may fill after the leader's did. */
  twinUntil: number
  /** target − held − pending, as last decided. */
  difference: number
  /** Whether the stance needs saving. */
  changed: boolean
  /** What the last decision left undone. */
  why: WaitReason | null
  /** When (UTC ms) it is retried, if known. */
  retryAt: number | null
  /** The hedge that blocked the last decided order. */
  hedge: Hedge | null
  exitsWaiting: number
}

/** A leader order that is not mirrored at a follower, and why. */
export type NotMirroredHere = { readonly type: string; readonly why: 'type' | 'price' | 'invert' | 'other-prices' | 'by-hand' }

/** One follower of a group. */
export type Follower = {
  readonly groupId: string
  readonly account: string
  rule: FollowerRule
  /** Whether the start question was asked, or not needed. */
  begun: boolean
  lock: LockReason | null
  rejects: number
  day: string
  readonly states: Map<string, ContractState>
  /** The uncopied part of the leader's position, by leader contract. */
  readonly bases: Map<string, number>
  /** The follower's contract by leader contract, null if not copied. */
  readonly matches: Map<string, ContractMatch | null>
  /** A dry run's simulated position, by contract. */
  readonly simulated: Map<string, number>
  /** Ask before adding at the next look: its rule changed, or it was closed while the leader's trades were unknown. */
  needsDecisionNext: boolean
  /** Running closes by its user: if the program ends meanwhile, it asks first after a restart. */
  closings: number
  /** Another computer copies to it: this one does nothing with it, and asks again once it may. */
  elsewhere: boolean
  flattening: boolean
  /** Unlock count: an unlock stops a running flatten. */
  unlocks: number
  latencyMs: number | null
  /** Whether its row needs saving. */
  changed: boolean
}

/** The explained part of a leader's position: any difference came from unknown fills and is no reason to add. */
export type LeaderKnown = {
  net: number
  /** The newest fill counted in it. */
  taken: CountedFill
  /** Only later fills count: earlier ones were counted before the restart. */
  readonly since: CountedFill
  readonly counted: Set<number>
  /** Whether it is unchanged since the previous run. */
  isFromLastRun: boolean
  changed: boolean
}

/** The stored fills of one leader's order. */
export type StoredFills = { readonly text: string; readonly at: number }

/** A leader's fill to copy. `receivedAt` is `performance.now()`; null if it was read, not pushed. */
export type NewFill = { readonly fill: FillFact; readonly receivedAt: number | null }

/** A group at runtime. */
export type Group = {
  readonly id: string
  readonly userId: string
  settings: CopyGroup
  state: SavedGroup['state']
  /** Whether its state needs saving. */
  changed: boolean
  entries: Entries
  readonly followers: Map<string, Follower>
  /** Followers removed while copier orders worked: their fills count until the orders end, so that no exit outlives its position. */
  readonly left: Map<string, Follower>
  /** The explained leader position by contract; see `LeaderKnown`. */
  readonly leaders: Map<string, LeaderKnown>
  /** What is stored of the leader's orders that may work beyond the session: their fills, as one text, and the newest one's time (UTC ms). */
  readonly storedFills: Map<number, StoredFills>
  /** Leader fills not copied yet, because its position is uncertain. */
  newFills: NewFill[]
}

/** A login's line on one side of the broker, with the indexes to route its facts. */
export type RoutedLine = {
  readonly key: string
  readonly userId: string
  readonly loginId: string
  readonly environment: 'live' | 'demo'
  readonly contracts: Contracts
  readonly connection: BrokerLine
  state: LineState
  /** Since when it is being opened (UTC ms), and whether it is down temporarily. */
  readonly openedAt: number
  isCut: boolean
  /** Account by order id, order by command id. */
  readonly orders: Map<number, number>
  readonly commands: Map<number, number>
  /** Facts that wait for their order, by order id, and reports by command id. */
  readonly early: Map<number, Fact[]>
  readonly earlyReports: Map<number, Fact[]>
  /** Contract requests by name: when (UTC ms), and whether the broker has none. */
  readonly askedNames: Map<string, { readonly at: number; readonly isMissing: boolean }>
  /** When the last complete read began (UTC ms), and whether one is running. */
  listedSince: number
  reading: boolean
}

/** The last traded price, its broker time, and its local arrival (UTC ms): the two clocks differ. */
export type Mark = { readonly price: number; readonly time: number; readonly at: number }

/** Contracts of one side of the broker. */
export type Contracts = { readonly byId: Map<number, LiveContract>; readonly byName: Map<string, LiveContract>; readonly marks: Map<number, Mark> }

/** The time at a broker (UTC ms) when a line pushed a fill, the computer's clock then (UTC ms), and `performance.now()`. */
type BrokerClock = { readonly time: number; readonly wall: number; readonly run: number }

/** The copier's whole in-memory state. */
export type World = {
  readonly accounts: Map<string, Account>
  readonly lines: Map<string, RoutedLine>
  readonly groups: Map<string, Group>
  /** Call budgets by login. */
  readonly budgets: Map<string, Budget>
  /** By user and side: the demo broker has other ids for the same contracts. */
  readonly contracts: Map<string, Contracts>
  /** By the newest fill that each line pushed. */
  readonly clocks: Map<string, BrokerClock>
}

/** An empty world. */
export const emptyWorld = (): World => ({ accounts: new Map(), lines: new Map(), groups: new Map(), budgets: new Map(), contracts: new Map(), clocks: new Map() })

/** The contracts of one broker side, from one user's lines. */
export const contractsOn = (world: World, userId: string, environment: 'live' | 'demo'): Contracts =>
  getOrInsert(world.contracts, `${userId}|${environment}`, () => ({ byId: new Map(), byName: new Map(), marks: new Map() }))

/** A group's account by key; undefined if unknown, removed, or another user's. */
export const accountIn = (world: World, group: Pick<Group, 'userId'>, key: string): Account | undefined => {
  const account = world.accounts.get(key)
  return account?.userId === group.userId && !account.gone ? account : undefined
}

const lineKeys = new WeakMap<object, string>()

/** The key of an account's line, cached: each decision needs it several times. */
export const lineKey = (account: { readonly userId: string; readonly loginId: string; readonly environment: string }): string => {
  const known = lineKeys.get(account)
  if (known !== undefined) return known
  const key = `${account.userId}|${account.loginId}|${account.environment}`
  lineKeys.set(account, key)
  return key
}

/** Records that a line pushed a fill of `time` (UTC ms, the broker's clock) at `wall` (UTC ms, the computer's). A fill that arrives late does not set the time back. */
export const recordClock = ({ clocks }: World, { key }: RoutedLine, time: number, wall: number): void => {
  const run = performance.now()
  const known = clocks.get(key)
  clocks.set(key, { time: known === undefined ? time : Math.max(time, known.time + run - known.run), wall, run })
}

/** The time (UTC ms) at an account's broker at `wall` by the computer's clock. A clock that is set back was ahead; one that runs on without the program was asleep with it. */
export const brokerTime = ({ clocks }: World, account: Account, wall: number): number => {
  const clock = clocks.get(lineKey(account))
  return clock === undefined ? wall : clock.time + Math.max(wall - clock.wall, performance.now() - clock.run)
}

/** An account's open line, or null. */
export const lineOf = (world: World, account: Account): RoutedLine | null => world.lines.get(lineKey(account)) ?? null

/** Whether an account's book is current. */
export const isCurrent = (world: World, account: Account): boolean => account.wasUp && lineOf(world, account)?.state === 'up'

/** Whether the copier may act in an account: its book is current, and its orders of earlier runs are known. */
export const isUp = (world: World, account: Account): boolean => account.recovered && isCurrent(world, account)

/** Whether copier orders may still fill in an account. */
export const hasOrders = ({ ours, recovered }: Account): boolean => !recovered || [...ours.values()].some(({ intent }) => !intent.dryRun)

/** Whether a follower is on and copied by this computer. */
export const followsHere = ({ rule, elsewhere }: Follower): boolean => rule.on && !elsewhere

/** Whether a group copies from or to an account, or flattens it. */
export const isInUse = (world: World, account: Account): boolean =>
  [...world.groups.values()].some(({ userId, state, settings, followers }) => {
    const follower = followers.get(account.key)
    return userId === account.userId && !account.gone && (follower?.flattening === true || (state !== 'off' && (settings.leader === account.key || (follower !== undefined && followsHere(follower)))))
  })

/** Whether an account's contract is being closed at the user's request. */
export const isLiquidating = (account: Account, contract: string): boolean => {
  const known = account.contracts.byName.get(contract)
  return known !== undefined && account.liquidating.has(known.id)
}

/** An account's net position in a contract. */
export const netOf = (account: Account, contract: string): number => {
  const known = account.contracts.byName.get(contract)
  return known === undefined ? 0 : account.book.net(known.id)
}

/** Whether an account's position in a contract is complete. */
export const isSettled = (account: Account, contract: string): boolean => {
  const { byId, byName } = account.contracts
  const known = byName.get(contract)
  // A contract without a name so far may be this one.
  return known === undefined ? account.book.contracts().every((id) => byId.has(id)) : account.book.settled(known.id)
}

/** Whether an account's book has contracts without a name so far: then positions by name are uncertain. */
export const hasUnnamed = (account: Account): boolean => {
  const { byId } = account.contracts
  return account.book.contracts().some((id) => !byId.has(id))
}

/** Records that all that an account's ended orders made in a contract is the user's from now on. */
export const giveOrdersToUser = ({ placed, ours }: Account, contract: string): void => {
  for (const order of placed.values()) if (order.intent.contract === contract && !ours.has(order.intent.clOrdId)) order.givenToUser = true
}

/** Before any fill. */
export const noFill: CountedFill = { time: 0, id: 0 }

/** The initial state of a contract. */
export const newContractState = (contract: string): ContractState => ({
  contract, held: 0, yours: 0, taken: noFill,
  apart: 0, apartWhy: null, lastManualClose: noFill, needsDecision: false,
  target: null, lastTarget: null, capped: false, ahead: 0,
  heldUntil: 0, pauses: 'all', heldWhy: 'rejected', failures: 0,
  exitsHeldUntil: 0, pairHeldUntil: 0, movesHeldUntil: 0, exitsFailures: 0, exitsRefused: null, exitsCallsAt: 0, exitsCallsWhy: null, exitsWaiting: 0,
  bareSince: null, unprotected: false, lastStop: null,
  notMirrored: [], entries: new Map(), declined: new Set(), entryUntil: 0, twinUntil: 0,
  difference: 0, changed: false, why: null, retryAt: null, hedge: null,
})

/** The state of a follower's contract, created if new. */
export const contractStateOf = ({ states }: Follower, contract: string): ContractState => getOrInsert(states, contract, () => newContractState(contract))
