import { eq } from 'drizzle-orm'
import { err, type Result } from '#shared/base/result.ts'
import type { Database } from './database.ts'
import { subscriptions as table, type Subscription } from './schema.ts'

/** The subscriptions of all users, one each. */
export type Subscriptions = {
  readonly get: (userId: string) => Promise<Subscription | null>
  /** Saves a user's first subscription; an existing one stays unchanged. */
  readonly create: (userId: string, first: Subscription) => Promise<void>
  /** Replaces a user's subscription by the result of `work`; no one else changes it meanwhile. If `work` refuses, nothing changes. */
  readonly change: <E>(userId: string, work: (kept: Subscription) => Result<Subscription, E>) => Promise<Result<Subscription, E | 'not-found'>>
}

/** The subscriptions in this database. */
export const openSubscriptions = (database: Database): Subscriptions => ({
  get: async (userId) => (await database.ownRow<{ content: Subscription }>(userId, 'SELECT content FROM subscriptions WHERE user_id = current_user_id()'))?.content ?? null,
  create: (userId, content) => database.transaction('write', userId, async (tx) => void (await tx.insert(table).values({ userId, content }).onConflictDoNothing())),
  change: (userId, work) =>
    database.transaction('write', userId, async (tx) => {
      const [kept] = await tx.select().from(table).where(eq(table.userId, userId)).for('update')
      if (kept === undefined) return err('not-found')
      const changed = work(kept.content)
      if (changed.ok) await tx.update(table).set({ content: changed.value }).where(eq(table.userId, userId))
      return changed
    }),
})
