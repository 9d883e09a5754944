import type { CopierLive, LiveFollower, LiveGroup, WaitReason } from '#shared/api/copier.ts'
import type { DayNet } from '#shared/copier/day-bounds.ts'
import { sidesOf, type Sides } from '#shared/copier/hedge.ts'
import { toDecimalString } from '#shared/money/money.ts'
import type { Timing } from '../../brokers/timing.ts'
import { currencyOf } from './currencies.ts'
import { leftExitsOf } from './exits-loop.ts'
import { contractsOf, heldByOthers, heldIn, heldOf, inFlight, leaderContractsOf, leaderNet, lineStateOf, matchOf, mayOppose, oursIn } from './followers.ts'
import { accountIn, followsHere, netOf, newContractState, type Account, type Follower, type Group, type ContractState, type World } from './world.ts'

// No follower is green while anything of it is rejected, pending, or unknown, and the displayed cause is the real one.

/** Minimum interval between updates per user. */
const spacingMs = 250

const reasonsByPriority: readonly WaitReason[] = [
  'elsewhere', 'line-down', 'leader-down', 'asks', 'order-unknown', 'hedge', 'exit-refused', 'exit-filled', 'by-hand', 'not-saved', 'rejected', 'market-closed', 'rate-limited', 'budget', 'locked', 'plan-ended', 'no-lease', 'paused',
  'yours', 'reading', 'order-working', 'exits-cancelling', 'max-position', 'cap', 'no-contract', 'product-not-copied',
]

/** When rejected or call-limited work is retried (UTC ms). */
const retryAtOf = (state: ContractState, now: number): number | null => {
  const { heldUntil, exitsRefused, exitsHeldUntil, pairHeldUntil, movesHeldUntil, exitsCallsAt } = state
  const exits = exitsRefused === null ? [] : [exitsHeldUntil, pairHeldUntil, movesHeldUntil]
  const next = [state.retryAt ?? 0, heldUntil, exitsCallsAt, ...exits].filter((at) => at > now)
  // Overdue retries run in the next round.
  return next.length === 0 ? state.retryAt : Math.min(...next)
}

const stanceOf = (world: World, group: Group, follower: Follower, account: Account, leaderContracts: readonly string[], state: ContractState, now: number): LiveFollower['contracts'][number] => {
  const leaderContract = leaderContracts.find((name) => matchOf(follower, name)?.contract === state.contract) ?? state.contract
  const orders = oursIn(account, state.contract)
  const { buying, selling } = inFlight(orders)
  const [actual, simulated] = [netOf(account, state.contract), follower.simulated.get(state.contract) ?? 0]
  const held = heldOf(follower, state.contract)
  const target = state.target ?? state.lastTarget ?? held + state.ahead
  return {
    leaderContract,
    contract: state.contract,
    leader: leaderNet(world, group, leaderContract) ?? 0,
    target: target - state.ahead,
    actual,
    simulated,
    inFlight: buying - selling,
    // Contracts that an own entry filled ahead of the leader are in sync while the leader's order works.
    difference: target - held - (buying - selling),
    why: state.needsDecision ? 'asks' : (state.why ?? (state.exitsRefused === null ? null : 'exit-refused')),
    exits: { working: orders.filter(({ intent, orderId }) => intent.purpose === 'exit' && (intent.dryRun || orderId !== null)).length, waiting: state.exitsWaiting, refused: state.exitsRefused },
    yours: actual - held + simulated - heldByOthers(world, group, follower, state.contract),
    unprotected: state.unprotected,
    notMirrored: [...state.notMirrored],
    retryAt: retryAtOf(state, now),
  }
}

/** Reasons that still count as in sync: at its cap, or a product that is not copied. */
const harmless: ReadonlySet<WaitReason | null> = new Set([null, 'cap', 'product-not-copied'])

/** Whether a follower's first read is under way: it is not out of sync before that. */
const isOpening = (follower: Follower, line: LiveFollower['line']): boolean => !follower.begun && line === 'connecting'

const stateOf = (group: Group, follower: Follower, contracts: LiveFollower['contracts'], line: LiveFollower['line']): LiveFollower['state'] => {
  if (!follower.rule.on || group.state === 'off') return 'off'
  if (follower.elsewhere) return 'out-of-step'
  if (contracts.some(({ unprotected }) => unprotected)) return 'unprotected'
  if (follower.lock !== null) return 'locked'
  if (isOpening(follower, line)) return 'armed'
  return line !== 'up' || contracts.some(({ difference, why, exits }) => difference !== 0 || !harmless.has(why) || exits.waiting > 0 || exits.refused !== null) ? 'out-of-step' : 'armed'
}

