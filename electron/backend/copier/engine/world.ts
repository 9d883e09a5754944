import type { CopyGroup, FollowerRule, LockReason, WaitReason } from '#shared/api/copier.ts'
import type { Book } from '#shared/copier/book.ts'
import type { Budget } from '#shared/copier/budget.ts'
import type { ContractMatch } from '#shared/copier/contract-match.ts'
import type { OpenSnapshot } from '#shared/copier/day-bounds.ts'
import type { SessionMoney } from '#shared/copier/session-money.ts'
import type { WantedExit } from '#shared/copier/exits.ts'
import type { Fact, FillFact } from '#shared/copier/facts.ts'
import type { Hedge } from '#shared/copier/hedge.ts'
import type { Intent, KeptGroup, OrderStage, TakenFill } from '../store/rows.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import type { CopierAccount } from './calls.ts'
import type { Line, LineState } from './line.ts'

/** One order of ours until nothing more can come of it. Moments named `…Ms` are UTC, those named `…At` are of `performance.now()`. */
export type OutOrder = {
  readonly intent: Intent
  stage: OrderStage
  orderId: number | null
  filled: number
  /** When the leader's fill was heard, where it came of one. */
  readonly heardAt: number | null
  /** The leader's contract and price that it is measured against. */
  readonly leader: { readonly contract: string; readonly price: number } | null
  wireAt: number | null
  /** Since when the order is under way. */
  readonly sentMs: number
  /** When the request was cut without an answer; a reading that begins 10 s later knows all that became of it. */
  cutMs: number | null
  /** Its end was told, and its fills are being read once more. */
  ended: boolean
  cancelMs: number | null
  /** A change of it is under way. */
  changing: boolean
  /** The contracts in all and the prices, as the wire has them, that were asked for last, and when; the broker's own version may lag behind. */
  asked: { qty: number; price: number | null; stopPrice: number | null; pegDifference: number | null }
  askedMs: number
  /** For a mirrored exit or entry: the leader's order that it stands for now. */
  follows: number | null
  /** The clOrdId of the order that was placed with this one as an OCO. */
  readonly pair: string | null
  /** The leader's order that it follows has filled: it may fill at the same price by itself, and is the first to go where it does not. */
  /** It worked at the broker, as this program has seen: where it ends without being asked to, somebody's hand ended it. */
  stood: boolean
  twin: boolean
}

/** A brokerage account, as far as its line told. */
export type Account = CopierAccount & {
  readonly userId: string
  readonly contracts: Contracts
  readonly book: Book
  /** Orders of ours that may still fill, by clOrdId. */
  readonly ours: Map<string, OutOrder>
  /** Fills of the session that were heard of, by id; one that is not among them is news. */
  readonly knownFills: Map<number, FillFact>
  /** Orders at the broker that are or were ours, by the broker's id. */
  readonly placed: Map<number, OutOrder>
  /** Orders of ours that ended without ever getting an id of the broker, by clOrdId: one may arrive late all the same. */
  readonly givenUp: Map<string, OutOrder>
  /** Fills of a follower that are not counted yet in what the copier holds there and what is its user's, with the moment of hearing (UTC ms). */
  readonly untaken: Map<number, { readonly fill: FillFact; readonly since: number }>
  /** Contracts that the broker was asked to close at the press of a button: until that ended nobody else sends anything there. */
  readonly liquidating: Set<number>
  /** The newest session of its facts, `YYYY-MM-DD`; fills of earlier ones are no news. */
  session: string
  restricted: boolean
  closed: boolean
  /** Its user removed it while orders of ours worked there: nobody copies with it any more, and they are looked after until they ended. */
  gone: boolean
  /** Whether its line was up since the account became known. */
  wasUp: boolean
  /** The broker's own word on the open P&L, 1/10,000 of the currency, when it was asked (UTC ms), and for which positions: it says nothing of others. */
  open: (OpenSnapshot & { readonly positions: string }) | null
  /** What went in or out in a session, once that was looked at. */
  money: { readonly session: string; readonly told: SessionMoney } | null
}

