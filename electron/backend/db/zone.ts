import { eq } from 'drizzle-orm'
import type { Reader } from './database.ts'
import { storeFault } from './fault.ts'
import { profiles } from './schema/people.ts'

/** The IANA zone of a profile's days; throws `not-found` for an unknown profile. */
export const zoneOf = ({ orm }: Reader, userId: string): string => {
  const profile = orm.select({ timeZone: profiles.timeZone }).from(profiles).where(eq(profiles.id, userId)).get()
  if (profile === undefined) throw storeFault('not-found', 'No such profile')
  return profile.timeZone
}
