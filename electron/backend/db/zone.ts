import { query, type Reader } from './database.ts'
import { storeFault } from './fault.ts'

/** The IANA zone of a profile's days; throws `not-found` for an unknown profile. */
export const zoneOf = (reader: Reader, userId: string): string => {
  const row = query<{ time_zone: string }>(reader, 'SELECT time_zone FROM profiles WHERE id = ?').get(userId)
  if (row === undefined) throw storeFault('not-found', 'No such profile')
  return row.time_zone
}