/** Whether another computer copies to a follower of a group that is armed here. */
const isElsewhere = (group: Group, follower: Follower): boolean => follower.elsewhere && group.state !== 'off'

/** Dependencies of a user's live state, the same for all groups and followers. */
type Deps = {
  readonly sides: Sides
  /** An account's net P&L of the day. */
  readonly dayOf: (account: Account) => DayNet | null
  /** Whether a group's state, or a lock, could not be saved. */
  readonly isUnsaved: (group: Group) => boolean
  readonly now: number
}

const isWorthShowing = ({ leader, target, actual, simulated, inFlight: flying, why, exits, notMirrored }: LiveFollower['contracts'][number]): boolean =>
  notMirrored.length > 0 || leader !== 0 || target !== 0 || actual !== 0 || simulated !== 0 || flying !== 0 || why !== null || exits.working > 0

const followerOf = (world: World, group: Group, follower: Follower, leaderContracts: readonly string[], { sides, dayOf, now }: Deps): LiveFollower => {
  const account = accountIn(world, group, follower.account)
  const line = lineStateOf(world, account)
  const states = account === undefined ? [] : contractStatesOf(world, group, follower, account)
  // Contracts copied by another computer are neither ours nor the user's.
  const isHidden = account === undefined || isOpening(follower, line) || isElsewhere(group, follower)
  const contracts = isHidden ? [] : states.map((state) => stanceOf(world, group, follower, account, leaderContracts, state, now)).filter(isWorthShowing)
  const whys = new Set<WaitReason | null>([...contracts.map(({ why }) => why), ...states.map(({ exitsCallsWhy }) => exitsCallsWhy)])
  if (line !== 'up' && follower.rule.on && group.state !== 'off') whys.add(isOpening(follower, line) ? 'reading' : 'line-down')
  if (isElsewhere(group, follower)) whys.add('elsewhere')
  const net = account === undefined ? null : dayOf(account)
  const cash = account?.book.cash() ?? null
  const hedge = states.flatMap(({ contract, hedge: refused }) => refused ?? sides.against(contract, Math.sign(account === undefined ? 0 : netOf(account, contract) + (follower.simulated.get(contract) ?? 0)), mayOppose(group, follower)) ?? [])[0]
  return {
    account: follower.account,
    state: stateOf(group, follower, contracts, line),
    lock: follower.lock,
    why: reasonsByPriority.find((why) => whys.has(why)) ?? null,
    line,
    contracts,
    day: net === null || cash === null ? null : { net: toDecimalString(net.net), currency: currencyOf(cash.currencyId), openAgeMs: net.openAt === null ? null : Math.max(0, Math.round((now - net.openAt) / 1000) * 1000) },
    latencyMs: follower.latencyMs,
    rejects: follower.rejects,
    hedgedBy: hedge ?? null,
    undecided: account === undefined ? [] : states.filter(({ needsDecision: undecided }) => undecided).map(({ contract }) => ({ contract, leader: leaderSide(world, group, follower, leaderContracts, contract), follower: netOf(account, contract) })),
  }
}

/** A follower's contracts, including those that are only the user's. */
const contractStatesOf = (world: World, group: Group, follower: Follower, account: Account): ContractState[] => {
  const others = contractsOf(account).filter((contract) => !follower.states.has(contract) && netOf(account, contract) !== heldByOthers(world, group, follower, contract))
  return [...follower.states.values(), ...others.map(newContractState)]
}

/** The current sides of all of a user's accounts. */
const heldNow = (world: World, userId: string): Sides =>
  sidesOf([...world.accounts.values()].flatMap((account) => (account.userId === userId ? heldIn(account) : [])))

const leftPrice = (price: number | null): string | null => (price === null ? null : String(price))

const leaderSide = (world: World, group: Group, follower: Follower, leaderContracts: readonly string[], contract: string): number =>
  leaderContracts.filter((name) => matchOf(follower, name)?.contract === contract).reduce((sum, name) => sum + (leaderNet(world, group, name) ?? 0), 0)

