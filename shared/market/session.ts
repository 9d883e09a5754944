import { tradingDay } from './trading-day.ts'
import { dayOfDate, isoDate, zoneClock } from './zone-clock.ts'

const minute = 60_000
const hour = 60 * minute
const dayLength = 24 * hour
const [sunday, monday, thursday, friday, saturday] = [0, 1, 4, 5, 6]

// Chicago wall clock, milliseconds after midnight.
const opening = 17 * hour - dayLength
const closing = 16 * hour
const nearlyClosing = closing - 5 * minute
const listsCleared = 17 * hour

/** The session of one trading day; all times are UTC ms. */
export type Session = {
  /** 17:00 in Chicago on the previous evening. */
  readonly opens: number
  /** 15:55: a read from here on covers the whole session except its last minutes. */
  readonly nearlyCloses: number
  /** 16:00. */
  readonly closes: number
  /** 17:00: until then the broker lists the session. */
  readonly listedUntil: number
}

/** The session of a trading day `YYYY-MM-DD`. */
export const sessionOf = (tradingDay: string): Session => {
  const day = dayOfDate(tradingDay)
  return { opens: chicagoTime(day, opening), nearlyCloses: chicagoTime(day, nearlyClosing), closes: chicagoTime(day, closing), listedUntil: chicagoTime(day, listsCleared) }
}

/** The current trading day at a UTC time (ms), or the last one until the next opens. */
export const latestTradingDay = (time: number): string => {
  const day = tradingDay(time)
  return hasSession(day) && sessionOf(day).opens <= time ? day : previousTradingDay(day)
}

/** The UTC time (ms) at which Chicago clocks show `wallTime` ms after midnight of a day counted from 1 January 1970. */
export const chicagoTime = (day: number, wallTime: number): number => {
  const { offsetAt } = zoneClock('America/Chicago')
  const wall = day * dayLength + wallTime
  // Clocks change at 2:00 on a Sunday, so applying the offset twice is exact for every session and schedule time.
  return wall - offsetAt(wall - offsetAt(wall))
}

/**
 * Whether futures trade on a date. Short sessions count; there is none on weekends, New Year's Day, Christmas and Good
 * Friday. A holiday on a Sunday is observed on Monday, Christmas on a Saturday on Friday. A Good Friday that is the
 * first Friday of April has a short session, because the jobs report comes out then.
 */
export const hasSession = (date: string): boolean => {
  const day = dayOfDate(date)
  const weekday = weekdayOf(day)
  if (weekday === sunday || weekday === saturday) return false
  const holidays = ['01-01', '12-25']
  if (holidays.includes(date.slice(5)) || (weekday === friday && date.endsWith('-12-24'))) return false
  if (weekdayOf(day - 1) === sunday && holidays.includes(isoDate(day - 1).slice(5))) return false
  const isGoodFriday = day === easterSunday(Number(date.slice(0, 4))) - 2
  return !isGoodFriday || (date.slice(5, 7) === '04' && Number(date.slice(8)) <= 7)
}

/**
 * Whether trades of a date are booked on the next trading day: on US holidays CME Group halts its index, rate,
 * currency, energy and metals futures around noon, and clears them with the following session ("Trade Day: Tuesday,
 * January 20" for Monday the 19th, in its schedule of 2026; the same in its notices since 2003). The Friday after
 * Thanksgiving, Christmas Eve and the eve of Independence Day are short sessions of their own. A holiday on a Saturday
 * is observed on Friday, on a Sunday on Monday.
 */
export const clearsWithNext = (date: string): boolean => {
  const day = dayOfDate(date)
  const [year, month, ofMonth] = date.split('-').map(Number)
  if (year === undefined || month === undefined || ofMonth === undefined) return false
  const weekday = weekdayOf(day)
  const nth = Math.ceil(ofMonth / 7)
  if (weekday === monday && ((month === 1 && nth === 3) || (month === 2 && nth === 3) || (month === 9 && nth === 1) || (month === 5 && ofMonth > 24))) return true
  if (weekday === thursday && month === 11 && nth === 4) return true
  const kept = (of: string): boolean => {
    const on = dayOfDate(`${String(year)}-${of}`)
    return day === on + (weekdayOf(on) === saturday ? -1 : weekdayOf(on) === sunday ? 1 : 0)
  }
  return kept('07-04') || (year >= firstJuneteenth && kept('06-19'))
}

const firstJuneteenth = 2022

/** The last day that trades of a date may be booked on: the next trading day for those of a holiday, else the date itself. */
export const lastBookedDay = (date: string): string => (clearsWithNext(date) ? nextTradingDay(date) : date)

/** The first trading day after a date. */
export const nextTradingDay = (date: string): string => besides(date, 1)

/** The last trading day before a date. */
export const previousTradingDay = (date: string): string => besides(date, -1)

const besides = (date: string, step: 1 | -1): string => {
  let day = dayOfDate(date) + step
  while (!hasSession(isoDate(day))) day += step
  return isoDate(day)
}

const weekdayOf = (day: number): number => (((day + 4) % 7) + 7) % 7

/** Easter in the Gregorian calendar by the method of Meeus, Jones and Butcher, as a day counted from 1 January 1970. */
const easterSunday = (year: number): number => {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - Math.floor(century / 4) - moonShift + 15) % 30
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const late = Math.floor((golden + 11 * epact + 22 * toSunday) / 451)
  const fromMarch = epact + toSunday - 7 * late + 114
  return dayOfDate(`${String(year)}-03-01`) + (Math.floor(fromMarch / 31) - 3) * 31 + (fromMarch % 31)
}
