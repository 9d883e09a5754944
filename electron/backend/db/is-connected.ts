import { and, eq, isNull } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Reader } from './database.ts'
import { accounts } from './schema/brokerage.ts'

/** Whether an account is connected. */
export const isConnected = ({ orm }: Reader, userId: string, account: string): boolean =>
  orm.select({ key: accounts.key }).from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.key, account as AccountKey), isNull(accounts.removedAt))).get() !== undefined
