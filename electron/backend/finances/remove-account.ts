import { and, eq, isNull } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { alignFinance } from './account-finance.ts'
import type { Writer } from '../db/database.ts'
import { queueChange } from '../db/outbox.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { mintStamp } from '../db/stamps.ts'

/** Puts the tombstone on an account and its finance; null where there is no such account. A second time changes nothing. */
export const removeAccount = (writer: Writer, { userId, at, account }: { userId: string; at: number; account: string }): { loginId: string; loginHasAccounts: boolean } | null => {
  const { orm } = writer
  const isIt = and(eq(accounts.userId, userId), eq(accounts.key, account as AccountKey))
  const known = orm.select().from(accounts).where(isIt).get()
  if (known === undefined) return null
  if (known.removedAt === null) {
    orm.update(accounts).set({ removedAt: at, watchedSince: null, stamp: mintStamp(writer, at) }).where(isIt).run()
    alignFinance(writer, userId, account)
    queueChange(writer, userId, at, 'account', account)
  }
  const left = orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.loginId, known.loginId), isNull(accounts.removedAt))).get()
  return { loginId: known.loginId, loginHasAccounts: left !== undefined }
}
