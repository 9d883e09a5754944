import { sql } from 'drizzle-orm'
import { perConnection, type Writer } from '../db/database.ts'
import type { OfUser } from '../db/rows.ts'
import { copiedOrders } from '../db/schema/journal.ts'

const openedByCopy = (isDerived: string, openingFill: string): string => `(${isDerived}
  AND EXISTS (SELECT 1 FROM copied_orders AS any WHERE any.user_id = row.user_id AND any.account = row.account_id)
  AND EXISTS (SELECT 1 FROM fills AS opening CROSS JOIN copied_orders AS copy ON copy.user_id = opening.user_id AND copy.account = opening.account AND copy.order_id = opening.order_id
    WHERE opening.user_id = row.user_id AND opening.account = row.account_id AND opening.id = ${openingFill}))`

const behindAccount = 'substr(row.id, length(row.account_id) + 2)'

/**
 * Whether a copied order opened a fill pair, or a counted trade: 1 or 0. Computed from the fill in the row's
 * id, so that deriving the row again changes nothing; if the account has no copied order, it costs one lookup.
 */
export const copied = {
  pairs: openedByCopy("row.origin = 'synced'", `substr(${behindAccount}, 1, instr(${behindAccount}, '/') - 1)`),
  trades: openedByCopy('row.ref > 0', behindAccount),
} as const

const addCopied = perConnection(({ orm }: Writer) =>
  orm.insert(copiedOrders).values({ userId: sql.placeholder('userId'), account: sql.placeholder('account'), orderId: sql.placeholder('orderId') }).onConflictDoNothing().prepare(),
)

/** Records filled orders of the trade copier: fill pairs and trades that they opened are marked as copied, also those derived later. */
export const markCopied = (writer: Writer, { userId, orders }: OfUser & { readonly orders: readonly { readonly account: string; readonly orderId: string }[] }): void => {
  for (const { account, orderId } of orders) addCopied(writer).run({ userId, account, orderId })
}
