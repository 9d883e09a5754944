import type { RuleKind, RuleState } from '#shared/api/rules.ts'
import { isoDate } from '#shared/market/zone-clock.ts'
import type { Broken, NearestCap, Past } from './day-facts.ts'
import type { Figures } from './goals.ts'
import type { Terms } from './terms.ts'

/** The source of a limit. */
type By = RuleState['by']

/** An account now or at the end of a past day: the input of its rule states. Amounts are profit over the starting balance, 1/10,000. */
export type View = {
  readonly terms: Terms
  /** The starting balance, 1/10,000. */
  readonly start: number
  /** Its source. */
  readonly startBy: By
  readonly tradingDay: string
  /** UTC ms; null at the end of a past day. */
  readonly at: number | null
  /** Including today, without its unknown parts. */
  readonly figures: Figures
  /** Null if neither balance nor today's trades are known. */
  readonly profit: number | null
  readonly maxLoss: WithBeside<MaxLossView> | null
  readonly dailyLoss: WithBeside<DailyLossView> | null
  readonly nearestCap: NearestCap
  /** UTC ms; null if not set or the day is over. */
  readonly flatBy: { readonly at: number; readonly holds: boolean; readonly by: By } | null
  readonly heldLate: Broken | null
  /** Contracts that other accounts hold against this one; null if unknown. */
  readonly against: number | null
  readonly metSince: Past['metSince']
  readonly firstDay: string | null
  readonly passed: string | null
  /** Balance and trades do not add up. */
  readonly differs: boolean
  /** Whether trades of unknown P&L in another currency closed on the day, and on it or any day before. */
  readonly foreign: { readonly day: boolean; readonly any: boolean }
}

/** A limit, and the same limit by the other source: null if there is none. */
export type WithBeside<V> = V & { readonly beside: V | null }

type Note = RuleState['notes'][number]

/** The max loss: the drawdown limit, and the value compared with it. */
export type MaxLossView = {
  readonly drawdownLimit: number
  /** The distance from peak to floor; null if unknown. */
  readonly room: number | null
  readonly value: number | null
  readonly broken: Broken | null
  readonly by: By
  readonly notes: readonly Note[]
}

/** The daily loss. */
export type DailyLossView = {
  /** Null if the account is reduce-only and no limit is known. */
  readonly amount: number | null
  /** The day's net, as the rule counts it. */
  readonly value: number | null
  readonly broken: Broken | null
  readonly hard: boolean
  readonly by: By
  readonly notes: readonly Note[]
}

/** An unknown state of a rule, to be filled in. */
export const blankState = (rule: RuleKind, unit: RuleState['unit']): RuleState => ({ rule, state: 'unknown', unit, limit: null, value: null, left: null, used: null, by: 'rules', beside: null, since: null, notes: [] })

const dayLength = 86_400_000

/** A UTC time (ms) as ISO 8601 with milliseconds: `2026-03-03T21:10:00.000Z`. */
const isoMoment = (time: number): string => {
  const day = Math.floor(time / dayLength)
  const ofDay = time - day * dayLength
  const two = (value: number): string => String(Math.floor(value) % 60).padStart(2, '0')
  return `${isoDate(day)}T${String(Math.floor(ofDay / 3_600_000)).padStart(2, '0')}:${two(ofDay / 60_000)}:${two(ofDay / 1000)}.${String(ofDay % 1000).padStart(3, '0')}Z`
}

/** When a rule was broken, as in the API: ISO 8601. */
export const sinceOf = (broken: Broken): NonNullable<RuleState['since']> => ({ tradingDay: broken.tradingDay, at: broken.at === null ? null : isoMoment(broken.at) })
