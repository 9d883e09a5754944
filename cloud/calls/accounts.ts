import type { JournalChange } from '../store/journals.ts'

/**
 * Puts the tombstone on a connected account, `now` in UTC ms; its finance and its trades are out of view by that. False
 * where there is no such account; a second time changes nothing.
 */
export const removeAccount = async (journal: JournalChange, id: string, now: number): Promise<boolean> => {
  const account = await journal.get('account', id)
  if (account === null) return false
  if (account.removedAt === null) await journal.put([{ entity: 'account', id, content: { ...account, removedAt: now, stamp: journal.stamp(now) } }])
  return true
}
