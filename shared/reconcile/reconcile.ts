import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { keyOf, type Assembly, type DoubtfulDays, type ImportedFill, type Placed } from '#shared/imports/assembly.ts'
import { contractsOfMovements } from '#shared/imports/cash-fees.ts'
import { cashSpans } from '#shared/imports/cash-span.ts'
import type { CashReading, PairReading } from '#shared/imports/reading.ts'
import type { IncompleteDay } from '#shared/imports/derive-trades.ts'
import { contractSpecOf } from '#shared/market/contract-spec.ts'
import { lastBookedDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { amountOf } from '#shared/money/money.ts'
import type { FillPair } from '#shared/pnl/fill-pair.ts'
import type { RunningSession } from './account-days.ts'
import { closedPair, type ClosedPair } from './closed-pair.ts'
import type { BookedFee, DayCheck } from './day-check.ts'
import { checkDays, type DaySources } from './day-checks.ts'
import { checkPairs, type PairCheck } from './pair-checks.ts'
import { checkStated, daysWithoutFees, statedCash, type StatedFill } from './stated-fills.ts'

/** Fillbook's data and the broker's of the same accounts. */
export type ReconcileSources = {
  readonly closed: readonly ClosedPair[]
  /** All known fills, busted ones too. */
  readonly fills: readonly Pick<Fill, 'account' | 'id' | 'contract' | 'time' | 'tradeDate'>[]
  /** Of every active fill. */
  readonly fees: readonly BookedFee[]
  readonly broker: Pick<Assembly, 'pairs' | 'cash' | 'balances' | 'doubtful'>
  readonly incompleteDays: readonly IncompleteDay[]
  /** Sessions read before settlement; files have none. */
  readonly running?: readonly RunningSession[]
  /** What a broker states fill by fill; files have none. */
  readonly stated?: readonly StatedFill[]
}

/** Fillbook's figures compared with the broker's. */
export type Reconciliation = {
  /** Fillbook's pairs in given order, each with its session. */
  readonly closed: readonly ClosedPair[]
  readonly pairs: readonly PairCheck[]
  readonly days: readonly DayCheck[]
  /** `keyOf(account, day)` of days on which the Cash History starts or ends in mid-session. */
  readonly cutOff: ReadonlySet<string>
  /** What the broker states of fills, as bookings. */
  readonly stated: readonly Placed<CashReading>[]
  /** Of the broker's pairs. */
  readonly pairsChecked: number
  readonly pairsEqual: number
} & DayCounts

/** How many days are equal, differ, or cannot be checked. */
export type DayCounts = { readonly daysEqual: number; readonly daysDiffer: number; readonly daysUnchecked: number }

/** Counts days by their states. */
export const countDays = (days: readonly Pick<DayCheck, 'state'>[]): DayCounts => {
  const of = (state: DayCheck['state']): number => days.filter((day) => day.state === state).length
  return { daysEqual: of('equal'), daysDiffer: of('differs'), daysUnchecked: of('unchecked') }
}

/** Compares fill pairs derived from files with the broker's own figures in those files. */
export const reconcile = (assembly: Assembly, pairs: readonly FillPair[], incompleteDays: readonly IncompleteDay[] = []): Reconciliation => {
  const { fills, specs } = assembly
  const known = new Map(fills.map((fill) => [keyOf(fill.account, fill.id), fill]))
  const bookingOf = (fill: Fill) => {
    const imported = known.get(keyOf(fill.account, fill.id))
    return { since: imported?.since ?? fill.time, day: bookedDay(imported ?? fill) }
  }
  const closed = pairs.map((pair) => closedPair(pair, bookingOf))
  const fees = fills.filter(({ active }) => active).flatMap((fill) => [bookedFee(fill, specs), ...otherBookedFees(fill)])
  return reconcileSources({ closed, fills, fees, incompleteDays, broker: assembly })
}

/** Compares Fillbook's pairs and fees with the broker's figures. */
export const reconcileSources = ({ closed, fills, fees, incompleteDays, broker, running = [], stated = [] }: ReconcileSources): Reconciliation => {
  const { pairs: brokerPairs, cash, balances, doubtful } = broker
  // Lazy: most accounts have many fills and no broker figures.
  let booked: ReadonlyMap<AccountKey, ReadonlyMap<string, string>> | undefined
  const bookedOn = (account: AccountKey, fillId: string): string | undefined => (booked ??= daysBooked(fills)).get(account)?.get(fillId)
  // The broker books a holiday on the next session: fills show that, a time does not.
  const dayOf = ({ account, buy, sell }: Placed<PairReading>, closing: number): string => {
    const [bought, sold] = [bookedOn(account, buy.fillId), bookedOn(account, sell.fillId)]
    if (bought === undefined || sold === undefined) return tradingDay(closing)
    return bought > sold ? bought : sold
  }
  const hasFill = (account: AccountKey, fillId: string): boolean => bookedOn(account, fillId) !== undefined
  const contractOf = contractsOfMovements(fills)
  const reaches = cashSpans(cash)
  const cutOff = new Set([
    ...fills.filter((fill) => !reaches.fills(fill)).map((fill) => keyOf(fill.account, bookedDay(fill))),
    ...closed.filter(({ account, closedAt }) => !reaches.closings({ account, time: closedAt })).map(({ account, tradingDay: day }) => keyOf(account, day)),
  ])
  const openedOn = ({ account, buy, sell, tradingDay: day }: ClosedPair): string => [buy, sell].reduce((first, { fillId }) => {
    const on = bookedOn(account, fillId) ?? day
    return on !== day && (first === day || on < first) ? on : first
  }, day)
  const dayOfStated = ({ account, id, contract, time }: StatedFill): string => bookedOn(account, id) ?? bookedDay({ contract, time })
  const bookings = statedCash(stated, dayOfStated)
  const pairs = [...checkPairs({ closed, brokerPairs, cash, hasFill, contractOf, isReached: reaches.closings, dayOf }), ...checkStated(closed, stated, dayOfStated)]
  const days = checkDays({ closed, fees, incompleteDays, pairChecks: pairs, cash, stated: bookings, balances, running, contractOf, cutOff, openedOn, doubtOn: doubtsOn([...doubtful, ...daysWithoutFees(stated, dayOfStated)]) })
  return {
    closed, pairs, days, cutOff, stated: bookings,
    pairsChecked: countPairs(pairs),
    pairsEqual: countPairs(pairs.filter(({ equal }) => equal)),
    ...countDays(days),
  }
}

/** Each fill's session, by account and id. */
const daysBooked = (fills: ReconcileSources['fills']): ReadonlyMap<AccountKey, ReadonlyMap<string, string>> => {
  const booked = new Map<AccountKey, Map<string, string>>()
  for (const fill of fills) getOrInsert(booked, fill.account, () => new Map()).set(fill.id, bookedDay(fill))
  return booked
}

/** Why an account's trading day is in doubt because of file rows, or null. A row on a holiday may be booked on the day that it clears with: both are in doubt. */
const doubtsOn = (doubtful: Assembly['doubtful']): DaySources['doubtOn'] => {
  const single = new Map<string, DoubtfulDays['reason']>()
  // The weakest reason: any other wins.
  const uneven = new Set<string>()
  const spans: DoubtfulDays[] = []
  for (const days of doubtful) {
    if (days.reason === 'fees-uneven') uneven.add(keyOf(days.account, days.from ?? ''))
    else if (days.from === null || days.from !== days.to) spans.push(days.to === null ? days : { ...days, to: lastBookedDay(days.to) })
    else for (const day of [days.from, lastBookedDay(days.from)]) single.set(keyOf(days.account, day), days.reason)
  }
  return (account, day) => single.get(keyOf(account, day)) ?? spans.find((days) => days.account === account && (days.from ?? day) <= day && day <= (days.to ?? day))?.reason ?? (uneven.has(keyOf(account, day)) ? 'fees-uneven' : null)
}

/** The number of broker pairs in checks. */
export const countPairs = (checks: readonly PairCheck[]): number => checks.reduce((total, { count }) => total + count, 0)

/** The fees of a fill in other currencies than its contract's, each on the day of the fill. */
export const otherBookedFees = (fill: Pick<Fill, 'account' | 'contract' | 'time' | 'tradeDate' | 'otherFees'>): readonly BookedFee[] =>
  (fill.otherFees ?? []).map(({ currency, amount }) => ({ account: fill.account, tradingDay: bookedDay(fill), currency, contract: fill.contract, fee: amount }))

const bookedFee = (fill: ImportedFill, specs: Assembly['specs']): BookedFee => {
  const { feePerSide, currency } = specs.get(fill.contract) ?? contractSpecOf(fill.contract)
  return { account: fill.account, tradingDay: bookedDay(fill), currency, contract: fill.contract, fee: fill.fee ?? amountOf(feePerSide * fill.qty) }
}
