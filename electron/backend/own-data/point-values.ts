import { and, eq } from 'drizzle-orm'
import type { UncertainProduct } from '#shared/api/own-data.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { pointValueSpec, type PointValue } from '#shared/market/contract-spec.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import { change, query, type Reader, type Writer } from '../db/database.ts'
import { pointValues as table } from '../db/schema/own-data.ts'
import { specOf } from '../fills/specs.ts'
import { noteChange } from '../mirror/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import { workOutAgain } from '../trades/edit-trades.ts'
import type { OfUser } from '../db/rows.ts'

/** A product's stored point value, reset or not; null if none was ever set. */
export const pointValueOf = ({ orm }: Reader, userId: string, product: string): ContentOf<'point'> | null =>
  orm.select({ amount: table.amount, currency: table.currency, stamp: table.stamp }).from(table).where(and(eq(table.userId, userId), eq(table.product, product))).get() ?? null

/** Saves a product's point value and marks the batches that it changes, in the caller's transaction; `deriveStale` must follow. */
export const putPointValue = (writer: Writer, userId: string, at: number, product: string, { amount, currency, stamp }: ContentOf<'point'>): void => {
  const row = { amount, currency, stamp }
  writer.orm.insert(table).values({ userId, product, ...row }).onConflictDoUpdate({ target: [table.userId, table.product], set: row }).run()
  const contracts = query<{ contract: string }>(writer, 'SELECT DISTINCT contract FROM batches WHERE user_id = ?').all(userId).map(({ contract }) => contract)
  const sql = `INSERT OR IGNORE INTO stale_batches (user_id, account, contract, local_date, at)
    SELECT user_id, account, contract, local_date, ? FROM batches WHERE user_id = ? AND contract IN (SELECT value FROM json_each(?))`
  change(writer, sql).run(at, userId, JSON.stringify(contracts.filter((contract) => wholeRootOf(contract) === product)))
}

type UncertainRow = { contract: string; trades: number }

const uncertainSql = `SELECT symbol AS contract, count(*) AS trades FROM trades WHERE user_id = ? AND (instr(warnings, '"unknown-contract"') > 0 OR instr(warnings, '"partial-root"') > 0 OR multiplier_source = 'user') GROUP BY symbol ORDER BY symbol`

/** Products whose point value no other source has, by name. */
export const uncertainProducts = (reader: Reader, { userId }: OfUser): UncertainProduct[] => {
  const products = new Map<string, { contracts: string[]; trades: number }>()
  for (const { contract, trades } of query<UncertainRow>(reader, uncertainSql).all(userId)) {
    const product = products.get(wholeRootOf(contract)) ?? { contracts: [], trades: 0 }
    products.set(wholeRootOf(contract), { contracts: [...product.contracts, contract], trades: product.trades + trades })
  }
  const ownValues = new Map(reader.orm.select().from(table).where(eq(table.userId, userId)).all().flatMap(({ product, amount, currency }) => (amount === null ? [] : [[product, { amount, currency }] as const])))
  for (const product of ownValues.keys()) if (!products.has(product)) products.set(product, { contracts: [], trades: 0 })
  return [...products].sort(([one], [other]) => (one < other ? -1 : 1)).map(([product, found]): UncertainProduct => ({ product, ...found, pointValue: ownValues.get(product) ?? null }))
}

/** A change of a product's point value, and when (UTC ms); null resets it. */
export type PointValueChange = { readonly userId: string; readonly at: number; readonly product: string; readonly pointValue: PointValue | null }

/**
 * Saves the user's point value, in the caller's transaction; `deriveStale` must follow. Saving the same value changes
 * nothing. `too-precise` if a tick of one of the contracts would have no exact value.
 */
export const changePointValue = (writer: Writer, { userId, at, product, pointValue }: PointValueChange): Result<null, 'too-precise'> => {
  const contracts = uncertainProducts(writer, { userId }).find((one) => one.product === product)?.contracts ?? []
  if (pointValue !== null && contracts.some((contract) => pointValueSpec(specOf(writer, userId, contract), pointValue) === null)) return err('too-precise')
  const known = pointValueOf(writer, userId, product)
  const next = { amount: pointValue?.amount ?? null, currency: pointValue?.currency ?? known?.currency ?? 'USD' }
  if ((known?.amount ?? null) === next.amount && (next.amount === null || known?.currency === next.currency)) return ok(null)
  putPointValue(writer, userId, at, product, { ...next, stamp: mintStamp(writer, at) })
  noteChange(writer, userId, at, 'point', product)
  const entered = query<{ id: string; contract: string }>(writer, "SELECT id, symbol AS contract FROM trades WHERE user_id = ? AND origin = 'manual'").all(userId)
  for (const { id, contract } of entered) if (wholeRootOf(contract) === product) workOutAgain(writer, userId, at, id)
  return ok(null)
}
