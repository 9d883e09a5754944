import { and, eq, isNull } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import type { Reader, Writer } from '../db/database.ts'
import { isConnected } from '../db/is-connected.ts'
import { accounts as table } from '../db/schema/brokerage.ts'
import { queueChange } from '../db/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import type { At, OfUser } from '../db/rows.ts'

const one = (userId: string, account: string) => and(eq(table.userId, userId), eq(table.key, account as AccountKey))

const leaderOf = ({ orm }: Reader, userId: string, account: string): string | null =>
  orm.select({ copyOf: table.copyOf }).from(table).where(one(userId, account)).get()?.copyOf ?? null

// A mark whose leader is gone does not count.
const isCopy = (reader: Reader, userId: string, account: string): boolean => {
  const leader = leaderOf(reader, userId, account)
  return leader !== null && isConnected(reader, userId, leader)
}

const isLeader = ({ orm }: Reader, userId: string, account: string): boolean =>
  orm.select({ key: table.key }).from(table).where(and(eq(table.userId, userId), eq(table.copyOf, account), isNull(table.removedAt))).get() !== undefined

/** Marks an account as copied from a leader's, or takes the mark back with null. Both are connected, the leader is no copy, and nobody's leader becomes one. */
export const setCopyOf = (writer: Writer, { userId, at, account, leader }: OfUser & At & { readonly account: string; readonly leader: string | null }): Result<null, 'not-found' | 'unknown-leader' | 'leader-is-copy' | 'copy-is-leader'> => {
  if (!isConnected(writer, userId, account)) return err('not-found')
  if (leader !== null) {
    if (!isConnected(writer, userId, leader)) return err('unknown-leader')
    if (leader === account || isCopy(writer, userId, leader)) return err('leader-is-copy')
    if (isLeader(writer, userId, account)) return err('copy-is-leader')
  }
  if (leaderOf(writer, userId, account) === leader) return ok(null)
  writer.orm.update(table).set({ copyOf: leader, stamp: mintStamp(writer, at) }).where(one(userId, account)).run()
  queueChange(writer, userId, at, 'account', account)
  return ok(null)
}
