import type { RuleState } from '#shared/api/rules.ts'

/** How to word a rule's main figure, and the figure (an exact decimal without sign); `state` if only the state's own word fits. */
type RuleLeft = { readonly say: 'left' | 'to-go' | 'over' | 'payable'; readonly amount: string } | { readonly say: 'no-opposite' | 'state' }

const unsigned = (text: string): string => text.replace('-', '')

/** What to say about a rule: what is left of a limit, what is missing for a goal, how far a share is exceeded, or what may be paid out. */
export const ruleLeft = ({ rule, state, unit, left }: Pick<RuleState, 'rule' | 'state' | 'unit' | 'left'>): RuleLeft => {
  if (rule === 'hedging' && state === 'within') return { say: 'no-opposite' }
  if (left === null) return { say: 'state' }
  const below = left.startsWith('-')
  if (state === 'within' && !below) return { say: 'left', amount: left }
  if (state === 'open' && unit === 'percent' && below) return { say: 'over', amount: unsigned(left) }
  if (state === 'open' && !below && Number(left) > 0 && unit !== 'percent') return { say: 'to-go', amount: left }
  if (rule === 'payout' && state === 'met' && unit === 'money' && below) return { say: 'payable', amount: unsigned(left) }
  return { say: 'state' }
}
