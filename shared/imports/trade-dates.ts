import { compareFills } from '#shared/fills/order.ts'
import { keyOf, type ImportedFill, type Placed } from './assembly.ts'
import { fillKey } from './distinct.ts'
import type { CashReading, PairReading } from './reading.ts'

const secondOf = (time: number): number => Math.floor(time / 1000)

/** The fills with the session that the broker books them on, where a pair that they closed or a movement of cash in their second tells it and they themselves do not. */
export const withTradeDates = (fills: readonly ImportedFill[], pairs: Iterable<Placed<PairReading>>, cash: Iterable<Placed<CashReading>>): readonly ImportedFill[] => {
  const byFill = datesOfClosings(pairs)
  const byMoment = new Map<string, string>()
  for (const { account, time, tradeDate, movement } of cash) if (movement !== 'other') keepLater(byMoment, keyOf(account, secondOf(time)), tradeDate)
  return fills.map((fill) => {
    if (fill.tradeDate !== null) return fill
    const tradeDate = byFill.get(fillKey({ account: fill.account, fillId: fill.id })) ?? byMoment.get(keyOf(fill.account, secondOf(fill.time)))
    return tradeDate === undefined ? fill : { ...fill, tradeDate }
  })
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
