import { compareText } from '#shared/base/compare-text.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { bookedDay } from '#shared/fills/booked-day.ts'
import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { wholeRootOf } from '#shared/market/contract-name.ts'
import type { ContractSpec } from '#shared/market/contract-spec.ts'
import { addCurrencyAmounts, noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { amountOf, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { shareOf } from '#shared/money/share.ts'
import type { AccountDay } from './doubtful-days.ts'
import { compareImported, keyOf, type ImportedFill, type Placed } from './assembly.ts'
import { isTransfer } from './cash-rows.ts'
import { cashSpans, type Covers } from './cash-span.ts'
import { secondOf } from './fill-facts.ts'
import { isBrokersId } from './fill-ids.ts'
import type { CashReading } from './reading.ts'

type Specs = ReadonlyMap<string, ContractSpec>

/**
 * The fills with the Cash History's fees: what an account paid for a contract in a session, less the fees that its fills have, is split over fills
 * without one, evenly by contracts and with no unit lost, each currency separately. If the Cash History begins or ends in mid-session, it is split
 * over the fills that it covers. `unplaced`: fees of no fill, and rows under a fee's name that refund more than was charged. `lacking`: sessions of
 * an account in which fees were charged when no fill is known, or more or less per contract than at other times: fills, parts of them, or fees are
 * in no file.
 */
export const withCashFees = (fills: readonly ImportedFill[], cash: readonly Placed<CashReading>[], specs: Specs): CashFees => {
  if (cash.length === 0) return { fills, unplaced: [], lacking: [] }
  const contractOf = contractsOfMovements(fills)
  const isAtFill = fillMoments(fills)
  const { paid, strayFees, charged, unclear, unplaced } = sortedMovements(cash, specs, contractOf, isAtFill)
  const lacking: AccountDay[] = [...unevenSessions(fills, cash, contractOf), ...openedForStrays(fills, cash, isAtFill)]
  for (const { paidKey, account, day, currency, fees } of strayFees) {
    const at = paid.get(paidKey)
    // If no fee of a session is charged at a fill's time, the broker books them at another time.
    if (at === undefined || (fees !== 0 && (currency === null ? at.own !== null : at.others.has(currency)))) lacking.push({ account, day })
    else pay(at, currency, fees)
  }
  // A broker refunds at most what it charged: a larger credit is not a fee, whatever its name.
  for (const [key, { own, others, credits }] of paid) {
    if ((own ?? 0) >= 0 && [...others.values()].every((total) => total >= 0)) continue
    paid.delete(key)
    for (const { account, tradeDate } of credits.slice(0, 1)) {
      lacking.push({ account, day: tradeDate })
      unclear.add(keyOf(account, tradeDate))
    }
    unplaced.push(...credits)
  }
  const isFree = freeSessions(cash)
  // If the Cash History covers a session and has no fee of a contract, that contract cost nothing.
  const paidFor: PaidFor = (account, contract, session) => {
    const { own = null, others = [], file } = paid.get(keyOf(account, contract, session)) ?? {}
    const hasFees = (charged.has(keyOf(account, session)) && !unclear.has(keyOf(account, session))) || isFree(account, session)
    return { own: own ?? (hasFees ? 0 : null), others: [...others].flatMap(([currency, total]) => (total === 0 ? [] : [{ currency, amount: amountOf(total) }])), file }
  }
  return { fills: sharedOut(fills, paidFor, cashSpans(cash).fills), unplaced, lacking }
}

/** Fees of a contract's session charged when no fill is known; `paidKey` is its key in `SortedMovements.paid`. */
type StrayFees = { readonly paidKey: string; readonly account: AccountKey; readonly day: string; readonly currency: Currency | null; fees: number }

/** The Cash History's fees, sorted. */
type SortedMovements = {
  /** By account, contract, and session. */
  readonly paid: Map<string, Paid>
  readonly strayFees: readonly StrayFees[]
  /** Sessions with a fee or a pair. */
  readonly charged: ReadonlySet<string>
  /** Sessions with a fee of an unknown contract. */
  readonly unclear: Set<string>
  /** Those fees. */
  readonly unplaced: Placed<CashReading>[]
}

const sortedMovements = (cash: readonly Placed<CashReading>[], specs: Specs, contractOf: ReturnType<typeof contractsOfMovements>, isAtFill: ReturnType<typeof fillMoments>): SortedMovements => {
  const paid = new Map<string, Paid>()
  const strayFees = new Map<string, StrayFees>()
  const charged = new Set<string>()
  const unclear = new Set<string>()
  const unplaced: Placed<CashReading>[] = []
  for (const movement of cash) {
    if (movement.movement === 'other') continue
    const { account, tradeDate: day, delta, file } = movement
    charged.add(keyOf(account, day))
    if (movement.movement === 'pair') continue
    const contract = contractOf(movement)
    if (contract === null) {
      unplaced.push(movement)
      unclear.add(keyOf(account, day))
      continue
    }
    const currency = movement.currency === specs.get(contract)?.currency ? null : movement.currency
    const paidKey = keyOf(account, contract, day)
    const at = getOrInsert(paid, paidKey, () => ({ own: null, others: new Map<Currency, number>(), file: undefined, credits: [] }))
    if (file !== undefined && (at.file === undefined || file > at.file)) at.file = file
    if (delta > 0) at.credits.push(movement)
    if (movement.contract === null || isAtFill(movement, contract) || isOfNoFill(movement)) pay(at, currency, 0 - delta)
    else getOrInsert(strayFees, keyOf(paidKey, currency ?? ''), () => ({ paidKey, account, day, currency, fees: 0 })).fees -= delta
  }
  return { paid, strayFees: [...strayFees.values()], charged, unclear, unplaced }
}

/** The result of `withCashFees`. */
export type CashFees = { readonly fills: readonly ImportedFill[]; readonly unplaced: readonly Placed<CashReading>[]; readonly lacking: readonly AccountDay[] }

/** What an account paid for a contract in a session: in the contract's currency (null if no row has it) and in others. */
type Paid = {
  own: number | null
  readonly others: Map<Currency, number>
  file: string | undefined
  /** Refund rows. */
  readonly credits: Placed<CashReading>[]
}

const pay = (paid: Paid, currency: Currency | null, amount: number): void => {
  if (currency === null) paid.own = (paid.own ?? 0) + amount
  else paid.others.set(currency, (paid.others.get(currency) ?? 0) + amount)
}

/** Whether a fee belongs to no fill: a liquidation fee may be charged at any time. */
const isOfNoFill = ({ type = '' }: Placed<CashReading>): boolean => /liquidation/i.test(type)

const secondsAround = (time: number): readonly number[] => [secondOf(time), secondOf(time) - 1, secondOf(time) + 1]

/** Whether a fill of the contract is known within a second of a cash movement. */
const fillMoments = (fills: readonly ImportedFill[]): ((movement: Placed<CashReading>, contract: string) => boolean) => {
  const moments = new Set(fills.map(({ account, contract, time }) => keyOf(account, contract, secondOf(time))))
  return ({ account, time }, contract) => {
    return secondsAround(time).some((second) => moments.has(keyOf(account, contract, second)))
  }
}

/**
 * The sessions that may hold the opening of a position that the broker closed with no known fill: the last one until then in which the contract was
 * traded, if one of its fills is known only by pairs and so may have been larger.
 */
const openedForStrays = (fills: readonly ImportedFill[], cash: readonly Placed<CashReading>[], isAtFill: (movement: Placed<CashReading>, contract: string) => boolean): readonly AccountDay[] => {
  const strays = cash.filter((row) => row.movement === 'pair' && row.delta !== 0 && row.contract !== null && !isAtFill(row, row.contract))
  if (strays.length === 0) return []
  const sessions = Map.groupBy(fills.filter(({ source, fee, active }) => source === 'pairs-file' && fee === null && active), ({ account, contract }) => keyOf(account, contract))
  return strays.flatMap(({ account, contract, tradeDate }) => {
    const day = (sessions.get(keyOf(account, contract ?? '')) ?? []).map(bookedDay).filter((one) => one <= tradeDate).sort().at(-1)
    return day === undefined ? [] : [{ account, day }]
  })
}

/** Fees of the fills of one second or session, by currency, and the number of rows. */
type Charged = { qty: number; readonly fees: Map<Currency | null, number>; rows: number }

/** One contract's session: fees by second, the session's total, and the fill times of fills known only by their orders. */
type Session = {
  readonly moments: Map<number, Charged>
  readonly whole: Charged
  readonly orders: { readonly from: number; readonly to: number }[]
  isWhole: boolean
}

const nothingCharged = (): Charged => ({ qty: 0, fees: new Map(), rows: 0 })

/**
 * Sessions in which the fee per contract is not the same at every time, or differs from both neighboring sessions: if a broker charges every fill,
 * contracts or fee rows are in no file. Fees may change from one session to the next. The time of order-only fills is unknown, so they count in the
 * session's total.
 */
const unevenSessions = (fills: readonly ImportedFill[], cash: readonly Placed<CashReading>[], contractOf: (movement: Placed<CashReading>) => string | null): readonly AccountDay[] => {
  const products = new Map<string, { readonly account: AccountKey; readonly sessions: Map<string, Session> }>()
  // If every fill has its own fee, nothing needs to be split.
  const sharing = new Set<string>()
  const chargedAt = new Map<string, Charged>()
  const isReached = cashSpans(cash).fills
  for (const fill of fills) {
    const { id, account, contract, time, since, fee, qty, active } = fill
    const key = keyOf(account, contract)
    if (!active) continue
    if (fee === null) sharing.add(key)
    const { sessions } = getOrInsert(products, key, () => ({ account, sessions: new Map<string, Session>() }))
    const session = getOrInsert(sessions, bookedDay(fill), (): Session => ({ moments: new Map(), whole: nothingCharged(), orders: [], isWhole: true }))
    session.whole.qty += qty
    session.isWhole &&= isReached(fill)
    if (!isBrokersId(id)) {
      session.orders.push({ from: secondOf(since), to: secondOf(time) })
      continue
    }
    const second = secondOf(time)
    const charged = getOrInsert(session.moments, second, nothingCharged)
    charged.qty += qty
    chargedAt.set(keyOf(key, second), charged)
  }
  for (const movement of cash) {
    const contract = movement.movement === 'fee' && !isOfNoFill(movement) ? contractOf(movement) : null
    if (contract === null) continue
    const key = keyOf(movement.account, contract)
    const moment = secondsAround(movement.time).map((second) => chargedAt.get(keyOf(key, second))).find((one) => one !== undefined)
    for (const charged of [moment, products.get(key)?.sessions.get(movement.tradeDate)?.whole]) {
      if (charged === undefined) continue
      charged.fees.set(movement.currency, (charged.fees.get(movement.currency) ?? 0) - movement.delta)
      charged.rows += 1
    }
  }
  return [...products].flatMap(([key, { account, sessions }]) => {
    if (!sharing.has(key)) return []
    const days = [...sessions.keys()].sort().flatMap((day) => {
      const session = sessions.get(day)
      if (session === undefined) return []
      const { moments: all, whole, orders, isWhole } = session
      const moments = [...all].flatMap(([second, moment]) => (orders.some(({ from, to }) => second >= from - 1 && second <= to + 1) ? [] : [moment]))
      const compared = moments.length > 0 && orders.length > 0 && isWhole && whole.rows > 0 ? [...moments, whole] : moments
      const [first] = compared
      return first === undefined || moments.some(({ rows }) => rows === 0) ? [] : [{ day, first, isEven: compared.every((one) => areAlike(first, one)) }]
    })
    return days.flatMap(({ day, first, isEven }, place) => {
      const beside = [days[place - 1], days[place + 1]].filter((other) => other !== undefined)
      return isEven && (beside.length === 0 || beside.some((other) => areAlike(first, other.first))) ? [] : [{ account, day }]
    })
  })
}

/**
 * Sessions with fill fees of their own in which one fill costs more or less than its quantity implies by the session's other fills or by those of
 * both neighboring sessions: its quantity is wrong, or its fee. A firm charges every contract alike, and may add a fixed fee per fill.
 */
export const unevenFees = (fills: readonly ImportedFill[]): readonly AccountDay[] =>
  [...Map.groupBy(fills.filter(({ active, fee }) => active && fee !== null), ({ account }) => account)].flatMap(([account, own]) => {
    const contracts = [...Map.groupBy(own, ({ contract }) => contract).values()].map((stream) =>
      [...Map.groupBy(stream, bookedDay)].sort(([one], [other]) => compareText(one, other)).map(([day, all]) => ({ day, costs: costsOf(all) })),
    )
    // If fills of different quantities cost the same per contract, there is no fixed fee per fill.
    const isByContract = contracts.some((sessions) => areAlikeAcrossQuantities(distinctCosts(sessions.flatMap(({ costs }) => costs))))
    const areEven = (costs: readonly Charged[]): boolean => (isByContract ? costs.every((cost) => areAlike(costs[0] ?? cost, cost)) : areOnOneLine(costs))
    const uneven = contracts.flatMap((sessions) =>
      sessions.flatMap(({ day, costs }, place) => {
        const beside = [sessions[place - 1], sessions[place + 1]].filter((other) => other !== undefined)
        const isEven = areEven(costs) && (beside.length === 0 || beside.some((other) => areEven([...costs, ...other.costs.slice(0, 1)])))
        return isEven ? [] : [day]
      }),
    )
    return [...new Set(uneven)].sort(compareText).map((day) => ({ account, day }))
  })

// A broker rounds commission and exchange fees separately.
const roundedParts = 2

const feeOf = ({ fees }: Charged): number => fees.get(null) ?? 0

const distinctCosts = (costs: readonly Charged[]): readonly Charged[] => [...new Map(costs.map((cost) => [keyOf(cost.qty, feeOf(cost)), cost])).values()]

// Compare the same costs whatever the row order.
const costsOf = (fills: readonly ImportedFill[]): readonly Charged[] =>
  distinctCosts(fills.map(({ qty, fee }) => ({ qty, fees: new Map([[null, fee ?? 0]]), rows: roundedParts }))).toSorted((one, other) => one.qty - other.qty || feeOf(one) - feeOf(other))

/** Compares neighbors by cost per contract: a file may have a different fee for every fill. */
const areAlikeAcrossQuantities = (costs: readonly Charged[]): boolean => {
  const byRate = costs.filter((cost) => feeOf(cost) > 0).toSorted((one, other) => feeOf(one) * other.qty - feeOf(other) * one.qty)
  return byRate.some((one, place) => {
    const next = byRate[place + 1]
    return next !== undefined && next.qty !== one.qty && areAlike(one, next)
  })
}

/** Whether costs are whole cents per contract plus a fixed fee per fill. */
const areOnOneLine = (costs: readonly Charged[]): boolean => {
  const [first, ...rest] = distinctCosts(costs).toSorted((one, other) => one.qty - other.qty)
  const last = rest.at(-1)
  if (first === undefined || last === undefined || costs.every((cost) => feeOf(cost) === 0)) return true
  const each = (feeOf(last) - feeOf(first)) / (last.qty - first.qty)
  const once = feeOf(first) - each * first.qty
  return each > 0 && each % cent === 0 && once >= 0 && rest.every((cost) => feeOf(cost) === once + each * cost.qty)
}

/**
 * Sessions in which the Cash History's fees at the time of fills differ from the fills' own but have the same total: the day's sums do not show it.
 */
export const feesAtOtherTimes = (fills: readonly ImportedFill[], cash: readonly Placed<CashReading>[], specs: Specs): readonly AccountDay[] => {
  const contractOf = contractsOfMovements(fills)
  const charged = new Map<string, number>()
  for (const movement of cash) {
    const contract = movement.movement === 'fee' && !isOfNoFill(movement) ? contractOf(movement) : null
    if (contract === null || (movement.currency !== null && movement.currency !== specs.get(contract)?.currency)) continue
    const key = keyOf(movement.account, contract, secondOf(movement.time))
    charged.set(key, (charged.get(key) ?? 0) - movement.delta)
  }
  if (charged.size === 0) return []
  const sessions = new Map<string, { readonly account: AccountKey; readonly day: string; sum: number; isApart: boolean }>()
  for (const [key, own] of Map.groupBy(fills.filter(({ active }) => active), ({ account, contract, time }) => keyOf(account, contract, secondOf(time)))) {
    const [fill] = own
    const fee = charged.get(key)
    if (fill === undefined || fee === undefined || own.some((one) => one.fee === null)) continue
    const [account, day] = [fill.account, bookedDay(fill)]
    const session = getOrInsert(sessions, keyOf(account, day), () => ({ account, day, sum: 0, isApart: false }))
    const left = own.reduce((sum, one) => sum + (one.fee ?? 0), 0) - fee
    session.sum += left
    session.isApart ||= Math.abs(left) >= cent
  }
  return [...sessions.values()].filter(({ sum, isApart }) => isApart && Math.abs(sum) < cent)
}

const cent = 100

/** Whether the cost per contract is the same at two times; each row is rounded to a cent. */
const areAlike = (one: Charged, other: Charged): boolean =>
  [...one.fees.keys(), ...other.fees.keys()].every((currency) => Math.abs((one.fees.get(currency) ?? 0) * other.qty - (other.fees.get(currency) ?? 0) * one.qty) <= 50 * (one.rows * other.qty + other.rows * one.qty))

/** Whether a session was free of fees: the account's Cash History covers it completely and has no fee, nor any row that could be one. */
const freeSessions = (cash: readonly Placed<CashReading>[]): ((account: string, session: string) => boolean) => {
  const spans = new Map<string, { readonly from: string; readonly to: string }>()
  for (const [account, rows] of Map.groupBy(cash, (row) => row.account)) {
    const ordered = [...rows].sort((one, other) => one.time - other.time || one.transactionId.length - other.transactionId.length || compareText(one.transactionId, other.transactionId))
    const [first, last] = [ordered[0], ordered.at(-1)]
    const isWhole = ordered.every(({ amount, delta }, place) => place === 0 || amount - delta === ordered[place - 1]?.amount)
    const chargesNothing = rows.every((row) => row.movement === 'pair' || isTransfer(row))
    if (isWhole && chargesNothing && first !== undefined && last !== undefined) spans.set(account, { from: first.tradeDate, to: last.tradeDate })
  }
  return (account, session) => {
    const span = spans.get(account)
    return span !== undefined && session >= span.from && session <= span.to
  }
}

type Traded = { readonly byDay: ReadonlyMap<string, ReadonlySet<string>>; readonly byMoment: ReadonlyMap<string, ReadonlySet<string>> }

const contractsTraded = (fills: Iterable<Pick<Fill, 'account' | 'contract' | 'time' | 'tradeDate'>>): Traded => {
  const byDay = new Map<string, Set<string>>()
  const byMoment = new Map<string, Set<string>>()
  for (const fill of fills) {
    getOrInsert(byDay, keyOf(fill.account, bookedDay(fill)), () => new Set()).add(fill.contract)
    getOrInsert(byMoment, momentOf(fill), () => new Set()).add(fill.contract)
  }
  return { byDay, byMoment }
}

/** The contract of a cash movement if it can be found: the row names it, its product, or nothing. */
export const contractsOfMovements = (fills: Iterable<Pick<Fill, 'account' | 'contract' | 'time' | 'tradeDate'>>): ((movement: Placed<CashReading>) => string | null) => {
  // Lazy: most accounts have many fills and no Cash History.
  let traded: Traded | undefined
  return (movement) => {
    const { contract: named, account, tradeDate } = movement
    const { byDay, byMoment } = (traded ??= contractsTraded(fills))
    const ofDay = byDay.get(keyOf(account, tradeDate))
    if (ofDay === undefined) return null
    if (named !== null && ofDay.has(named)) return named
    const fits = (contract: string): boolean => named === null || wholeRootOf(contract) === named.trim().toUpperCase()
    const only = (contracts: ReadonlySet<string> | undefined): string | null => {
      const fitting = [...(contracts ?? [])].filter(fits)
      return fitting.length === 1 ? (fitting[0] ?? null) : null
    }
    return only(byMoment.get(momentOf(movement))) ?? only(ofDay)
  }
}

const momentOf = ({ account, time }: { readonly account: string; readonly time: number }): string => keyOf(account, secondOf(time))

/** What an account paid for a contract in a session, and the file; `own` is null if no file has it. */
type PaidFor = (account: string, contract: string, session: string) => { readonly own: number | null; readonly others: CurrencyAmounts; readonly file: string | undefined }

/** The fills of one contract's session, those without a fee, and the sum of the others' fees. */
type Group = ReturnType<PaidFor> & { readonly all: ImportedFill[]; readonly without: ImportedFill[]; withFee: number }

/** The fills with the paid fees split over them. */
const sharedOut = (fills: readonly ImportedFill[], paidFor: PaidFor, isReached: Covers): readonly ImportedFill[] => {
  const groups = new Map<string, Group>()
  for (const fill of fills) {
    if (!fill.active || !isReached(fill)) continue
    const key = keyOf(fill.account, fill.contract, bookedDay(fill))
    const group = getOrInsert(groups, key, () => ({ ...paidFor(fill.account, fill.contract, bookedDay(fill)), all: [], without: [], withFee: 0 }))
    group.all.push(fill)
    if (fill.fee === null) group.without.push(fill)
    else group.withFee += fill.fee
  }
  const shares = new Map<ImportedFill, Share>()
  const shareFor = (fill: ImportedFill): Share => shares.get(fill) ?? { fee: fill.fee, otherFees: fill.otherFees ?? noAmounts }
  for (const { own, others, file: feeFrom, all, without, withFee } of groups.values()) {
    const feeCurrency = feeCurrencyOf(all, own, others)
    if (feeCurrency !== null) {
      for (const fill of all) shares.set(fill, { fee: zero, otherFees: addCurrencyAmounts(noAmounts, [{ currency: feeCurrency, amount: fill.fee ?? zero }]), feeFrom })
      continue
    }
    // Less than the fills' own fees: the Cash History does not cover the whole session.
    if (own !== null && !(withFee > 0 && own < withFee)) for (const [fill, fee] of evenly(without, amountOf(own - withFee))) shares.set(fill, { ...shareFor(fill), fee, feeFrom })
    for (const { currency, amount } of others) {
      const feeIn = (fill: ImportedFill): Amount | null => fill.otherFees?.find((fee) => fee.currency === currency)?.amount ?? null
      const rest = amountOf(amount - all.reduce((sum, fill) => sum + (feeIn(fill) ?? 0), 0))
      for (const [fill, fee] of evenly(all.filter((one) => feeIn(one) === null), rest)) {
        const before = shareFor(fill)
        shares.set(fill, { ...before, otherFees: addCurrencyAmounts(before.otherFees, [{ currency, amount: fee }]), feeFrom })
      }
    }
  }
  return fills.map((fill) => {
    const share = shares.get(fill)
    return share === undefined ? fill : { ...fill, fee: share.fee, otherFees: share.otherFees.length === 0 ? undefined : share.otherFees, feeFrom: share.feeFrom }
  })
}

type Share = { readonly fee: Amount | null; readonly otherFees: CurrencyAmounts; readonly feeFrom?: string | undefined }

/** Splits a sum over fills, evenly by contracts. */
const evenly = (fills: readonly ImportedFill[], total: Amount): readonly (readonly [ImportedFill, Amount])[] => {
  const contracts = fills.reduce((sum, { qty }) => sum + qty, 0)
  let from = 0
  return fills.toSorted(compareImported).map((fill) => {
    from += fill.qty
    return [fill, shareOf(total, from - fill.qty, from, contracts)]
  })
}

/** The currency of fills' fees whose file names none, if the Cash History has their sum in one other currency and nothing in the contract's. */
const feeCurrencyOf = (fills: readonly ImportedFill[], own: number | null, others: CurrencyAmounts): Currency | null => {
  const [other, ...more] = others
  if (other === undefined || more.length > 0 || (own ?? 0) !== 0 || fills.some(({ otherFees }) => otherFees !== undefined)) return null
  return fills.reduce((sum, { fee }) => sum + (fee ?? 0), 0) === other.amount ? other.currency : null
}
