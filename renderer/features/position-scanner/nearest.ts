import type { AccountStanding, RuleKind, RuleState } from '#shared/api/rules.ts'

// Rules that end an account or a day come before goals.
const order: readonly RuleKind[] = ['max-loss', 'daily-loss', 'contracts', 'flat-by', 'hedging', 'time-limit', 'profit-target', 'consistency', 'minimum-days', 'winning-days', 'payout']

/** The states of an account's rules, limits before goals, in a stable order. */
export const limitsFirst = (states: readonly RuleState[]): RuleState[] => states.toSorted((one, other) => order.indexOf(one.rule) - order.indexOf(other.rule))

/** The state that is nearest to ending the account or the day; null if there is none. */
export const nearestOf = ({ states, nearest }: Pick<AccountStanding, 'states' | 'nearest'>): RuleState | null => states?.find(({ rule }) => rule === nearest) ?? null

// From the first goal on, rules are goals.
const firstGoal = order.indexOf('profit-target')

/** The limits among the states, most used first. */
export const nearestFirst = (states: readonly RuleState[]): RuleState[] =>
  limitsFirst(states.filter(({ rule }) => order.indexOf(rule) < firstGoal)).toSorted((one, other) => (other.used ?? -1) - (one.used ?? -1))
