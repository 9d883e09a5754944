import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { parsePrice } from '#shared/money/price.ts'
import type { BrokerPair, BrokerPosition } from '#shared/sync/holdings.ts'
import type { Environment } from './hosts.ts'
import { accountKey, dayOf } from './mapping.ts'
import type { FillPairRow, PositionRow, RefusedRow } from './wire.ts'

/** The broker's positions and fill pairs of the current session, and the unusable rows. */
export type MappedHoldings = { readonly positions: readonly BrokerPosition[]; readonly pairs: readonly BrokerPair[]; readonly refused: readonly RefusedRow[] }

/** Resolves accounts and contracts of positions and pairs. Empty positions and reversed pairs are left out. */
export const mapHoldings = (environment: Environment, rows: readonly PositionRow[], pairRows: readonly FillPairRow[], contracts: ReadonlyMap<number, ContractSpec>): MappedHoldings => {
  const refused: RefusedRow[] = []
  const found = new Map<number, { readonly spec: ContractSpec; readonly position: BrokerPosition }>()
  for (const row of rows) {
    if (isEmpty(row)) continue
    const spec = contracts.get(row.contractId)
    if (spec === undefined) {
      refused.push({ entity: 'position', id: String(row.id), reason: 'no-contract', field: 'contractId' })
      continue
    }
    const { accountId, timestamp: time, netPos: net, prevPos: carried, bought, sold } = row
    found.set(row.id, { spec, position: { account: accountKey(environment, accountId), contract: spec.contract, tradeDate: dayOf(row.tradeDate), time, net, carried, bought, sold } })
  }
  const pairs: BrokerPair[] = []
  for (const { id, positionId, buyFillId, sellFillId, qty, buyPrice, sellPrice, active } of pairRows) {
    const of = found.get(positionId)
    // A pair of an unlisted position has neither account nor contract.
    if (!active || of === undefined) continue
    const { account, contract, tradeDate } = of.position
    const [bought, sold] = [parsePrice(buyPrice, of.spec.tickSize), parsePrice(sellPrice, of.spec.tickSize)]
    if (bought.ok && sold.ok) pairs.push({ account, contract, tradeDate, buyFillId: String(buyFillId), sellFillId: String(sellFillId), qty, buyPrice: bought.value, sellPrice: sold.value })
    else refused.push({ entity: 'fillPair', id: String(id), reason: 'price-off-tick', field: bought.ok ? 'sellPrice' : 'buyPrice' })
  }
  return { positions: [...found.values()].map(({ position }) => position), pairs, refused }
}

const isEmpty = ({ netPos, prevPos, bought, sold }: PositionRow): boolean => netPos === 0 && prevPos === 0 && bought === 0 && sold === 0
