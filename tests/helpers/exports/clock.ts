// Independent of the program's own clock on purpose: it asks the platform about every quarter of an hour separately.

const quarter = 900_000
const offsets = new Map<string, number>()
const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' })
  formats.set(zone, format)
  return format
}

const offsetAt = (zone: string, time: number): number => {
  const start = Math.floor(time / quarter) * quarter
  const key = `${zone} ${String(start)}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const parts = new Map(formatOf(zone).formatToParts(start).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? Number.NaN
  const offset = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second')) - start
  offsets.set(key, offset)
  return offset
}

/** A wall clock: `date` is `YYYY-MM-DD`. */
export type Wall = { readonly date: string; readonly hour: number; readonly minute: number; readonly second: number; readonly ms: number }

/** What the clocks of a zone show at a UTC time (ms). */
export const wallAt = (zone: string, time: number): Wall => {
  const shifted = new Date(time + offsetAt(zone, time))
  return { date: shifted.toISOString().slice(0, 10), hour: shifted.getUTCHours(), minute: shifted.getUTCMinutes(), second: shifted.getUTCSeconds(), ms: shifted.getUTCMilliseconds() }
}

/** The UTC time (ms) at which Chicago's clocks show this many ms after midnight of a date; not for the two hours of a clock change. */
export const chicagoWall = (date: string, ms: number): number => {
  const wall = Date.parse(`${date}T00:00:00Z`) + ms
  const guess = wall - offsetAt('America/Chicago', wall)
  return wall - offsetAt('America/Chicago', guess)
}

/** The date some days after another. */
export const dayAfter = (date: string, days = 1): string => new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

/** 0 for Sunday to 6 for Saturday. */
export const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay()

/** Holidays on which the exchange trades a short session that the broker books with the next one. */
export const holidays: ReadonlySet<string> = new Set(['2025-11-27', '2026-01-19', '2026-02-16', '2026-05-25', '2026-07-03'])

/** The session that the broker books a time on: it opens at 17:00 in Chicago, and a holiday's is the next one's. */
export const bookedOn = (time: number): string => {
  const { date, hour } = wallAt('America/Chicago', time)
  let day = hour >= 17 ? dayAfter(date) : date
  while (weekdayOf(day) === 0 || weekdayOf(day) === 6 || holidays.has(day)) day = dayAfter(day)
  return day
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `06/10/2026 14:41:43`, the wall clock of a zone without saying which. */
export const localText = (zone: string, time: number): string => {
  const { date, hour, minute, second } = wallAt(zone, time)
  const [year = '', month = '', day = ''] = date.split('-')
  return `${month}/${day}/${year} ${two(hour)}:${two(minute)}:${two(second)}`
}

/** `6/10/26` */
export const shortDate = (date: string): string => {
  const [year = '', month = '', day = ''] = date.split('-')
  return `${String(Number(month))}/${String(Number(day))}/${year.slice(2)}`
}

/** `2026-06-10 12:41:43.083Z` */
export const utcText = (time: number): string => new Date(time).toISOString().replace('T', ' ')

/** The three time formats of NinjaTrader's grid: `1/15/2025 2:45:30 PM`, `2026-09-16 15:31:02` and `6/16/2025 21:08`, which has no seconds. */
export const ninjaTime = (zone: string, time: number, style: 'am-pm' | 'iso' | 'minutes'): string => {
  const { date, hour, minute, second } = wallAt(zone, time)
  const [year = '', month = '', day = ''] = date.split('-')
  if (style === 'iso') return `${date} ${two(hour)}:${two(minute)}:${two(second)}`
  const american = `${String(Number(month))}/${String(Number(day))}/${year}`
  if (style === 'minutes') return `${american} ${String(hour)}:${two(minute)}`
  return `${american} ${String(hour % 12 === 0 ? 12 : hour % 12)}:${two(minute)}:${two(second)} ${hour < 12 ? 'AM' : 'PM'}`
}

/** How long a pair was held, in the broker's words: `1h 28min 12sec`, `3min `, nothing below a second. */
export const durationText = (ms: number): string => {
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return `${hours > 0 ? `${String(hours)}h ` : ''}${minutes > 0 ? `${String(minutes)}min ` : ''}${rest > 0 ? `${String(rest)}sec` : ''}`
}
