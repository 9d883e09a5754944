import type { EntitlementsDeps } from '#backend/plans/entitlements.ts'
import { openEmptyStore, user } from './store.ts'

/** What rights use of a journal, over a real one on this thread; it goes with the test. */
export const openRightsJournal = (): { readonly journal: EntitlementsDeps['journal']; readonly userId: string } => {
  const { read, write } = openEmptyStore()
  const journal: EntitlementsDeps['journal'] = {
    read: { rights: (input) => Promise.resolve(read.rights(input)), profile: (input) => Promise.resolve(read.profile(input)) },
    write: { saveRights: (input) => Promise.resolve(write.saveRights(input)) },
  }
  return { journal, userId: user.userId }
}
