import { isoDate, zoneClock } from './zone-clock.ts'

const hour = 3_600_000
const sessionOpen = 17
const sunday = 0
const saturday = 6

/**
 * The date of the exchange's session, `YYYY-MM-DD`, at a UTC time (ms): a session opens at 17:00 in Chicago and
 * carries the next day's date; Friday evening and the weekend belong to Monday.
 */
export const tradingDay = (time: number): string => {
  // Shifts the wall clock, not the time: the session opens at 17:00 on the day of a clock change too.
  const wall = time + zoneClock('America/Chicago').offsetAt(time)
  const day = Math.floor((wall + (24 - sessionOpen) * hour) / (24 * hour))
  const weekday = (day + 4) % 7
  return isoDate(day + (weekday === saturday ? 2 : weekday === sunday ? 1 : 0))
}
