import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { afterHoliday } from '#shared/fills/booked-day.ts'
import { compareFills } from '#shared/fills/order.ts'
import { clearsWithNext, nextTradingDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { keyOf, type DoubtfulDays, type ImportedFill, type Placed, type RowConflict } from './assembly.ts'
import { fillKey, placeOf } from './distinct.ts'
import { secondOf } from './fill-facts.ts'
import type { CashReading, PairReading } from './reading.ts'

/**
 * The fills with the broker's session, from a pair they closed or a cash row of their second if they have none; otherwise, on a holiday that clears
 * with the next session, that one. For an order-only fill, a cash row between placement and fill is enough.
 */
export const withTradeDates = (fills: readonly ImportedFill[], pairs: Iterable<Placed<PairReading>>, cash: Iterable<Placed<CashReading>>): readonly ImportedFill[] => {
  const byFill = datesOfClosings(pairs)
  const byMoment = new Map<string, string>()
  const moments = new Map<string, number[]>()
  for (const { account, time, tradeDate, movement } of cash) {
    if (movement === 'other') continue
    keepLater(byMoment, keyOf(account, secondOf(time)), tradeDate)
    getOrInsert(moments, account, (): number[] => []).push(secondOf(time))
  }
  for (const seconds of moments.values()) seconds.sort((one, other) => one - other)
  return fills.map((fill) => {
    if (fill.tradeDate !== null) return fill
    const second = fill.since < fill.time ? lastWithin(moments.get(fill.account) ?? [], secondOf(fill.since), secondOf(fill.time)) : secondOf(fill.time)
    const tradeDate = byFill.get(fillKey({ account: fill.account, fillId: fill.id })) ?? byMoment.get(keyOf(fill.account, second)) ?? afterHoliday(fill)
    return tradeDate === null ? fill : { ...fill, tradeDate }
  })
}

/**
 * Pairs booked on another session than their close's: closed trades, which have a session only beside an exact time, and pairs while nearly all others of
 * their account are right, so that the zone is right and the date wrong. Their trading days, and the pairs.
 */
export const misdated = (pairs: readonly Placed<PairReading>[]): { readonly contradicted: readonly DoubtfulDays[]; readonly apart: readonly RowConflict[] } => {
  const dated = pairs.filter(({ tradeDate }) => tradeDate !== null)
  const off = dated.flatMap((pair) => {
    const closing = Math.max(pair.buy.time, pair.sell.time)
    const session = tradingDay(closing)
    const isOwn = pair.tradeDate === session || (clearsWithNext(session) && pair.tradeDate === nextTradingDay(session))
    return isOwn ? [] : [{ pair, session, isFar: tradingDay(closing - fromRoll) === tradingDay(closing + fromRoll) }]
  })
  const isFew = off.length * fewOfAll <= dated.length
  const wrong = off.filter(({ pair, isFar }) => pair.closing !== undefined || (isFew && isFar))
  return {
    contradicted: wrong.map(({ pair: { account, tradeDate }, session }) => ({ account, reason: 'contradicting-rows', ...((tradeDate ?? session) < session ? { from: tradeDate, to: session } : { from: session, to: tradeDate }) })),
    apart: wrong.map(({ pair }) => ({ what: 'pair', id: `${pair.buy.fillId}/${pair.sell.fillId}`, differs: ['date'], at: [placeOf(pair)] })),
  }
}

// This far from a session's start, a zone that is an hour or two off does not change the session.
const fromRoll = 3 * 3_600_000
const fewOfAll = 4

/** The last of sorted seconds within a range; the range's end if none. */
const lastWithin = (seconds: readonly number[], from: number, to: number): number => {
  let [low, high] = [0, seconds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seconds[middle] ?? 0) <= to) low = middle + 1
    else high = middle
  }
  const last = seconds[low - 1]
  return last !== undefined && last >= from ? last : to
}

const datesOfClosings = (pairs: Iterable<Placed<PairReading>>): ReadonlyMap<string, string> => {
  const dates = new Map<string, string>()
  for (const { account, buy, sell, tradeDate } of pairs) {
    if (tradeDate === null) continue
    const [one, other] = [{ id: buy.fillId, time: buy.time }, { id: sell.fillId, time: sell.time }]
    keepLater(dates, fillKey({ account, fillId: (compareFills(one, other) > 0 ? one : other).id }), tradeDate)
  }
  return dates
}

const keepLater = (dates: Map<string, string>, key: string, date: string): void => {
  const known = dates.get(key)
  if (known === undefined || date > known) dates.set(key, date)
}
