import type { AccountKey } from '#shared/fills/fill.ts'
import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../db/database.ts'
import type { SessionFees } from '../brokers/port.ts'
import type { OfUser } from '../db/rows.ts'
import { readFees as table } from '../db/schema/brokerage.ts'

/** Fees of an account's sessions (`YYYY-MM-DD`) as they were read last; a session that was never read is missing. */
export const readFees = ({ orm }: Reader, { userId, account, days }: OfUser & { readonly account: AccountKey; readonly days: readonly string[] }): SessionFees[] =>
  orm.select().from(table).where(and(eq(table.userId, userId), eq(table.account, account), inArray(table.tradingDay, [...days]))).all()
    .map(({ tradingDay, fees }) => ({ account, tradingDay, fees: JSON.parse(fees) as SessionFees['fees'] }))

/** Saves the fees of sessions as read, in place of earlier ones. */
export const saveReadFees = ({ orm }: Writer, { userId, sessions }: OfUser & { readonly sessions: readonly SessionFees[] }): void => {
  for (const { account, tradingDay, fees } of sessions) {
    const row = { fees: JSON.stringify(fees) }
    orm.insert(table).values({ userId, account, tradingDay, ...row }).onConflictDoUpdate({ target: [table.userId, table.account, table.tradingDay], set: row }).run()
  }
}
