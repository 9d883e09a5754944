import { isTimeZone } from '#shared/market/zone-clock.ts'
import type { JournalView } from '../store/journals.ts'

/** The time zone of a user's local dates; UTC until a computer has sent one. */
export const zoneOf = async (journal: JournalView): Promise<string> => {
  const stored = (await journal.get('profile', 'profile'))?.timeZone
  return stored !== undefined && isTimeZone(stored) ? stored : 'UTC'
}
