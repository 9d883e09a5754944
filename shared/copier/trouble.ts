import type { CopierTrouble, LiveFollower } from '../api/copier.ts'

/** Whether an active follower holds a position without the stop that it should have. */
export const isUnprotected = ({ state, contracts }: Pick<LiveFollower, 'state' | 'contracts'>): boolean =>
  state !== 'off' && (state === 'unprotected' || contracts.some(({ unprotected }) => unprotected))

/** A follower's alerts, worst first. Its own exit filling early is none: the leader's usually fills a moment later. */
export const troublesOf = (follower: Pick<LiveFollower, 'state' | 'lock' | 'contracts' | 'undecided'>): CopierTrouble[] => {
  const { state, lock, contracts, undecided } = follower
  if (state === 'off') return []
  const decides = state !== 'locked' && (undecided.length > 0 || contracts.some(({ why }) => why === 'by-hand'))
  return [...(isUnprotected(follower) ? (['unprotected'] as const) : []), ...(lock === 'guard' ? (['guard'] as const) : []), ...(decides ? (['decision'] as const) : [])]
}
