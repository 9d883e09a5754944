import { zoneClock } from '#shared/market/zone-clock.ts'

/** Market sessions in Chicago time: Asia 17:00-02:00, London 02:00-08:30, New York 08:30-16:00, closed 16:00-17:00. */
export const marketSessions = ['asia', 'london', 'new-york', 'closed'] as const
export type MarketSession = (typeof marketSessions)[number]

const hour = 3_600_000
const dayLength = 24 * hour
// Chicago time, ms after midnight.
const [londonOpens, newYorkOpens, closes, opens] = [2 * hour, 8.5 * hour, 16 * hour, 17 * hour]

/** The market session at a UTC time (ms). */
export const marketSessionAt = (time: number): MarketSession => {
  const { wallTime } = wallClock(time, 'America/Chicago')
  if (wallTime < londonOpens || wallTime >= opens) return 'asia'
  if (wallTime < newYorkOpens) return 'london'
  return wallTime < closes ? 'new-york' : 'closed'
}

/** The local weekday (1 is Monday, 7 Sunday) and hour (0 to 23) in a zone at a UTC time (ms). */
export const weekdayAndHour = (time: number, zone: string): { readonly weekday: number; readonly hour: number } => {
  const { day, wallTime } = wallClock(time, zone)
  // 1 January 1970, day 0, was a Thursday.
  return { weekday: modulo(day + 3, 7) + 1, hour: Math.floor(wallTime / hour) }
}

/** The local day, counted from 1 January 1970, and ms after midnight in a zone at a UTC time (ms). */
export const wallClock = (time: number, zone: string): { readonly day: number; readonly wallTime: number } => {
  const wall = time + zoneClock(zone).offsetAt(time)
  return { day: Math.floor(wall / dayLength), wallTime: modulo(wall, dayLength) }
}

const modulo = (dividend: number, divisor: number): number => ((dividend % divisor) + divisor) % divisor
