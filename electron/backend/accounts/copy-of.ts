import type { AccountKey } from '#shared/fills/fill.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { noteChange } from '../mirror/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import type { At, OfUser } from '../db/rows.ts'

type Marked = { copy_of: AccountKey | null }

/** Whether an account is connected. */
export const isConnected = (reader: Reader, userId: string, account: string): boolean =>
  query(reader, 'SELECT 1 FROM accounts WHERE user_id = ? AND key = ? AND removed_at IS NULL').get(userId, account) !== undefined

const leaderOf = (reader: Reader, userId: string, account: string): AccountKey | null =>
  query<Marked>(reader, 'SELECT copy_of FROM accounts WHERE user_id = ? AND key = ?').get(userId, account)?.copy_of ?? null

// A mark whose leader is gone does not count.
const isCopy = (reader: Reader, userId: string, account: string): boolean => {
  const leader = leaderOf(reader, userId, account)
  return leader !== null && isConnected(reader, userId, leader)
}

const isLeader = (reader: Reader, userId: string, account: string): boolean =>
  query(reader, 'SELECT 1 FROM accounts WHERE user_id = ? AND copy_of = ? AND removed_at IS NULL').get(userId, account) !== undefined

/** Marks an account as copied from a leader's, or takes the mark back with null. Both are connected, the leader is no copy, and nobody's leader becomes one. */
export const setCopyOf = (writer: Writer, { userId, at, account, leader }: OfUser & At & { readonly account: string; readonly leader: string | null }): Result<null, 'not-found' | 'unknown-leader' | 'leader-is-copy' | 'copy-is-leader'> => {
  if (!isConnected(writer, userId, account)) return err('not-found')
  if (leader !== null) {
    if (!isConnected(writer, userId, leader)) return err('unknown-leader')
    if (leader === account || isCopy(writer, userId, leader)) return err('leader-is-copy')
    if (isLeader(writer, userId, account)) return err('copy-is-leader')
  }
  if (leaderOf(writer, userId, account) === leader) return ok(null)
  change(writer, 'UPDATE accounts SET copy_of = ?, stamp = ? WHERE user_id = ? AND key = ?').run(leader, mintStamp(writer, at), userId, account)
  noteChange(writer, userId, at, 'account', account)
  return ok(null)
}
