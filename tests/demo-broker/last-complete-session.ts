import { addDays, chicagoTime, sessionAt, sessionsUpTo } from '#demo-broker/calendar.ts'

/** The latest trading day that was complete (15:55 Chicago) at a time. */
export const lastCompleteSession = (now: number): string => {
  const running = sessionAt(now)
  const isComplete = now >= chicagoTime(running, 15 * 60 + 55)
  return sessionsUpTo(isComplete ? running : addDays(running, -1), 1)[0] ?? running
}
