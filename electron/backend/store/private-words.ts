import { query } from './database.ts'
import type { Read } from './part.ts'
import type { PrivateWord } from './reports-calls.ts'

const words = `
  SELECT key AS word, key AS account FROM accounts WHERE user_id = @user
  UNION SELECT name, key FROM accounts WHERE user_id = @user UNION SELECT broker_account_id, key FROM accounts WHERE user_id = @user
  UNION SELECT login_name, NULL FROM accounts WHERE user_id = @user
  UNION SELECT account, COALESCE(NULLIF(account_id, ''), account) FROM trades WHERE user_id = @user AND account IS NOT NULL UNION SELECT account_id, account_id FROM trades WHERE user_id = @user
  UNION SELECT name, NULL FROM logins WHERE user_id = @user UNION SELECT broker_user_id, NULL FROM logins WHERE user_id = @user
  UNION SELECT email, NULL FROM profiles WHERE id = @user UNION SELECT json_extract(firebase_user, '$.email'), NULL FROM profiles WHERE id = @user`

export const privateWords: Read<'privateWords'> = (reader, { userId }) =>
  query<{ word: string | null; account: string | null }>(reader, words)
    .all({ user: userId })
    .flatMap(({ word, account }): PrivateWord[] => (word === null || word.trim() === '' ? [] : [{ word: word.trim(), account }]))
