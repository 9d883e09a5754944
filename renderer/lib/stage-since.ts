import type { AccountStanding, RuleState } from '#shared/api/rules.ts'

type Since = NonNullable<RuleState['since']>

const asked: readonly RuleState['rule'][] = ['profit-target', 'minimum-days', 'winning-days', 'consistency']
/** What ends an account when it is broken; other rules can be mended. */
const ends: readonly RuleState['rule'][] = ['max-loss', 'daily-loss', 'time-limit']
const order = (since: Since): string => `${since.tradingDay} ${since.at ?? ''}`

/** Since when an account is breached (the first rule that ended it) or passed (the last of what was asked for); null for other stages, and where the rules do not tell. */
export const stageSince = ({ stage, states }: Pick<AccountStanding, 'stage' | 'states'>): Since | null => {
  const told = (states ?? []).flatMap(({ rule, state, since }) => (since === null ? [] : [{ rule, state, since }])).sort((one, other) => (order(one.since) < order(other.since) ? -1 : 1))
  if (stage === 'breached') return told.find(({ rule, state }) => state === 'breached' && ends.includes(rule))?.since ?? null
  if (stage === 'passed') return told.findLast(({ rule, state }) => state === 'met' && asked.includes(rule))?.since ?? null
  return null
}
