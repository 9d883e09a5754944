import type { ContractStance, LiveFollower, LiveGroup, WaitReason } from '#shared/api/copier.ts'
import { isUnprotected } from '#shared/copier/trouble.ts'

/** The state that a follower's row shows; only `in-sync` is green. */
export type FollowerStatus = 'off' | 'unprotected' | 'asks' | 'out-of-sync' | 'locked' | 'pending' | 'in-sync'

// A limit, a setting or the user's own trades keep a contract where it is: nothing is pending.
const settled: readonly WaitReason[] = ['cap', 'max-position', 'product-not-copied', 'yours', 'dry-run']
// Over within a round trip or two, unless something else goes wrong.
const passing: readonly WaitReason[] = ['order-working', 'exits-cancelling', 'reading']

const isPending = ({ difference, inFlight, why, exits }: ContractStance): boolean =>
  difference !== 0 || inFlight !== 0 || exits.waiting > 0 || (why !== null && !settled.includes(why))

const passes = ({ difference, why, exits }: ContractStance): boolean =>
  difference === 0 && exits.refused === null && (why === null || settled.includes(why) || passing.includes(why))

/** The state of a follower: never in sync while something is rejected, pending, unknown or not mirrored. */
export const statusOf = (follower: Pick<LiveFollower, 'state' | 'line' | 'undecided' | 'contracts'>): FollowerStatus => {
  const { state, line, undecided, contracts } = follower
  if (state === 'off') return 'off'
  if (isUnprotected(follower)) return 'unprotected'
  if (state === 'locked') return 'locked'
  if (undecided.length > 0) return 'asks'
  if (line !== 'up') return state === 'armed' ? 'pending' : 'out-of-sync'
  if (contracts.some(({ exits, notMirrored }) => exits.refused !== null || notMirrored.some(({ why }) => why !== 'invert'))) return 'out-of-sync'
  const pending = contracts.some(isPending)
  if (state === 'out-of-step') return pending && contracts.every(passes) ? 'pending' : 'out-of-sync'
  return pending ? 'pending' : 'in-sync'
}

// Pending and in sync rank the same: a row must not jump with every trade.
const rank: Record<FollowerStatus, number> = { unprotected: 0, asks: 1, 'out-of-sync': 2, locked: 3, pending: 4, 'in-sync': 4, off: 5 }

/** The followers that need the user first, otherwise in the group's order. */
export const byTrouble = <F extends LiveFollower>(followers: readonly F[]): F[] => [...followers].sort((one, other) => rank[statusOf(one)] - rank[statusOf(other)])

/** The groups with followers that need the user or with leftover exits first, otherwise in saved order. */
export const groupsByTrouble = <G extends { readonly live: LiveGroup | null }>(groups: readonly G[]): G[] => {
  const worst = ({ live }: G): number => (live !== null && (live.left.length > 0 || live.followers.some((follower) => rank[statusOf(follower)] < rank.pending)) ? 0 : 1)
  return [...groups].sort((one, other) => worst(one) - worst(other))
}

/** The number of followers by state, most troubled first, without empty states. */
export const tally = (followers: readonly LiveFollower[]): { readonly status: FollowerStatus; readonly count: number }[] => {
  const order: readonly FollowerStatus[] = ['unprotected', 'asks', 'out-of-sync', 'locked', 'pending', 'in-sync', 'off']
  const statuses = followers.map(statusOf)
  return order.map((status) => ({ status, count: statuses.filter((one) => one === status).length })).filter(({ count }) => count > 0)
}

/** Why a follower is not at its target, each reason once with its contracts; without a contract if the reason concerns the whole follower. */
export const reasonsOf = ({ why, contracts }: { readonly why: WaitReason | null; readonly contracts: readonly ContractStance[] }): { readonly why: WaitReason; readonly contracts: readonly string[] }[] => {
  const named = contracts.flatMap(({ why: reason, contract }) => (reason === null ? [] : [{ reason, contract }]))
  const reasons = [...Map.groupBy(named, ({ reason }) => reason)].map(([reason, rows]) => ({ why: reason, contracts: rows.map(({ contract }) => contract) }))
  return reasons.length > 0 || why === null ? reasons : [{ why, contracts: [] }]
}

