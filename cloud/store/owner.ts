import { escapeLiteral } from 'pg'
import type { Owner, TransactionKind } from './database.ts'

/** The account of the user in whose name a call came was deleted: nothing of it may come back. */
export class AccountDeleted extends Error {}

// Whoever deletes an account waits for those who write for it, and they for that.
const locks: Readonly<Record<TransactionKind, string | null>> = { read: null, write: 'pg_advisory_xact_lock_shared', alone: 'pg_advisory_xact_lock' }

/** The statements by which a transaction takes on an owner's name. The last of them finds a row where the account was deleted. */
export const takeName = (owner: Owner, kind: TransactionKind): readonly string[] => {
  if (owner === null) return []
  const [user, lock] = [escapeLiteral(owner), locks[kind]]
  return [
    `SELECT set_config('fillbook.user_id', ${user}, true)${lock === null ? '' : `, ${lock}(hashtextextended(${user}, 0))`}`,
    // A statement of its own sees what was committed while the lock was waited for.
    `SELECT user_id FROM deleted_accounts WHERE user_id = ${user}`,
  ]
}
