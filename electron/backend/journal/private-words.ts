import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import type { PrivateWord } from '../reports/rows.ts'

const words = `
  SELECT key AS word, key AS account, 0 AS trader FROM accounts WHERE user_id = @user
  UNION SELECT name, key, 0 FROM accounts WHERE user_id = @user UNION SELECT broker_account_id, key, 0 FROM accounts WHERE user_id = @user
  UNION SELECT login_name, NULL, 0 FROM accounts WHERE user_id = @user
  UNION SELECT account, COALESCE(NULLIF(account_id, ''), account), 0 FROM trades WHERE user_id = @user AND account IS NOT NULL UNION SELECT account_id, account_id, 0 FROM trades WHERE user_id = @user
  UNION SELECT name, NULL, 0 FROM logins WHERE user_id = @user UNION SELECT broker_user_id, NULL, 0 FROM logins WHERE user_id = @user
  UNION SELECT email, NULL, 1 FROM profiles WHERE id = @user UNION SELECT json_extract(firebase_user, '$.email'), NULL, 1 FROM profiles WHERE id = @user
  UNION SELECT display_name, NULL, 1 FROM profiles WHERE id = @user UNION SELECT json_extract(firebase_user, '$.displayName'), NULL, 1 FROM profiles WHERE id = @user`

/**
 * Words that must not be revealed: names, ids and keys of all of a user's accounts and logins, each with the key of its
 * account if it has one, and the user's own names and email addresses.
 */
export const privateWords = (reader: Reader, { userId }: OfUser): PrivateWord[] =>
  query<{ word: string | null; account: string | null; trader: number }>(reader, words)
    .all({ user: userId })
    .flatMap(({ word, account, trader }): PrivateWord[] => (word === null || word.trim() === '' ? [] : [{ word: word.trim(), account, trader: trader === 1 }]))
