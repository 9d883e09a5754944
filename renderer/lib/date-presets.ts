import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'

/** Named ranges of trading days. */
export const datePresets = ['today', 'week', 'last-week', 'month', 'last-month', 'last-30', 'year', 'all'] as const
export type DatePreset = (typeof datePresets)[number]

/** Named ranges to compare. */
export const periodPresets = ['week', 'last-week', 'month', 'last-month', 'quarter', 'last-quarter', 'year', 'last-year'] as const
export type PeriodPreset = (typeof periodPresets)[number]

/** First and last day, `YYYY-MM-DD`, both included; null is open. */
export type DateSpan = { readonly from: string | null; readonly to: string | null }
type ClosedSpan = { readonly from: string; readonly to: string }

/** The days of a named range on the trading day `today`; weeks begin on Mondays, and a week, month, quarter or year is a whole one. */
export const datesOf = <Preset extends DatePreset | PeriodPreset>(preset: Preset, today: string): Preset extends PeriodPreset ? ClosedSpan : DateSpan => spanOf(preset, today) as Preset extends PeriodPreset ? ClosedSpan : DateSpan

const spanOf = (preset: DatePreset | PeriodPreset, today: string): DateSpan => {
  const day = dayOfDate(today)
  const [year = '', month = ''] = today.split('-')
  switch (preset) {
    case 'today':
      return { from: today, to: today }
    case 'week':
      return { from: isoDate(mondayOf(day)), to: isoDate(mondayOf(day) + 6) }
    case 'last-week':
      return { from: isoDate(mondayOf(day) - 7), to: isoDate(mondayOf(day) - 1) }
    case 'month':
      return { from: `${year}-${month}-01`, to: isoDate(dayOfDate(monthAfter(today)) - 1) }
    case 'last-month':
      return { from: monthBefore(today), to: isoDate(dayOfDate(`${year}-${month}-01`) - 1) }
    case 'last-30':
      return { from: isoDate(day - 29), to: today }
    case 'quarter':
      return quarterOf(Number(year), Math.ceil(Number(month) / 3))
    case 'last-quarter':
      return Number(month) <= 3 ? quarterOf(Number(year) - 1, 4) : quarterOf(Number(year), Math.ceil(Number(month) / 3) - 1)
    case 'year':
      return { from: `${year}-01-01`, to: `${year}-12-31` }
    case 'last-year':
      return { from: firstOf(Number(year) - 1, 1), to: isoDate(dayOfDate(`${year}-01-01`) - 1) }
    case 'all':
      return { from: null, to: null }
  }
}

const quarterOf = (year: number, quarter: number): ClosedSpan => ({ from: firstOf(year, quarter * 3 - 2), to: isoDate(dayOfDate(monthAfter(firstOf(year, quarter * 3))) - 1) })

// Day 0, 1 January 1970, was a Thursday.
const mondayOf = (day: number): number => day - ((day + 3) % 7)

/** The name of a range of days, seen from the trading day `today`; null if it has none. */
export const presetOf = (span: DateSpan, today: string): DatePreset | null => namedAmong(datePresets, span, today)

/** The same for a compared period. */
export const periodPresetOf = (span: DateSpan, today: string): PeriodPreset | null => namedAmong(periodPresets, span, today)

const namedAmong = <Preset extends DatePreset | PeriodPreset>(presets: readonly Preset[], span: DateSpan, today: string): Preset | null =>
  presets.find((preset) => {
    const { from, to } = spanOf(preset, today)
    return from === span.from && to === span.to
  }) ?? null

/** The first day of the month after that of a day. */
export const monthAfter = (day: string): string => {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return month === 12 ? firstOf(year + 1, 1) : firstOf(year, month + 1)
}

/** The first day of the month before that of a day. */
export const monthBefore = (day: string): string => {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return month === 1 ? firstOf(year - 1, 12) : firstOf(year, month - 1)
}

const firstOf = (year: number, month: number): string => `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-01`
