import { monthAfter } from '#renderer/lib/date-presets.ts'
import type { DayMoney, StatisticsAnswer } from '#shared/api/statistics.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import { sumMoney } from './sum-money.ts'

/** The statistics of a trading day. */
export type TradedDay = StatisticsAnswer['days'][number]

/** One day of a month's calendar. */
export type CalendarDay = { readonly tradingDay: string; readonly inMonth: boolean; readonly traded: TradedDay | null }

/** A week from Monday on, and what its days came to together, those of a neighboring month included. */
export type CalendarWeek = { readonly monday: string; readonly days: readonly CalendarDay[]; readonly count: number; readonly money: readonly DayMoney[] }

/** A month as a calendar shows it. */
export type CalendarMonth = {
  /** 1 is Monday. A day without trades can have a note too, on a weekend as well. */
  readonly weekdays: readonly number[]
  /** Whether anything was traded on a weekend that shows; otherwise weekends need little room. */
  readonly onWeekend: boolean
  readonly weeks: readonly CalendarWeek[]
  /** Of the days inside the month. */
  readonly count: number
  readonly tradedDays: number
  readonly money: readonly DayMoney[]
}

const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** Whether a column of the calendar is a weekend on which nothing was traded: it needs room for a day and its note alone. */
export const isSlim = (weekday: number, { onWeekend }: Pick<CalendarMonth, 'onWeekend'>): boolean => weekday > 5 && !onWeekend

/** The calendar of the month that a day lies in. */
export const calendarMonth = (day: string, { days, weeks }: Pick<StatisticsAnswer, 'days' | 'weeks'>): CalendarMonth => {
  const first = `${day.slice(0, 7)}-01`
  const [from, until] = [mondayOf(dayOfDate(first)), dayOfDate(monthAfter(first))]
  const traded = new Map(days.map((one) => [one.tradingDay, one]))
  const known = new Map(weeks.map((week) => [week.monday, week]))
  const mondays = Array.from({ length: Math.ceil((until - from) / 7) }, (_, week) => from + week * 7)
  const onWeekend = mondays.some((monday) => traded.has(isoDate(monday + 5)) || traded.has(isoDate(monday + 6)))
  const shown = mondays.map((monday): CalendarWeek => {
    const week = known.get(isoDate(monday))
    return {
      monday: isoDate(monday),
      days: weekdays.map((weekday) => {
        const tradingDay = isoDate(monday + weekday - 1)
        return { tradingDay, inMonth: tradingDay.slice(0, 7) === first.slice(0, 7), traded: traded.get(tradingDay) ?? null }
      }),
      count: week?.count ?? 0,
      money: week?.money ?? [],
    }
  })
  const inside = days.filter(({ tradingDay }) => tradingDay.slice(0, 7) === first.slice(0, 7))
  return {
    weekdays,
    onWeekend,
    weeks: shown,
    count: inside.reduce((sum, { count }) => sum + count, 0),
    tradedDays: inside.length,
    money: sumMoney(inside.flatMap(({ money }) => money)),
  }
}

/** The first day of the month that an address names by `YYYY-MM`; null where it names none. */
export const monthOf = (text: string | null): string | null => (text !== null && /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? `${text}-01` : null)

// Day 0, 1 January 1970, was a Thursday.
const mondayOf = (day: number): number => day - ((day + 3) % 7)
