import { and, eq, isNull } from 'drizzle-orm'
import { accounts, logins as table } from '../db/schema/brokerage.ts'
import type { Reader, Writer } from '../db/database.ts'
import type { At, Login, OfUser } from '../db/rows.ts'

const one = (userId: string, loginId: string) => and(eq(table.userId, userId), eq(table.id, loginId))

/** Every login of a user, or of all users. */
export const logins = ({ orm }: Reader, { userId }: { readonly userId?: string }): Login[] =>
  orm.select().from(table).where(userId === undefined ? undefined : eq(table.userId, userId)).orderBy(table.connectedAt, table.id).all()

export const saveLogin = ({ orm }: Writer, { userId, at, id, broker = 'tradovate', brokerUserId, name, hosts }: OfUser & At & { readonly id: string; readonly broker?: Login['broker']; readonly brokerUserId: string; readonly name: string; readonly hosts: string | null }): Login => {
  const fresh = { name, hosts, status: 'ok' as const, lastError: null, refusedAt: null }
  return orm
    .insert(table)
    .values({ id, userId, broker, brokerUserId, connectedAt: at, ...fresh })
    .onConflictDoUpdate({ target: [table.userId, table.broker, table.brokerUserId], set: fresh })
    .returning()
    .get()
}

export const saveLoginStatus = ({ orm }: Writer, { userId, at, loginId, status, lastError }: OfUser & At & { readonly loginId: string; readonly status: 'ok' | 'expired'; readonly lastError: string | null }): void => {
  orm.update(table).set({ status, lastError, refusedAt: status === 'expired' ? at : null }).where(one(userId, loginId)).run()
}

/** Removes a login without accounts; false, without a change, if it has any. */
export const removeLogin = ({ orm }: Writer, { userId, loginId }: OfUser & { readonly loginId: string }): boolean => {
  const left = orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.loginId, loginId), isNull(accounts.removedAt))).get()
  if (left !== undefined) return false
  orm.delete(table).where(one(userId, loginId)).run()
  return true
}
