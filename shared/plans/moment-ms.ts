import { dayOfDate } from '#shared/market/zone-clock.ts'

const shape = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):?(\d\d))$/

/** An ISO 8601 time, with `Z` or an offset, as UTC ms; throws a RangeError for any other text. */
export const momentMs = (moment: string): number => {
  const found = shape.exec(moment)
  if (found === null) throw new RangeError(`No moment: ${moment}`)
  const [, date = '', hour, minute, second = '0', fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = found
  const minutes = (dayOfDate(date) * 24 + Number(hour)) * 60 + Number(minute)
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1)
  return (minutes - offset) * 60_000 + Number(second) * 1_000 + Number(fraction.padEnd(3, '0').slice(0, 3))
}
