import type { ReplayAnswer, ReplayDay, RuleState } from '#shared/api/rules.ts'
import { amountOf, parseAmount, toDecimalString } from '#shared/money/money.ts'

/** One day of a replay as the table shows it. */
export type ReplayRow = {
  readonly day: ReplayDay
  /** How far the day's lowest balance was above the floor, as an exact decimal; null without a floor. */
  readonly room: string | null
  /** Rules that were broken or paused that day, the hard ones first. */
  readonly broken: readonly RuleState[]
  /** The day of the first hard breach. */
  readonly first: boolean
}

/** The exact difference of two decimals; null if one is not an amount. */
const minus = (one: string, other: string): string | null => {
  const [from, less] = [parseAmount(one), parseAmount(other)]
  return from.ok && less.ok ? toDecimalString(amountOf(from.value - less.value)) : null
}

// A rule stays broken; show it on the day that broke it.
const brokenOn = ({ tradingDay, states }: ReplayDay): RuleState[] =>
  states.filter(({ state, since }) => (state === 'breached' || state === 'paused') && (since === null || since.tradingDay === tradingDay)).sort((one, other) => (one.state < other.state ? -1 : one.state > other.state ? 1 : 0))

/** The days of a replay, newest first. */
export const replayRows = ({ days, breach }: ReplayAnswer): ReplayRow[] =>
  days
    .map((day) => ({ day, room: day.drawdownLimit === null ? null : minus(day.low, day.drawdownLimit), broken: brokenOn(day), first: breach?.tradingDay === day.tradingDay }))
    .reverse()

/** The figures of a replay to compare: exact decimals. */
export type ReplaySummary = {
  readonly outcome: ReplayAnswer['outcome']
  readonly breach: ReplayAnswer['breach']
  readonly passed: string | null
  readonly days: number
  /** The least room above the floor up to the breach, or to the end, and its day; null without a floor. */
  readonly tightest: { readonly room: string; readonly tradingDay: string } | null
  readonly lastBalance: string | null
}

/** The figures of a replay for a comparison. */
export const replaySummary = (answer: ReplayAnswer): ReplaySummary => {
  const { days, breach, outcome, passed } = answer
  const counted = breach === null ? days : days.filter(({ tradingDay }) => tradingDay <= breach.tradingDay)
  const rooms = counted.flatMap(({ low, drawdownLimit, tradingDay }) => {
    const room = drawdownLimit === null ? null : minus(low, drawdownLimit)
    return room === null ? [] : [{ room, tradingDay }]
  })
  const tightest = rooms.reduce<{ room: string; tradingDay: string } | null>((least, one) => (least === null || Number(one.room) < Number(least.room) ? one : least), null)
  return { outcome, breach, passed, days: days.length, tightest, lastBalance: days.at(-1)?.balance ?? null }
}
