import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { bookedDay, keyOf, type Assembly, type ImportedFill } from '#shared/imports/assembly.ts'
import { contractsOfMovements } from '#shared/imports/cash-fees.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { amountOf } from '#shared/money/money.ts'
import type { Pair } from '#shared/pnl/pair.ts'
import { closedPair, type ClosedPair } from './closed-pair.ts'
import { checkDays, type BookedFee, type DayCheck } from './day-checks.ts'
import { checkPairs, type PairCheck } from './pair-checks.ts'

/** Fillbook's figures held against the broker's. */
export type Reconciliation = {
  /** Fillbook's pairs, in the order they came, each with the session that it is booked on. */
  readonly closed: readonly ClosedPair[]
  readonly pairs: readonly PairCheck[]
  readonly days: readonly DayCheck[]
  /** Of the broker's pairs. */
  readonly pairsChecked: number
  readonly pairsEqual: number
  readonly daysChecked: number
  readonly daysEqual: number
}

/** Holds what was derived from files against what the same files tell of the broker's own figures. */
export const reconcile = (assembly: Assembly, pairs: readonly Pair[]): Reconciliation => {
  const { fills, specs, cash, balances } = assembly
  const known = new Map(fills.map((fill) => [keyOf(fill.account, fill.id), fill]))
  const bookingOf = (fill: Fill) => {
    const imported = known.get(keyOf(fill.account, fill.id))
    return imported === undefined ? { since: fill.time, day: tradingDay(fill.time) } : { since: imported.since, day: bookedDay(imported) }
  }
  const closed = pairs.map((pair) => closedPair(pair, bookingOf))
  const contractOf = contractsOfMovements(fills)
  const hasFill = (account: AccountKey, fillId: string): boolean => known.has(keyOf(account, fillId))
  const { checks } = checkPairs({ closed, brokerPairs: assembly.pairs, cash, hasFill, contractOf, dayOf: tradingDay })
  const fees = fills.filter(({ active }) => active).map((fill) => bookedFee(fill, specs))
  const days = checkDays({ closed, fees, pairChecks: checks, cash, balances, contractOf })
  const count = (rows: readonly PairCheck[]): number => rows.reduce((total, check) => total + check.count, 0)
  const checkedDays = days.filter(({ state }) => state !== 'unchecked')
  return {
    ...{ closed, pairs: checks, days },
    pairsChecked: count(checks),
    pairsEqual: count(checks.filter(({ equal }) => equal)),
    daysChecked: checkedDays.length,
    daysEqual: checkedDays.filter(({ state }) => state === 'equal').length,
  }
}

const bookedFee = (fill: ImportedFill, specs: Assembly['specs']): BookedFee => {
  const { feePerSide, currency } = specs.get(fill.contract) ?? contractSpecOf(fill.contract)
  return { account: fill.account, tradingDay: bookedDay(fill), currency, contract: fill.contract, fee: fill.fee ?? amountOf(feePerSide * fill.qty) }
}
