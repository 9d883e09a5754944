import type { OwnDefaultStop } from '#shared/api/own-data.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import { contractSpecOf, isUncertain, type ContractSpec } from '#shared/market/contract-spec.ts'
import { amountOf, parseAmount, type Amount } from '#shared/money/money.ts'
import { parsePrice } from '#shared/money/price.ts'
import { typedNumber } from '#shared/money/typed-number.ts'
import { rUnits } from '#shared/stats/r-multiple.ts'
import { riskBy } from '#shared/stats/risk.ts'

type Shown = Pick<FillPairRecord, 'symbol' | 'side' | 'qty' | 'entryPrice' | 'exitPrice' | 'grossPnl' | 'netPnl'>

/** The R-multiple of a fill pair, and the stop that it is based on: the pair's own, or its product's default. */
export type PairRisk = { readonly r: number } & ({ readonly by: 'own'; readonly stop: string } | { readonly by: 'default'; readonly stop: OwnDefaultStop })

/** A tick fine enough for the average price of an order in every contract. */
export const finestTick = '0.00000001'

/** Computes a fill pair's R-multiple by its own stop, else by the default of its product; null without both. */
export const pairRiskOf = (shown: Shown, ownStop: string | null, defaults: readonly OwnDefaultStop[]): PairRisk | null => {
  const standard = defaultOf(shown, defaults)
  const counted = netAndRisk(shown, ownStop, standard)
  const units = counted === null ? null : rUnits(counted)
  if (units === null) return null
  const r = units / 10_000
  if (ownStop !== null) return { r, by: 'own', stop: ownStop }
  return standard === undefined ? null : { r, by: 'default', stop: standard }
}

/** Computes a trade's R-multiple by the sum of its pairs' risks; null if one of them has none. */
export const tradeRiskOf = (pairs: readonly (Shown & { readonly stop: string | null })[], defaults: readonly OwnDefaultStop[]): number | null => {
  const counted = pairs.map((pair) => netAndRisk(pair, pair.stop, defaultOf(pair, defaults))).filter((one) => one !== null)
  if (counted.length < pairs.length) return null
  const sum = (part: 'netPnl' | 'risk') => amountOf(counted.reduce((all, one) => all + one[part], 0))
  const units = rUnits({ netPnl: sum('netPnl'), risk: sum('risk') })
  return units === null ? null : units / 10_000
}

const defaultOf = ({ symbol }: Pick<Shown, 'symbol'>, defaults: readonly OwnDefaultStop[]): OwnDefaultStop | undefined => defaults.find(({ product }) => product === wholeRootOf(symbol))

/** Net and risk of a pair; null without a stop. */
const netAndRisk = (shown: Shown, ownStop: string | null, standard: OwnDefaultStop | undefined): { readonly netPnl: Amount; readonly risk: Amount } | null => {
  const spec = tickOf(shown, ownStop === null && standard?.unit === 'ticks')
  const [price, net] = [parsePrice(shown.entryPrice, finestTick), parseAmount(shown.netPnl)]
  if (spec === null || !price.ok || !net.ok) return null
  const { symbol, side, qty } = shown
  const byStop = riskBy(new Map(standard === undefined ? [] : [[standard.product, standard]]))
  const risk = byStop({ symbol, side, price: price.value, tickSize: finestTick, qty, stop: ownStop }, spec)
  return risk === null ? null : { netPnl: net.value, risk }
}

/** The value of a tick: by the contract table, or if that lacks the contract, by the pair's own gross. */
const tickOf = (shown: Shown, inTicks: boolean): Pick<ContractSpec, 'tickSize' | 'tickValue'> | null => {
  const spec = contractSpecOf(shown.symbol)
  if (spec.source !== 'unknown') return spec
  const [entry, exit, gross] = [parsePrice(shown.entryPrice, finestTick), parsePrice(shown.exitPrice, finestTick), parseAmount(shown.grossPnl)]
  const moved = entry.ok && exit.ok ? Math.abs(entry.value - exit.value) * shown.qty : 0
  // Only the broker knows how long a tick of this contract is.
  if (inTicks || moved === 0 || !Number.isSafeInteger(moved) || !gross.ok || gross.value === 0) return null
  return { tickSize: finestTick, tickValue: { num: Math.abs(gross.value), den: moved } }
}

/** The tick size that a typed stop does not lie on; null if it does, or if the contract is not surely known. */
export const missedTick = (typed: string, symbol: string): string | null => {
  const spec = contractSpecOf(symbol)
  if (isUncertain(spec)) return null
  const price = parsePrice(typedNumber(typed), spec.tickSize)
  return !price.ok && price.error === 'off-tick' ? spec.tickSize : null
}
