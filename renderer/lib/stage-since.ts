import type { AccountStanding, RuleState } from '#shared/api/rules.ts'

type Since = NonNullable<RuleState['since']>

/** Rules that end an account when broken; other violations can be corrected. */
const ends: readonly RuleState['rule'][] = ['max-loss', 'daily-loss', 'time-limit']
const order = (since: Since): string => `${since.tradingDay} ${since.at ?? ''}`

/** Since when an account is breached (the first rule that ended it) or passed; null for other stages, and if the rules do not say. */
export const stageSince = ({ stage, states, passed }: Pick<AccountStanding, 'stage' | 'states' | 'passed'>): Since | null => {
  const dated = (states ?? []).flatMap(({ rule, state, since }) => (since === null ? [] : [{ rule, state, since }])).sort((one, other) => (order(one.since) < order(other.since) ? -1 : 1))
  if (stage === 'breached') return dated.find(({ rule, state }) => state === 'breached' && ends.includes(rule))?.since ?? null
  if (stage === 'passed') return passed === null ? null : { tradingDay: passed, at: null }
  return null
}
