import { change, type Writer } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'

const openedByCopy = (isDerived: string, openingFill: string): string => `(${isDerived}
  AND EXISTS (SELECT 1 FROM copied_orders AS any WHERE any.user_id = row.user_id AND any.account = row.account_id)
  AND EXISTS (SELECT 1 FROM fills AS opening CROSS JOIN copied_orders AS copy ON copy.user_id = opening.user_id AND copy.account = opening.account AND copy.order_id = opening.order_id
    WHERE opening.user_id = row.user_id AND opening.account = row.account_id AND opening.id = ${openingFill}))`

const behindAccount = 'substr(row.id, length(row.account_id) + 2)'

/**
 * Whether a copied order opened a row of `trades`, or one of what counts as a trip: 1 or 0. It is told from the fill that the row's id names, so that it
 * stands however often the row is derived again; where the account has no copied order, it costs one look-up.
 */
export const copied = {
  pairs: openedByCopy("row.origin = 'synced'", `substr(${behindAccount}, 1, instr(${behindAccount}, '/') - 1)`),
  trips: openedByCopy('row.ref > 0', behindAccount),
} as const

/** Notes orders that the trade copier placed and that filled: trades that they opened are marked as copied, those that are reported later too. */
export const markCopied = (writer: Writer, { userId, orders }: OfUser & { readonly orders: readonly { readonly account: string; readonly orderId: string }[] }): void => {
  const put = change(writer, 'INSERT OR IGNORE INTO copied_orders (user_id, account, order_id) VALUES (?, ?, ?)')
  for (const { account, orderId } of orders) put.run(userId, account, orderId)
}
