import { countWhile } from '#shared/base/count-while.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf, type Placed } from '#shared/imports/assembly.ts'
import type { Covers } from '#shared/imports/cash-span.ts'
import { secondOf } from '#shared/imports/fill-facts.ts'
import { issuerOf } from '#shared/imports/fill-ids.ts'
import type { CashReading, PairReading } from '#shared/imports/reading.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { reprice, type Ticks } from '#shared/money/price.ts'
import type { ClosedPair } from './closed-pair.ts'

/** One side's figures of a pair; prices, in ticks of their own size, are known if its fills are, and the fees if a platform states them with its closed trade. */
export type PairFigures = { readonly qty: number; readonly prices: PairPrices | null; readonly gross: Amount; readonly fees?: Amount }

/** The prices at which a pair was bought and sold. */
export type PairPrices = { readonly buy: Ticks; readonly sell: Ticks; readonly tickSize: string }

/** Broker pairs compared with Fillbook's: one by its two fills, all that one fill closed by that fill, or all of one contract and closing second by their sum. */
export type PairCheck = {
  readonly by: 'fills' | 'fill' | 'time'
  readonly account: AccountKey
  readonly contract: string | null
  readonly tradingDay: string
  /** UTC ms of the close. */
  readonly time: number
  readonly buyFillId: string | null
  readonly sellFillId: string | null
  /** The fill whose P&L the broker states; missing where it states pairs. */
  readonly closedBy?: string
  /** Number of broker pairs. */
  readonly count: number
  /** Null if Fillbook has none. */
  readonly fillbook: PairFigures | null
  /** Null if the broker has none. */
  readonly broker: PairFigures | null
  /** Fillbook's pairs in it. */
  readonly own: readonly ClosedPair[]
  readonly equal: boolean
}

/** The broker's figures and Fillbook's fills. */
export type PairSources = {
  readonly closed: readonly ClosedPair[]
  readonly brokerPairs: readonly Placed<PairReading>[]
  readonly cash: readonly Placed<CashReading>[]
  /** Whether an account's Cash History covers a time. */
  readonly isReached: Covers
  /** Whether Fillbook has this fill. */
  readonly hasFill: (account: AccountKey, fillId: string) => boolean
  /** The contract of a cash movement; null if unknown. */
  readonly contractOf: (movement: Placed<CashReading>) => string | null
  /** The session of a pair's close (UTC ms) if its file has none. */
  readonly dayOf: (pair: Placed<PairReading>, closing: number) => string
}

/**
 * Compares the broker's pairs with Fillbook's: by fill if Fillbook has the fills, otherwise by account, contract, and closing second. If the Cash
 * History covers an account's session, it is the source for the comparison by time.
 */
export const checkPairs = (sources: PairSources): readonly PairCheck[] => {
  const { closed, brokerPairs, cash, hasFill, isReached } = sources
  const own = new Map(brokerPairs.length === 0 ? [] : closed.map((pair) => [pairKey(pair), pair]))
  const byFills = new Set<ClosedPair>()
  const checks: PairCheck[] = []
  const cashDays = new Set(cash.filter(({ movement }) => movement === 'pair').map(({ account, tradeDate }) => keyOf(account, tradeDate)))
  const bookings: BookedGross[] = []
  const lacking: string[] = []
  for (const pair of brokerPairs) {
    const { account, contract, buy, sell, pnl } = pair
    const match = own.get(pairKey(pair))
    const time = Math.max(buy.time, sell.time)
    const tradingDay = match?.tradingDay ?? pair.tradeDate ?? sources.dayOf(pair, time)
    if (match !== undefined) byFills.add(match)
    if (match !== undefined || (hasFill(account, buy.fillId) && hasFill(account, sell.fillId))) {
      checks.push(byTheirFills(pair, match, time, tradingDay))
      if (match === undefined) lacking.push(bookingOf(account, contract, time, pnl))
    } else if (!cashDays.has(keyOf(account, tradingDay))) bookings.push({ account, contract, time, tradingDay, gross: pnl, qty: pair.qty, source: sourceOf(pair) })
  }
  for (const movement of cash) {
    const contract = movement.movement === 'pair' ? sources.contractOf(movement) : null
    if (contract === null) continue
    bookings.push({ account: movement.account, contract, time: movement.time, tradingDay: movement.tradeDate, gross: movement.delta, qty: 0, currency: movement.currency, cancels: isCancellation(movement) })
  }
  return [...checks, ...byTheirTime(closed, bookings, byFills, lacking, isReached)]
}

