import { hasSession, previousTradingDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'

/** Days from the first to the last, both included, `YYYY-MM-DD`. */
export type DayWindow = { readonly from: string; readonly to: string }

/** The last trading day that is over at `now` (UTC ms): the broker's data of the current one is incomplete. */
export const lastWholeDay = (now: number): string => previousTradingDay(tradingDay(now))

/** The days of a window that no other covers, in windows of at most `longest` days, newest first; days without a session need no request. */
export const missingWindows = (wanted: DayWindow, covered: readonly DayWindow[], longest: number): DayWindow[] => {
  const from = dayOfDate(wanted.from)
  const known = covered.map((window) => ({ from: dayOfDate(window.from), to: dayOfDate(window.to) })).sort((one, other) => other.to - one.to)
  const windows: DayWindow[] = []
  let to = dayOfDate(wanted.to)
  const cut = (first: number): void => {
    for (; to >= first; to -= longest) {
      const window = { from: isoDate(Math.max(first, to - longest + 1)), to: isoDate(to) }
      if (anySession(window)) windows.push(window)
    }
  }
  for (const window of known) {
    if (window.to < from) break
    if (window.from > to) continue
    cut(window.to + 1)
    to = window.from - 1
  }
  cut(from)
  return windows
}

const anySession = ({ from, to }: DayWindow): boolean => {
  for (let day = dayOfDate(from); day <= dayOfDate(to); day += 1) if (hasSession(isoDate(day))) return true
  return false
}
