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
import { cashTransfers, paidOut, writtenPayouts, type CashTransfer } from './cash-transfers.ts'

// The money of an evaluation is not real, and what leaves an own account is no payout.
const fundedAccounts = ({ orm }: Reader, userId: string) =>
  orm
    .select({ account: accounts.key, name: accounts.name, firm: finances.firm, currency: accounts.currency })
    .from(accounts)
    .innerJoin(finances, and(eq(finances.userId, accounts.userId), eq(finances.id, accounts.key)))
    .where(and(eq(accounts.userId, userId), isNull(accounts.removedAt), eq(finances.type, 'Funded Account'), isNotNull(finances.firm)))
    .all()

/** The id of the entry of a withdrawal among all of its account: added twice, from two tabs or computers, it is one. Two withdrawals of one transaction are two. */
const entryId = (account: string, { transactionId, amount, after }: CashTransfer, all: readonly CashTransfer[]): string => {
  const isAlone = all.filter((one) => one.transactionId === transactionId).length === 1
  return `payout-${createHash('sha256').update(JSON.stringify([account, transactionId, ...(isAlone ? [] : [amount, after])])).digest('hex').slice(0, 32)}`
}

/** The withdrawals from funded accounts that the broker booked and no payout of the user matches, newest first. */
export const bookedPayouts = (reader: Reader, { userId }: OfUser): BookedPayout[] => {
  const transfers = cashTransfers(reader, userId)
  const isPaidOut = paidOut(reader, userId)
  return fundedAccounts(reader, userId)
    .flatMap(({ account, name, firm, currency }) => {
      if (firm === null) return []
      const own = (transfers.get(account) ?? []).filter(isPaidOut).map((transfer) => ({ ...transfer, currency: transfer.currency ?? currency }))
      return [...Map.groupBy(own, (transfer) => transfer.currency)].flatMap(([booked, withdrawals]) =>
        onlyBooked(writtenPayouts(reader, userId, account, booked), withdrawals).map((withdrawal) => ({ id: entryId(account, withdrawal, own), account, name, firm, date: withdrawal.tradingDay, amount: toDecimalString(amountOf(0 - withdrawal.amount)), currency: booked })),
      )
    })
    .sort((one, other) => compareText(other.date, one.date))
}
