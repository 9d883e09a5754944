import { and, desc, eq } from 'drizzle-orm'
import { priceToJsonNumber } from '#shared/money/price.ts'
import type { FillPrice } from '#shared/prices/calibrate.ts'
import type { Reader } from '../db/database.ts'
import { fills } from '../db/schema/journal.ts'
import { specOf } from '../fills/specs.ts'

/** What the journal knows of a contract: the size of its tick (null where nobody knows the product), and when its fills were at which price. */
export type ContractFacts = { readonly tickSize: string | null; readonly fills: readonly FillPrice[] }

// More prove nothing more.
const most = 5000

/** The facts of a user's contract by which a file of prices is read. */
export const fillPrices = (reader: Reader, { userId, contract }: { readonly userId: string; readonly contract: string }): ContractFacts => {
  const spec = specOf(reader, userId, contract)
  const isKnown = spec.source !== 'unknown' && (spec.source !== 'table' || spec.rootIsWhole)
  const newest = reader.orm
    .selectDistinct({ time: fills.time, price: fills.price, tickSize: fills.tickSize })
    .from(fills)
    .where(and(eq(fills.userId, userId), eq(fills.contract, contract), eq(fills.active, true)))
    .orderBy(desc(fills.time))
    .limit(most)
    .all()
  return { tickSize: isKnown ? spec.tickSize : null, fills: newest.map(({ time, price, tickSize }) => ({ at: time, price: priceToJsonNumber(price, tickSize) })) }
}
