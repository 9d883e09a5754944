import { compareText } from '#shared/base/compare-text.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf, type DoubtfulDays, type Placed } from '#shared/imports/assembly.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import { contractSpecOf, isUncertain } from '#shared/market/contract-spec.ts'
import { amountOf, isNumbered, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { accountDays, emptySide, movementsOf, partOf, sumOf, type AccountDay, type AccountDays, type DayRows, type OwnSide } from './account-days.ts'
import type { CashChain, CashDay } from './cash-chain.ts'
import type { ClosedPair, DayDoubt } from './closed-pair.ts'
import type { BookedFee, ContractFees, DayCheck, DayFigures, DayMovement, DayTerm, UncheckedReason } from './day-check.ts'
import type { PairCheck } from './pair-checks.ts'

/** The inputs of day checks, both sides. */
export type DaySources = DayRows & {
  readonly contractOf: (movement: Placed<CashReading>) => string | null
  /** `keyOf(account, day)` of days on which the Cash History starts or ends in mid-session: its sums are not the day's. */
  readonly cutOff: ReadonlySet<string>
  /** A pair's opening session. */
  readonly openedOn: (pair: ClosedPair) => string
  /** Why an account's trading day is in doubt because of file rows; null if it is not. */
  readonly doubtOn: (account: AccountKey, tradingDay: string) => DoubtfulDays['reason'] | null
}

/** Checks every account and trading day against the broker's. A day without P&L on either side is left out unless the account's balance moved. */
export const checkDays = (sources: DaySources): readonly DayCheck[] => accountDays(sources).flatMap((of) => daysOfAccount(of, sources))

/** A day's cash in one currency, if the Cash History or the broker's statements cover the whole day. */
type WholeDay = Pick<CashDay, 'rows' | 'broken' | 'isFramed'> & { readonly of: CashChain['of']; readonly balance: DayCheck['balance'] }

const daysOfAccount = (of: AccountDays, sources: DaySources): readonly DayCheck[] => {
  const wholeDay = (currency: Currency | null, tradingDay: string): WholeDay | null => {
    const chain = of.chains.get(currency)
    if (chain === undefined || sources.cutOff.has(keyOf(of.account, tradingDay)) || !chain.covers(tradingDay)) return null
    const day = chain.days.get(tradingDay)
    if (day === undefined) return { of: chain.of, rows: [], balance: null, broken: null, isFramed: true }
    return { of: chain.of, rows: day.rows, balance: chain.of === 'fills' ? null : { start: day.start, end: day.end }, broken: day.broken, isFramed: day.isFramed }
  }
  const unexplained = unexplainedByDay(of, (tradingDay) => wholeDay(of.base, tradingDay)?.rows ?? null)
  const keyOfLine = (tradingDay: string, currency: Currency | null): string => keyOf(tradingDay, currency ?? '')
  const lines = [...of.days.values()]
    .sort((one, other) => compareText(one.tradingDay, other.tradingDay))
    .flatMap((day): DayInCurrency[] => {
      const booked = [...of.chains].flatMap(([currency, chain]) => (chain.days.get(day.tradingDay)?.rows.some((row) => partOf(row) !== 'transfer') === true ? [currency] : []))
      const currencies = new Set([...[...day.own.keys()].sort(), ...booked])
      for (const [currency, realized] of day.running) if (realized !== 0) currencies.add(currency)
      if (currencies.size === 0 && day.balance !== null) currencies.add(of.base)
      return [...currencies].map((currency): DayInCurrency => {
        const ofBalance = currencies.size === 1 && currency === of.base
        const cash = wholeDay(currency, day.tradingDay)
        return {
          of,
          day,
          currency,
          cash,
          side: (currency === null ? undefined : day.own.get(currency)) ?? emptySide(),
          checks: day.checks.filter((check) => isIn(currency, check, currencies)),
          balance: ofBalance && day.balance?.contradicted === false ? day.balance.realized : null,
          unexplained: ofBalance ? (unexplained.get(day.tradingDay) ?? null) : null,
          whyUnknown: whyUnknown(of, day, currency, { booked, isCovered: cash !== null, isCutOff: sources.cutOff.has(keyOf(of.account, day.tradingDay)) }),
        }
      })
    })
  const compared = lines.map((line) => {
    const sums = figuresOf(line.side, line.currency)
    return { line, sums, compared: compare(line, sums) }
  })
  const byKey = new Map(compared.map(({ line, compared: one }) => [keyOfLine(line.day.tradingDay, line.currency), one]))
  // Without any day's net in the files, no day can be equal by it.
  const isHeld = compared.some(({ compared: { balance, byCash } }) => balance !== null || byCash !== null)
  // A broker that states fills states the cost of each: an opening needs no proof by another day.
  const openingsOf = ({ day, side, cash }: DayInCurrency): readonly string[] => (isHeld && cash?.of !== 'fills' ? [...new Set([...side.closed, ...side.charged].map(sources.openedOn))].filter((opened) => opened !== day.tradingDay) : [])
  const closings = Map.groupBy(
    compared.flatMap(({ line, compared: one }) => openingsOf(line).map((day) => ({ opened: keyOfLine(day, line.currency), closing: one }))),
    ({ opened }) => opened,
  )
  return compared.flatMap(({ line, sums, compared: one }) => {
    const unproven = [
      ...openingsOf(line).flatMap((day) => unprovenBy(one, byKey.get(keyOfLine(day, line.currency)), sources.doubtOn(of.account, day) !== null)),
      ...(closings.get(keyOfLine(line.day.tradingDay, line.currency)) ?? []).flatMap(({ closing }) => unprovenByClosing(one, closing)),
    ]
    return checkDay(line, sums, unproven[0] === undefined ? one : { ...one, feesUnproven: true, difference: unproven[0] }, sources)
  })
}

/**
 * A broker may charge opening fees in the opening's session or with the close, but exactly once: this is the difference that remains possible if the
 * day's equality leaves an opening session's fees open. Less than a cent is a fee's rounding only if the fees are sure.
 */
const unprovenBy = ({ balance, byCash, difference }: Compared, opening: Compared | undefined, isDoubtful: boolean): readonly (Amount | null)[] => {
  const own = opening?.balance
  if (balance?.byClosings === 0) {
    if (balance.byFills !== 0 && own?.byFills === 0 && own.byClosings !== 0) return [balance.byFills]
    const isApart = opening !== undefined && opening.byCash !== 0 && own?.byFills !== 0 && own?.byClosings !== 0
    if (balance.partOfCent !== 0 && (isDoubtful || isApart)) return [balance.partOfCent]
    // If it closed nothing, its session differs by exactly these fees.
    return isApart && opening.closesNothing && ((own ?? null) !== null || opening.byCash !== null) ? [balance.byFills] : []
  }
  if (balance?.byFills !== 0 && byCash !== 0) return []
  return isDoubtful || (opening?.byCash !== 0 && own?.byFills !== 0) ? [balance === null ? difference : balance.byClosings] : []
}

/** The same for a day that is equal because opening fees were charged in it, while the closing session, as far as the broker's figures show, includes them too. */
const unprovenByClosing = ({ balance, byCash }: Compared, closing: Compared): readonly Amount[] => {
  if (balance === null || balance.byFills !== 0 || balance.byClosings === 0 || byCash === 0) return []
  const isKnown = closing.balance !== null || closing.byCash !== null
  return isKnown && closing.balance?.byFills !== 0 && closing.byCash !== 0 ? [balance.byClosings] : []
}

/** Why the broker's net of a day is unknown, if it is. */
const whyUnknown = ({ base, chains }: AccountDays, { tradingDay, own, balance, running }: AccountDay, currency: Currency | null, { booked, isCovered, isCutOff }: { readonly booked: readonly (Currency | null)[]; readonly isCovered: boolean; readonly isCutOff: boolean }): UncheckedReason => {
  if (balance === null && !isCovered && booked.length === 0 && currency !== null && running.has(currency)) return 'not-settled'
  if (currency === null || !own.has(currency)) return own.size > 0 ? 'other-currency' : 'no-fills'
  if (balance?.contradicted === true) return 'contradicting-balances'
  if (balance !== null && (own.size > 1 || base === null)) return 'several-currencies'
  const isInAnother = balance !== null && base !== currency
  if (isInAnother || (booked.length > 0 && !booked.includes(currency))) return 'other-currency'
  return isCutOff && [...chains.values()].some(({ days }) => days.has(tradingDay)) ? 'cash-cut-off' : 'no-broker-figures'
}

/** An account's day in one currency. */
type DayInCurrency = {
  readonly of: AccountDays
  readonly day: AccountDay
  readonly currency: Currency | null
  readonly side: OwnSide
  readonly cash: WholeDay | null
  readonly checks: readonly PairCheck[]
  /** The broker's realized P&L, net of fees. */
  readonly balance: Amount | null
  readonly unexplained: Amount | null
  /** Why the broker's net is unknown, if it is. */
  readonly whyUnknown: UncheckedReason
}

const checkDay = (line: DayInCurrency, fillbook: DayFigures, compared: Compared, { contractOf, doubtOn }: DaySources): readonly DayCheck[] => {
  const { of, day, currency, side, cash, unexplained } = line
  const { difference, grossDifference, unequal, proven } = compared
  const isBroken = cash !== null && cash.broken !== null
  const isShown =
    side.closed.length > 0 ||
    side.charged.length > 0 ||
    side.isIncomplete ||
    (difference ?? 0) !== 0 ||
    grossDifference !== 0 ||
    proven.length > 0 ||
    (isBroken && (side.fees.length > 0 || cash.rows.some(({ movement, delta }) => movement === 'pair' && delta !== 0))) ||
    (day.balance !== null && unexplained !== null)
  if (!isShown) return []
  const verdict = judge(line, compared, doubtOn(of.account, day.tradingDay))
  const isEqual = verdict.state === 'equal'
  const broker = brokerFigures(line, compared)
  const explains = !isEqual && (difference ?? 0) !== 0 && cash !== null
  return [
    {
      account: of.account,
      tradingDay: day.tradingDay,
      currency,
      fillbook,
      broker,
      difference,
      ...verdict,
      balance: cash?.balance ?? null,
      movements: cash === null || cash.of === 'fills' ? [] : movementsOf(cash),
      broken: cash?.broken ?? null,
      unexplained,
      terms: [...(isEqual ? [] : termsOf(line, compared)), ...openingsTerm(fillbook, broker.net, compared)],
      pairs: isEqual ? [] : unequal,
      fees: explains ? feesByContract(side.fees, cash.rows, contractOf).filter(({ fillbook: own, broker: charged }) => charged !== own) : [],
    },
  ]
}

const figuresOf = ({ closed, charged }: OwnSide, currency: Currency | null): DayFigures => {
  const other = sumOf(charged, ({ otherFees }) => otherFees.find((fee) => fee.currency === currency)?.amount ?? 0)
  const [gross, fees] = [sumOf(closed, (pair) => pair.gross), amountOf(sumOf(closed, (pair) => pair.fees) + other)]
  return { gross, fees, net: amountOf(gross - fees) }
}

/** Both sides of a day compared: `byBalance` and `byCash` are Fillbook's net less the broker's by either file. */
type Compared = {
  readonly brokerGross: Amount | null
  readonly grossDifference: Amount
  readonly closesNothing: boolean
  /** The day's fees by fill, as in the Cash History. */
  readonly feesOfDay: Amount
  readonly byBalance: Amount | null
  readonly byCash: Amount | null
  /** By the P&L and fees of a platform's closed trades, if each of the day's pairs is one; and these fees. */
  readonly byTrades: Amount | null
  readonly feesOfTrades: Amount | null
  /** The day's change of cash without transfers; null if not in the Cash History. */
  readonly moved: number | null
  /** The rest to the balance with fees counted by fill, and with opening fees counted at the close; null if no file has it. */
  readonly balance: {
    readonly byFills: Amount
    readonly byClosings: Amount
    /** The part of the latter below a cent, taken as 0. */
    readonly partOfCent: Amount
  } | null
  /** Neither day proves the fees of an opening in another session. */
  readonly feesUnproven: boolean
  readonly difference: Amount | null
  readonly unequal: readonly PairCheck[]
  /** The unequal checks that prove a difference. */
  readonly proven: readonly PairCheck[]
  /** Cash History bookings of unknown type. */
  readonly unknownMovements: readonly DayMovement[]
}

const compare = ({ day, currency, side, cash, checks, balance, whyUnknown }: DayInCurrency, { gross, fees, net }: DayFigures): Compared => {
  const feesOfDay = sumOf(side.fees, ({ fee }) => fee)
  const snapped = (difference: number, shared: Amount = zero): Amount => amountOf(Math.abs(difference) <= partOfCent(shared) ? 0 : difference)
  const running = whyUnknown === 'not-settled' && currency !== null ? (day.running.get(currency) ?? null) : null
  const brokerGross = cash !== null && cash.broken === null ? sumOf(ofPart(cash.rows, 'pair'), deltaOf) : (grossOfPairs(checks, side) ?? running)
  const grossDifference = brokerGross === null ? zero : snapped(gross - brokerGross)
  // For an overnight position a broker books opening fees with the close or when charged: both are right.
  const byBalance = balance === null ? null : snapped(gross - feesOfDay - balance, feesOfDay) === 0 ? zero : snapped(net - balance, fees)
  const moved = cash === null ? null : movedBy(cash)
  const byCash = moved === null ? null : snapped(gross - feesOfDay - moved, feesOfDay)
  // Matched by second, an order-only fill may be compared with another pair of its day.
  const isSure = side.closed.every(({ doubts }) => !doubts.includes('approximate'))
  const unequal = checks.filter(({ equal }) => !equal)
  const proven = isSure ? unequal : unequal.filter(({ by }) => by !== 'time')
  const feesOfTrades = whyUnknown === 'no-broker-figures' ? statedFees(checks, side) : null
  const byTrades = feesOfTrades === null || brokerGross === null ? null : amountOf(net - (brokerGross - feesOfTrades))
  const byPairs = proven.length === 0 || !withoutNet.has(whyUnknown) ? null : differenceOfPairs(proven, checks, side)
  return {
    brokerGross,
    grossDifference,
    closesNothing: side.closed.length === 0,
    feesOfDay,
    byBalance,
    byCash,
    byTrades,
    feesOfTrades,
    moved,
    unequal,
    proven,
    feesUnproven: false,
    balance: balance === null ? null : { byFills: snapped(gross - feesOfDay - balance, feesOfDay), byClosings: snapped(net - balance, fees), partOfCent: amountOf(net - balance) },
    difference: byBalance !== null && byBalance !== 0 ? byBalance : (byCash ?? byBalance ?? byTrades ?? byPairs ?? (running === null || grossDifference === 0 ? null : grossDifference)),
    unknownMovements: cash === null ? [] : movementsOf({ rows: ofPart(cash.rows, 'other') }).filter(({ amount }) => amount !== 0),
  }
}

/** Reasons for which only the broker's pairs of a day may be known. */
const withoutNet: ReadonlySet<UncheckedReason> = new Set(['no-broker-figures', 'cash-cut-off', 'not-settled'])

const deltaOf = ({ delta }: Placed<CashReading>): number => delta

const ofPart = (rows: readonly Placed<CashReading>[], part: DayMovement['of']): readonly Placed<CashReading>[] => rows.filter((row) => partOf(row) === part)

/** A day's change of cash without transfers. If rows are missing, its balances still show it. */
const movedBy = ({ rows, balance, broken, isFramed }: WholeDay): number | null => {
  if (broken === null) return sumOf(rows, (row) => (partOf(row) === 'transfer' ? 0 : row.delta))
  return isFramed && balance !== null ? balance.end - balance.start - sumOf(ofPart(rows, 'transfer'), deltaOf) : null
}

/** The possible error of a fee sum if a fill's fee was split over days: less than a cent, and 0 for whole cents. */
const partOfCent = (fees: Amount): number => (fees % 100 === 0 ? 0 : 99)

/** Whether a pair check belongs to a line of a day with these currencies: it has the currency of Fillbook's pair, else of its contract, and belongs to all lines if that is unknown or none of them. */
const isIn = (currency: Currency | null, { own, contract }: PairCheck, currencies: ReadonlySet<Currency | null>): boolean => {
  const spec = own[0] === undefined && contract !== null ? contractSpecOf(contract) : null
  const ofPair = own[0]?.currency ?? (spec === null || isUncertain(spec) ? null : spec.currency)
  return ofPair === null || ofPair === currency || !currencies.has(ofPair)
}

/** The broker's gross if each of the day's pairs was compared with one of its own; otherwise its pairs are incomplete. */
const grossOfPairs = (checks: readonly PairCheck[], { closed }: OwnSide): Amount | null => {
  const known = checks.filter(({ by, fillbook }) => by === 'fills' && fillbook !== null)
  return known.length === 0 || known.length < closed.length ? null : sumOf(checks, ({ broker }) => broker?.gross ?? 0)
}

/** The fees of a day's closed trades; null if one of its pairs was not compared with a trade that states them. */
const statedFees = (checks: readonly PairCheck[], { closed }: OwnSide): Amount | null => {
  const isStated = closed.length > 0 && checks.length === closed.length && checks.every(({ fillbook, broker }) => fillbook !== null && broker?.fees !== undefined)
  return isStated ? sumOf(checks, ({ broker }) => broker?.fees ?? 0) : null
}

/** If both sides have equally many contracts, the broker's pairs are complete, however each side pairs fills; otherwise compare only the pairs that differ. */
const differenceOfPairs = (unequal: readonly PairCheck[], all: readonly PairCheck[], { closed }: OwnSide): Amount => {
  const isWhole = sumOf(all, ({ broker }) => broker?.qty ?? 0) === sumOf(closed, ({ qty }) => qty)
  const held = isWhole ? all : unequal
  return amountOf((isWhole ? sumOf(closed, ({ gross }) => gross) : sumOf(held, ({ fillbook }) => fillbook?.gross ?? 0)) - sumOf(held, ({ broker }) => broker?.gross ?? 0))
}

type Verdict = Pick<DayCheck, 'state' | 'reason'>

const unchecked = (reason: UncheckedReason): Verdict => ({ state: 'unchecked', reason })

const isBrokenOn = ({ chains }: AccountDays, tradingDay: string): boolean => [...chains.values()].some(({ days }) => (days.get(tradingDay)?.broken ?? null) !== null)

const judge = (
  { of, day, side, cash, unexplained, whyUnknown, balance }: DayInCurrency,
  { difference, grossDifference, proven, unknownMovements, feesUnproven }: Compared,
  doubt: DoubtfulDays['reason'] | null,
): Verdict => {
  const has = (warning: DayDoubt): boolean => [...side.closed, ...side.charged].some(({ doubts }) => doubts.includes(warning))
  // Rejected or contradicting rows also make trades incomplete: correcting them fixes both.
  if (doubt !== null && doubt !== 'fees-uncertain' && doubt !== 'fees-uneven') return unchecked(doubt)
  if (side.isIncomplete || has('incomplete')) return unchecked('incomplete')
  if (has('unknown-contract')) return unchecked('unknown-contract')
  // It may be any currency, the account's too.
  if ([...day.own.keys()].some(isNumbered)) return unchecked('unknown-currency')
  const isBooked = (balance ?? 0) !== 0 || (cash?.rows.some(({ movement }) => movement !== 'other') ?? false)
  if (side.closed.length === 0 && side.fees.length === 0 && isBooked && whyUnknown === 'no-fills') return unchecked(whyUnknown)
  if (cash !== null && cash.broken !== null) return unchecked('broken-chain')
  // A row that breaks one currency's chain may belong to another's.
  if (side.closed.length === 0 && isBrokenOn(of, day.tradingDay)) return unchecked('broken-chain')
  if (doubt === 'fees-uncertain') return unchecked(doubt)
  if (has('approximate')) return unchecked('approximate')
  if (has('ambiguous-order')) return unchecked('ambiguous-order')
  const differs = (difference ?? 0) !== 0 || grossDifference !== 0 || proven.length > 0
  if (doubt !== null && !differs && !feesUnproven) return unchecked(doubt)
  if (difference === null || whyUnknown === 'not-settled') return unchecked(whyUnknown)
  if (feesUnproven) return unchecked('fees-uncertain')
  if (side.closed.length === 0 && side.fees.length === 0 && isBooked) return unchecked(whyUnknown)
  if (differs) return { state: 'differs', reason: null }
  if (unknownMovements.length > 0) return unchecked('unknown-movement')
  return unexplained === null ? { state: 'equal', reason: null } : unchecked('unexplained-balance')
}

const brokerFigures = ({ cash, balance }: DayInCurrency, { brokerGross, byBalance, byCash, byTrades, feesOfTrades, moved, difference, feesUnproven }: Compared): DayCheck['broker'] => {
  if (byTrades !== null && feesOfTrades !== null && brokerGross !== null) return { gross: brokerGross, fees: feesOfTrades, net: amountOf(brokerGross - feesOfTrades), netFrom: 'trades' }
  const netFrom = byBalance !== null && (byBalance === difference || feesUnproven) ? 'balance' : byCash !== null ? (cash?.of ?? 'cash') : null
  const net = netFrom === null ? null : netFrom === 'balance' ? balance : amountOf(moved ?? 0)
  const charged = cash === null || cash.broken !== null ? null : amountOf(0 - sumOf(ofPart(cash.rows, 'fee'), deltaOf))
  // A balance may include opening fees that the Cash History has on another day: net is gross less fees.
  const isFromNet = charged === null || netFrom === 'balance'
  return { gross: brokerGross, fees: brokerGross !== null && net !== null && isFromNet ? amountOf(brokerGross - net) : charged, net, netFrom }
}

/** The opening fees that the broker charged in their own session and Fillbook counts with the close, if the nets differ by them. */
const openingsTerm = ({ fees, net }: DayFigures, brokerNet: Amount | null, { feesOfDay, difference }: Compared): readonly DayTerm[] => {
  const apart = brokerNet === null || difference === null ? 0 : net - brokerNet - difference
  const amount = amountOf(feesOfDay - fees)
  return Math.abs(apart) <= partOfCent(fees) || Math.abs(apart - amount) >= cent ? [] : [{ of: 'openings', name: null, amount }]
}

// A fee split over two days may be off by less than that.
const cent = 100

/** The terms of the difference, by name if one kind of fee is exactly it. */
const termsOf = ({ cash }: DayInCurrency, { grossDifference, feesOfDay, byCash, difference, unknownMovements }: Compared): readonly DayTerm[] => {
  const gross: readonly DayTerm[] = grossDifference === 0 ? [] : [{ of: 'gross', name: null, amount: grossDifference }]
  if (cash === null || cash.broken !== null || byCash !== difference) return gross
  const charged = ofPart(cash.rows, 'fee')
  const amount = amountOf(0 - feesOfDay - sumOf(charged, deltaOf))
  const name = movementsOf({ rows: charged }).find((fee) => fee.amount === 0 - amount)?.name ?? null
  return [
    ...gross,
    ...(Math.abs(amount) <= partOfCent(feesOfDay) ? [] : [{ of: 'fees' as const, name, amount }]),
    ...unknownMovements.map((other): DayTerm => ({ of: 'other', name: other.name, amount: amountOf(0 - other.amount) })),
  ]
}

/** A day's fees by contract: Fillbook's and the Cash History's. */
export const feesByContract = (own: readonly BookedFee[], cash: readonly Placed<CashReading>[], contractOf: DaySources['contractOf']): readonly ContractFees[] => {
  const fees = new Map<string | null, { fillbook: number; broker: number }>()
  const add = (contract: string | null, fillbook: number, broker: number): void => {
    const before = fees.get(contract) ?? { fillbook: 0, broker: 0 }
    fees.set(contract, { fillbook: before.fillbook + fillbook, broker: before.broker + broker })
  }
  const isItemized = cash.some(({ movement }) => movement !== 'other')
  for (const { contract, fee } of own) add(contract, fee, 0)
  for (const movement of cash) if (movement.movement === 'fee') add(contractOf(movement), 0, 0 - movement.delta)
  return [...fees].map(([contract, { fillbook, broker }]) => ({ contract, fillbook: amountOf(fillbook), broker: isItemized ? amountOf(broker) : null }))
}

/** A day's cash rows in the balances' currency; null if the Cash History does not cover the whole day. */
type RowsOf = (tradingDay: string) => readonly Placed<CashReading>[] | null

/**
 * Checks each account balance against the previous one: the difference must be the cash booked between them, or, if no file has that, the result of
 * Fillbook's trades. Returns the unexplained rest for each of these days. A span with trades or cash in other currencies is skipped.
 */
const unexplainedByDay = ({ days, chains, base }: AccountDays, rowsOf: RowsOf): ReadonlyMap<string, Amount> => {
  const unexplained = new Map<string, Amount>()
  if (base === null) return unexplained
  const others = [...chains].flatMap(([currency, chain]) => (currency === base ? [] : [chain]))
  const span: AccountDay[] = []
  let total: number | null = null
  for (const day of [...days.values()].sort((one, other) => compareText(one.tradingDay, other.tradingDay))) {
    span.push(day)
    const { balance } = day
    if (balance === null || balance.contradicted) continue
    const isOfOne = span.every(({ tradingDay, own }) => [...own.keys()].every((currency) => currency === base) && others.every((chain) => !chain.days.has(tradingDay)))
    if (total !== null && isOfOne) {
      const left = leftOf(balance.total - total, span.map((each) => moved(each, base, rowsOf)))
      if (left !== 0) for (const { tradingDay } of span) unexplained.set(tradingDay, amountOf(left))
    }
    total = balance.total
    span.length = 0
  }
  return unexplained
}

/** A day's change of balance, with fees counted when charged or with the close. */
type Moved = { readonly charged: number; readonly closed: number }

const moved = ({ tradingDay, own }: AccountDay, base: NonNullable<AccountDays['base']>, rowsOf: RowsOf): Moved => {
  const rows = rowsOf(tradingDay)
  if (rows !== null) {
    const booked = sumOf(rows, ({ delta }) => delta)
    return { charged: booked, closed: booked }
  }
  const side = own.get(base)
  if (side === undefined) return { charged: 0, closed: 0 }
  const gross = sumOf(side.closed, (pair) => pair.gross)
  return { charged: gross - sumOf(side.fees, ({ fee }) => fee), closed: gross - sumOf(side.closed, ({ fees }) => fees) }
}

const leftOf = (change: number, days: readonly Moved[]): number => {
  const charged = change - days.reduce((sum, day) => sum + day.charged, 0)
  const closed = change - days.reduce((sum, day) => sum + day.closed, 0)
  return Math.abs(charged) < cent || Math.abs(closed) < cent ? 0 : charged
}
