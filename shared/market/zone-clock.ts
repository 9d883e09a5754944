const dayLength = 86_400_000
const minute = 60_000

/** Computes local days in one time zone. */
export type ZoneClock = {
  /** Milliseconds to add to a UTC time to get the zone's wall clock. */
  readonly offsetAt: (time: number) => number
  /** The local day of a UTC time, counted from 1 January 1970. */
  readonly dayOf: (time: number) => number
}

type UtcDay = { readonly before: number; readonly change: number; readonly after: number }

const clocks = new Map<string, ZoneClock>()

/** The clock of an IANA zone, cached by zone; throws a RangeError for an unknown zone. */
export const zoneClock = (zone: string): ZoneClock => {
  const known = clocks.get(zone)
  if (known !== undefined) return known
  const clock = makeClock(zone)
  clocks.set(zone, clock)
  return clock
}

/** Whether this computer knows the IANA zone. */
export const isTimeZone = (zone: string): boolean => {
  try {
    zoneClock(zone)
    return true
  } catch {
    return false
  }
}

/** The date of a day counted from 1 January 1970, `YYYY-MM-DD`. */
export const isoDate = (day: number): string => {
  const known = dates.get(day)
  if (known !== undefined) return known
  const date = civilDate(day)
  dates.set(day, date)
  return date
}

/** The day of a date `YYYY-MM-DD`, counted from 1 January 1970: the reverse of `isoDate`. */
export const dayOfDate = (date: string): number => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return dayOf(year, month, day)
}

/** The day of a date, counted from 1 January 1970; null for a date that does not exist, like 30 February. */
export const dayOfCalendar = (year: number, month: number, day: number): number | null => {
  if (month < 1 || month > 12 || day < 1) return null
  const number = dayOf(year, month, day)
  const next = month === 12 ? dayOf(year + 1, 1, 1) : dayOf(year, month + 1, 1)
  return number < next ? number : null
}

const dayOf = (year: number, month: number, day: number): number => {
  const fromMarch = (month + 9) % 12
  const ofMarch = month <= 2 ? year - 1 : year
  const era = Math.floor(ofMarch / 400)
  const yearOfEra = ofMarch - era * 400
  return era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + Math.floor((153 * fromMarch + 2) / 5) + day - 1 - 719_468
}

/**
 * The UTC time (ms) at which clocks in an IANA zone show a wall time, which is in ms as if it were UTC. If clocks were
 * set back and show it twice, the first of the two; if they were set forward and never show it, as much later as they
 * were set.
 */
export const timeOfWall = (wall: number, zone: string): number => {
  const { offsetAt } = zoneClock(zone)
  const before = offsetAt(wall - dayLength)
  const after = offsetAt(wall + dayLength)
  const first = wall - before
  if (before === after || offsetAt(first) === before) return first
  const second = wall - after
  return offsetAt(second) === after ? second : first
}

/** The local date of a UTC time (ms) in an IANA zone, `YYYY-MM-DD`. */
export const localDate = (time: number, zone: string): string => isoDate(zoneClock(zone).dayOf(time))

const dates = new Map<number, string>()

// Years are counted from March, so the leap day comes last and months have a regular length.
const civilDate = (day: number): string => {
  const shifted = day + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`
}

// Intl costs microseconds a call, too much for a million fills: call it once or twice per UTC day.
const makeClock = (zone: string): ZoneClock => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const ask = (time: number): number => parseOffset(format.formatToParts(time).find((part) => part.type === 'timeZoneName')?.value ?? '')
  const days = new Map<number, UtcDay>()
  let number = Number.NaN
  let current: UtcDay = { before: 0, change: 0, after: 0 }

  const readDay = (day: number): UtcDay => {
    const start = day * dayLength
    const before = days.get(day - 1)?.after ?? ask(start)
    const after = ask(start + dayLength)
    return { before, after, change: before === after ? start : findChange(ask, start, before) }
  }
  const offsetAt = (time: number): number => {
    const day = Math.floor(time / dayLength)
    if (day !== number) {
      current = days.get(day) ?? readDay(day)
      days.set(day, current)
      number = day
    }
    return time < current.change ? current.before : current.after
  }
  return { offsetAt, dayOf: (time) => Math.floor((time + offsetAt(time)) / dayLength) }
}

const findChange = (ask: (time: number) => number, start: number, before: number): number => {
  let same = 0
  let changed = dayLength / minute
  while (changed - same > 1) {
    const middle = (same + changed) >> 1
    if (ask(start + middle * minute) === before) same = middle
    else changed = middle
  }
  return start + changed * minute
}

const parseOffset = (name: string): number => {
  const match = /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name)
  if (match === null) throw new RangeError(`Not a zone offset: ${name}`)
  const [, sign = '+', hours = '0', minutes = '0', seconds = '0'] = match
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? 0 - offset : offset
}
