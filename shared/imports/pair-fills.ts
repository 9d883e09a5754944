import type { Side } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { keyOf, type DoubtfulDays, type ImportedFill, type Placed } from './assembly.ts'
import { fillKey } from './distinct.ts'
import type { PairReading, PairedFill } from './reading.ts'

/** What pairs tell of fills. */
export type PairFills = { readonly fills: readonly ImportedFill[]; /** The trading days of fills that pairs tell differently. */ readonly contradicted: readonly DoubtfulDays[] }

/** The fills that pairs tell of: each has the quantity that its pairs sum up to, which is the least it can have. */
export const fillsOfPairs = (pairs: Iterable<Placed<PairReading>>, isKnown: (fill: string) => boolean): PairFills => {
  const fills = new Map<string, ImportedFill>()
  const contradicted: DoubtfulDays[] = []
  const note = (pair: Placed<PairReading>, side: Side, { fillId, time, price }: PairedFill): void => {
    const { account, contract, qty } = pair
    if (isKnown(fillKey({ account, fillId }))) return
    const key = keyOf(account, contract, fillId, side)
    const before = fills.get(key)
    const fill = before ?? { id: fillId, account, contract, time, side, qty: 0, price, fee: null, active: true, source: 'pairs-file', orderId: null, tradeDate: null, since: time }
    // Where pairs disagree on a fill, the choice must not depend on their order.
    const earliest = Math.min(fill.time, time)
    if (fill.time !== time || fill.price !== price) contradicted.push({ account, from: tradingDay(earliest), to: tradingDay(Math.max(fill.time, time)), reason: 'contradicting-rows' })
    fills.set(key, { ...fill, qty: fill.qty + qty, time: earliest, since: earliest, price: fill.price < price ? fill.price : price })
  }
  for (const pair of pairs) {
    note(pair, 'buy', pair.buy)
    note(pair, 'sell', pair.sell)
  }
  return { fills: [...fills.values()], contradicted }
}
