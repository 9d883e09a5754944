import { zoneClock } from '#shared/market/zone-clock.ts'

/** A moment (ISO 8601) as a date and time field shows it in a zone: `2026-02-13T14:41:07`. */
export const wallTime = (moment: string, zone: string): string => {
  const time = Date.parse(moment)
  return new Date(time + zoneClock(zone).offsetAt(time)).toISOString().slice(0, 19)
}

/**
 * The moment (ISO 8601, UTC) of a date and time field in a zone, or null where the field holds none.
 * An hour that comes twice in autumn is its first; one that is left out in spring is read as an hour later.
 */
export const momentOf = (wall: string, zone: string): string | null => {
  const time = Date.parse(`${wall}Z`)
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(wall) || Number.isNaN(time)) return null
  const clock = zoneClock(zone)
  const dayEarlier = clock.offsetAt(time - 86_400_000)
  const first = time - dayEarlier
  const moment = clock.offsetAt(first) === dayEarlier ? first : time - clock.offsetAt(first)
  // In the hour that spring leaves out neither offset fits: the one from before the change reads it as an hour later.
  return new Date(moment + clock.offsetAt(moment) === time ? moment : first).toISOString()
}
