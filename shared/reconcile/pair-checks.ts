import type { AccountKey } from '#shared/fills/fill.ts'
import { keyOf, type Placed } from '#shared/imports/assembly.ts'
import type { Reaches } from '#shared/imports/cash-span.ts'
import type { CashReading, PairReading } from '#shared/imports/reading.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { reprice, type Ticks } from '#shared/money/price.ts'
import type { ClosedPair } from './closed-pair.ts'

/** What one side says of a pair; prices, in ticks of their own size, are known where it was told by its fills. */
export type PairFigures = { readonly qty: number; readonly prices: PairPrices | null; readonly gross: Amount }

/** The prices at which a pair was bought and sold. */
export type PairPrices = { readonly buy: Ticks; readonly sell: Ticks; readonly tickSize: string }

/** Pairs of the broker held against Fillbook's: one by the two fills, or all of one contract that closed in one second by their sum. */
export type PairCheck = {
  readonly by: 'fills' | 'time'
  readonly account: AccountKey
  readonly contract: string | null
  readonly tradingDay: string
  /** UTC ms of the closing. */
  readonly time: number
  readonly buyFillId: string | null
  readonly sellFillId: string | null
  /** The broker's pairs in it. */
  readonly count: number
  /** Null where Fillbook has none. */
  readonly fillbook: PairFigures | null
  /** Null where the broker has none. */
  readonly broker: PairFigures | null
  /** Fillbook's pairs in it. */
  readonly own: readonly ClosedPair[]
  readonly equal: boolean
}

/** What the broker and Fillbook's own fills tell. */
export type PairSources = {
  readonly closed: readonly ClosedPair[]
  readonly brokerPairs: readonly Placed<PairReading>[]
  readonly cash: readonly Placed<CashReading>[]
  /** Whether the Cash History reaches over a moment of an account. */
  readonly isReached: Reaches
  /** Whether Fillbook's fills have one of this account and id. */
  readonly hasFill: (account: AccountKey, fillId: string) => boolean
  /** The contract that a movement of cash is about; null where it cannot be told. */
  readonly contractOf: (movement: Placed<CashReading>) => string | null
  /** The session of a pair's closing (UTC ms) where its file does not say it. */
  readonly dayOf: (pair: Placed<PairReading>, closing: number) => string
}

/**
 * Holds the broker's pairs against Fillbook's: by their fills where Fillbook has those, else by account, contract and
 * second of closing. Where the Cash History tells an account's session, it is the one that is asked by time.
 */
export const checkPairs = (sources: PairSources): readonly PairCheck[] => {
  const { closed, brokerPairs, cash, hasFill, isReached } = sources
  const own = new Map(brokerPairs.length === 0 ? [] : closed.map((pair) => [pairKey(pair), pair]))
  const byFills = new Set<ClosedPair>()
  const checks: PairCheck[] = []
  const cashDays = new Set(cash.filter(({ movement }) => movement === 'pair').map(({ account, tradeDate }) => keyOf(account, tradeDate)))
  const told: Told[] = []
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
    } else if (!cashDays.has(keyOf(account, tradingDay))) told.push({ account, contract, time, tradingDay, gross: pnl, qty: pair.qty })
  }
  for (const movement of cash) {
    const contract = movement.movement === 'pair' ? sources.contractOf(movement) : null
    if (contract === null) continue
    told.push({ account: movement.account, contract, time: movement.time, tradingDay: movement.tradeDate, gross: movement.delta, qty: 0, currency: movement.currency, cancels: isCancellation(movement) })
  }
  return [...checks, ...byTheirTime(closed, told, byFills, lacking, isReached)]
}

const isCancellation = ({ type }: Placed<CashReading>): boolean => type !== undefined && /cancell?ed/i.test(type)

const bookingOf = (account: AccountKey, contract: string, time: number, gross: Amount): string => keyOf(account, contract, secondOf(time), gross)

const pairKey = ({ account, buy, sell }: Pick<ClosedPair, 'account'> & { readonly buy: { readonly fillId: string }; readonly sell: { readonly fillId: string } }): string => keyOf(account, buy.fillId, sell.fillId)

const byTheirFills = (broker: Placed<PairReading>, match: ClosedPair | undefined, time: number, tradingDay: string): PairCheck => {
  const { account, contract, tickSize, buy, sell, qty, pnl } = broker
  const same =
    match !== undefined &&
    match.contract === contract &&
    match.qty === qty &&
    reprice(match.buy.price, match.tickSize, tickSize) === buy.price &&
    reprice(match.sell.price, match.tickSize, tickSize) === sell.price &&
    (broker.currency === null || broker.currency === match.currency) &&
    match.gross === pnl
  return {
    ...{ by: 'fills', account, contract, tradingDay, time, buyFillId: buy.fillId, sellFillId: sell.fillId, count: 1, own: match === undefined ? [] : [match], equal: same },
    fillbook: match === undefined ? null : { qty: match.qty, prices: { buy: match.buy.price, sell: match.sell.price, tickSize: match.tickSize }, gross: match.gross },
    broker: { qty, prices: { buy: buy.price, sell: sell.price, tickSize }, gross: pnl },
  }
}

/** A gross that the broker booked at a time. */
type Told = { readonly account: AccountKey; readonly contract: string; readonly time: number; readonly tradingDay: string; readonly gross: Amount; readonly qty: number; readonly currency?: string | null; /** It takes an earlier one back. */ readonly cancels?: boolean }