// The group says these once for all its followers.
const groupReasons: readonly WaitReason[] = ['paused', 'no-lease', 'plan-ended', 'leader-down', 'asks']

/** The reasons for the follower's own note: not its lock, hedge and rejected exits, which have their own sentences, and not its group's. */
export const ownReasonsOf = (follower: Pick<LiveFollower, 'why' | 'contracts' | 'hedgedBy'>): ReturnType<typeof reasonsOf> =>
  reasonsOf(follower).filter(({ why }) => why !== 'locked' && why !== 'exit-refused' && !(why === 'hedge' && follower.hedgedBy !== null) && !groupReasons.includes(why))

/** Whether the user can bring a follower back to its target or leave it where it is. */
export const waitsForUser = (follower: Pick<LiveFollower, 'why' | 'contracts'>): boolean =>
  reasonsOf(follower).some(({ why }) => why === 'by-hand' || why === 'exit-filled')

/** Contracts without the stop that they should have, and contracts whose exit the broker rejected, each with the broker's words. */
export const protectionOf = ({ contracts }: Pick<LiveFollower, 'contracts'>): { readonly contract: string; readonly bare: boolean; readonly refused: string | null }[] =>
  contracts.flatMap(({ contract, unprotected, exits, why }) => (unprotected || exits.refused !== null || why === 'exit-refused' ? [{ contract, bare: unprotected, refused: exits.refused }] : []))

/** The leader's orders that a follower does not get, each type and cause once. An inverted follower gets no exits at all, which its row already says. */
export const notMirroredOf = ({ contracts }: Pick<LiveFollower, 'contracts'>): { readonly type: string; readonly why: 'type' | 'price' | 'other-prices' | 'by-hand'; readonly contracts: readonly string[] }[] => {
  const orders = contracts.flatMap(({ contract, notMirrored }) => notMirrored.flatMap(({ type, why }) => (why === 'invert' ? [] : [{ type, why, contract }])))
  return [...Map.groupBy(orders, ({ type, why }) => `${type} ${why}`).values()].flatMap((rows) => rows.slice(0, 1).map(({ type, why }) => ({ type, why, contracts: [...new Set(rows.map(({ contract }) => contract))] })))
}

/** Pending orders and exits of a group: those that wait for calls, those that the broker asked to slow down, and exits that wait for anything else. */
export type Pending = { readonly reduce: number; readonly enter: number; readonly exits: number }

/** What is pending in a group, by cause. */
export const pendingOf = (followers: readonly Pick<LiveFollower, 'contracts'>[]): { readonly cause: 'budget' | 'rate-limited' | 'other'; readonly pending: Pending }[] => {
  const contracts = followers.flatMap((follower) => follower.contracts)
  const isReduction = ({ target, actual, simulated }: ContractStance): boolean => Math.abs(target) < Math.abs(actual + simulated)
  const count = (rows: readonly ContractStance[], orders: boolean): Pending => ({
    reduce: orders ? rows.filter((one) => one.difference !== 0 && isReduction(one)).length : 0,
    enter: orders ? rows.filter((one) => one.difference !== 0 && !isReduction(one)).length : 0,
    exits: rows.reduce((sum, { exits }) => sum + exits.waiting, 0),
  })
  const of = (cause: 'budget' | 'rate-limited') => ({ cause, pending: count(contracts.filter(({ why }) => why === cause), true) })
  const other = { cause: 'other' as const, pending: count(contracts.filter(({ why }) => why !== 'budget' && why !== 'rate-limited'), false) }
  return [of('budget'), of('rate-limited'), other].filter(({ pending: { reduce, enter, exits } }) => reduce + enter + exits > 0)
}
