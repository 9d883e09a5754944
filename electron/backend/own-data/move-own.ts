import type { AccountKey } from '#shared/fills/fill.ts'
import { commissionName } from '#shared/mirror/record.ts'
import { putRate, rateOf } from './commissions.ts'
import { change, query, type Writer } from '../db/database.ts'
import { noteChange } from '../mirror/outbox.ts'
import { putRules, rulesOf } from '../rules/queries.ts'
import { mintStamp } from '../db/stamps.ts'

/**
 * Moves the user's settings of an account to the account that it turns out to be: its rates and rules, its leader, and
 * its copies. Existing settings of the other account stay. Runs in the caller's transaction; `deriveStale` must follow.
 */
export const moveOwn = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  moveRates(writer, userId, at, from, to)
  moveRules(writer, userId, at, from, to)
  moveMarks(writer, userId, at, from, to)
}

const moveRates = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const products = query<{ product: string }>(writer, "SELECT product FROM commission_rates WHERE user_id = ? AND scope = 'account' AND of = ? AND per_side IS NOT NULL").all(userId, from)
  for (const { product } of products) {
    const [rate, known] = [from, to].map((of) => rateOf(writer, userId, { scope: 'account', of, product }))
    if (rate === null || rate === undefined || (known ?? null) !== null) continue
    const moved = { ...rate, of: to, stamp: mintStamp(writer, at) }
    putRate(writer, userId, at, moved)
    noteChange(writer, userId, at, 'commission', commissionName(moved))
  }
}

const moveRules = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const [rules, known] = [from, to].map((account) => rulesOf(writer, userId, account))
  if (rules === null || rules === undefined || (known ?? null) !== null) return
  putRules(writer, userId, to, { ...rules, stamp: mintStamp(writer, at) })
  noteChange(writer, userId, at, 'rules', to)
}

const moveMarks = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  const mark = (account: string, leader: string): void => {
    change(writer, 'UPDATE accounts SET copy_of = ?, stamp = ? WHERE user_id = ? AND key = ?').run(leader, mintStamp(writer, at), userId, account)
    noteChange(writer, userId, at, 'account', account)
  }
  const leader = query<{ leader: string }>(writer, 'SELECT copy_of AS leader FROM accounts WHERE user_id = ? AND key = ? AND copy_of <> ?').get(userId, from, to)
  const isMarked = query(writer, 'SELECT 1 FROM accounts WHERE user_id = ? AND key = ? AND copy_of IS NOT NULL').get(userId, to) !== undefined
  if (leader !== undefined && !isMarked) mark(to, leader.leader)
  for (const { key } of query<{ key: string }>(writer, 'SELECT key FROM accounts WHERE user_id = ? AND copy_of = ? AND key <> ?').all(userId, from, to)) mark(key, to)
}

/** Moves the earnings and expenses of an account to the account that it turns out to be. */
export const moveBooks = (writer: Writer, userId: string, at: number, from: AccountKey, to: AccountKey): void => {
  for (const { id } of query<{ id: string }>(writer, 'SELECT id FROM finances WHERE user_id = ? AND account = ?').all(userId, from)) {
    change(writer, 'UPDATE finances SET account = ?, stamp = ? WHERE user_id = ? AND id = ?').run(to, mintStamp(writer, at), userId, id)
    noteChange(writer, userId, at, 'finance', id)
  }
}
