import type { RuleSet } from '#shared/api/rules.ts'
import { sessionOf } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, timeOfWall } from '#shared/market/zone-clock.ts'
import type { Broken, RuleTrade } from './day-facts.ts'

const minute = 60_000
const dayLength = 24 * 60 * minute

/** The wall time to be flat by. */
type FlatBy = NonNullable<RuleSet['flatBy']>

const known = new Map<string, number>()

/** A session's flat-by time (UTC ms): that wall time between its opening and 17:00 in Chicago. Short sessions are treated as full ones. */
export const flatByOf = (rule: FlatBy, day: string): number => {
  const key = `${day} ${rule.time} ${rule.zone}`
  const found = known.get(key) ?? timeIn(rule, day)
  known.set(key, found)
  return found
}

const timeIn = ({ time, zone }: FlatBy, day: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const wall = dayOfDate(day) * dayLength + (hours * 60 + minutes) * minute
  const deadline = timeOfWall(wall, zone)
  return deadline > sessionOf(day).listedUntil ? timeOfWall(wall - dayLength, zone) : deadline
}

/**
 * The first of a day's trades, by exit, that was held after the flat-by time of its opening session, or opened after it; null if none. Flat at exactly
 * that millisecond is in time.
 */
export const heldLate = (rule: FlatBy, trades: readonly RuleTrade[]): Broken | null => {
  let session = { day: '', flatBy: 0 }
  for (const { entryAt, exitAt } of trades) {
    const day = tradingDay(entryAt)
    if (day !== session.day) session = { day, flatBy: flatByOf(rule, day) }
    if (exitAt > session.flatBy) return { tradingDay: day, at: Math.max(session.flatBy, entryAt) }
  }
  return null
}
