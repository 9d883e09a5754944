import type { Format } from '#renderer/lib/format.ts'
import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import type { Report, ReportDocument } from '#shared/api/reports.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { TFunction } from 'i18next'

type Block = ReportDocument['blocks'][number]
type Calendar = Extract<Block, { kind: 'calendar' }>
type Day = NonNullable<Report['days']>[number]

const [mostPoints, mostMonths, mostLevels, mostMarks] = [4_000, 13, 5, 5]

/** The net of each trading day of a report. Older reports have it only if all of their days are facts; null if some are missing. */
export const daysOf = ({ days, facts }: Pick<Report, 'days' | 'facts'>): readonly Day[] | null => {
  if (days !== undefined) return days
  const ofDays = facts.filter(({ kind, finding }) => kind === 'day' && finding === null)
  const traded = facts.find(({ kind }) => kind === 'total')?.measures.find(({ name }) => name === 'days')?.value
  if (traded !== String(ofDays.length)) return null
  return ofDays.flatMap(({ about, trades, measures }) => measures.flatMap((one) => (one.name === 'net' && one.currency !== null && about.day !== undefined ? [{ day: about.day, currency: one.currency, net: one.value, trades }] : [])))
}

/** Each currency's equity curve by trading day, starting at zero, with its end, its highest and its lowest point. */
export const curveBlocks = (days: readonly Day[], signed: (value: string, currency: string) => string, t: TFunction<'ai-report'>, format: Format): Block[] =>
  [...Map.groupBy(days, ({ currency }) => currency)].map(([currency, own]): Block => {
    const all = ['0.00']
    for (const { net } of own.slice(0, mostPoints - 1)) all.push(sumDecimals([all.at(-1) ?? '0.00', net]))
    const most = (sign: 1 | -1): string => all.reduce((found, value) => (sign * (Number(value) - Number(found)) > 0 ? value : found), '0.00')
    return {
      kind: 'curve',
      title: t('document.curve', { currency }),
      points: all.map(Number),
      levels: levelsOf(Number(most(-1)), Number(most(1))).map((value) => ({ value, text: format.wholeMoney(value, currency) })),
      marks: marksOf(own, format),
      figures: [
        { label: t('document.curve-end'), text: signed(all.at(-1) ?? '0.00', currency) },
        { label: t('document.curve-high'), text: signed(most(1), currency) },
        { label: t('document.curve-low'), text: signed(most(-1), currency) },
      ],
    }
  })

/** Round values from the lowest to the highest, a few of them, with zero. */
const levelsOf = (lowest: number, highest: number): number[] => {
  const span = Math.max(highest - lowest, 1)
  const power = 10 ** Math.floor(Math.log10(span / mostLevels))
  const step = Math.max(1, ([1, 2, 5, 10].find((times) => span / (times * power) <= mostLevels) ?? 10) * power)
  const [from, to] = [Math.ceil(lowest / step), Math.floor(highest / step)]
  return Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step)
}

/** A few days below a curve, with the first and the last. The curve starts one point before its first day. */
const marksOf = (days: readonly Day[], format: Format): { at: number; text: string }[] => {
  const last = Math.min(days.length, mostPoints - 1)
  const count = Math.min(last, mostMarks)
  const places = Array.from({ length: count }, (_, place) => (count === 1 ? last : 1 + Math.round((place * (last - 1)) / (count - 1))))
  return places.map((at) => ({ at, text: format.fullDay(days[at - 1]?.day ?? '') }))
}

/** A calendar of each month, or for many months one of years and months; one per currency. */
export const calendarBlocks = (days: readonly Day[], t: TFunction<'ai-report'>, format: Format): Block[] => {
  const currencies = Map.groupBy(days, ({ currency }) => currency)
  return [...currencies].flatMap(([currency, own]) => {
    const named = (title: string): string => t('document.net-of', { title, currency })
    const months = [...Map.groupBy(own, ({ day }) => day.slice(0, 7))]
    if (months.length > mostMonths) return [yearsCalendar(own, named(t('document.by-month')), t, format)]
    return months.map(([month, ofMonth]) => monthCalendar(month, ofMonth, named(format.month(`${month}-01`)), t, format))
  })
}

const cellOf = (label: string, days: readonly Day[], format: Format): Calendar['rows'][number][number] => {
  if (days.length === 0) return { label, text: '', value: null }
  const net = sumDecimals(days.map((one) => one.net))
  return { label, text: format.signedWhole(net), value: Number(net) }
}

const monthCalendar = (month: string, days: readonly Day[], title: string, t: TFunction<'ai-report'>, format: Format): Calendar => {
  const first = dayOfDate(`${month}-01`)
  // Day 0 of the count, 1 January 1970, was a Thursday.
  const weekdayOf = (day: number): number => ((day + 3) % 7) + 1
  const byDay = Map.groupBy(days, ({ day }) => day)
  const onWeekend = days.some(({ day }) => weekdayOf(dayOfDate(day)) > 5)
  const weekdays = onWeekend ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5]
  const mondays = Array.from({ length: 6 }, (_, week) => first - weekdayOf(first) + 1 + week * 7)
  const rows = mondays.flatMap((monday) => {
    const dates = weekdays.map((weekday) => isoDate(monday + weekday - 1))
    const inside = dates.filter((date) => date.startsWith(month))
    if (inside.length === 0) return []
    return [[...dates.map((date) => (date.startsWith(month) ? cellOf(String(Number(date.slice(8))), byDay.get(date) ?? [], format) : { label: '', text: '', value: null })), cellOf('', inside.flatMap((date) => byDay.get(date) ?? []), format)]]
  })
  return { kind: 'calendar', title, head: [...weekdays.map(format.shortWeekday), t('document.week')], rows }
}

const yearsCalendar = (days: readonly Day[], title: string, t: TFunction<'ai-report'>, format: Format): Calendar => {
  const months = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, '0'))
  const rows = [...Map.groupBy(days, ({ day }) => day.slice(0, 4))].map(([year, ofYear]) => [
    { label: '', text: year, value: null },
    ...months.map((month) => cellOf('', ofYear.filter(({ day }) => day.slice(5, 7) === month), format)),
    cellOf('', ofYear, format),
  ])
  return { kind: 'calendar', title, head: [t('document.year'), ...months.map((month) => format.shortMonth(`2024-${month}-01`)), t('document.sum')], rows }
}
