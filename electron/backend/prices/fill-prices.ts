import { priceToJsonNumber, type Ticks } from '#shared/money/price.ts'
import type { FillPrice } from '#shared/prices/calibrate.ts'
import { query, type Reader } from '../db/database.ts'
import { specOf } from '../fills/specs.ts'

/** What the journal knows of a contract: the size of its tick (null where nobody knows the product), and when its fills were at which price. */
export type ContractFacts = { readonly tickSize: string | null; readonly fills: readonly FillPrice[] }

// More prove nothing more.
const most = 5000

/** The facts of a user's contract by which a file of prices is read. */
export const fillPrices = (reader: Reader, { userId, contract }: { readonly userId: string; readonly contract: string }): ContractFacts => {
  const spec = specOf(reader, userId, contract)
  const isKnown = spec.source !== 'unknown' && (spec.source !== 'table' || spec.rootIsWhole)
  const fills = query<{ time: number; price: Ticks; tick_size: string }>(reader, `SELECT DISTINCT time, price, tick_size FROM fills WHERE user_id = ? AND contract = ? AND active = 1 ORDER BY time DESC LIMIT ${String(most)}`)
  return { tickSize: isKnown ? spec.tickSize : null, fills: fills.all(userId, contract).map(({ time, price, tick_size }) => ({ at: time, price: priceToJsonNumber(price, tick_size) })) }
}
