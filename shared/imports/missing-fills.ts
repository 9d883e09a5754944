import { compareText } from '#shared/base/compare-text.ts'
import { hasClosedTrades } from './kind-facts.ts'
import type { KnownPosition, MissingFill } from '#shared/pnl/known-position.ts'
import { keyOf, type ImportedFill, type Placed, type FactName, type RowConflict } from './assembly.ts'
import { fillKey, orderKey, pairKey, wholeKey } from './distinct.ts'
import type { CashReading, OrderReading, PositionReading, RefusedReading } from './reading.ts'

/** Records of readable rows, by key. */
export type ReadableRows = {
  readonly fills: ReadonlyMap<string, unknown>
  readonly orders: ReadonlyMap<string, unknown>
  readonly pairs: ReadonlyMap<string, unknown>
  readonly cash: ReadonlyMap<string, Placed<CashReading>>
  readonly balances: ReadonlyMap<string, unknown>
}

/** The fills missing because of rejected rows, unless another row has them. */
export const missingFills = (refused: readonly Placed<RefusedReading>[], readable: ReadableRows): readonly MissingFill[] => {
  const missing = new Map<string, MissingFill>()
  for (const row of refused) {
    // A platform's closed trade holds no other together.
    if (row.kind === 'cash-history' || row.kind === 'account-balance-history' || hasClosedTrades(row.kind) || isCovered(row, readable)) continue
    const { account, contract, time } = row
    missing.set(keyOf(account, contract ?? '', time ?? ''), { account, contract, time })
  }
  return [...missing].sort(([one], [other]) => compareText(one, other)).map(([, fill]) => fill)
}

/** Fills on whose quantity, contract, or side two files differ: treated as missing fills, since the position after them is unknown. */
export const miscounted = (apart: readonly RowConflict[], orders: readonly Placed<OrderReading>[], fills: readonly ImportedFill[]): readonly MissingFill[] => {
  const differing = new Map(apart.filter(({ what, differs }) => what === 'fill' && differs.some((fact) => countedBy.has(fact))).map(({ id, differs }) => [id, differs]))
  const own = new Map(orders.map((order) => [order.orderId, order]))
  if (differing.size === 0 && own.size === 0) return []
  const ofFills = fills.flatMap(({ account, id, contract, time, orderId }): MissingFill[] => {
    const differs = differing.get(id)
    return differs === undefined && (orderId === null || !own.has(orderId)) ? [] : [{ account, contract: differs?.includes('contract') === true ? null : contract, time }]
  })
  return [...ofFills, ...orders.map(({ account, contract, filledAt }) => ({ account, contract, time: filledAt }))]
}

const countedBy: ReadonlySet<FactName> = new Set(['contract', 'side', 'quantity'])

/** Whether another row has everything of a rejected one. */
export const isCovered = ({ account, kind, fillIds, orderId }: Placed<RefusedReading>, { fills, orders, pairs }: ReadableRows): boolean => {
  const isFill = (fillId: string): boolean => fills.has(fillKey({ account, fillId })) || fills.has(wholeKey({ account, fillId }) ?? '')
  const [one, other] = fillIds
  if (kind === 'orders') return orderId !== null && orders.has(orderKey({ account, orderId }))
  if (kind === 'fills' || kind === 'ninjatrader-executions') return one !== undefined && isFill(one)
  return one !== undefined && other !== undefined && (pairs.has(pairKey(account, one, other)) || pairs.has(pairKey(account, other, one)) || (isFill(one) && isFill(other)))
}

/**
 * The open positions that a Position History states. Ignored if fills came later, because it is unknown which of them
 * the export already includes.
 */
export const statedPositions = (stated: readonly Placed<PositionReading>[], fills: readonly ImportedFill[]): readonly KnownPosition[] => {
  if (stated.length === 0) return []
  const lastOf = new Map<string, number>()
  for (const { account, contract, time } of fills) lastOf.set(keyOf(account, contract), Math.max(lastOf.get(keyOf(account, contract)) ?? time, time))
  // The file knows whole seconds.
  return stated.flatMap(({ account, contract, time, net }) => ((lastOf.get(keyOf(account, contract)) ?? time) > time + 999 ? [] : [{ account, contract, time: time + 999, net }]))
}

/** Orders positions by account, contract and time; one that two files state differently is left out. */
export const distinctPositions = (positions: readonly KnownPosition[]): readonly KnownPosition[] => {
  const known = new Map<string, KnownPosition | null>()
  for (const position of positions) {
    const key = keyOf(position.account, position.contract, String(position.time).padStart(16, '0'))
    const before = known.get(key)
    known.set(key, before === undefined || before?.net === position.net ? position : null)
  }
  return [...known].sort(([one], [other]) => compareText(one, other)).flatMap(([, position]) => position ?? [])
}
