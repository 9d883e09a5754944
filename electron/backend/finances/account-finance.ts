import type { AccountKey } from '#shared/fills/fill.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { zero, type Currency } from '#shared/money/money.ts'
import { change, type Writer } from '../db/database.ts'
import { noteChange } from '../mirror/outbox.ts'
import { finances } from '../db/schema/journal.ts'
import { zoneOf } from '../db/zone.ts'

const dollar = 'USD' as Currency

/** Updates an account's finance, if there is one, with the broker's name and balance and the account's tombstone. */
export const alignFinance = (writer: Writer, userId: string, account: string): void => {
  const sql = `UPDATE finances SET (name, balance, currency, removed_at) =
      (SELECT name, COALESCE(balance, 0), currency, removed_at FROM accounts WHERE accounts.user_id = finances.user_id AND key = finances.id)
    WHERE user_id = ? AND id = ? AND EXISTS (SELECT 1 FROM accounts WHERE accounts.user_id = finances.user_id AND key = finances.id)`
  change(writer, sql).run(userId, account)
}

/** Adds the finance of a newly connected account, without a label. One that existed before its account keeps its label. */
export const addAccountFinance = (writer: Writer, userId: string, at: number, account: AccountKey, name: string): void => {
  const date = localDate(at, zoneOf(writer, userId))
  const row = { userId, id: account, type: 'Account', amount: zero, date, name, balance: zero, currency: dollar, platform: platformOf(account) } as const
  const made = writer.orm.insert(finances).values(row).onConflictDoNothing().run().changes > 0
  alignFinance(writer, userId, account)
  if (made) noteChange(writer, userId, at, 'finance', account)
}
