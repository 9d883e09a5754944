import { datesOf } from '#renderer/lib/date-presets.ts'
import type { PeriodKind, Report } from '#shared/api/reports.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'

/** First and last trading day of a report, both included. */
export type Period = Report['period']

/** The day, week or month that contains a day; a custom period of only that day. A week is Monday to Friday, because no session has a weekend's date. */
export const periodOf = (kind: PeriodKind, day: string): Period => {
  if (kind === 'week') {
    const monday = dayOfDate(datesOf('week', day).from ?? day)
    return { kind, from: isoDate(monday), to: isoDate(monday + 4) }
  }
  if (kind === 'month') {
    const { from, to } = datesOf('month', day)
    return { kind, from: from ?? day, to: to ?? day }
  }
  return { kind, from: day, to: day }
}

/** Calendar days of a period, including the last. */
export const daysOf = ({ from, to }: Period): number => dayOfDate(to) - dayOfDate(from) + 1

/** The period before or after one, of the same kind; skips weekends, and a custom period moves by its own length. */
export const steppedPeriod = (period: Period, by: 1 | -1): Period => {
  const [first, last] = [dayOfDate(period.from), dayOfDate(period.to)]
  switch (period.kind) {
    case 'day':
      return periodOf('day', isoDate(nextWeekday(first, by)))
    case 'week':
      return periodOf('week', isoDate(first + 7 * by))
    case 'month':
      return periodOf('month', isoDate(by === 1 ? last + 1 : first - 1))
    case 'free': {
      const length = daysOf(period)
      return { kind: 'free', from: isoDate(first + length * by), to: isoDate(last + length * by) }
    }
  }
}

/** The same time as another kind of period: around its last day, or for a custom period with its days. */
export const turnedPeriod = (period: Period, kind: PeriodKind): Period => (kind === 'free' ? { ...period, kind } : periodOf(kind, period.to))

/** The current week, or the week of the last trade if that is over; `lastDay` null means a journal without trades, which gets the last finished week. */
export const usualPeriod = (today: string, lastDay: string | null): Period => {
  const week = periodOf('week', today)
  if (lastDay === null) return steppedPeriod(week, -1)
  return lastDay >= week.from ? week : periodOf('week', lastDay)
}

// Day 0, 1 January 1970, was a Thursday.
const isWeekend = (day: number): boolean => (day + 3) % 7 > 4

const nextWeekday = (day: number, by: 1 | -1): number => {
  const next = day + by
  return isWeekend(next) ? nextWeekday(next, by) : next
}
