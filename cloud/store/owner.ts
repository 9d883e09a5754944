import { escapeLiteral } from 'pg'
import type { Owner, TransactionKind } from './database.ts'

/** The account of the call's user was deleted: nothing of it may come back. */
export class AccountDeleted extends Error {}

// Deleting an account waits for the writers of its user, and they wait for the deletion.
const locks: Readonly<Record<TransactionKind, string | null>> = { read: null, write: 'pg_advisory_xact_lock_shared', alone: 'pg_advisory_xact_lock' }

/** The statements that set a transaction's owner. The last of them returns a row if the account was deleted. */
export const ownerStatements = (owner: Owner, kind: TransactionKind): readonly string[] => {
  if (owner === null) return []
  const [user, lock] = [escapeLiteral(owner), locks[kind]]
  return [
    `SELECT set_config('fillbook.user_id', ${user}, true)${lock === null ? '' : `, ${lock}(hashtextextended(${user}, 0))`}`,
    // A separate statement sees what was committed while it waited for the lock.
    `SELECT user_id FROM deleted_accounts WHERE user_id = ${user}`,
  ]
}
