import { amountOf } from '#shared/money/money.ts'
import { keyOf, type ImportedFill, type Placed } from './assembly.ts'
import { isBrokersId } from './fill-ids.ts'
import type { UncoveredOrder } from './order-fills.ts'
import type { FillReading } from './reading.ts'

/** Whether a fill of another computer's files is more than a row of a Fills report with the broker's id: only then can fills here be the same under other ids. */
export const isMirrored = ({ mirrored, fillId }: Placed<FillReading>): boolean => mirrored !== undefined && (mirrored !== 'fills-file' || !isBrokersId(fillId))

/** What another computer made of its files, beyond what this one's files have by the same ids: fills of the broker's pairs, of platforms, and of orders. */
export type MirroredFills = { readonly ofPairs: readonly ImportedFill[]; readonly ofPlatforms: readonly ImportedFill[]; readonly ofOrders: readonly UncoveredOrder[] }

/** What no other computer made. */
export const noMirrored: MirroredFills = { ofPairs: [], ofPlatforms: [], ofOrders: [] }

/** What this computer's own files have: ids of fills, and of orders. */
type Known = { readonly hasFill: (fill: Placed<FillReading>) => boolean; readonly hasOrder: (fill: Placed<FillReading>) => boolean }

/** Sorts fills of another computer's files of one account by what they were made of. */
export const mirroredFills = (rows: readonly Placed<FillReading>[], { hasFill, hasOrder }: Known): MirroredFills => {
  const fills = rows.filter((row) => !hasFill(row))
  const ofOrders = fills.filter((row) => row.mirrored === 'orders-file' && !hasOrder(row))
  const others = fills.filter(({ mirrored }) => mirrored !== 'orders-file').map(fillOf)
  return {
    ofPairs: others.filter(({ id }) => isBrokersId(id)),
    ofPlatforms: others.filter(({ id }) => !isBrokersId(id)),
    ofOrders: [...Map.groupBy(ofOrders, ({ orderId, fillId, contract, side }) => keyOf(orderId ?? fillId, contract, side)).values()].flatMap(orderOf),
  }
}

const fillOf = ({ fillId, account, contract, time, side, qty, price, fee, otherFees, feeFrom, active, orderId, tradeDate, mirrored = 'fills-file' }: Placed<FillReading>): ImportedFill => ({
  ...{ id: fillId, account, contract, time, side, qty, price, fee, otherFees, feeFrom, active, source: mirrored },
  ...{ orderId, tradeDate, since: time, mirrored: true },
})

/** The order of its stand-in fills; when it was placed is not known here. */
const orderOf = (rows: readonly Placed<FillReading>[]): readonly UncoveredOrder[] => {
  const [first] = rows
  if (first === undefined) return []
  const { account, contract, side, tickSize, time, fillId, orderId } = first
  const sumOf = (of: (row: Placed<FillReading>) => number): number => rows.reduce((sum, row) => sum + of(row), 0)
  const [qty, priceSum] = [sumOf((row) => row.qty), sumOf((row) => row.price * row.qty)]
  const fee = rows.some((row) => row.fee === null) ? {} : { fee: amountOf(sumOf((row) => row.fee ?? 0)) }
  const order = { says: 'order' as const, account, orderId: orderId ?? fillId, contract, placedAt: time, filledAt: time, side, qty, priceSum, tickSize, currency: null, ...fee }
  return [{ order, qty, priceSum, mirrored: rows.map(fillOf) }]
}
