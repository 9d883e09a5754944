import { isTimeZone } from '#shared/market/zone-clock.ts'
import type { JournalView } from '../store/journals.ts'

/** The zone of a user's local dates; UTC until a computer sent it. */
export const zoneOf = async (journal: JournalView): Promise<string> => {
  const stored = (await journal.get('profile', 'profile'))?.timeZone
  return stored !== undefined && isTimeZone(stored) ? stored : 'UTC'
}
