import type { AccountStanding, RuleState } from '#shared/api/rules.ts'

type Since = NonNullable<RuleState['since']>

/** Rules that end an account when broken; other violations can be corrected. */
const ends: readonly RuleState['rule'][] = ['max-loss', 'daily-loss', 'time-limit']
const order = (since: Since): string => `${since.tradingDay} ${since.at ?? ''}`

/** The first rule that ended an account, with its day; null if none did, or none says when. */
export const endedBy = (states: readonly RuleState[] | null): { readonly rule: RuleState['rule']; readonly since: Since } | null => {
  const broken = (states ?? []).flatMap(({ rule, state, since }) => (since !== null && state === 'breached' && ends.includes(rule) ? [{ rule, since }] : []))
  return broken.sort((one, other) => (order(one.since) < order(other.since) ? -1 : 1))[0] ?? null
}

/** Since when an account is breached (the first rule that ended it) or passed; null for other stages, and if the rules do not say. */
export const stageSince = ({ stage, states, passed }: Pick<AccountStanding, 'stage' | 'states' | 'passed'>): Since | null => {
  if (stage === 'breached') return endedBy(states)?.since ?? null
  if (stage === 'passed') return passed === null ? null : { tradingDay: passed, at: null }
  return null
}
