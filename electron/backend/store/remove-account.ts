import { and, eq, isNull } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { change, type Writer } from './database.ts'
import { noteChange } from './outbox.ts'
import { accounts } from './schema/brokerage.ts'
import { finances } from './schema/journal.ts'

/** Notes all trades of an account as gone or as back; those that the user removed stay gone. */
export const noteTradesOf = (writer: Writer, userId: string, account: string, op: 'put' | 'remove'): void => {
  const sql = `INSERT OR REPLACE INTO outbox (user_id, entity, entity_id, op) SELECT user_id, 'trade', id, ? FROM trades
    WHERE user_id = ? AND account_id = ? AND id NOT IN (SELECT trade_id FROM trade_edits WHERE user_id = ? AND removed_at IS NOT NULL)`
  change(writer, sql).run(op, userId, account, userId)
}

/** Puts the tombstone on an account and its finance; null where there is no such account. A second time changes nothing. */
export const removeAccount = (writer: Writer, { userId, at, account }: { userId: string; at: number; account: string }): { loginId: string; loginHasAccounts: boolean } | null => {
  const { orm } = writer
  const isIt = and(eq(accounts.userId, userId), eq(accounts.key, account as AccountKey))
  const known = orm.select().from(accounts).where(isIt).get()
  if (known === undefined) return null
  if (known.removedAt === null) {
    orm.update(accounts).set({ removedAt: at }).where(isIt).run()
    orm.update(finances).set({ removedAt: at }).where(and(eq(finances.userId, userId), eq(finances.id, account))).run()
    noteChange(writer, userId, 'finance', account, 'remove')
    noteTradesOf(writer, userId, account, 'remove')
  }
  const left = orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.loginId, known.loginId), isNull(accounts.removedAt))).get()
  return { loginId: known.loginId, loginHasAccounts: left !== undefined }
}
