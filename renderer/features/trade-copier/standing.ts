import type { ContractStance, FollowerState, LiveFollower, LiveGroup, WaitReason } from '#shared/api/copier.ts'

/** How a follower stands, as it is shown: an armed one is in step, at work, or asks what to do with what was open at the start. */
export type Standing = Exclude<FollowerState, 'armed'> | 'in-step' | 'working' | 'asks'

/** How a follower stands. */
export const standingOf = (follower: Pick<LiveFollower, 'state' | 'line' | 'asks' | 'contracts'>): Standing => {
  if (follower.state !== 'off' && follower.state !== 'locked' && follower.asks.length > 0) return 'asks'
  if (follower.state !== 'armed') return follower.state
  // Nobody is in step of whom nothing is known.
  if (follower.line !== 'up') return 'working'
  return follower.contracts.some(({ difference, inFlight, why }) => difference !== 0 || inFlight !== 0 || why !== null) ? 'working' : 'in-step'
}

// Those at work and those in step share a place: a line must not jump with every trade.
const rank: Record<Standing, number> = { unprotected: 0, asks: 1, 'out-of-step': 2, locked: 3, working: 4, 'in-step': 4, off: 5 }

/** The followers that need their user first, otherwise in the order in which the group has them. */
export const byTrouble = <F extends LiveFollower>(followers: readonly F[]): F[] => [...followers].sort((one, other) => rank[standingOf(one)] - rank[standingOf(other)])

/** The groups with followers that need their user first, otherwise as they are kept. */
export const groupsByTrouble = <G extends { readonly live: LiveGroup | null }>(groups: readonly G[]): G[] => {
  const worst = ({ live }: G): number => (live !== null && live.followers.some((follower) => rank[standingOf(follower)] < rank.working) ? 0 : 1)
  return [...groups].sort((one, other) => worst(one) - worst(other))
}

/** How many followers stand in each way, the troubled first; ways in which none stands are left out. */
export const tally = (followers: readonly LiveFollower[]): { readonly standing: Standing; readonly count: number }[] => {
  const order: readonly Standing[] = ['unprotected', 'asks', 'out-of-step', 'locked', 'working', 'in-step', 'off']
  const standings = followers.map(standingOf)
  return order.map((standing) => ({ standing, count: standings.filter((one) => one === standing).length })).filter(({ count }) => count > 0)
}

/** Why a follower is not where it should be, each reason once with the contracts that it holds for; none named where it holds for the follower as a whole. */
export const reasonsOf = ({ why, contracts }: { readonly why: WaitReason | null; readonly contracts: readonly ContractStance[] }): { readonly why: WaitReason; readonly contracts: readonly string[] }[] => {
  const named = contracts.flatMap(({ why: reason, contract }) => (reason === null ? [] : [{ reason, contract }]))
  const told = [...Map.groupBy(named, ({ reason }) => reason)].map(([reason, rows]) => ({ why: reason, contracts: rows.map(({ contract }) => contract) }))
  return told.length > 0 || why === null ? told : [{ why, contracts: [] }]
}

// The group says these once for all its followers.
const toldByGroup: readonly WaitReason[] = ['paused', 'no-lease', 'plan-ended', 'leader-down', 'asks']

/** The reasons that are to be told of the follower itself: not those of its lock and of its hedge, which have sentences of their own, and not its group's. */
export const ownReasonsOf = (follower: Pick<LiveFollower, 'why' | 'contracts' | 'hedgedBy'>): ReturnType<typeof reasonsOf> =>
  reasonsOf(follower).filter(({ why }) => why !== 'locked' && !(why === 'hedge' && follower.hedgedBy !== null) && !toldByGroup.includes(why))

/** Whether a follower waits for its user to bring it back to its target or to leave it where it is. */
export const waitsForUser = (follower: Pick<LiveFollower, 'why' | 'contracts'>): boolean =>
  reasonsOf(follower).some(({ why }) => why === 'by-hand' || why === 'exit-filled')
