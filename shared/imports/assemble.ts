import type { AccountKey } from '#shared/fills/fill.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { settleAccounts } from './accounts.ts'
import { compareImported, type Assembly, type ImportedFill, type ImportWarning, type Placed } from './assembly.ts'
import { withCashFees } from './cash-fees.ts'
import { settleContracts } from './contracts.ts'
import { balanceKey, distinctBalances, distinctCash, distinctFills, distinctOrders, distinctPairs, fillKey, type Distinct } from './distinct.ts'
import { fillsOfRest, restsOfOrders } from './order-fills.ts'
import { fillsBesideOrders, fillsOfPairs } from './pair-fills.ts'
import type { FillReading, PairReading, Reading } from './reading.ts'
import { inOrderOfPositions } from './position-order.ts'
import { withTradeDates } from './trade-dates.ts'

/** The name of the account of rows that name none, where the user did not say it either. */
export const unnamedAccount = 'unnamed'

/**
 * Puts the readings of all files together. The outcome depends neither on their order nor on repetition: fills stand by
 * themselves, then come what else was filled of orders, then what pairs tell beyond both. `account` is the name of the
 * account for rows that name none.
 */
export const assemble = (readings: readonly Reading[], { account }: { readonly account: string | null }): Assembly => {
  const accounts = settleAccounts(readings, account ?? unnamedAccount)
  const names = new Map<AccountKey, string>()
  let withoutName = 0
  const placed = <R extends Reading>(reading: R): Placed<R> => {
    const key = accounts.of(reading)
    if (key === accounts.fallback && reading.account.name === null && reading.account.id === null) withoutName += 1
    names.set(key, key.slice('file:'.length))
    return { ...reading, account: key }
  }
  const rows = {
    fills: of(readings, 'fill').map(placed),
    orders: of(readings, 'order').map(placed),
    pairs: of(readings, 'pair').map(placed),
    cash: of(readings, 'cash').map(placed),
    balances: of(readings, 'balance').map(placed),
  }
  const priced = settleContracts(rows)
  const fills = distinctFills(priced.fills)
  const orders = distinctOrders(priced.orders)
  const pairs = distinctPairs(priced.pairs)
  const cash = distinctCash(rows.cash)
  const balances = distinctBalances(rows.balances)

  const { rests, contradicting } = restsOfOrders(orders.rows.values(), fills.rows.values())
  const ofPairs = fillsBesideOrders(fillsOfPairs(pairs.rows.values(), (key) => fills.rows.has(key)), rests)
  const known = [...[...fills.rows.values()].map(fillOf), ...rests.flatMap(fillsOfRest), ...ofPairs]
  const ordered = inOrderOfPositions(known, (fill) => fills.rows.get(fillKey({ account: fill.account, fillId: fill.id }))?.netAfter)
  const dated = withTradeDates(ordered, pairs.rows.values(), cash.rows.values())
  const charged = withCashFees(dated, cash.rows.values(), priced.specs)
  const sorted = [...charged.fills].sort(compareImported)

  return {
    fills: sorted,
    specs: priced.specs,
    pairs: [...pairs.rows.values()],
    cash: [...cash.rows.values()],
    balances: [...balances.rows.values()].map((row) => ({ ...row, contradicted: balances.contradicted.has(balanceKey(row)) })),
    accounts: names,
    warnings: [
      ...counted('zone-mismatch', timesApart(pairs.rows.values(), fills)),
      ...counted('contradicting-rows', [fills, orders, pairs, cash, balances].reduce((sum, { contradicted }) => sum + contradicted.size, 0)),
      ...counted('order-contradicts', contradicting),
      ...(account === null && withoutName > 0 ? [{ code: 'account-unnamed' as const, account: unnamedAccount, rows: withoutName }] : []),
      ...contractWarnings(priced.specs, priced.unclear),
      ...feeWarnings(sorted, priced.specs),
      ...counted('fees-unplaced', charged.unplaced),
    ],
  }
}

const of = <S extends Reading['says']>(readings: readonly Reading[], says: S): readonly Extract<Reading, { says: S }>[] =>
  readings.filter((reading): reading is Extract<Reading, { says: S }> => reading.says === says)

const fillOf = ({ fillId, account, contract, time, side, qty, price, fee, active, orderId, tradeDate }: Placed<FillReading>): ImportedFill => ({
  ...{ id: fillId, account, contract, time, side, qty, price, fee, active, source: 'fills-file' },
  ...{ orderId, tradeDate, since: time },
})

/** How many pairs put a fill, whose time is known for sure, into another second: then their local times were taken in a wrong zone. */
const timesApart = (pairs: Iterable<Placed<PairReading>>, fills: Distinct<Placed<FillReading>>): number => {
  let apart = 0
  for (const { account, buy, sell } of pairs) {
    const differs = [buy, sell].some(({ fillId, time }) => {
      const fill = fills.rows.get(fillKey({ account, fillId }))
      return fill !== undefined && Math.abs(fill.time - time) > 1000
    })
    if (differs) apart += 1
  }
  return apart
}

const counted = (code: 'fees-unplaced' | 'contradicting-rows' | 'order-contradicts' | 'zone-mismatch', rows: number): readonly ImportWarning[] => (rows === 0 ? [] : [{ code, rows }])

const listed = (code: 'unknown-contract' | 'value-unclear' | 'partial-root' | 'commission-unknown', contracts: Iterable<string>): readonly ImportWarning[] => {
  const names = [...new Set(contracts)].sort()
  return names.length === 0 ? [] : [{ code, contracts: names }]
}

const contractWarnings = (specs: ReadonlyMap<string, ContractSpec>, unclear: readonly string[]): readonly ImportWarning[] => {
  const all = [...specs.values()]
  return [
    ...listed('unknown-contract', all.filter(({ source }) => source === 'unknown').map(({ contract }) => contract)),
    ...listed('partial-root', all.filter(({ rootIsWhole }) => !rootIsWhole).map(({ contract }) => contract)),
    ...listed('value-unclear', unclear),
  ]
}

const feeWarnings = (fills: readonly ImportedFill[], specs: ReadonlyMap<string, ContractSpec>): readonly ImportWarning[] => {
  const without = fills.filter(({ fee, active }) => fee === null && active)
  const [charged, free] = [without.filter(({ contract }) => specs.get(contract)?.feePerSide !== 0), without.filter(({ contract }) => specs.get(contract)?.feePerSide === 0)]
  return [...(charged.length === 0 ? [] : [{ code: 'commission-from-table' as const, fills: charged.length }]), ...listed('commission-unknown', free.map(({ contract }) => contract))]
}
