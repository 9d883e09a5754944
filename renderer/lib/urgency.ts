import type { AccountStanding } from '#shared/api/rules.ts'

/** How urgently an account needs attention: the used share of its nearest limit, from 0 to 1; 2 if its day or a rule is over, and -1 if it is lost, because nothing helps it any more. */
export const urgencyOf = ({ stage, states, nearest }: Pick<AccountStanding, 'stage' | 'states' | 'nearest'>): number => {
  if (stage === 'breached') return -1
  const known = states ?? []
  if (known.some(({ state }) => state === 'paused' || state === 'breached')) return 2
  return known.find(({ rule }) => rule === nearest)?.used ?? 0
}
