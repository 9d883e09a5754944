import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { contractSpecOf, type ContractSpec } from '#shared/market/contract-spec.ts'
import type { Currency } from '#shared/money/money.ts'
import { deriveBatches } from '#shared/pnl/derive-batches.ts'
import type { FillPair } from '#shared/pnl/fill-pair.ts'
import { positionDoubts, type Doubt } from '#shared/pnl/known-position.ts'
import type { Trade } from '#shared/pnl/trade.ts'
import { keyOf, type Assembly } from './assembly.ts'

/** A position left open by the fills. */
export type LeftOpen = { readonly account: AccountKey; readonly contract: string; readonly side: 'long' | 'short'; /** Contracts. */ readonly quantity: number }

/** A session with fills matched while the position was in doubt: whole trades may be missing. */
export type IncompleteDay = { readonly account: AccountKey; readonly tradingDay: string; readonly currency: Currency }

/** The trades derived from files. */
export type ImportedTrades = {
  readonly pairs: readonly FillPair[]
  /** Flat trades, and open ones with closed fill pairs. */
  readonly trades: readonly Trade[]
  readonly open: readonly LeftOpen[]
  readonly incompleteDays: readonly IncompleteDay[]
}

/** Matches the fills of all accounts and marks results that depend on a missing fill or on a position that the files contradict; dates are local to `zone` (IANA). */
export const deriveTrades = (assembly: Pick<Assembly, 'fills' | 'specs' | 'positions' | 'missing'>, zone: string): ImportedTrades => {
  const { fills, specs } = assembly
  const pairs: FillPair[] = []
  const trades: Trade[] = []
  const incompleteDays = new Map<string, IncompleteDay>()
  const ends = new Map<string, { readonly trade: Trade | null; readonly open: LeftOpen | null }>()
  const specOf = (contract: string): ContractSpec => specs.get(contract) ?? contractSpecOf(contract)
  for (const batch of deriveBatches(fills, { zone, specOf, doubtsOf: doubtsIn(assembly) })) {
    for (const pair of batch.pairs) pairs.push(pair)
    for (const trade of batch.trades) trades.push(trade)
    const { account, contract, end, doubtfulDays } = batch
    const { currency } = specOf(contract)
    for (const tradingDay of doubtfulDays) incompleteDays.set(keyOf(account, tradingDay, currency), { account, tradingDay, currency })
    ends.set(keyOf(account, contract), { trade: end.trade, open: leftOpen(account, contract, end.net) })
  }
  for (const { trade } of ends.values()) if (trade !== null && trade.pairCount > 0) trades.push(trade)
  return { pairs, trades, open: [...ends.values()].flatMap(({ open }) => open ?? []), incompleteDays: [...incompleteDays.values()] }
}

/** A net position as an open one; null if flat. */
export const leftOpen = (account: AccountKey, contract: string, net: number): LeftOpen | null =>
  net === 0 ? null : { account, contract, side: net > 0 ? 'long' : 'short', quantity: Math.abs(net) }

/** The doubts of each account and contract, from the files' stated positions and missing fills. */
export const doubtsIn = ({ fills, positions, missing }: { readonly fills: readonly Fill[] } & Pick<Assembly, 'positions' | 'missing'>): ((contract: string, account: AccountKey) => readonly Doubt[]) => {
  if (positions.length === 0 && missing.length === 0) return () => []
  const stated = Map.groupBy(positions, ({ account, contract }) => keyOf(account, contract))
  const lacking = Map.groupBy(missing, ({ account }) => account)
  const wanted = new Set([...positions, ...missing].map(({ account }) => account))
  const steps = Map.groupBy(fills.filter(({ active, account }) => active && wanted.has(account)), ({ account, contract }) => keyOf(account, contract))
  return (contract, account) => {
    const key = keyOf(account, contract)
    const times = (lacking.get(account) ?? []).filter((fill) => fill.contract === null || fill.contract === contract).map(({ time }) => time)
    return positionDoubts(steps.get(key) ?? [], stated.get(key) ?? [], times)
  }
}
