import { createHash } from 'node:crypto'
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import type { BookedPayout } from '#shared/api/journal.ts'
import { compareText } from '#shared/base/compare-text.ts'
import { amountOf, toDecimalString } from '#shared/money/money.ts'
import { onlyBooked } from '#shared/rules/transfers.ts'
import type { Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { finances } from '../db/schema/journal.ts'
import { cashTransfers, writtenPayouts } from '../imports/cash-transfers.ts'

// The money of an evaluation is not real, and what leaves an own account is no payout.
const fundedAccounts = ({ orm }: Reader, userId: string) =>
  orm
    .select({ account: accounts.key, name: accounts.name, firm: finances.firm, currency: accounts.currency })
    .from(accounts)
    .innerJoin(finances, and(eq(finances.userId, accounts.userId), eq(finances.id, accounts.key)))
    .where(and(eq(accounts.userId, userId), isNull(accounts.removedAt), eq(finances.type, 'Funded Account'), isNotNull(finances.firm)))
    .all()

/** The id of the entry of a withdrawal: added twice, from two tabs or computers, it is one. */
const entryId = (account: string, transactionId: string): string => `payout-${createHash('sha256').update(JSON.stringify([account, transactionId])).digest('hex').slice(0, 32)}`

/** The withdrawals from funded accounts that the broker booked and no payout of the user matches, newest first. */
export const bookedPayouts = (reader: Reader, { userId }: OfUser): BookedPayout[] => {
  const transfers = cashTransfers(reader, userId)
  return fundedAccounts(reader, userId)
    .flatMap(({ account, name, firm, currency }) => {
      if (firm === null) return []
      const own = (transfers.get(account) ?? []).map((transfer) => ({ ...transfer, currency: transfer.currency ?? currency }))
      return [...Map.groupBy(own, (transfer) => transfer.currency)].flatMap(([booked, withdrawals]) =>
        onlyBooked(writtenPayouts(reader, userId, account, booked), withdrawals).map(({ transactionId, tradingDay, amount }) => ({ id: entryId(account, transactionId), account, name, firm, date: tradingDay, amount: toDecimalString(amountOf(0 - amount)), currency: booked })),
      )
    })
    .sort((one, other) => compareText(other.date, one.date))
}
