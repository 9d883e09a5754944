import type { AccountKey } from '#shared/fills/fill.ts'
import { query, type Reader, type Writer } from '../db/database.ts'
import { isWrittenOn } from '../trades/settle-notes.ts'
import { accountAttribution, allAccounts, isFileAccount, type AccountAttribution } from './import-accounts.ts'
import { noteUnsettled } from './queries.ts'

/** For each account that only files knew, the connected account that it turns out to be. */
export type JoinedAccounts = ReadonlyMap<AccountKey, AccountKey>

/** All such accounts, empty ones too. */
export const joinedAccounts = (reader: Reader, userId: string, attribute: AccountAttribution): JoinedAccounts =>
  new Map(
    allAccounts(reader, userId).flatMap(({ key, name }): (readonly [AccountKey, AccountKey])[] => {
      const connected = isFileAccount(key) ? attribute({ id: null, name }) : null
      return connected === null || connected === key ? [] : [[key as AccountKey, connected]]
    }),
  )

// '0' is the character after '/'.
const leftSql = `SELECT 1 FROM accounts WHERE user_id = @userId AND key = @account AND removed_at IS NULL
  UNION ALL SELECT 1 FROM fills WHERE user_id = @userId AND account = @account
  UNION ALL SELECT 1 FROM told_fills WHERE user_id = @userId AND account = @account
  UNION ALL SELECT 1 FROM trade_edits WHERE user_id = @userId AND trade_id >= @account || '/' AND trade_id < @account || '0' AND ${isWrittenOn}
  UNION ALL SELECT 1 FROM trades WHERE user_id = @userId AND account_id = @account
  UNION ALL SELECT 1 FROM finances WHERE user_id = @userId AND account = @account LIMIT 1`

/** Joined accounts that are not empty, as after a pull of the mirror or a new login: settling moves what they have to the connected accounts. */
export const joiningAccounts = (reader: Reader, userId: string, attribute?: AccountAttribution): JoinedAccounts => {
  if (!allAccounts(reader, userId).some(({ key }) => isFileAccount(key))) return new Map()
  const left = query(reader, leftSql)
  return new Map([...joinedAccounts(reader, userId, attribute ?? accountAttribution(reader, userId))].filter(([account]) => left.get({ userId, account }) !== undefined))
}

/** Marks fills for recomputing if any account is joining; true if one is. */
export const noteJoining = (writer: Writer, userId: string, at: number): boolean => {
  const isJoining = joiningAccounts(writer, userId).size > 0
  if (isJoining) noteUnsettled(writer, userId, at)
  return isJoining
}
