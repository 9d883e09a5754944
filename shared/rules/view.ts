import type { RuleKind, RuleState } from '#shared/api/rules.ts'
import type { Broken, HeldMost, Past } from './day-facts.ts'
import type { Figures } from './goals.ts'
import { isoMoment } from './iso-moment.ts'
import type { Terms } from './terms.ts'

/** Whose word a limit is. */
type By = RuleState['by']

/** One account at one moment, be it now or the end of a day long ago: all that its rules' states are made of. Amounts are profit over the starting balance, 1/10,000. */
export type View = {
  readonly terms: Terms
  /** The starting balance, 1/10,000. */
  readonly start: number
  /** Whose word that is. */
  readonly startBy: By
  readonly tradingDay: string
  /** UTC ms; null at the end of a past day. */
  readonly at: number | null
  /** Today included; what is not known of today is left out. */
  readonly figures: Figures
  /** Null where neither a balance nor the day's trades are known. */
  readonly profit: number | null
  readonly maxLoss: MaxLossView | null
  readonly dailyLoss: DailyLossView | null
  readonly held: HeldMost
  /** UTC ms; null where no time is set, or the day is over. */
  readonly flatBy: { readonly at: number; readonly holds: boolean; readonly by: By } | null
  readonly heldLate: Broken | null
  /** Contracts that other accounts hold against this one; null where that is not known. */
  readonly against: number | null
  readonly metSince: Past['metSince']
  readonly firstDay: string | null
  readonly passed: string | null
  /** Balance and trades do not add up. */
  readonly differs: boolean
}

type Note = RuleState['notes'][number]

/** How the maximum loss stands: the floor, and what is held against it. */
export type MaxLossView = {
  readonly floor: number
  /** From the peak that the floor follows down to it; null where nobody said. */
  readonly room: number | null
  readonly value: number | null
  readonly broken: Broken | null
  readonly by: By
  readonly notes: readonly Note[]
}

/** How the daily loss stands. */
export type DailyLossView = {
  /** Null where the broker lets the account reduce only, and no limit is known. */
  readonly amount: number | null
  /** The day's net, as the rule counts it. */
  readonly value: number | null
  readonly broken: Broken | null
  readonly hard: boolean
  readonly by: By
  readonly notes: readonly Note[]
}

/** A state that tells nothing but its rule; what is known is written over it. */
export const blankState = (rule: RuleKind, unit: RuleState['unit']): RuleState => ({ rule, state: 'unknown', unit, limit: null, value: null, left: null, used: null, by: 'rules', since: null, notes: [] })

/** When something was broken, as the contract has it: the moment in ISO 8601. */
export const sinceOf = (broken: Broken): NonNullable<RuleState['since']> => ({ tradingDay: broken.tradingDay, at: broken.at === null ? null : isoMoment(broken.at) })