const isCancellation = ({ type }: Placed<CashReading>): boolean => type !== undefined && /cancell?ed/i.test(type)

const bookingOf = (account: AccountKey, contract: string, time: number, gross: Amount): string => keyOf(account, contract, secondOf(time), gross)

const pairKey = ({ account, buy, sell }: Pick<ClosedPair, 'account'> & { readonly buy: { readonly fillId: string }; readonly sell: { readonly fillId: string } }): string => keyOf(account, buy.fillId, sell.fillId)

const byTheirFills = (broker: Placed<PairReading>, match: ClosedPair | undefined, time: number, tradingDay: string): PairCheck => {
  const { account, contract, tickSize, buy, sell, qty, pnl, fees } = broker
  const same =
    match !== undefined &&
    match.contract === contract &&
    match.qty === qty &&
    reprice(match.buy.price, match.tickSize, tickSize) === buy.price &&
    reprice(match.sell.price, match.tickSize, tickSize) === sell.price &&
    (broker.currency === null || broker.currency === match.currency) &&
    match.gross === pnl
  return {
    by: 'fills',
    account,
    contract,
    tradingDay,
    time,
    buyFillId: buy.fillId,
    sellFillId: sell.fillId,
    count: 1,
    own: match === undefined ? [] : [match],
    equal: same,
    fillbook: match === undefined ? null : { qty: match.qty, prices: { buy: match.buy.price, sell: match.sell.price, tickSize: match.tickSize }, gross: match.gross },
    broker: { qty, prices: { buy: buy.price, sell: sell.price, tickSize }, gross: pnl, ...(fees === undefined ? {} : { fees }) },
  }
}

/** A gross P&L booked by the broker. */
type BookedGross = {
  /** Who states it; missing for cash. */
  readonly source?: string
  readonly account: AccountKey
  readonly contract: string
  readonly time: number
  readonly tradingDay: string
  readonly gross: Amount
  readonly qty: number
  readonly currency?: string | null
  /** It reverses an earlier one. */
  readonly cancels?: boolean
}

type Moment = { readonly second: number; since: number; readonly pairs: ClosedPair[]; readonly booked: BookedGross[] }

/** `lacking`: broker pairs that Fillbook lacks by fill; cash has them again. */
const byTheirTime = (closed: readonly ClosedPair[], bookings: readonly BookedGross[], byFills: ReadonlySet<ClosedPair>, lacking: readonly string[], isReached: Covers): readonly PairCheck[] => {
  if (bookings.length === 0) return []
  const streams = momentsOf(closed)
  const strays: BookedGross[] = []
  const known = Map.groupBy(lacking, (booking) => booking)
  for (const booked of bookings) {
    const moment = momentAt(streams.get(keyOf(booked.account, booked.contract)) ?? [], booked)
    if (moment !== null) moment.booked.push(booked)
    else if (!takeOne(known, bookingOf(booked.account, booked.contract, booked.time, booked.gross))) strays.push(booked)
  }
  const lastBooked = new Map<string, number>()
  for (const { account, tradingDay, time } of bookings) lastBooked.set(keyOf(account, tradingDay), Math.max(secondOf(time), lastBooked.get(keyOf(account, tradingDay)) ?? 0))
  const checks: PairCheck[] = withoutCanceled(strays).map((booked) => checkOf([], [booked], booked))
  for (const moments of streams.values()) {
    for (const { pairs, booked, second } of moments) {
      const [first] = pairs
      if (first === undefined) continue
      const at = { account: first.account, contract: first.contract, time: first.closedAt, tradingDay: first.tradingDay }
      if (pairs.every((pair) => byFills.has(pair))) {
        // Compared by their fills with one platform; another one may state something else.
        const differing = checkOf(pairs, booked.filter(({ source = 'broker' }) => source !== 'broker'), at)
        if (differing.broker !== null && differing.broker.qty === differing.fillbook?.qty && !differing.equal) checks.push(differing)
        continue
      }
      // After the broker's last row of a session its file may simply end, and before its first row it may have begun.
      const isExpected = isReached({ account: first.account, time: first.closedAt }) && second <= (lastBooked.get(keyOf(first.account, first.tradingDay)) ?? -1)
      if (booked.length > 0 || isExpected) checks.push(checkOf(pairs, booked, at))
    }
  }
  return checks
}

