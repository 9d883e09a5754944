import { openingLegOf } from '#shared/fills/legs.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { shareOf } from '#shared/money/share.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { compareText, keyOf, type DoubtfulDays, type ImportedFill, type Placed } from './assembly.ts'
import { secondOf } from './fill-facts.ts'
import type { PairReading } from './reading.ts'

/** Whether a pair is a platform's closed trade, and not a pair of the broker's fills. */
export const isClosedTrade = ({ closing }: Pick<PairReading, 'closing'>): boolean => closing !== undefined

/** Closed trades of one account, each once, and the days on which files differ. */
export type WholeTrades = { readonly trades: readonly Placed<PairReading>[]; readonly doubtful: readonly DoubtfulDays[] }

/** What one file has of the trades that closed in a second: trades without an id of their own are compared by that. */
const textOf = (trades: readonly Placed<PairReading>[]): string => trades.map(({ buy, sell, qty, pnl, fees }) => keyOf(buy.fillId, sell.fillId, qty, pnl, fees ?? '')).sort().join('\n')

/** Rows of one id that differ put all of their days in doubt; and a trade that two files have under two ids, each of which the other lacks, counts once, with its day in doubt. */
const underOneId = (trades: readonly Placed<PairReading>[]): WholeTrades => {
  const named = trades.filter(({ pairId }) => pairId !== null)
  const doubtful = [...Map.groupBy(named, ({ buy }) => buy.fillId).values()].flatMap((rows) => (new Set(rows.map((row) => keyOf(contentOf(row), row.pnl))).size > 1 ? rows.map(dayOf) : []))
  const gone = new Set<string>()
  for (const alike of Map.groupBy(named, contentOf).values()) {
    const ids = [...Map.groupBy(alike, ({ buy }) => buy.fillId)].map(([id, rows]) => ({ id, files: new Set(rows.map(({ ofFile }) => ofFile)), rows })).toSorted((one, other) => compareText(one.id, other.id))
    for (const [place, { id, files, rows }] of ids.entries()) {
      if (ids.slice(0, place).every((other) => gone.has(other.id) || [...files].some((file) => other.files.has(file)))) continue
      gone.add(id)
      doubtful.push(...rows.map(dayOf))
    }
  }
  return { trades: gone.size === 0 ? trades : trades.filter(({ buy }) => !gone.has(buy.fillId)), doubtful }
}

const contentOf = ({ contract, closing, buy, sell, qty }: Placed<PairReading>): string => keyOf(contract, closing ?? '', buy.time, buy.price, sell.time, sell.price, qty)

const dayOf = ({ account, buy, sell, tradeDate }: Placed<PairReading>): DoubtfulDays => {
  const day = tradeDate ?? tradingDay(Math.max(buy.time, sell.time))
  return { account, from: day, to: day, reason: 'contradicting-rows' }
}

/** What entered and left in the trades of one second, however the platform paired it, and the sums that it states. */
const legsText = (trades: readonly Placed<PairReading>[]): string => {
  const legs = new Map<string, number>()
  for (const { buy, sell, qty } of trades) for (const [side, { time, price }] of [['buy', buy], ['sell', sell]] as const) legs.set(keyOf(side, time, price), (legs.get(keyOf(side, time, price)) ?? 0) + qty)
  const sumOf = (of: 'pnl' | 'fees'): number => trades.reduce((sum, trade) => sum + (trade[of] ?? 0), 0)
  return [...[...legs].map(([leg, qty]) => keyOf(leg, qty)).sort(), sumOf('pnl'), sumOf('fees')].join('\n')
}

/**
 * The closed trades of all files. A platform that gives them no ids may pair the exits of one second another way in the next export: one file's trades of
 * that second count. If the files differ in more than that, those with more contracts count and the day is in doubt.
 */
export const tradesOfFiles = (all: readonly Placed<PairReading>[]): WholeTrades => {
  const { trades, doubtful: apart } = underOneId(all)
  const doubtful = [...apart]
  const closed = ({ closing, buy, sell }: Placed<PairReading>): number => (closing === 'buy' ? buy : sell).time
  const whole = [...Map.groupBy(trades, (trade) => (trade.pairId === null ? keyOf(trade.contract, trade.closing ?? '', closed(trade)) : '')).entries()].flatMap(([moment, own]) => {
    const byFile = [...Map.groupBy(own, ({ ofFile }) => ofFile).values()]
    if (moment === '' || byFile.length === 1) return own
    const sizeOf = (rows: readonly Placed<PairReading>[]): number => rows.reduce((sum, { qty }) => sum + qty, 0)
    const [best = [], ...others] = byFile.toSorted((one, other) => sizeOf(other) - sizeOf(one) || compareText(textOf(one), textOf(other)))
    const [first] = best
    if (first !== undefined && others.some((other) => legsText(other) !== legsText(best))) doubtful.push(dayOf(first))
    return best
  })
  return { trades: whole, doubtful }
}

