import { zoneClock } from '#shared/market/zone-clock.ts'

/** Parts of the trading day: Asia 17:00-02:00, London 02:00-08:30, New York 08:30-16:00, closed 16:00-17:00, all by Chicago's wall clock. */
export const marketSessions = ['asia', 'london', 'new-york', 'closed'] as const
export type MarketSession = (typeof marketSessions)[number]

const hour = 3_600_000
const dayLength = 24 * hour
// Chicago's wall clock, milliseconds after midnight.
const [londonOpens, newYorkOpens, closes, opens] = [2 * hour, 8.5 * hour, 16 * hour, 17 * hour]

/** The part of the trading day at a UTC time (ms). */
export const marketSessionAt = (time: number): MarketSession => {
  const { wallTime } = wallClock(time, 'America/Chicago')
  if (wallTime < londonOpens || wallTime >= opens) return 'asia'
  if (wallTime < newYorkOpens) return 'london'
  return wallTime < closes ? 'new-york' : 'closed'
}

/** Weekday (1 is Monday, 7 Sunday) and hour (0 to 23) that a zone's clocks show at a UTC time (ms), daylight saving included. */
export const weekdayAndHour = (time: number, zone: string): { readonly weekday: number; readonly hour: number } => {
  const { day, wallTime } = wallClock(time, zone)
  // 1 January 1970, day 0, was a Thursday.
  return { weekday: modulo(day + 3, 7) + 1, hour: Math.floor(wallTime / hour) }
}

/** The day, counted from 1 January 1970, and the milliseconds after midnight that a zone's clocks show at a UTC time (ms). */
export const wallClock = (time: number, zone: string): { readonly day: number; readonly wallTime: number } => {
  const wall = time + zoneClock(zone).offsetAt(time)
  return { day: Math.floor(wall / dayLength), wallTime: modulo(wall, dayLength) }
}

const modulo = (dividend: number, divisor: number): number => ((dividend % divisor) + divisor) % divisor