/** One contract of one follower. Contracts are signed. */
export type Stand = {
  readonly contract: string
  /** What the copier's own orders made of the position, less what its user closed of it; in a dry run what was adopted. */
  held: number
  /** What else the account holds: its user's, which the copier neither closes nor counts. */
  yours: number
  /** The newest fill that is counted in both. */
  taken: TakenFill
  /** How far from the target `held` is to stay. */
  apart: number
  apartWhy: 'exit-filled' | 'by-hand' | null
  /** The newest fill by hand that took from `held`. */
  handAt: TakenFill
  /** Nothing is added before the user answers: positions were open at the start, or the target grew without a fill of the leader. */
  asks: boolean
  /** The target of the last reckoning, null while the leader is not known. */
  target: number | null
  /** The last target that was known. */
  lastTarget: number | null
  /** Whether the cap holds the target below what the ratio says. */
  capped: boolean
  /** Before this moment (UTC ms) nothing is sent, or nothing that adds, and why. */
  heldUntil: number
  pauses: 'all' | 'adding'
  heldWhy: WaitReason
  /** Rejects one after another, which make the pauses longer. */
  failures: number
  /** No exit is placed before this moment (UTC ms), after one was refused; no OCO, after one was refused; and none is changed. */
  exitsHeldUntil: number
  pairHeldUntil: number
  movesHeldUntil: number
  /** Refused exits one after another, which make the pauses longer. */
  exitsFailures: number
  /** The broker's words where it refused an exit, until one is taken or none is wanted. */
  exitsRefused: string | null
  /** When (UTC ms) exits that wait for calls are tried again, 0 where none do, and what they wait for. */
  exitsCallsAt: number
  exitsCallsWhy: WaitReason | null
  /** Since when (UTC ms) contracts that should have a stop have none; null where all have theirs. */
  bareSince: number | null
  /** They have had none for longer than a round trip. */
  unprotected: boolean
  /** The stop that its contracts had last, for those whose close the broker refuses. */
  lastStop: WantedExit | null
  notMirrored: readonly NotMirroredHere[]
  /** The leader's orders whose own entries somebody cancelled by hand: they are not placed again. */
  readonly declined: Set<number>
  /** Until when (UTC ms) its own entry may fill for what the leader's filled. */
  entryUntil: number
  /** Until when (UTC ms) its own exit may fill after the leader's did. */
  twinUntil: number
  /** target − held − what is under way, as last decided. */
  difference: number
  /** Whether the stance is to be kept on disk. */
  changed: boolean
  /** What the last decision left undone. */
  why: WaitReason | null
  /** When (UTC ms) that is tried next, where it is known. */
  retryAt: number | null
  /** Whom an order that was decided on would have hedged. */
  hedge: Hedge | null
  exitsWaiting: number
}

/** An order of the leader that is not mirrored at a follower, and why. */
export type NotMirroredHere = { readonly type: string; readonly why: 'type' | 'price' | 'invert' | 'other-prices' | 'by-hand' }

/** One follower of a group. */
export type Follower = {
  readonly groupId: string
  readonly account: string
  rule: FollowerRule
  /** Whether the start's question was put, or there was nothing to ask. */
  begun: boolean
  lock: LockReason | null
  rejects: number
  day: string
  readonly stands: Map<string, Stand>
  /** By the leader's contract: what it held at the start that is not copied. */
  readonly bases: Map<string, number>
  /** By the leader's contract: the contract that follows it, null where none does. */
  readonly matches: Map<string, ContractMatch | null>
  /** By contract: what a dry run pretends to have traded. */
  readonly pretended: Map<string, number>
  /** Its rule changed, or its user had it closed while nobody knew what the leader had traded: what would be added at the next look is asked about. */
  asksFirst: boolean
  /** How many closings by its user are under way: a program that ends meanwhile asks first once it is back. */
  closings: number
  /** Another computer copies to it: this one does nothing with it, and asks anew once it may. */
  elsewhere: boolean
  flattening: boolean
  /** How often its user unlocked it: what was being closed before is left as it is then. */
  unlocks: number
  latencyMs: number | null
}

