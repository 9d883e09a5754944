import type { RuleKind, RuleState } from '#shared/api/rules.ts'
import { consistencyState, minimumDaysState, payoutState, targetState, winningDaysState } from './goal-states.ts'
import { contractsState, dailyLossState, flatByState, hedgingState, maxLossState, timeLimitState } from './limit-states.ts'
import type { View } from './view.ts'

const rules = [maxLossState, dailyLossState, targetState, consistencyState, minimumDaysState, winningDaysState, contractsState, flatByState, hedgingState, timeLimitState, payoutState]

/** The states of all rules that apply, in rule kind order, for now and for past days. */
export const statesOf = (view: View): readonly RuleState[] => rules.flatMap((rule) => rule(view) ?? [])

/** Rules that one more loss or minute can break. */
const ending: readonly RuleKind[] = ['max-loss', 'daily-loss', 'flat-by']

/** The rule nearest to ending the account or day: broken or paused first, then the most used of losses and flat-by. Null if none. */
export const nearestOf = (states: readonly RuleState[]): RuleKind | null => {
  const broken = states.find(({ state }) => state === 'breached') ?? states.find(({ state }) => state === 'paused')
  if (broken !== undefined) return broken.rule
  let nearest: RuleState | null = null
  for (const state of states) if (ending.includes(state.rule) && state.used !== null && (nearest?.used ?? -1) < state.used) nearest = state
  return nearest?.rule ?? null
}
