import { eq } from 'drizzle-orm'
import { ok, type Result } from '#shared/base/result.ts'
import type { Database, Sql } from './database.ts'
import type { DeletedList } from './deleted-list.ts'
import { AccountDeleted } from './owner.ts'
import { copierLeases, deletedAccounts, journalHashes, journalMarks, journals, payers, pictures, records, storedBytes, subscriptions, type Subscription } from './schema.ts'

/** The accounts of all users. */
export type Accounts = {
  readonly isDeleted: (userId: string) => Promise<boolean>
  /** Deletes everything stored for a user, and records the deletion: every later transaction in that name throws `AccountDeleted`. `mayGo` decides by the stored subscription. */
  readonly erase: <E>(userId: string, mayGo: (kept: Subscription | null) => Result<null, E>) => Promise<Result<null, E>>
  /** Deletes again the users whose deletion the database has forgotten, and returns their number. */
  readonly eraseListed: () => Promise<number>
}

const tablesOfUsers = [records, pictures, journals, payers, copierLeases, subscriptions, storedBytes, journalHashes, journalMarks] as const

/** The accounts in this database, and the list of deleted ones. */
export const openAccounts = (database: Database, list: DeletedList): Accounts => ({
  eraseListed: async () => {
    let erased = 0
    for (const userId of await list.all()) {
      try {
        await database.transaction('alone', userId, (tx) => eraseRows(tx, userId))
        erased += 1
      } catch (error) {
        if (!(error instanceof AccountDeleted)) throw error
      }
    }
    return erased
  },
  isDeleted: async (userId) => {
    try {
      await database.ownRow(userId, 'SELECT 1')
      return false
    } catch (error) {
      if (error instanceof AccountDeleted) return true
      throw error
    }
  },
  erase: (userId, mayGo) =>
    database.transaction('alone', userId, async (tx) => {
      const [kept] = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId))
      const allowed = mayGo(kept?.content ?? null)
      if (!allowed.ok) return allowed
      await eraseRows(tx, userId)
      await list.add(userId)
      return ok(null)
    }),
})

const eraseRows = async (tx: Sql, userId: string): Promise<void> => {
  for (const table of tablesOfUsers) await tx.delete(table).where(eq(table.userId, userId))
  await tx.insert(deletedAccounts).values({ userId })
}
