import { useDayNotes } from '#renderer/lib/day-notes.ts'
import { monthAfter, monthBefore } from '#renderer/lib/date-presets.ts'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router-dom'
import { calendarMonth, monthOf, type CalendarMonth } from './calendar-month.ts'

const parameter = 'month'

/** The month that the address names, or the latest with trades; `earlier` and `later` are null where the journal has nothing there. The month of today can have notes. */
export type ShownCalendar = {
  /** Its first day; null while the statistics load. */
  readonly month: string | null
  readonly calendar: CalendarMonth | null
  /** The trading day of the moment: no later one can have a note. */
  readonly today: string
  readonly earlier: (() => void) | null
  readonly later: (() => void) | null
}

/** The calendar of one month of the statistics, and the ways to its neighbors, which replace the address. */
export const useCalendar = (statistics: StatisticsAnswer | null): ShownCalendar => {
  const [params, setParams] = useSearchParams()
  const month = monthOf(params.get(parameter)) ?? (statistics === null ? null : `${(statistics.lastDay ?? '1970-01').slice(0, 7)}-01`)
  const calendar = useMemo(() => (statistics === null || month === null ? null : calendarMonth(month, statistics)), [statistics, month])
  const show = (next: string): void => {
    setParams((now) => {
      const changed = new URLSearchParams(now)
      changed.set(parameter, next.slice(0, 7))
      return changed
    }, { replace: true })
  }
  const today = tradingDay(Date.now())
  const noted = [...(useDayNotes()?.keys() ?? [])]
  const days = [statistics?.firstDay, statistics?.lastDay, ...noted].flatMap((day) => day ?? [])
  const first = statistics === null ? null : (days.toSorted()[0] ?? null)
  const last = statistics === null ? null : ([...days, today].toSorted().at(-1) ?? null)
  return {
    month,
    today,
    calendar,
    earlier: month !== null && first !== null && first < month ? () => { show(monthBefore(month)) } : null,
    later: month !== null && last !== null && last >= monthAfter(month) ? () => { show(monthAfter(month)) } : null,
  }
}
