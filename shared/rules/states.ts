import type { RuleKind, RuleState } from '#shared/api/rules.ts'
import { consistencyState, minimumDaysState, payoutState, targetState, winningDaysState } from './goal-states.ts'
import { contractsState, dailyLossState, flatByState, hedgingState, maxLossState, timeLimitState } from './limit-states.ts'
import { blankState, type View } from './view.ts'

const rules = [maxLossState, dailyLossState, targetState, consistencyState, minimumDaysState, winningDaysState, contractsState, flatByState, hedgingState, timeLimitState, payoutState]

/** The states of all rules that apply, in rule kind order, for now and for past days. */
export const statesOf = (view: View): readonly RuleState[] => rules.flatMap((rule) => rule(view) ?? []).map((state) => withForeign(view, state))

/** Rules of sums of money over days. */
const sums: readonly RuleKind[] = ['max-loss', 'profit-target', 'consistency', 'winning-days', 'payout']

/** A state of money that lacks what trades in another currency made: unknown, unless it was settled without them. */
const withForeign = ({ foreign, passed }: View, state: RuleState): RuleState => {
  const { rule, unit, limit, by, beside, notes } = state
  const lacks = rule === 'daily-loss' ? foreign.day : foreign.any && sums.includes(rule)
  const isSettled = state.state === 'breached' || state.state === 'paused' || (passed !== null && state.state === 'met' && rule !== 'payout')
  if (!lacks || isSettled) return state
  // A floor of the rules follows a peak that is unknown too.
  return { ...blankState(rule, unit), limit: rule === 'max-loss' && by === 'rules' ? null : limit, by, beside: beside === null ? null : { ...beside, left: null }, notes: [...notes, 'other-currency'] }
}

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
