import type { CopierTrouble, LiveFollower } from '../api/copier.ts'

/** Whether a follower that follows holds a position without the stop that it should have. */
export const isUnprotected = ({ state, contracts }: Pick<LiveFollower, 'state' | 'contracts'>): boolean =>
  state !== 'off' && (state === 'unprotected' || contracts.some(({ unprotected }) => unprotected))

/** What of a follower raises an alert, the worst first. An exit of its own that filled early is no alert: the leader's mostly fills a moment later. */
export const troublesOf = (follower: Pick<LiveFollower, 'state' | 'lock' | 'contracts' | 'asks'>): CopierTrouble[] => {
  const { state, lock, contracts, asks } = follower
  if (state === 'off') return []
  const decides = state !== 'locked' && (asks.length > 0 || contracts.some(({ why }) => why === 'by-hand'))
  return [...(isUnprotected(follower) ? (['unprotected'] as const) : []), ...(lock === 'guard' ? (['guard'] as const) : []), ...(decides ? (['decision'] as const) : [])]
}
