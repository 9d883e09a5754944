import type { OwnDefaultStop } from '#shared/api/own-data.ts'
import type { Trade } from '#shared/api/records.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import { parseAmount } from '#shared/money/money.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import { rUnits } from '#shared/stats/r-multiple.ts'
import { riskBy } from '#shared/stats/risk.ts'

type Shown = Pick<Trade, 'symbol' | 'qty' | 'entryPrice' | 'exitPrice' | 'grossPnl' | 'netPnl'>

/** The R-multiple of a trade, and the stop that it was told by: the trade's own, or its product's default. */
export type TradeRisk = { readonly r: number } & ({ readonly by: 'own'; readonly stop: string } | { readonly by: 'default'; readonly stop: OwnDefaultStop })

// Fine enough for the average of an order in every contract.
const finestStep = '0.00000001'

/** Works out a trade's R-multiple from its own stop, else from the default of its product; null where neither tells one. */
export const riskOf = (shown: Shown, ownStop: string | null, defaults: readonly OwnDefaultStop[]): TradeRisk | null => {
  const standard = defaults.find(({ product }) => product === wholeRootOf(shown.symbol))
  const spec = worthOfTick(shown, ownStop === null && standard?.unit === 'ticks')
  const [price, net] = [parsePrice(shown.entryPrice, finestStep), parseAmount(shown.netPnl)]
  if (spec === null || !price.ok || !net.ok) return null
  const risk = riskBy(new Map(standard === undefined ? [] : [[standard.product, standard]]))({ symbol: shown.symbol, price: price.value, tickSize: finestStep, qty: shown.qty, stop: ownStop }, spec)
  const units = rUnits({ netPnl: net.value, risk })
  if (units === null) return null
  const r = units / 10_000
  if (ownStop !== null) return { r, by: 'own', stop: ownStop }
  return standard === undefined ? null : { r, by: 'default', stop: standard }
}

/** What a step of the price is worth: by the contract table, or where that does not know the contract, by the trade's own gross. */
const worthOfTick = (shown: Shown, inTicks: boolean): Pick<ContractSpec, 'tickSize' | 'tickValue'> | null => {
  const spec = contractSpecOf(shown.symbol)
  if (spec.source !== 'unknown') return spec
  const [entry, exit, gross] = [parsePrice(shown.entryPrice, finestStep), parsePrice(shown.exitPrice, finestStep), parseAmount(shown.grossPnl)]
  const moved = entry.ok && exit.ok ? stepsBetween(entry.value, exit.value) * shown.qty : 0
  // Only the broker knows how long a tick of this contract is.
  if (inTicks || moved === 0 || !Number.isSafeInteger(moved) || !gross.ok || gross.value === 0) return null
  return { tickSize: finestStep, tickValue: { num: Math.abs(gross.value), den: moved } }
}

const stepsBetween = (one: Ticks, other: Ticks): number => Math.abs(one - other)
