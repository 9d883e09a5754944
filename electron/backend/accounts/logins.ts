import { and, eq, isNull } from 'drizzle-orm'
import type { Read, Write } from '../journal/part.ts'
import { accounts, logins as table } from '../db/schema/brokerage.ts'

const one = (userId: string, loginId: string) => and(eq(table.userId, userId), eq(table.id, loginId))

export const logins: Read<'logins'> = ({ orm }, { userId }) =>
  orm.select().from(table).where(userId === undefined ? undefined : eq(table.userId, userId)).orderBy(table.connectedAt, table.id).all()

export const saveLogin: Write<'saveLogin'> = ({ orm }, { userId, at, id, brokerUserId, name, hosts }) => {
  const fresh = { name, hosts, status: 'ok' as const, lastError: null, refusedAt: null }
  return orm
    .insert(table)
    .values({ id, userId, broker: 'tradovate', brokerUserId, connectedAt: at, ...fresh })
    .onConflictDoUpdate({ target: [table.userId, table.broker, table.brokerUserId], set: fresh })
    .returning()
    .get()
}

export const setLoginStatus: Write<'setLoginStatus'> = ({ orm }, { userId, at, loginId, status, lastError }) => {
  orm.update(table).set({ status, lastError, refusedAt: status === 'expired' ? at : null }).where(one(userId, loginId)).run()
}

export const removeLogin: Write<'removeLogin'> = ({ orm }, { userId, loginId }) => {
  const left = orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.loginId, loginId), isNull(accounts.removedAt))).get()
  if (left !== undefined) return false
  orm.delete(table).where(one(userId, loginId)).run()
  return true
}