/** The fills of closed trades beyond the known ones, and the days on which only a part of one is known. */
export type TradeLegs = { readonly fills: readonly ImportedFill[]; readonly doubtful: readonly DoubtfulDays[] }

/**
 * Both legs of each closed trade as fills of one account, half of its fees on each. A known fill of the same contract, side, price, and second is that
 * leg: another file or the broker has it, and it counts once. Legs of one second stand in the order in which each exit finds its entry open.
 */
export const legsOfTrades = (trades: readonly Placed<PairReading>[], known: readonly ImportedFill[]): TradeLegs => {
  const held = new Map<string, number>()
  const doubtful: DoubtfulDays[] = []
  if (trades.length > 0) for (const fill of known) if (fill.active) held.set(placeOf(fill), (held.get(placeOf(fill)) ?? 0) + fill.qty)
  const legs = trades.toSorted((one, other) => compareText(one.buy.fillId, other.buy.fillId)).flatMap(bothLegs).flatMap((leg): ImportedFill[] => {
    const before = held.get(placeOf(leg)) ?? 0
    const taken = Math.min(before, leg.qty)
    if (taken === 0) return [leg]
    held.set(placeOf(leg), before - taken)
    if (taken === leg.qty) return []
    doubtful.push({ account: leg.account, from: tradingDay(leg.time), to: tradingDay(leg.time), reason: 'contradicting-rows' })
    return [{ ...leg, qty: leg.qty - taken, fee: leg.fee === null ? null : shareOf(leg.fee, taken, leg.qty, leg.qty) }]
  })
  return { fills: [...Map.groupBy(legs, ({ contract }) => contract).values()].flatMap(inSequence), doubtful }
}

const placeOf = ({ contract, side, price, time }: ImportedFill): string => keyOf(contract, side, price, secondOf(time))

const bothLegs = ({ account, contract, qty, buy, sell, closing, fees }: Placed<PairReading>): readonly ImportedFill[] => {
  const half = fees === undefined ? null : shareOf(fees, 0, 1, 2)
  return ([['buy', buy], ['sell', sell]] as const).map(([side, { fillId, time, price }]): ImportedFill => {
    const fee: Amount | null = half === null || fees === undefined ? null : side === closing ? amountOf(fees - half) : half
    return { id: fillId, account, contract, time, side, qty, price, fee, active: true, source: 'pairs-file', orderId: null, tradeDate: null, since: time }
  })
}

const signed = ({ side, qty }: ImportedFill): number => (side === 'buy' ? qty : -qty)

/** One contract's legs, those of one time a millisecond apart in the order in which they can have happened; marked where a trade would open against another one. */
const inSequence = (legs: readonly ImportedFill[]): readonly ImportedFill[] => {
  const open = new Set<string>()
  const against = new Set<string>()
  const ordered: ImportedFill[] = []
  let [net, last] = [0, Number.NEGATIVE_INFINITY]
  for (const [time, moment] of [...Map.groupBy(legs, (leg) => leg.time)].sort(([one], [other]) => one - other)) {
    const left = moment.toSorted((one, other) => compareText(one.id, other.id))
    const closedHere = new Set(left.flatMap(({ id }) => openingLegOf(id) ?? []))
    const isEntry = ({ id }: ImportedFill): boolean => openingLegOf(id) === null
    const goesOn = (leg: ImportedFill): boolean => isEntry(leg) && (net === 0 || Math.sign(net) === Math.sign(signed(leg)))
    while (left.length > 0) {
      const next =
        left.find(({ id }) => open.has(openingLegOf(id) ?? '')) ??
        left.find((leg) => goesOn(leg) && closedHere.has(leg.id)) ??
        left.find(goesOn) ??
        left.find(isEntry) ??
        (left[0] as ImportedFill)
      left.splice(left.indexOf(next), 1)
      if (isEntry(next) && !goesOn(next)) for (const id of [next.id, ...open]) against.add(id)
      if (isEntry(next)) open.add(next.id)
      else open.delete(openingLegOf(next.id) ?? '')
      net += signed(next)
      last = Math.max(time, last + 1)
      ordered.push(last === time ? next : { ...next, time: last })
    }
  }
  return against.size === 0 ? ordered : ordered.map((leg) => (against.has(openingLegOf(leg.id) ?? leg.id) ? { ...leg, ambiguous: true } : leg))
}
