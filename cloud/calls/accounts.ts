import type { JournalChange } from '../store/journals.ts'

/**
 * Puts a tombstone on a connected account (`now` in UTC ms), which hides its finance and trades. False
 * if there is no such account; idempotent.
 */
export const removeAccount = async (journal: JournalChange, id: string, now: number): Promise<boolean> => {
  const account = await journal.get('account', id)
  if (account === null) return false
  if (account.removedAt === null) await journal.put([{ entity: 'account', id, content: { ...account, removedAt: now, stamp: journal.stamp(now) } }])
  return true
}