/** What is accounted for of a leader's position: a position that differs from it came of no fill that we know, and is no reason to add. */
export type LeaderKnown = {
  net: number
  /** The newest fill that is counted in it. */
  taken: TakenFill
  /** Fills after this one count: those before a restart were counted then. */
  readonly since: TakenFill
  readonly counted: Set<number>
  /** Whether it is what a program that ended had accounted for, and nothing was since. */
  isOfBefore: boolean
  changed: boolean
}

/** Whether a group may enter trades, and what is missing for it. */
export type Entries = true | 'no-lease' | 'plan-ended'

/** A group at work. */
export type Group = {
  readonly id: string
  readonly userId: string
  kept: CopyGroup
  state: KeptGroup['state']
  entries: Entries
  readonly followers: Map<string, Follower>
  /** Followers that were taken out while orders of ours worked there: what these fill counts on until they ended, so that no exit outlives what it is for. */
  readonly left: Map<string, Follower>
  /** The leader's position by contract, as its fills and the user's answers account for it; see `LeaderKnown`. */
  readonly leaders: Map<string, LeaderKnown>
  /** The leader's fills that no copy follows yet, because its position is not known for certain. */
  newFills: { readonly fill: FillFact; /** `performance.now()`; null where it was read, not heard. */ readonly heardAt: number | null }[]
}

/** A login's line on one side of the broker, with what is needed to tell whose facts it tells. */
export type LineOf = {
  readonly key: string
  readonly userId: string
  readonly loginId: string
  readonly environment: 'live' | 'demo'
  readonly contracts: Contracts
  readonly line: Line
  state: LineState
  /** Since when it is tried (UTC ms), and whether it is down for a reason that passes. */
  readonly openedAt: number
  isCut: boolean
  /** The account of each order. */
  readonly orders: Map<number, number>
  readonly commands: Map<number, number>
  /** Facts of orders that were not told yet, by order id, and reports by command id. */
  readonly early: Map<number, Fact[]>
  readonly earlyReports: Map<number, Fact[]>
  /** Contracts that it was asked for by name, when (UTC ms), and whether the broker knew none. */
  readonly askedNames: Map<string, { readonly at: number; readonly isMissing: boolean }>
  /** When the last whole reading began (UTC ms), and whether one is under way. */
  listedSince: number
  reading: boolean
}

/** The newest price that was traded, when by the broker, and since when it is known here (UTC ms): the two clocks differ. */
export type Mark = { readonly price: number; readonly time: number; readonly at: number }

/** Contracts of one side of the broker. */
export type Contracts = { readonly byId: Map<number, LiveContract>; readonly byName: Map<string, LiveContract>; readonly marks: Map<number, Mark> }

/** All that the copier knows. */
export type World = {
  readonly accounts: Map<string, Account>
  readonly lines: Map<string, LineOf>
  readonly groups: Map<string, Group>
  /** The calls of each login. */
  readonly budgets: Map<string, Budget>
  /** By user and side: the demo's stand-in has other numbers for the same contracts. */
  readonly contracts: Map<string, Contracts>
}

/** A world of which nothing is known yet. */
export const emptyWorld = (): World => ({ accounts: new Map(), lines: new Map(), groups: new Map(), budgets: new Map(), contracts: new Map() })

/** The contracts of one side of the broker, as one user's lines told them. */
export const contractsOn = (world: World, userId: string, environment: 'live' | 'demo'): Contracts => {
  const key = `${userId}|${environment}`
  const contracts = world.contracts.get(key) ?? { byId: new Map(), byName: new Map(), marks: new Map() }
  world.contracts.set(key, contracts)
  return contracts
}

