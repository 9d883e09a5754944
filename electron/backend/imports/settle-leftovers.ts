import { undoneAt, unsettledUsers } from './queries.ts'
import { settleImports } from './settle-imports.ts'
import { atomically, query } from '../db/database.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { forgetUser } from '../identity/queries.ts'
import type { Taking } from '../db/barrier.ts'

/**
 * Puts together what programs that died had begun to, and counts the users for whom a fault of ours kept that from its
 * end: they stay marked, and their journal opens as it is. What is wrong with the file itself is thrown.
 */
export const settleLeftovers = async (taking: Taking): Promise<number> => {
  const { writer } = taking
  const ofNobody = query<{ userId: string }>(writer, 'SELECT user_id AS userId FROM (SELECT user_id FROM imports_unsettled UNION SELECT user_id FROM stale_batches) WHERE user_id NOT IN (SELECT id FROM profiles)').all()
  // What a deleted account left in an earlier version must not keep everybody else's journal from opening.
  for (const user of ofNobody) atomically(writer, () => forgetUser(writer, user))
  let unsettled = 0
  for (const { userId, at } of unsettledUsers(taking.writer)) {
    try {
      await settleImports(taking, { userId, at, undone: undoneAt(writer, userId, at) })
    } catch (error) {
      if (sqliteFault(error).code !== 'internal') throw error
      unsettled += 1
    }
  }
  return unsettled
}
