import type { AccountKey } from '#shared/fills/fill.ts'
import { compareText, keyOf, type Balance, type Placed } from '#shared/imports/assembly.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import { amountOf, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { ClosedPair } from './closed-pair.ts'
import type { PairCheck } from './pair-checks.ts'

/** Gross, fees and net of a day; the net is what remains of the gross. */
export type DayFigures = { readonly gross: Amount; readonly fees: Amount; readonly net: Amount }

/**
 * Why a day was not checked: the broker's net is in no file; its files contradict each other; no file has fills of that
 * day; the day has several currencies, or the broker's figures are in another one; nobody told what a contract is
 * worth.
 */
export type UncheckedReason = 'no-broker-figures' | 'contradicting-balances' | 'no-fills' | 'several-currencies' | 'other-currency' | 'unknown-contract'

/** The fees of one contract on either side, put on the session of their fills; the broker's are null where no file tells them, the contract where that cannot be told. */
export type ContractFees = { readonly contract: string | null; readonly fillbook: Amount; readonly broker: Amount | null }

/** One account and trading day, Fillbook's figures beside the broker's. */
export type DayCheck = {
  readonly account: AccountKey
  readonly tradingDay: string
  readonly currency: Currency | null
  readonly fillbook: DayFigures
  /** The broker's; each null where no file tells it. `net` is the change of its balance; where only the Cash History tells it, opening fees are counted with the closing, as Fillbook does. The fees are those charged on the day where the day differs, else what lies between gross and net. */
  readonly broker: { readonly gross: Amount | null; readonly fees: Amount | null; readonly net: Amount | null; readonly netFrom: 'balance' | 'cash' | null }
  /** Fillbook's net less the broker's, null where that cannot be told. */
  readonly difference: Amount | null
  readonly state: 'equal' | 'differs' | 'unchecked'
  readonly reason: UncheckedReason | null
  /** What makes the difference. */
  readonly pairs: readonly PairCheck[]
  readonly fees: readonly ContractFees[]
}

/** A fee that Fillbook counts on the session of its fill; a cost is positive. */
export type BookedFee = { readonly account: AccountKey; readonly tradingDay: string; readonly currency: Currency; readonly contract: string; readonly fee: Amount }

/** What the days are made of, on either side. */
export type DaySources = {
  readonly closed: readonly ClosedPair[]
  /** Of every fill that counts. */
  readonly fees: readonly BookedFee[]
  readonly pairChecks: readonly PairCheck[]
  readonly cash: readonly Placed<CashReading>[]
  readonly balances: readonly Balance[]
  readonly contractOf: (movement: Placed<CashReading>) => string | null
  /** Accounts and trading days on which the Cash History begins or ends in the midst of the session: its sums are not those of the day. */
  readonly cutOff: ReadonlySet<string>
}

type Side = { closed: ClosedPair[]; fees: BookedFee[] }
type Day = { readonly account: AccountKey; readonly tradingDay: string; readonly byCurrency: Map<Currency, Side>; readonly cash: Placed<CashReading>[]; balance: Balance | null; readonly checks: PairCheck[] }

/** Holds every account and trading day against the broker's, by account and day. A day on which neither side booked anything is no row. */
export const checkDays = (sources: DaySources): readonly DayCheck[] => {
  const days = collectDays(sources)
  const sorted = [...days.values()].sort((one, other) => compareText(one.account, other.account) || compareText(one.tradingDay, other.tradingDay))
  return sorted.flatMap((day) => {
    const currencies = [...day.byCurrency.keys()].sort()
    if (currencies.length === 0) return dayWithoutFills(day)
    return currencies.flatMap((currency) => checkDay(day, currency, currencies.length > 1, sources))
  })
}

const sum = (amounts: readonly Amount[]): Amount => amountOf(amounts.reduce((total, amount) => total + amount, 0))

