import { notInArray } from 'drizzle-orm'
import { union } from 'drizzle-orm/sqlite-core'
import { atomically } from '../db/database.ts'
import { importsUnsettled } from '../db/schema/imports.ts'
import { staleBatches } from '../db/schema/own-data.ts'
import { profiles } from '../db/schema/people.ts'
import { sqliteFault } from '../db/sqlite-fault.ts'
import { deleteUser } from '../db/delete-user.ts'
import type { WriteContext } from '../db/barrier.ts'
import { undoneAt, unsettledUsers } from './queries.ts'
import { settleImports } from './settle-imports.ts'

/**
 * Puts together what programs that died had begun to, and counts the users for whom a fault of ours kept that from its
 * end: they stay marked, and their journal opens as it is. What is wrong with the file itself is thrown.
 */
export const settleLeftovers = async (context: WriteContext): Promise<number> => {
  const { writer } = context
  const { orm } = writer
  const users = orm.select({ id: profiles.id }).from(profiles)
  const ofNobody = union(
    orm.select({ userId: importsUnsettled.userId }).from(importsUnsettled).where(notInArray(importsUnsettled.userId, users)),
    orm.select({ userId: staleBatches.userId }).from(staleBatches).where(notInArray(staleBatches.userId, users)),
  ).all()
  // What a deleted account left in an earlier version must not keep everybody else's journal from opening.
  for (const user of ofNobody) atomically(writer, () => deleteUser(writer, user))
  let unsettled = 0
  for (const { userId, at } of unsettledUsers(context.writer)) {
    try {
      await settleImports(context, { userId, at, undone: undoneAt(writer, userId, at) })
    } catch (error) {
      if (sqliteFault(error).code !== 'internal') throw error
      unsettled += 1
    }
  }
  return unsettled
}
