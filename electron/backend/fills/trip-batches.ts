import type { AccountKey } from '#shared/fills/fill.ts'
import { query, type Reader } from '../db/database.ts'

/** Batches of one account's contract, by their local dates. */
export type TripBatches = { readonly account: AccountKey; readonly contract: string; readonly dates: readonly string[] }

type Place = { account: AccountKey; contract: string; date: string }

/** The batches that write the trips of these trades. */
export const tripBatches = (reader: Reader, userId: string, tradeIds: readonly string[]): readonly TripBatches[] => {
  if (tradeIds.length === 0) return []
  // A trip whose pairs were all removed has no row: any batch from the trade on may write it.
  const sql = `WITH wanted AS (SELECT account_id, symbol, date, trip_id FROM json_each(@ids) AS one CROSS JOIN trades ON trades.user_id = @user AND trades.id = one.value WHERE trip_id IS NOT NULL)
    SELECT DISTINCT account, contract, local_date AS date FROM wanted LEFT JOIN trips ON trips.user_id = @user AND trips.id = wanted.trip_id
    JOIN batches ON batches.user_id = @user AND account = wanted.account_id AND contract = wanted.symbol AND iif(trips.batch_date IS NULL, local_date >= wanted.date, local_date = trips.batch_date)`
  const places = query<Place>(reader, sql).all({ user: userId, ids: JSON.stringify(tradeIds) })
  return [...Map.groupBy(places, ({ account, contract }) => JSON.stringify([account, contract])).values()].flatMap((own) => {
    const [first] = own
    return first === undefined ? [] : [{ account: first.account, contract: first.contract, dates: own.map(({ date }) => date) }]
  })
}
