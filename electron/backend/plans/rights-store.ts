import type { JournalCalls } from '../journal/journal.ts'
import type { StoredRights } from './queries.ts'

/** How long a cloud's last answer is valid while the cloud is unreachable, in ms. */
export const rightsHoldMs = 7 * 86_400_000
/** How much an answer ages before its age is saved, in ms: a restart may forget this much. */
const noteAgeEvery = 600_000

/** The part of the journal that stores rights. */
export type RightsJournal = { readonly read: Pick<JournalCalls['read'], 'rights'>; readonly write: Pick<JournalCalls['write'], 'saveRights'> }

type Entry = { readonly kept: StoredRights; age: number; countedAt: number; notedAge: number }

/**
 * Rights stored in the journal. An answer ages by the clock or by the time that the program runs, whichever is more:
 * setting a clock back, or correcting one that was ahead, makes nothing younger. `now` is UTC ms, `uptime` is monotonic
 * ms.
 */
export const createRightsStore = ({ journal, now, uptime }: { readonly journal: RightsJournal; readonly now: () => number; readonly uptime: () => number }) => {
  const known = new Map<string, Entry>()

  const entryOf = async (userId: string): Promise<Entry | null> => {
    if (!known.has(userId)) {
      const kept = await journal.read.rights({ userId })
      // A new answer may have arrived during the read.
      if (kept !== null && !known.has(userId)) known.set(userId, { kept, age: kept.age, countedAt: uptime(), notedAge: kept.age })
    }
    return known.get(userId) ?? null
  }

  return {
    /** This cloud's last answer, however old, or with null what is stored here; null if there is none. */
    of: async (userId: string, cloud: string | null): Promise<StoredRights | null> => {
      const entry = await entryOf(userId)
      if (entry === null || entry.kept.cloud !== cloud) return null
      // If now is before the time of the answer, the clock was set back since: the cloud's own time still applies.
      const since = now() < entry.kept.takenAt ? entry.kept.verifiedAt : entry.kept.takenAt
      entry.age = Math.max(entry.age + uptime() - entry.countedAt, now() - since)
      entry.countedAt = uptime()
      const remembered = { ...entry.kept, age: Math.floor(entry.age) }
      if (entry.age - entry.notedAge >= noteAgeEvery) {
        entry.notedAge = entry.age
        await journal.write.saveRights({ userId, ...remembered })
      }
      return remembered
    },
    /** Replaces the last answer; if it `follows` one, keeps that one's times and age. */
    keep: async (userId: string, fresh: Pick<StoredRights, 'cloud' | 'subscription' | 'details' | 'role' | 'verifiedAt'>, follows?: StoredRights): Promise<void> => {
      const { takenAt, age } = follows ?? { takenAt: now(), age: 0 }
      const kept = { ...fresh, takenAt, age }
      known.set(userId, { kept, age, countedAt: uptime(), notedAge: age })
      await journal.write.saveRights({ userId, ...kept })
    },
  }
}