/** An account that a group names; undefined where it is not known, was removed, or is another user's. */
export const accountIn = (world: World, group: Pick<Group, 'userId'>, key: string): Account | undefined => {
  const account = world.accounts.get(key)
  return account?.userId === group.userId && !account.gone ? account : undefined
}

const lineKeys = new WeakMap<object, string>()

/** The key of the line that an account is reached by, remembered: each decision asks for it several times. */
export const lineKey = (account: { readonly userId: string; readonly loginId: string; readonly environment: string }): string => {
  const known = lineKeys.get(account)
  if (known !== undefined) return known
  const key = `${account.userId}|${account.loginId}|${account.environment}`
  lineKeys.set(account, key)
  return key
}

/** An account's line, where one is open. */
export const lineOf = (world: World, account: Account): LineOf | null => world.lines.get(lineKey(account)) ?? null

/** Whether an account's book may be relied on as the newest. */
export const isUp = (world: World, account: Account): boolean => account.wasUp && lineOf(world, account)?.state === 'up'

/** Whether orders of ours may still fill in an account. */
export const hasOrders = ({ ours }: Account): boolean => [...ours.values()].some(({ intent }) => !intent.dryRun)

/** Whether a follower is on, and this computer's. */
export const followsHere = ({ rule, elsewhere }: Follower): boolean => rule.on && !elsewhere

/** Whether a group copies from an account or to it, or closes it. */
export const isAtWorkIn = (world: World, account: Account): boolean =>
  [...world.groups.values()].some(({ userId, state, kept, followers }) => {
    const follower = followers.get(account.key)
    return userId === account.userId && !account.gone && (follower?.flattening === true || (state !== 'off' && (kept.leader === account.key || (follower !== undefined && followsHere(follower)))))
  })

/** Whether the broker is closing an account's contract at the press of a button. */
export const isLiquidating = (account: Account, contract: string): boolean => {
  const known = account.contracts.byName.get(contract)
  return known !== undefined && account.liquidating.has(known.id)
}

/** What an account holds in a contract by its fills. */
export const netOf = (account: Account, contract: string): number => {
  const known = account.contracts.byName.get(contract)
  return known === undefined ? 0 : account.book.net(known.id)
}

/** Whether an account's position in a contract is complete. */
export const isSettled = (account: Account, contract: string): boolean => {
  const { byId, byName } = account.contracts
  const known = byName.get(contract)
  // A position in a contract whose name was not told yet may be in this one.
  return known === undefined ? account.book.contracts().every((id) => byId.has(id)) : account.book.settled(known.id)
}

/** Whether an account's book tells of contracts whose names are still to come: what it holds in one by name is not certain then. */
export const hasUnnamed = (account: Account): boolean => {
  const { byId } = account.contracts
  return account.book.contracts().some((id) => !byId.has(id))
}

/** A contract of which the copier holds nothing. */
export const newStand = (contract: string): Stand => ({ contract, held: 0, yours: 0, taken: { time: 0, id: 0 }, apart: 0, apartWhy: null, handAt: { time: 0, id: 0 }, asks: false, target: null, lastTarget: null, capped: false, heldUntil: 0, pauses: 'all', heldWhy: 'rejected', failures: 0, exitsHeldUntil: 0, pairHeldUntil: 0, movesHeldUntil: 0, exitsFailures: 0, exitsRefused: null, exitsCallsAt: 0, exitsCallsWhy: null, bareSince: null, unprotected: false, lastStop: null, notMirrored: [], declined: new Set(), entryUntil: 0, twinUntil: 0, difference: 0, changed: false, why: null, retryAt: null, hedge: null, exitsWaiting: 0 })

/** A follower's contract, with nothing that stands apart where it is new. */
export const standOf = (follower: Follower, contract: string): Stand => {
  const known = follower.stands.get(contract)
  if (known !== undefined) return known
  const stand = newStand(contract)
  follower.stands.set(contract, stand)
  return stand
}
