import { chicagoTime as chicago } from '#shared/market/session.ts'
import { zoneClock } from '#shared/market/zone-clock.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** Pause between two pulls while a session is open, milliseconds. */
const pullEvery = 5 * minute
/** Pause between two attempts of the daily run, milliseconds. */
const dailyRetryEvery = 10 * minute

// Wall clock of Chicago, milliseconds after midnight.
const closingPull = 15 * hour + 55 * minute
const sessionEnd = 16 * hour
const dailyRun = 16 * hour + 2 * minute
const sessionStart = 17 * hour

const sunday = 0
const friday = 5
const saturday = 6

/** The inputs of the schedule; times are UTC milliseconds. */
export type ScheduleState = {
  readonly now: number
  /** Start of the last run, whatever its outcome; null before the first. */
  readonly lastAttempt: number | null
  /** Start of the last run that fetched everything available; null before the first. */
  readonly lastGood: number | null
}

/** The schedule's next run: `at` is UTC milliseconds, never before `now`. */
export type NextRun = { readonly at: number; readonly trigger: 'schedule' | 'daily' }

/**
 * When to sync next. The broker lists only the running session, so: a pull every five minutes while a session is open
 * (Sunday 17:00 to Friday 16:00 Chicago, except the hour from 16:00), one at 15:55, and the daily run after 16:00 that
 * retries until 17:00. The rest of the broker's maintenance is on the weekend, which is left out.
 */
export const nextRun = (state: ScheduleState): NextRun => {
  const today = zoneClock('America/Chicago').dayOf(state.now)
  for (let date = today; ; date += 1) {
    const runs = runsOfDay(date, state)
    if (runs.length > 0) return runs.reduce((first, run) => (run.at < first.at ? run : first))
  }
}

const runsOfDay = (date: number, { now, lastAttempt, lastGood }: ScheduleState): NextRun[] => {
  const weekday = (date + 4) % 7
  const runs: NextRun[] = []
  const between = (from: number, to: number, notBefore: number, trigger: NextRun['trigger']): void => {
    const at = Math.max(chicago(date, from), notBefore)
    if (at < chicago(date, to)) runs.push({ at, trigger })
  }
  const nextPull = Math.max(now, lastAttempt === null ? now : lastAttempt + pullEvery)

  if (weekday !== sunday && weekday !== saturday) {
    between(0, sessionEnd, nextPull, 'schedule')
    if (lastAttempt === null || lastAttempt < chicago(date, closingPull)) between(closingPull, sessionEnd, now, 'schedule')
    const over = chicago(date, sessionEnd)
    if (lastGood === null || lastGood < over) {
      const triedToday = lastAttempt !== null && lastAttempt >= over
      between(dailyRun, sessionStart, triedToday ? Math.max(now, lastAttempt + dailyRetryEvery) : now, 'daily')
    }
  }
  if (weekday !== friday && weekday !== saturday) between(sessionStart, day, nextPull, 'schedule')
  return runs
}
