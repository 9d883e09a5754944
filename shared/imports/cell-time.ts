import { remembering, rememberingLast } from '#shared/base/remembering.ts'
import { dayOfCalendar, isoDate } from '#shared/market/zone-clock.ts'

const dayLength = 86_400_000
const clock = String.raw`(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?`
const dateShape = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})$/
const wallShape = new RegExp(String.raw`^(\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4})(?:T|\s+)${clock}(?:\s*([AP])\.?M\.?)?$`, 'i')
const utcShape = new RegExp(String.raw`^(\d{4}-\d{2}-\d{2})[T ]${clock}(?:Z|\+00:?00)$`)

/** Reads a date, `2026-06-10`, `6/10/26`, `06/10/2026` or `10.06.2026`, as `YYYY-MM-DD`; with `dayFirst` slashes too put the day before the month. Null for anything else. */
export const readDate = (text: string, dayFirst = false): string | null => {
  const day = readDay(text, dayFirst)
  return day === null ? null : isoDate(day)
}

/**
 * Reads a wall-clock time, as ms as if it were UTC: `01/22/2025 23:02:03`, `6/16/2025 21:08`,
 * `1/15/2025 2:45:30 PM`, `2026-09-16 15:31:02`. Null for anything else.
 */
export const readWall = (text: string, dayFirst = false): number | null => (dayFirst ? wallDayFirst : wallMonthFirst)(text)

const wallDayFirst = rememberingLast((text) => parseWall(text, true))
const wallMonthFirst = rememberingLast((text) => parseWall(text, false))

const parseWall = (text: string, dayFirst: boolean): number | null => {
  const match = wallShape.exec(text)
  if (match === null) return null
  const [, date = '', hour = '', minute = '', second = '0', fraction = '', half] = match
  const inDay = readClock(readHour(Number(hour), half), minute, second, fraction)
  const day = readDay(date, dayFirst)
  return day === null || inDay === null ? null : day * dayLength + inDay
}

const offsetShape = /^(.*\S)\s*(?:Z|([+-])(\d{2}):?(\d{2}))$/

/** Reads a wall-clock time with its offset from UTC, `03/05/2026 09:31:00 -05:00`, in UTC ms; null for anything else. */
export const readOffset = (text: string, dayFirst = false): number | null => {
  const [, wallText = '', sign, hours = '0', minutes = '0'] = offsetShape.exec(text) ?? []
  const wall = readWall(wallText, dayFirst)
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000
  return wall === null || Number(hours) > 14 || Number(minutes) > 59 ? null : wall - (sign === '-' ? -offset : offset)
}

/** Reads a time marked as UTC, `2026-06-10 12:41:43.083Z`, in ms; null for anything else. */
export const readUtc = (text: string): number | null => utcTime(text)

const utcTime = rememberingLast((text): number | null => {
  const match = utcShape.exec(text)
  if (match === null) return null
  const [, date = '', hour = '', minute = '', second = '0', fraction = ''] = match
  const inDay = readClock(Number(hour), minute, second, fraction)
  const day = readDay(date, false)
  return day === null || inDay === null ? null : day * dayLength + inDay
})

const readDay = (text: string, dayFirst: boolean): number | null => (dayFirst ? dayDayFirst : dayMonthFirst)(text)

const dayDayFirst = remembering((text) => parseDay(text, true))
const dayMonthFirst = remembering((text) => parseDay(text, false))

const parseDay = (text: string, dayFirst: boolean): number | null => {
  const match = dateShape.exec(text)
  if (match === null) return null
  const [, one = '', separator, two = '', three = ''] = match
  if (one.length === 4) return separator !== '.' && three.length <= 2 ? dayOfYear(one, two, three) : null
  // With hyphens only NinjaTrader writes the year last, and in full.
  if (one.length > 2 || (separator === '-' && three.length < 4)) return null
  return dayFirst || separator === '.' ? dayOfYear(three, two, one) : dayOfYear(three, one, two)
}

const dayOfYear = (year: string, month: string, day: string): number | null => {
  const full = year.length === 2 ? 2000 + Number(year) : Number(year)
  // A year outside this range is a typo and would hide the trades.
  return full < 1970 || full > 2199 ? null : dayOfCalendar(full, Number(month), Number(day))
}

const readHour = (hour: number, half: string | undefined): number => {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return Number.NaN
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
}

const readClock = (hour: number, minute: string, second: string, fraction: string): number | null => {
  const [minutes, seconds] = [Number(minute), Number(second)]
  if (!(hour <= 23) || minutes > 59 || seconds > 59) return null
  return ((hour * 60 + minutes) * 60 + seconds) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3))
}
