import type { AccountKey } from '#shared/fills/fill.ts'
import { query, type Writer } from '../database.ts'
import { deriveTripOf } from '../derive/derive-again.ts'
import type { PricedFill } from './fill-rows.ts'
import { moveEdit } from '../imports/import-accounts.ts'

type Fills = ReadonlyMap<string, PricedFill>

/** An account's fills before something changed in them and after. */
export type Succession = { readonly account: AccountKey; readonly before: Fills; readonly after: Fills }

/** Between which two orders a trade lies, by its id; null where that is not known. */
const ordersOf = (account: AccountKey, tradeId: string, fills: Fills): string | null => {
  const [opening, closing, ...more] = tradeId.slice(account.length + 1).split('/').map((id) => fills.get(id)?.orderId ?? null)
  return more.length > 0 || opening === undefined || closing === undefined || opening === null || closing === null ? null : `${opening}\n${closing}`
}

/**
 * Lets what the user said of a trade go over to the one that takes its place where an order became known by its fills,
 * or only as an order again: the first trade between the same two orders. Runs in the caller's transaction, after the trades are derived.
 */
export const followOrders = (writer: Writer, userId: string, at: number, { account, before, after }: Succession): void => {
  const sql = `SELECT trade_id AS id FROM trade_edits WHERE user_id = ? AND substr(trade_id, 1, ?) = ?
    AND NOT EXISTS (SELECT 1 FROM trades WHERE trades.user_id = trade_edits.user_id AND trades.id = trade_id)`
  const lost = query<{ id: string }>(writer, sql).all(userId, account.length + 1, `${account}/`)
  if (lost.length === 0) return
  const trades = query<{ id: string }>(writer, "SELECT id FROM trades WHERE user_id = ? AND account_id = ? AND origin = 'synced' ORDER BY exit_time, id").all(userId, account)
  const first = new Map<string, string>()
  for (const { id } of trades) {
    const orders = ordersOf(account, id, after)
    if (orders !== null && !first.has(orders)) first.set(orders, id)
  }
  for (const { id } of lost) {
    const orders = ordersOf(account, id, before)
    const heir = orders === null ? undefined : first.get(orders)
    if (heir === undefined) continue
    moveEdit(writer, userId, at, id, heir)
    // A removal goes over too, and the trip is told without it.
    deriveTripOf(writer, { userId, at, tradeId: heir })
  }
}
