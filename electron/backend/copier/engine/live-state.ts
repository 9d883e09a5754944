import type { CopierLive, LiveFollower, LiveGroup, WaitReason } from '#shared/api/copier.ts'
import type { DayNet } from '#shared/copier/day-bounds.ts'
import { sidesOf, type Sides } from '#shared/copier/hedge.ts'
import { toDecimalString } from '#shared/money/money.ts'
import type { Timing } from '../../brokers/tradovate/timing.ts'
import { currencyOf } from './currencies.ts'
import { entryEffect } from './entries-own.ts'
import { leftExitsOf } from './exits-loop.ts'
import { contractsOf, heldByOthers, heldIn, heldOf, inFlight, leaderContractsOf, leaderNet, lineStateOf, matchOf, mayOppose, oursIn, targetAhead } from './followers.ts'
import { accountIn, followsHere, netOf, newStand, type Account, type Follower, type Group, type Stand, type World } from './world.ts'

// Say it: no follower is green while anything of it is refused, pending or unknown, and the cause that is shown is the cause.

/** A user's pages are told at most so often. */
const spacingMs = 250

// The most telling first.
const telling: readonly WaitReason[] = [
  'elsewhere', 'line-down', 'leader-down', 'asks', 'order-unknown', 'hedge', 'exit-refused', 'exit-filled', 'by-hand', 'rejected', 'market-closed', 'rate-limited', 'budget', 'locked', 'plan-ended', 'no-lease', 'paused',
  'yours', 'reading', 'order-working', 'exits-cancelling', 'max-position', 'cap', 'no-contract', 'product-not-copied',
]

/** When what is refused or waits for calls is tried again (UTC ms). */
const retryAtOf = (stand: Stand, now: number): number | null => {
  const { heldUntil, exitsRefused, exitsHeldUntil, pairHeldUntil, movesHeldUntil, exitsCallsAt } = stand
  const exits = exitsRefused === null ? [] : [exitsHeldUntil, pairHeldUntil, movesHeldUntil]
  const next = [stand.retryAt ?? 0, heldUntil, exitsCallsAt, ...exits].filter((at) => at > now)
  // What is due is tried in the next round.
  return next.length === 0 ? stand.retryAt : Math.min(...next)
}

const stanceOf = (world: World, group: Group, follower: Follower, account: Account, leaderContracts: readonly string[], stand: Stand, now: number): LiveFollower['contracts'][number] => {
  const leaderContract = leaderContracts.find((name) => matchOf(follower, name)?.contract === stand.contract) ?? stand.contract
  const orders = oursIn(account, stand.contract)
  const { buying, selling } = inFlight(orders)
  const [real, simulated] = [netOf(account, stand.contract), follower.pretended.get(stand.contract) ?? 0]
  const held = heldOf(follower, stand.contract)
  const target = stand.target ?? stand.lastTarget ?? held
  return {
    leaderContract,
    contract: stand.contract,
    leader: leaderNet(world, group, leaderContract) ?? 0,
    target,
    real,
    simulated,
    inFlight: buying - selling,
    // What an own entry filled before the leader's is in its place as long as the leader's works.
    difference: targetAhead(follower, target, entryEffect(world, group, follower, account, stand.contract).ahead) - held - (buying - selling),
    why: stand.asks ? 'asks' : (stand.why ?? (stand.exitsRefused === null ? null : 'exit-refused')),
    exits: { working: orders.filter(({ intent, orderId }) => intent.purpose === 'exit' && (intent.dryRun || orderId !== null)).length, waiting: stand.exitsWaiting, refused: stand.exitsRefused },
    yours: real - held + simulated - heldByOthers(world, group, follower, stand.contract),
    unprotected: stand.unprotected,
    notMirrored: [...stand.notMirrored],
    retryAt: retryAtOf(stand, now),
  }
}

/** Reasons that leave nothing undone: a follower that the cap holds, or that copies no such product, is where it should be. */
const harmless: ReadonlySet<WaitReason | null> = new Set([null, 'cap', 'product-not-copied'])

/** Whether a follower's first reading is under way: nobody is out of step before it. */
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

/** What is the same for all followers of a user. */
type Beside = { readonly sides: Sides; readonly dayOf: (account: Account) => DayNet | null; readonly now: number }

const followerOf = (world: World, group: Group, follower: Follower, leaderContracts: readonly string[], { sides, dayOf, now }: Beside): LiveFollower => {
  const account = accountIn(world, group, follower.account)
  const line = lineStateOf(world, account)
  const stands = account === undefined ? [] : standsOf(world, group, follower, account)
  // What another computer copies is neither ours nor the user's own.
  const contracts = account === undefined || isOpening(follower, line) || isElsewhere(group, follower) ? [] : stands.map((stand) => stanceOf(world, group, follower, account, leaderContracts, stand, now)).filter(({ leader, target, real, simulated, inFlight: flying, why, exits, notMirrored }) => notMirrored.length > 0 || leader !== 0 || target !== 0 || real !== 0 || simulated !== 0 || flying !== 0 || why !== null || exits.working > 0)
  const whys = new Set<WaitReason | null>([...contracts.map(({ why }) => why), ...stands.map(({ exitsCallsWhy }) => exitsCallsWhy)])
  if (line !== 'up' && follower.rule.on && group.state !== 'off') whys.add(isOpening(follower, line) ? 'reading' : 'line-down')
  if (isElsewhere(group, follower)) whys.add('elsewhere')
  const net = account === undefined ? null : dayOf(account)
  const hedge = stands.flatMap(({ contract, hedge: refused }) => refused ?? sides.against(contract, Math.sign(account === undefined ? 0 : netOf(account, contract) + (follower.pretended.get(contract) ?? 0)), mayOppose(group, follower)) ?? [])[0]
  return {
    account: follower.account,
    state: stateOf(group, follower, contracts, line),
    lock: follower.lock,
    why: telling.find((why) => whys.has(why)) ?? null,
    line,
    contracts,
    day: net === null ? null : { net: toDecimalString(net.net), currency: currencyOf(account?.book.cash()?.currencyId), openAgeMs: net.openAt === null ? null : Math.max(0, Math.round((now - net.openAt) / 1000) * 1000) },
    latencyMs: follower.latencyMs,
    rejects: follower.rejects,
    hedgedBy: hedge ?? null,
    asks: account === undefined ? [] : stands.filter(({ asks }) => asks).map(({ contract }) => ({ contract, leader: leaderSide(world, group, follower, leaderContracts, contract), follower: netOf(account, contract) })),
  }
}