const collectDays = ({ closed, fees, pairChecks, cash, balances, cutOff }: DaySources): ReadonlyMap<string, Day> => {
  const days = new Map<string, Day>()
  const dayOf = (account: AccountKey, tradingDay: string): Day => {
    const key = keyOf(account, tradingDay)
    const known = days.get(key)
    if (known !== undefined) return known
    const day: Day = { account, tradingDay, byCurrency: new Map(), cash: [], balance: null, checks: [] }
    days.set(key, day)
    return day
  }
  const sideOf = (row: { readonly account: AccountKey; readonly tradingDay: string; readonly currency: Currency }): Side => {
    const { byCurrency } = dayOf(row.account, row.tradingDay)
    const known = byCurrency.get(row.currency)
    if (known !== undefined) return known
    const side: Side = { closed: [], fees: [] }
    byCurrency.set(row.currency, side)
    return side
  }
  for (const pair of closed) sideOf(pair).closed.push(pair)
  for (const fee of fees) sideOf(fee).fees.push(fee)
  for (const check of pairChecks) dayOf(check.account, check.tradingDay).checks.push(check)
  for (const movement of cash) if (movement.movement !== 'other' && !cutOff.has(keyOf(movement.account, movement.tradeDate))) dayOf(movement.account, movement.tradeDate).cash.push(movement)
  for (const balance of balances) dayOf(balance.account, balance.tradeDate).balance = balance
  return days
}

const figuresOf = (closed: readonly ClosedPair[]): DayFigures => {
  const [gross, fees] = [sum(closed.map((pair) => pair.gross)), sum(closed.map((pair) => pair.fees))]
  return { gross, fees, net: amountOf(gross - fees) }
}

const unchecked = (reason: UncheckedReason) => ({ difference: null, state: 'unchecked', reason, pairs: [], fees: [] }) as const

const dayWithoutFills = (day: Day): readonly DayCheck[] => {
  const { account, tradingDay, balance, cash } = day
  const told = balance?.realized ?? (cash.length === 0 ? null : sum(cash.map(({ delta }) => delta)))
  if (told === null || told === 0) return []
  const [gross, fees] = cash.length === 0 ? [null, null] : [ofMovement(cash, 'pair'), amountOf(0 - ofMovement(cash, 'fee'))]
  const nothing = { gross: zero, fees: zero, net: zero }
  return [{ account, tradingDay, currency: null, fillbook: nothing, broker: { gross, fees, net: told, netFrom: balance === null ? 'cash' : 'balance' }, ...unchecked('no-fills') }]
}

const ofMovement = (cash: readonly Placed<CashReading>[], movement: 'pair' | 'fee'): Amount => sum(cash.filter((row) => row.movement === movement).map(({ delta }) => delta))

