// The demo brokerage has its own exchange calendar: sharing the journal's would hide the journal's mistakes.
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const ROLL_MINUTE = 17 * 60
const CLOSE_MINUTE = 16 * 60

const chicago = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Chicago',
  hourCycle: 'h23',
  year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
})

/** A date as the API writes it; `month` is 1 to 12. */
type TradeDate = { readonly year: number; readonly month: number; readonly day: number }

/** Days since 1970-01-01 of a `YYYY-MM-DD`. */
export const dayNumber = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS

/** Adds `days` to a `YYYY-MM-DD`. */
export const addDays = (date: string, days: number): string =>
  new Date((dayNumber(date) + days) * DAY_MS).toISOString().slice(0, 10)

/** The day of the week of a `YYYY-MM-DD`: 0 is Sunday. */
export const weekday = (date: string): number => new Date(dayNumber(date) * DAY_MS).getUTCDay()

/** A `YYYY-MM-DD` as the API's three numbers. */
export const tradeDate = (date: string): TradeDate => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number)
  return { year, month, day }
}

/** UTC milliseconds of `minute` minutes after Chicago's midnight; negative minutes are the evening before. */
export const chicagoTime = (date: string, minute: number): number => {
  const wall = dayNumber(date) * DAY_MS + minute * MINUTE_MS
  const guess = wall - offset(wall)
  return wall - offset(guess)
}

/** The trading day at a time: it begins at 17:00 Chicago on the previous evening, and a weekend belongs to Monday. */
export const sessionAt = (time: number): string => {
  const wall = time + offset(time)
  const rolled = wall + (24 * 60 - ROLL_MINUTE) * MINUTE_MS
  return onWeekday(new Date(rolled).toISOString().slice(0, 10), 1)
}

/** When a trading day begins, UTC milliseconds. */
export const sessionOpen = (date: string): number => chicagoTime(date, ROLL_MINUTE - 24 * 60)

/** Whether the exchange is open: from 17:00 to 16:00 Chicago, and not over the weekend. */
export const marketOpen = (now: number): boolean => {
  const session = sessionAt(now)
  return now >= sessionOpen(session) && now < chicagoTime(session, CLOSE_MINUTE)
}

/** That time, or a minute before the last close where the exchange is closed. */
export const lastOpenTime = (now: number): number => {
  if (marketOpen(now)) return now
  const next = sessionAt(now)
  const session = now < sessionOpen(next) ? onWeekday(addDays(next, -1), -1) : next
  return chicagoTime(session, CLOSE_MINUTE - 1)
}

/** The last `count` trading days up to and including `last`, oldest first. */
export const sessionsUpTo = (last: string, count: number): string[] => {
  const days: string[] = []
  for (let date = onWeekday(last, -1); days.length < count; date = onWeekday(addDays(date, -1), -1)) days.unshift(date)
  return days
}

/** The trading days after `day`, up to and including `last`, oldest first. */
export const sessionsAfter = (day: string, last: string): string[] => {
  const days: string[] = []
  for (let date = onWeekday(addDays(day, 1), 1); date <= last; date = onWeekday(addDays(date, 1), 1)) days.push(date)
  return days
}

const onWeekday = (date: string, step: 1 | -1): string => {
  const day = weekday(date)
  return day === 0 || day === 6 ? onWeekday(addDays(date, step), step) : date
}

// Intl is slow, and offsets change only on the hour, so cache one offset per hour.
const offsets = new Map<number, number>()

const offset = (time: number): number => {
  const hour = Math.floor(time / HOUR_MS)
  const known = offsets.get(hour)
  if (known !== undefined) return known
  const offset = intlOffset(hour * HOUR_MS)
  offsets.set(hour, offset)
  return offset
}

const intlOffset = (time: number): number => {
  const part: Record<string, number> = {}
  for (const { type, value } of chicago.formatToParts(time)) part[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part
  return Date.UTC(year, month - 1, day, hour, minute, second) - time
}
