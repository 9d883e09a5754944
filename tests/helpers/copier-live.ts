import type { ContractStance, CopierLive, CopyGroup, FollowerRule, LiveFollower, LiveGroup } from '#shared/api/copier.ts'

/** One contract of a follower in sync; the given fields override the defaults. */
export const stance = (more: Partial<ContractStance> = {}): ContractStance => ({
  leaderContract: 'NQZ6', contract: 'MNQZ6', leader: 2, target: 20, actual: 20, yours: 0, simulated: 0, inFlight: 0, difference: 0, why: null, exits: { working: 0, waiting: 0, refused: null }, unprotected: false, notMirrored: [], retryAt: null, ...more,
})

/** An armed, flat follower; the given fields override the defaults. */
export const follower = (account: string, more: Partial<LiveFollower> = {}): LiveFollower => ({
  account, state: 'armed', lock: null, why: null, line: 'up', contracts: [], day: null, latencyMs: null, rejects: 0, hedgedBy: null, undecided: [], ...more,
})

/** An armed group; the given fields override the defaults. */
export const liveGroup = (id: string, followers: LiveFollower[], more: Partial<LiveGroup> = {}): LiveGroup => ({
  id, state: 'armed', unsaved: false, dryRun: false, blocked: null, leaderLine: 'up', leader: [], followers, left: [], waiting: { reduce: 0, enter: 0, exits: 0 }, ...more,
})

/** The copier's state of these groups, as change number `seq`. */
export const copierLive = (seq: number, groups: LiveGroup[], budgets: CopierLive['budgets'] = []): CopierLive => ({ seq, at: 1_770_000_000_000 + seq, groups, budgets })

/** A follower's rule, one to one; the given fields override the defaults. */
export const rule = (account: string, more: Partial<FollowerRule> = {}): FollowerRule => ({
  account, on: true, ratio: { num: 1, den: 1 }, mappings: [], contractCap: null, maxPosition: null, products: null, dailyLoss: null, dailyProfit: null, maxRejects: 5, invert: false, guard: false, ...more,
})

/** A saved group; the given fields override the defaults. */
export const group = (id: string, leader: string, followers: FollowerRule[], more: Partial<CopyGroup> = {}): CopyGroup => ({ id, name: id, leader, followers, exits: true, mode: 'fills', unprotected: 'keep', leftExits: 'keep', dryRun: false, ...more })
