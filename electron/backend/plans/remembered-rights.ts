import type { JournalCalls } from '../journal/journal.ts'
import type { KeptRights } from './queries.ts'

/** How long what a cloud said last holds while it cannot be reached, in ms. */
export const rightsHoldMs = 7 * 86_400_000
/** How much older an answer gets before that is written down, in ms: so much a start of the program may forget. */
const noteAgeEvery = 600_000

/** What was said, and how old it is by now, in ms. */
export type Remembered = KeptRights

/** What of the journal the memory uses. */
export type RightsJournal = { readonly read: Pick<JournalCalls['read'], 'rights'>; readonly write: Pick<JournalCalls['write'], 'keepRights'> }

type Entry = { readonly kept: KeptRights; age: number; countedAt: number; notedAge: number }

/**
 * Rights kept in the journal. An answer ages by the clock and by the time that the program runs, whichever is more: a
 * clock that was set back, or is put right after it was ahead, makes nothing younger. `now` is UTC ms, `uptime` ms that only grow.
 */
export const rememberRights = ({ journal, now, uptime }: { readonly journal: RightsJournal; readonly now: () => number; readonly uptime: () => number }) => {
  const known = new Map<string, Entry>()

  const entryOf = async (userId: string): Promise<Entry | null> => {
    if (!known.has(userId)) {
      const kept = await journal.read.rights({ userId })
      // A new answer may have come while it was read.
      if (kept !== null && !known.has(userId)) known.set(userId, { kept, age: kept.age, countedAt: uptime(), notedAge: kept.age })
    }
    return known.get(userId) ?? null
  }

  return {
    /** What this cloud said last, however old, or with null what is kept here; null where that is nothing. */
    of: async (userId: string, cloud: string | null): Promise<Remembered | null> => {
      const entry = await entryOf(userId)
      if (entry === null || entry.kept.cloud !== cloud) return null
      // Before the moment at which it was taken the clock was set back since: the cloud's own moment still stands.
      const since = now() < entry.kept.takenAt ? entry.kept.verifiedAt : entry.kept.takenAt
      entry.age = Math.max(entry.age + uptime() - entry.countedAt, now() - since)
      entry.countedAt = uptime()
      const remembered = { ...entry.kept, age: Math.floor(entry.age) }
      if (entry.age - entry.notedAge >= noteAgeEvery) {
        entry.notedAge = entry.age
        await journal.write.keepRights({ userId, ...remembered })
      }
      return remembered
    },
    /** Puts a new answer in the place of the last; where it `follows` one, with that one's moments and age. */
    keep: async (userId: string, fresh: Pick<KeptRights, 'cloud' | 'subscription' | 'details' | 'role' | 'verifiedAt'>, follows?: Remembered): Promise<void> => {
      const { takenAt, age } = follows ?? { takenAt: now(), age: 0 }
      const kept = { ...fresh, takenAt, age }
      known.set(userId, { kept, age, countedAt: uptime(), notedAge: age })
      await journal.write.keepRights({ userId, ...kept })
    },
  }
}
