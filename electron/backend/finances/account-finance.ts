import { and, eq } from 'drizzle-orm'
import type { AccountKey } from '#shared/fills/fill.ts'
import { platformOf } from '#shared/fills/platform.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { zero, type Currency } from '#shared/money/money.ts'
import type { Writer } from '../db/database.ts'
import { queueChange } from '../db/outbox.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { finances } from '../db/schema/journal.ts'
import { zoneOf } from '../db/zone.ts'

const dollar = 'USD' as Currency

/** Updates an account's finance, if there is one, with the broker's name and balance and the account's tombstone. */
export const alignFinance = ({ orm }: Writer, userId: string, account: string): void => {
  const known = orm.select().from(accounts).where(and(eq(accounts.userId, userId), eq(accounts.key, account as AccountKey))).get()
  if (known === undefined) return
  const { name, balance, currency, removedAt } = known
  orm.update(finances).set({ name, balance: balance ?? zero, currency, removedAt }).where(and(eq(finances.userId, userId), eq(finances.id, account))).run()
}

/** Adds the finance of a newly connected account, without a label. One that existed before its account keeps its label. */
export const addAccountFinance = (writer: Writer, userId: string, at: number, account: AccountKey, name: string): void => {
  const date = localDate(at, zoneOf(writer, userId))
  const row = { userId, id: account, type: 'Account', amount: zero, date, name, balance: zero, currency: dollar, platform: platformOf(account) } as const
  const made = writer.orm.insert(finances).values(row).onConflictDoNothing().run().changes > 0
  alignFinance(writer, userId, account)
  if (made) queueChange(writer, userId, at, 'finance', account)
}
