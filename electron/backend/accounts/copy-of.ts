import type { AccountKey } from '#shared/fills/fill.ts'
import { err, ok } from '#shared/base/result.ts'
import { change, query, type Reader } from '../db/database.ts'
import { noteChange } from '../mirror/outbox.ts'
import type { Write } from '../journal/part.ts'
import { mintStamp } from '../db/stamps.ts'

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

export const setCopyOf: Write<'setCopyOf'> = (writer, { userId, at, account, leader }) => {
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
