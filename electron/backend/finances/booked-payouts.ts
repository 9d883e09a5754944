import { createHash } from 'node:crypto'
import type { BookedPayout } from '#shared/api/journal.ts'
import { amountOf, toDecimalString } from '#shared/money/money.ts'
import { onlyBooked } from '#shared/rules/transfers.ts'
import { query, type Reader } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { cashTransfers, writtenPayouts } from '../imports/cash-transfers.ts'

type FundedRow = { account: string; name: string; firm: NonNullable<BookedPayout['firm']>; currency: string }

// The money of an evaluation is not real, and what leaves an own account is no payout.
const fundedSql = `SELECT accounts.key AS account, accounts.name, finances.firm, accounts.currency FROM accounts
  JOIN finances ON finances.user_id = accounts.user_id AND finances.id = accounts.key
  WHERE accounts.user_id = ? AND accounts.removed_at IS NULL AND finances.type = 'Funded Account' AND finances.firm IS NOT NULL`

/** The id of the entry of a withdrawal: added twice, from two tabs or computers, it is one. */
const entryId = (account: string, transactionId: string): string => `payout-${createHash('sha256').update(JSON.stringify([account, transactionId])).digest('hex').slice(0, 32)}`

/** The withdrawals from funded accounts that the broker booked and no payout of the user matches, newest first. */
export const bookedPayouts = (reader: Reader, { userId }: OfUser): BookedPayout[] => {
  const transfers = cashTransfers(reader, userId)
  return query<FundedRow>(reader, fundedSql)
    .all(userId)
    .flatMap(({ account, name, firm, currency }) => {
      const own = (transfers.get(account) ?? []).map((transfer) => ({ ...transfer, currency: transfer.currency ?? currency }))
      return [...Map.groupBy(own, (transfer) => transfer.currency)].flatMap(([booked, withdrawals]) =>
        onlyBooked(writtenPayouts(reader, userId, account, booked), withdrawals).map(({ transactionId, tradingDay, amount }) => ({ id: entryId(account, transactionId), account, name, firm, date: tradingDay, amount: toDecimalString(amountOf(0 - amount)), currency: booked })),
      )
    })
    .sort((one, other) => (one.date < other.date ? 1 : one.date > other.date ? -1 : 0))
}
