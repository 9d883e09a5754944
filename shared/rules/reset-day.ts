import { hasSession, nextTradingDay } from '#shared/market/session.ts'
import type { DayFacts } from './day-facts.ts'
import type { Booked } from './transfers.ts'

/**
 * The first trading day after an account's last reset, which the user entered by date or the broker booked at a time: that day itself if nothing closed
 * on it before, otherwise the next one. Null if no trade precedes it.
 */
export const resetDayOf = (days: readonly DayFacts[], written: readonly string[], booked: readonly Booked[]): string | null => {
  const closedOn = (day: string, until: number): boolean => days.some(({ tradingDay, trades }) => tradingDay === day && trades.some(({ exitAt }) => exitAt <= until))
  const from = (day: string, until: number): string => (!hasSession(day) || closedOn(day, until) ? nextTradingDay(day) : day)
  const starts = [...written.map((date) => from(date, Infinity)), ...booked.map(({ tradingDay, at }) => from(tradingDay, at))].sort()
  const last = starts.at(-1)
  return last !== undefined && days.some(({ tradingDay, trades }) => trades.length > 0 && tradingDay < last) ? last : null
}