type Moment = { readonly second: number; since: number; readonly pairs: ClosedPair[]; readonly told: Told[] }

const secondOf = (time: number): number => Math.floor(time / 1000)

/** `lacking` are the broker's pairs that Fillbook was found to lack by their fills: cash tells of them once more. */
const byTheirTime = (closed: readonly ClosedPair[], told: readonly Told[], byFills: ReadonlySet<ClosedPair>, lacking: readonly string[], isReached: Reaches): readonly PairCheck[] => {
  if (told.length === 0) return []
  const streams = momentsOf(closed)
  const strays: Told[] = []
  const known = Map.groupBy(lacking, (booking) => booking)
  for (const booked of told) {
    const moment = momentAt(streams.get(keyOf(booked.account, booked.contract)) ?? [], booked)
    if (moment !== null) moment.told.push(booked)
    else if (!takeOne(known, bookingOf(booked.account, booked.contract, booked.time, booked.gross))) strays.push(booked)
  }
  const lastTold = new Map<string, number>()
  for (const { account, tradingDay, time } of told) lastTold.set(keyOf(account, tradingDay), Math.max(secondOf(time), lastTold.get(keyOf(account, tradingDay)) ?? 0))
  const checks: PairCheck[] = withoutCancelled(strays).map((booked) => checkOf([], [booked], booked))
  for (const moments of streams.values()) {
    for (const { pairs, told: booked, second } of moments) {
      const [first] = pairs
      if (first === undefined || pairs.every((pair) => byFills.has(pair))) continue
      // Behind the last that the broker told of a session, its file may simply end; before its first row it may have begun.
      const isTold = isReached({ account: first.account, time: first.closedAt }) && second <= (lastTold.get(keyOf(first.account, first.tradingDay)) ?? -1)
      if (booked.length > 0 || isTold) checks.push(checkOf(pairs, booked, { account: first.account, contract: first.contract, time: first.closedAt, tradingDay: first.tradingDay }))
    }
  }
  return checks
}

/** Bookings of pairs that Fillbook lacks, without those that the broker took back. */
const withoutCancelled = (strays: readonly Told[]): readonly Told[] => {
  const keyOfGross = ({ account, contract, tradingDay }: Told, gross: number): string => keyOf(account, contract, tradingDay, gross)
  const cancelled = Map.groupBy(strays.filter(({ cancels }) => cancels === true), (one) => keyOfGross(one, 0 - one.gross))
  if (cancelled.size === 0) return strays
  const gone = new Set<Told>()
  for (const one of strays) {
    const by = one.cancels === true ? undefined : cancelled.get(keyOfGross(one, one.gross))?.pop()
    if (by !== undefined) gone.add(one).add(by)
  }
  return strays.filter((one) => !gone.has(one))
}

const takeOne = (bookings: ReadonlyMap<string, string[]>, booking: string): boolean => bookings.get(booking)?.pop() !== undefined

const momentsOf = (closed: readonly ClosedPair[]): ReadonlyMap<string, readonly Moment[]> => {
  const streams = new Map<string, Map<number, Moment>>()
  for (const pair of closed) {
    const key = keyOf(pair.account, pair.contract)
    let stream = streams.get(key)
    if (stream === undefined) streams.set(key, (stream = new Map()))
    const second = secondOf(pair.closedAt)
    const moment = stream.get(second)
    if (moment === undefined) stream.set(second, { second, since: pair.closedSince, pairs: [pair], told: [] })
    else {
      moment.pairs.push(pair)
      moment.since = Math.min(moment.since, pair.closedSince)
    }
  }
  return new Map([...streams].map(([key, stream]) => [key, [...stream.values()].sort((one, other) => one.second - other.second)]))
}

/** The closing in that very second, else that of the order which was being filled then. */
const momentAt = (moments: readonly Moment[], { time }: Told): Moment | null => {
  let [low, high] = [0, moments.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((moments[middle]?.second ?? 0) < secondOf(time)) low = middle + 1
    else high = middle
  }
  const next = moments[low]
  return next !== undefined && (next.second === secondOf(time) || secondOf(next.since) <= secondOf(time)) ? next : null
}

const checkOf = (pairs: readonly ClosedPair[], told: readonly Told[], at: Pick<PairCheck, 'account' | 'contract' | 'time' | 'tradingDay'>): PairCheck => {
  const gross = amountOf(pairs.reduce((sum, pair) => sum + pair.gross, 0))
  const booked = amountOf(told.reduce((sum, one) => sum + one.gross, 0))
  const [first] = pairs
  const inItsCurrency = told.every(({ currency }) => currency === undefined || currency === null || currency === first?.currency)
  return {
    ...{ by: 'time', account: at.account, contract: at.contract, tradingDay: at.tradingDay, time: at.time, buyFillId: null, sellFillId: null },
    count: told.length,
    own: pairs,
    fillbook: pairs.length === 0 ? null : { qty: pairs.reduce((sum, { qty }) => sum + qty, 0), prices: null, gross },
    broker: told.length === 0 ? null : { qty: told.reduce((sum, { qty }) => sum + qty, 0), prices: null, gross: booked },
    equal: pairs.length > 0 && told.length > 0 && inItsCurrency && gross === booked,
  }
}
