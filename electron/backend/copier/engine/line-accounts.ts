import { err, ok, type Result } from '#shared/base/result.ts'
import type { BrokerFailure } from '../../brokers/tradovate/failure.ts'
import type { LiveAccount } from '../../brokers/tradovate/live.ts'
import { rowsOfList } from '../../brokers/tradovate/live-messages.ts'
import { readRows } from '../../brokers/tradovate/rows.ts'
import { userRow } from '../../brokers/tradovate/wire.ts'
import type { ReadPath } from './line-lists.ts'

/** A login's accounts on a side, and the login's user id if the broker has it. */
type FoundAccounts = { readonly accounts: readonly LiveAccount[]; readonly userId: number | null }

const accountsAt = async (read: ReadPath, query: Record<string, string>): Promise<Result<readonly LiveAccount[], BrokerFailure>> => {
  const answer = await read('/account/list', query)
  if (!answer.ok) return answer
  const rows = rowsOfList('account', answer.value)
  return rows === null ? err({ kind: 'unreadable-answer' }) : ok(rows.accounts)
}

/** Reads the accounts, and if the list is empty, again by user id: some logins need it. */
export const readAccounts = async (read: ReadPath): Promise<Result<FoundAccounts, BrokerFailure>> => {
  const plain = await accountsAt(read, {})
  if (!plain.ok) return plain
  const users = await read('/user/list')
  const userId = users.ok ? (readRows('user', userRow, users.value)?.rows[0]?.id ?? null) : null
  if (plain.value.length > 0 || userId === null) return ok({ accounts: plain.value, userId })
  const own = await accountsAt(read, { userId: String(userId) })
  return own.ok ? ok({ accounts: own.value, userId }) : own
}