const checkDay = (day: Day, currency: Currency, isOneOfSeveral: boolean, { contractOf }: DaySources): readonly DayCheck[] => {
  const { account, tradingDay, balance } = day
  const side = day.byCurrency.get(currency) ?? { closed: [], fees: [] }
  const cash = day.cash.filter((row) => row.currency === currency || (row.currency === null && !isOneOfSeveral))
  const fillbook = figuresOf(side.closed)
  const tellsGross = cash.length > 0 ? ofMovement(cash, 'pair') : grossOfPairs(day.checks, side.closed)
  const brokerFees = cash.length > 0 ? amountOf(0 - ofMovement(cash, 'fee')) : null
  const feesOfDay = sum(side.fees.map(({ fee }) => fee))
  const snapped = (difference: number, fees: Amount = zero): Amount => amountOf(Math.abs(difference) <= partOfCent(fees) ? 0 : difference)

  const grossDifference = tellsGross === null ? zero : snapped(fillbook.gross - tellsGross)
  const byBalance = balance === null || isOneOfSeveral || balance.contradicted ? null : netDifference(fillbook, feesOfDay, balance.realized, snapped)
  const byCash = brokerFees === null || tellsGross === null ? null : snapped(fillbook.gross - tellsGross - (feesOfDay - brokerFees), feesOfDay)
  const difference = byBalance ?? byCash
  const net = byBalance !== null ? (balance?.realized ?? null) : byCash === null ? null : amountOf(fillbook.net - byCash)
  const equal = difference === 0 && grossDifference === 0
  // Over a night the fees that were charged on the day need not be those that its net has in it.
  const fees = tellsGross !== null && net !== null && (equal || brokerFees === null) ? amountOf(tellsGross - net) : brokerFees
  const broker = { gross: tellsGross, fees, net, netFrom: net === null ? null : byBalance !== null ? 'balance' : 'cash' } as const
  const at = { account, tradingDay, currency, fillbook, broker }
  if (side.closed.length === 0 && (difference === null || difference === 0)) return []
  if (difference === null) return [{ ...at, ...unchecked(whyUnchecked(day, isOneOfSeveral)) }]
  if (equal) return [{ ...at, difference, state: 'equal', reason: null, pairs: [], fees: [] }]
  if (side.closed.some(({ worthIsKnown }) => !worthIsKnown)) return [{ ...at, ...unchecked('unknown-contract') }]
  const differing = feesByContract(side.fees, cash, contractOf).filter(({ fillbook: own, broker: charged }) => charged !== null && charged !== own)
  return [{ ...at, difference, state: 'differs', reason: null, pairs: day.checks.filter((check) => !check.equal), fees: differing }]
}

/** Over a night a broker books the fees of an opening with its closing, or on the day on which it charged them: either is right. */
const netDifference = ({ gross, fees, net }: DayFigures, feesOfDay: Amount, realized: Amount, snapped: (difference: number, fees: Amount) => Amount): Amount =>
  snapped(gross - feesOfDay - realized, feesOfDay) === 0 ? zero : snapped(net - realized, fees)

/** What a sum of fees may be off where a fill's fee was shared out between days: less than a cent, and nothing where it is whole cents. */
const partOfCent = (fees: Amount): number => (fees % 100 === 0 ? 0 : 99)

const whyUnchecked = ({ balance, cash }: Day, isOneOfSeveral: boolean): UncheckedReason => {
  if (isOneOfSeveral && (balance !== null || cash.length > 0)) return 'several-currencies'
  if (balance?.contradicted === true) return 'contradicting-balances'
  return cash.length > 0 ? 'other-currency' : 'no-broker-figures'
}

/** The broker's gross where each of the day's pairs was held against one of its own; else it tells only a part. */
const grossOfPairs = (checks: readonly PairCheck[], closed: readonly ClosedPair[]): Amount | null => {
  const told = checks.filter(({ by, fillbook }) => by === 'fills' && fillbook !== null)
  return told.length === 0 || told.length < closed.length ? null : sum(checks.map(({ broker }) => broker?.gross ?? zero))
}

/** The fees of a day contract by contract, Fillbook's beside those that the Cash History tells. */
export const feesByContract = (own: readonly BookedFee[], cash: readonly Placed<CashReading>[], contractOf: DaySources['contractOf']): readonly ContractFees[] => {
  const fees = new Map<string | null, { fillbook: number; broker: number }>()
  const add = (contract: string | null, fillbook: number, broker: number): void => {
    const before = fees.get(contract) ?? { fillbook: 0, broker: 0 }
    fees.set(contract, { fillbook: before.fillbook + fillbook, broker: before.broker + broker })
  }
  const isTold = cash.some(({ movement }) => movement !== 'other')
  for (const { contract, fee } of own) add(contract, fee, 0)
  for (const movement of cash) if (movement.movement === 'fee') add(contractOf(movement), 0, 0 - movement.delta)
  return [...fees].map(([contract, { fillbook, broker }]) => ({ contract, fillbook: amountOf(fillbook), broker: isTold ? amountOf(broker) : null }))
}