const groupOf = (world: World, group: Group, deps: Deps): LiveGroup => {
  const leader = accountIn(world, group, group.settings.leader)
  const leaderContracts = leaderContractsOf(world, group)
  const followers = [...group.followers.values()].map((follower) => followerOf(world, group, follower, leaderContracts, deps))
  const line = lineStateOf(world, leader)
  // "Reductions still follow" would be wrong if another computer copies to all of them.
  const follows = group.settings.dryRun || group.settings.followers.every(({ on }) => !on) || [...group.followers.values()].some(followsHere)
  const waits = (reasons: readonly WaitReason[]): number => followers.flatMap(({ contracts }) => contracts).filter(({ why }) => why !== null && reasons.includes(why)).length
  return {
    id: group.id,
    state: group.state,
    unsaved: deps.isUnsaved(group),
    dryRun: group.settings.dryRun,
    blocked: group.state === 'off' || !follows ? null : group.entries !== true && !group.settings.dryRun ? group.entries : line === 'up' ? null : 'leader-down',
    leaderLine: line,
    leader: leader === undefined ? [] : contractsOf(leader).map((contract) => ({ contract, net: leaderNet(world, group, contract) ?? 0 })).filter(({ net }) => net !== 0),
    followers,
    left: leftExitsOf(world, group).map(({ account, order: { intent, asked, filled } }) => ({ account: account.key, contract: intent.contract, side: intent.side, qty: asked.qty - filled, type: intent.type, price: leftPrice(asked.price ?? asked.stopPrice) })),
    waiting: {
      reduce: followers.flatMap(({ contracts }) => contracts).filter(({ why, target, actual, yours, simulated }) => (why === 'budget' || why === 'rate-limited') && Math.abs(target) < Math.abs(actual - yours + simulated)).length,
      enter: waits(['budget', 'rate-limited']),
      exits: [...group.followers.values()].flatMap(({ states }) => [...states.values()]).reduce((sum, { exitsWaiting, exitsCallsAt }) => sum + (exitsCallsAt > 0 ? exitsWaiting : 0), 0),
    },
  }
}

/** The live state that the screen shows, per user. */
export type LiveState = ReturnType<typeof createLiveState>

type LiveStateDeps = Pick<Deps, 'dayOf' | 'isUnsaved'> & {
  readonly world: World
  readonly timing: Timing
  /** Receives changes, at most four times a second per user. */
  readonly publish: (userId: string, live: CopierLive) => void
}

/** The engine's live state. */
export const createLiveState = ({ world, timing, dayOf, isUnsaved, publish }: LiveStateDeps) => {
  const published = new Map<string, { text: string; at: number }>()
  const due = new Map<string, NodeJS.Timeout>()
  let seq = 0

  const collect = (userId: string): Pick<CopierLive, 'groups' | 'budgets'> => {
    const deps = { sides: heldNow(world, userId), dayOf, isUnsaved, now: timing.now() }
    const groups = [...world.groups.values()].filter((group) => group.userId === userId).map((group) => groupOf(world, group, deps))
    const logins = new Set([...world.accounts.values()].filter((account) => account.userId === userId).map(({ loginId }) => loginId))
    const waiting = new Map<string, number>()
    for (const { account, contracts } of groups.flatMap(({ followers }) => followers)) {
      const login = world.accounts.get(account)?.loginId
      if (login !== undefined) waiting.set(login, contracts.reduce((sum, { why, exits }) => sum + exits.waiting + (why === 'budget' || why === 'rate-limited' ? 1 : 0), waiting.get(login) ?? 0))
    }
    const budgets = [...logins].flatMap((loginId) => {
      const budget = world.budgets.get(loginId)
      return budget === undefined ? [] : [{ loginId, used: budget.used(performance.now()), limit: budget.limit, waiting: waiting.get(loginId) ?? 0 }]
    })
    return { groups, budgets }
  }
  const numbered = (now: Pick<CopierLive, 'groups' | 'budgets'>): CopierLive => {
    seq += 1
    return { seq, at: timing.now(), ...now }
  }
  const publishNow = (userId: string): void => {
    due.delete(userId)
    const now = collect(userId)
    const text = JSON.stringify(now)
    const before = published.get(userId)?.text
    published.set(userId, { text, at: performance.now() })
    if (text !== before) publish(userId, numbered(now))
  }

  return {
    of: (userId: string): CopierLive => numbered(collect(userId)),
    /** Something of this user changed: publish soon. */
    touch: (userId: string): void => {
      if (due.has(userId)) return
      const since = performance.now() - (published.get(userId)?.at ?? -Infinity)
      due.set(userId, setTimeout(() => publishNow(userId), Math.max(0, spacingMs - since)))
    },
    stop: (): void => {
      for (const timer of due.values()) clearTimeout(timer)
      due.clear()
    },
  }
}

