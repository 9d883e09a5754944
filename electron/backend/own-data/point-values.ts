import { and, count, eq, inArray, or, sql } from 'drizzle-orm'
import type { UncertainProduct } from '#shared/api/own-data.ts'
import { err, ok, type Result } from '#shared/base/result.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { pointValueSpec, type PointValue } from '#shared/market/contract-spec.ts'
import type { ContentOf } from '#shared/mirror/record.ts'
import type { Reader, Writer } from '../db/database.ts'
import { batches, fillPairs } from '../db/schema/journal.ts'
import { pointValues as table, staleBatches } from '../db/schema/own-data.ts'
import { specOf } from '../fills/specs.ts'
import { queueChange } from '../db/outbox.ts'
import { mintStamp } from '../db/stamps.ts'
import { recomputeEntry } from '../trades/edit-trades.ts'
import type { OfUser } from '../db/rows.ts'

/** A product's stored point value, reset or not; null if none was ever set. */
export const pointValueOf = ({ orm }: Reader, userId: string, product: string): ContentOf<'point'> | null =>
  orm.select({ amount: table.amount, currency: table.currency, stamp: table.stamp }).from(table).where(and(eq(table.userId, userId), eq(table.product, product))).get() ?? null

/** Saves a product's point value, recomputes its trades entered by hand, and marks the batches that it changes, in the caller's transaction; `deriveStale` must follow. */
export const upsertPointValue = (writer: Writer, userId: string, at: number, product: string, { amount, currency, stamp }: ContentOf<'point'>): void => {
  const { orm } = writer
  const row = { amount, currency, stamp }
  orm.insert(table).values({ userId, product, ...row }).onConflictDoUpdate({ target: [table.userId, table.product], set: row }).run()
  const traded = orm.selectDistinct({ contract: batches.contract }).from(batches).where(eq(batches.userId, userId)).all()
  const contracts = traded.map(({ contract }) => contract).filter((contract) => wholeRootOf(contract) === product)
  const stale = orm
    .select({ userId: batches.userId, account: batches.account, contract: batches.contract, localDate: batches.localDate, at: sql`${at}`.as('at') })
    .from(batches)
    .where(and(eq(batches.userId, userId), inArray(batches.contract, contracts)))
  orm.insert(staleBatches).select(stale).onConflictDoNothing().run()
  const entered = orm.select({ id: fillPairs.id, contract: fillPairs.symbol }).from(fillPairs).where(and(eq(fillPairs.userId, userId), eq(fillPairs.origin, 'manual'))).all()
  for (const { id, contract } of entered) if (wholeRootOf(contract) === product) recomputeEntry(writer, userId, at, id)
}

const isUncertain = or(sql`instr(${fillPairs.warnings}, '"unknown-contract"') > 0`, sql`instr(${fillPairs.warnings}, '"partial-root"') > 0`, eq(fillPairs.multiplierSource, 'user'))

/** Products whose point value no other source has, by name. */
export const uncertainProducts = ({ orm }: Reader, { userId }: OfUser): UncertainProduct[] => {
  const products = new Map<string, { contracts: string[]; pairs: number }>()
  const found = orm.select({ contract: fillPairs.symbol, count: count() }).from(fillPairs).where(and(eq(fillPairs.userId, userId), isUncertain)).groupBy(fillPairs.symbol).orderBy(fillPairs.symbol).all()
  for (const one of found) {
    const product = products.get(wholeRootOf(one.contract)) ?? { contracts: [], pairs: 0 }
    products.set(wholeRootOf(one.contract), { contracts: [...product.contracts, one.contract], pairs: product.pairs + one.count })
  }
  const ownValues = new Map(orm.select().from(table).where(eq(table.userId, userId)).all().flatMap(({ product, amount, currency }) => (amount === null ? [] : [[product, { amount, currency }] as const])))
  for (const product of ownValues.keys()) if (!products.has(product)) products.set(product, { contracts: [], pairs: 0 })
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
  upsertPointValue(writer, userId, at, product, { ...next, stamp: mintStamp(writer, at) })
  queueChange(writer, userId, at, 'point', product)
  return ok(null)
}