/** The contracts of a follower, those among them that are its user's alone. */
const standsOf = (world: World, group: Group, follower: Follower, account: Account): Stand[] => {
  const others = contractsOf(account).filter((contract) => !follower.stands.has(contract) && netOf(account, contract) !== heldByOthers(world, group, follower, contract))
  return [...follower.stands.values(), ...others.map(newStand)]
}

/** What all accounts of a user hold now. */
const heldNow = (world: World, userId: string): Sides =>
  sidesOf([...world.accounts.values()].flatMap((account) => (account.userId === userId ? heldIn(account) : [])))

const leftPrice = (price: number | null): string | null => (price === null ? null : String(price))

const leaderSide = (world: World, group: Group, follower: Follower, leaderContracts: readonly string[], contract: string): number =>
  leaderContracts.filter((name) => matchOf(follower, name)?.contract === contract).reduce((sum, name) => sum + (leaderNet(world, group, name) ?? 0), 0)

const groupOf = (world: World, group: Group, beside: Beside): LiveGroup => {
  const leader = accountIn(world, group, group.kept.leader)
  const leaderContracts = leaderContractsOf(world, group)
  const followers = [...group.followers.values()].map((follower) => followerOf(world, group, follower, leaderContracts, beside))
  const line = lineStateOf(world, leader)
  // "Reductions still follow" would be wrong where another computer copies to all of them.
  const follows = group.kept.dryRun || group.kept.followers.every(({ on }) => !on) || [...group.followers.values()].some(followsHere)
  const waits = (reasons: readonly WaitReason[]): number => followers.flatMap(({ contracts }) => contracts).filter(({ why }) => why !== null && reasons.includes(why)).length
  return {
    id: group.id,
    state: group.state,
    dryRun: group.kept.dryRun,
    blocked: group.state === 'off' || !follows ? null : group.entries !== true && !group.kept.dryRun ? group.entries : line === 'up' ? null : 'leader-down',
    leaderLine: line,
    leader: leader === undefined ? [] : contractsOf(leader).map((contract) => ({ contract, net: leaderNet(world, group, contract) ?? 0 })).filter(({ net }) => net !== 0),
    followers,
    left: leftExitsOf(world, group).map(({ account, order: { intent, asked, filled } }) => ({ account: account.key, contract: intent.contract, side: intent.side, qty: asked.qty - filled, type: intent.type, price: leftPrice(asked.price ?? asked.stopPrice) })),
    waiting: {
      reduce: followers.flatMap(({ contracts }) => contracts).filter(({ why, target, real, yours, simulated }) => (why === 'budget' || why === 'rate-limited') && Math.abs(target) < Math.abs(real - yours + simulated)).length,
      enter: waits(['budget', 'rate-limited']),
      exits: [...group.followers.values()].flatMap(({ stands }) => [...stands.values()]).reduce((sum, { exitsWaiting, exitsCallsAt }) => sum + (exitsCallsAt > 0 ? exitsWaiting : 0), 0),
    },
  }
}

/** What the screen shows, made anew for one user. */
export type LiveState = {
  readonly of: (userId: string) => CopierLive
  /** Something of this user changed: its pages are told soon. */
  readonly touch: (userId: string) => void
  readonly stop: () => void
}

/** The live state of one engine; `tell` hears of changes, at most four times a second a user; `dayOf` is an account's day's net. */
export const createLiveState = ({ world, timing, dayOf, tell }: { readonly world: World; readonly timing: Timing; readonly dayOf: Beside['dayOf']; readonly tell: (userId: string, live: CopierLive) => void }): LiveState => {
  const told = new Map<string, { text: string; at: number }>()
  const due = new Map<string, NodeJS.Timeout>()
  let seq = 0

  const made = (userId: string): Pick<CopierLive, 'groups' | 'budgets'> => {
    const beside = { sides: heldNow(world, userId), dayOf, now: timing.now() }
    const groups = [...world.groups.values()].filter((group) => group.userId === userId).map((group) => groupOf(world, group, beside))
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
  const say = (userId: string): void => {
    due.delete(userId)
    const now = made(userId)
    const text = JSON.stringify(now)
    const before = told.get(userId)?.text
    told.set(userId, { text, at: performance.now() })
    if (text !== before) tell(userId, numbered(now))
  }

  return {
    of: (userId) => numbered(made(userId)),
    touch: (userId) => {
      if (due.has(userId)) return
      const since = performance.now() - (told.get(userId)?.at ?? -Infinity)
      due.set(userId, setTimeout(() => say(userId), Math.max(0, spacingMs - since)))
    },
    stop: () => {
      for (const timer of due.values()) clearTimeout(timer)
      due.clear()
    },
  }
}

