import { dayOfCalendar } from '#shared/market/zone-clock.ts'

const secondUs = 1_000_000
const dayUs = 86_400 * secondUs

/** A whole number of digits alone in text from one place to another; NaN for anything else. */
export const digits = (text: string, from: number, to: number): number => {
  let value = 0
  if (to <= from || to > text.length) return NaN
  for (let place = from; place < to; place += 1) {
    const digit = text.charCodeAt(place) - 48
    if (digit < 0 || digit > 9) return NaN
    value = value * 10 + digit
  }
  return value
}

/** µs of a date, as if it were UTC; NaN for none. */
export const dateUs = (year: number, month: number, day: number): number => {
  if (!(year >= 1970 && year <= 2199)) return NaN
  const found = dayOfCalendar(year, month, day)
  return found === null ? NaN : found * dayUs
}

/** µs after midnight; NaN for none. */
export const clockUs = (hour: number, minute: number, second: number): number => (hour <= 23 && minute <= 59 && second <= 59 ? ((hour * 60 + minute) * 60 + second) * secondUs : NaN)

/** A fraction of a second, `083` or `1234567`, in whole µs. */
export const fractionUs = (text: string, from: number, to: number): number => {
  const length = Math.min(6, to - from)
  const value = digits(text, from, from + length)
  return value * 10 ** (6 - length)
}

/** Reads `14:30`, `14:30:10` or `14:30:10.083` in µs after midnight; NaN for anything else. */
export const readClock = (text: string): number => {
  const second = text.length > 5 ? (text[5] === ':' ? digits(text, 6, 8) : NaN) : 0
  const fraction = text.length > 8 ? (text[8] === '.' ? fractionUs(text, 9, text.length) : NaN) : 0
  return text[2] === ':' ? clockUs(digits(text, 0, 2), digits(text, 3, 5), second) + fraction : NaN
}

/** Reads a date of three numbers in the order year, month, day, or month, day, year, with any single separator; NaN for anything else. */
export const readDay = (text: string): number => {
  const known = days.get(text)
  if (known !== undefined) return known
  const [one = '', two = '', three = ''] = text.split(/[/-]/)
  const number = (part: string): number => digits(part, 0, part.length)
  const day = one.length === 4 ? dateUs(number(one), number(two), number(three)) : dateUs(number(three), number(one), number(two))
  if (days.size > 10_000) days.clear()
  days.set(text, day)
  return day
}

const days = new Map<string, number>()

/** A finite number; NaN for anything else, blanks too. */
export const readNumber = (text: string | undefined): number => {
  const plain = text?.trim() ?? ''
  const value = plain === '' ? NaN : Number(plain)
  return Number.isFinite(value) ? value : NaN
}

/** Reads `2026-10-05T14:30:00.123456789Z`, or one with an offset, in UTC µs; NaN for anything else, also without an offset. */
export const readIso = (text: string): number => {
  const [, day = '', clock = '', sign, hours = '0', minutes = '0'] = /^(\d{4}-\d{2}-\d{2})[T ]([\d:.]+)(?:Z|([+-])(\d{2}):?(\d{2}))$/.exec(text) ?? []
  const offset = clockUs(Number(hours), Number(minutes), 0)
  return readDay(day) + readClock(clock) - (sign === '-' ? -offset : offset)
}