/** Bookings of pairs that Fillbook lacks, without reversed ones. */
const withoutCanceled = (strays: readonly BookedGross[]): readonly BookedGross[] => {
  const keyOfGross = ({ account, contract, tradingDay }: BookedGross, gross: number): string => keyOf(account, contract, tradingDay, gross)
  const canceled = Map.groupBy(strays.filter(({ cancels }) => cancels === true), (one) => keyOfGross(one, 0 - one.gross))
  if (canceled.size === 0) return strays
  const gone = new Set<BookedGross>()
  for (const one of strays) {
    const by = one.cancels === true ? undefined : canceled.get(keyOfGross(one, one.gross))?.pop()
    if (by !== undefined) gone.add(one).add(by)
  }
  return strays.filter((one) => !gone.has(one))
}

const takeOne = (bookings: ReadonlyMap<string, string[]>, booking: string): boolean => bookings.get(booking)?.pop() !== undefined

const momentsOf = (closed: readonly ClosedPair[]): ReadonlyMap<string, readonly Moment[]> => {
  const streams = new Map<string, Map<number, Moment>>()
  for (const pair of closed) {
    const stream = getOrInsert(streams, keyOf(pair.account, pair.contract), () => new Map())
    const second = secondOf(pair.closedAt)
    const moment = getOrInsert(stream, second, () => ({ second, since: pair.closedSince, pairs: [], booked: [] }))
    moment.pairs.push(pair)
    moment.since = Math.min(moment.since, pair.closedSince)
  }
  return new Map([...streams].map(([key, stream]) => [key, [...stream.values()].sort((one, other) => one.second - other.second)]))
}

/** The close in that second, otherwise that of the order filling at the time. */
const momentAt = (moments: readonly Moment[], { time }: BookedGross): Moment | null => {
  const next = moments[countWhile(moments.length, (place) => (moments[place]?.second ?? 0) < secondOf(time))]
  return next !== undefined && (next.second === secondOf(time) || secondOf(next.since) <= secondOf(time)) ? next : null
}

/** Who states a pair: its platform, in its trades or beside the fill that closed. */
const sourceOf = ({ buy, sell }: Placed<PairReading>): string => (sell.fillId === '' ? `fills of ${issuerOf(buy.fillId)}` : issuerOf(buy.fillId))

/** Compares a second's pairs with each platform's statement of them; the result holds one that differs, if any does. */
const checkOf = (pairs: readonly ClosedPair[], stated: readonly BookedGross[], at: Pick<PairCheck, 'account' | 'contract' | 'time' | 'tradingDay'>): PairCheck => {
  const gross = amountOf(pairs.reduce((sum, pair) => sum + pair.gross, 0))
  const sumOf = (some: readonly BookedGross[]): Amount => amountOf(some.reduce((sum, one) => sum + one.gross, 0))
  const statements = [...Map.groupBy(stated, ({ source = '' }) => source).values()]
  const bookings = statements.find((one) => sumOf(one) !== gross) ?? statements[0] ?? []
  const booked = sumOf(bookings)
  const [first] = pairs
  const inItsCurrency = bookings.every(({ currency }) => currency === undefined || currency === null || currency === first?.currency)
  return {
    by: 'time',
    account: at.account,
    contract: at.contract,
    tradingDay: at.tradingDay,
    time: at.time,
    buyFillId: null,
    sellFillId: null,
    count: bookings.length,
    own: pairs,
    fillbook: pairs.length === 0 ? null : { qty: pairs.reduce((sum, { qty }) => sum + qty, 0), prices: null, gross },
    broker: bookings.length === 0 ? null : { qty: bookings.reduce((sum, { qty }) => sum + qty, 0), prices: null, gross: booked },
    equal: pairs.length > 0 && bookings.length > 0 && inItsCurrency && gross === booked,
  }
}
