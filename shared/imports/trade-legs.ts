import { compareText } from '#shared/base/compare-text.ts'
import { openingLegOf } from '#shared/fills/legs.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { shareOf } from '#shared/money/share.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { type DoubtfulDays, type ImportedFill, keyOf, type Placed, type RowConflict, signedQty } from './assembly.ts'
import { maxPlaces, placeOf, placesInOrder } from './distinct.ts'
import { issuerOf } from './fill-ids.ts'
import type { PairReading } from './reading.ts'

/** Whether a pair is a platform's closed trade, and not a pair of the broker's fills. */
export const isClosedTrade = ({ closing }: Pick<PairReading, 'closing'>): boolean => closing !== undefined

/** Whether a fill is a leg of a platform's closed trade. */
export const isLeg = ({ id, source }: ImportedFill): boolean => source === 'pairs-file' && /~(?:in|out)$/.test(id)

/** Closed trades of one account, each once, and the days and rows on which files differ. */
export type WholeTrades = { readonly trades: readonly Placed<PairReading>[]; readonly doubtful: readonly DoubtfulDays[]; readonly apart: readonly RowConflict[] }

/** What one file has of the trades that closed in a second: trades without an id of their own are compared by that. */
const textOf = (trades: readonly Placed<PairReading>[]): string => trades.map(({ buy, sell, qty, pnl, fees }) => keyOf(buy.fillId, sell.fillId, qty, pnl, fees ?? '')).sort().join('\n')

/** Rows of one id that differ put all of their days in doubt; and a trade that two files have under two ids, each of which the other lacks, counts once, with its day in doubt. */
const underOneId = (trades: readonly Placed<PairReading>[]): WholeTrades => {
  const named = trades.filter(({ pairId }) => pairId !== null)
  const doubtful = [...Map.groupBy(named, ({ buy }) => buy.fillId).values()].flatMap((rows) => (new Set(rows.map((row) => keyOf(contentOf(row), row.pnl))).size > 1 ? rows.map(dayOf) : []))
  const gone = new Set<string>()
  const apart: RowConflict[] = []
  for (const alike of Map.groupBy(named, contentOf).values()) {
    const ids = [...Map.groupBy(alike, ({ buy }) => buy.fillId)].map(([id, rows]) => ({ id, files: new Set(rows.map(({ ofFile }) => ofFile)), rows })).toSorted((one, other) => compareText(one.id, other.id))
    for (const [place, { id, files, rows }] of ids.entries()) {
      if (ids.slice(0, place).every((other) => gone.has(other.id) || [...files].some((file) => other.files.has(file)))) continue
      gone.add(id)
      doubtful.push(...rows.map(dayOf))
      apart.push({ what: 'pair', id, differs: ['fill-id'], at: placesInOrder(alike.map(placeOf)).slice(0, maxPlaces) })
    }
  }
  return { trades: gone.size === 0 ? trades : trades.filter(({ buy }) => !gone.has(buy.fillId)), doubtful, apart }
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
 * that second count. If the files differ in more than that, those with more contracts count, or with their fees, and the day is in doubt.
 */
export const tradesOfFiles = (all: readonly Placed<PairReading>[]): WholeTrades => {
  const { trades, ...named } = underOneId(all)
  const [doubtful, apart] = [[...named.doubtful], [...named.apart]]
  const closed = ({ closing, buy, sell }: Placed<PairReading>): number => (closing === 'buy' ? buy : sell).time
  const whole = [...Map.groupBy(trades, (trade) => (trade.pairId === null ? keyOf(issuerOf(trade.buy.fillId), trade.contract, trade.closing ?? '', closed(trade)) : '')).entries()].flatMap(([moment, own]) => {
    const byFile = [...Map.groupBy(own, ({ ofFile }) => ofFile).values()]
    if (moment === '' || byFile.length === 1) return own
    const sizeOf = (rows: readonly Placed<PairReading>[]): number => rows.reduce((sum, { qty }) => sum + qty, 0)
    const describedOf = (rows: readonly Placed<PairReading>[]): number => rows.filter(({ excursions }) => excursions !== undefined).length
    const chargedOf = (rows: readonly Placed<PairReading>[]): number => rows.filter(({ fees }) => fees !== undefined).length
    const [best = [], ...others] = byFile.toSorted((one, other) => sizeOf(other) - sizeOf(one) || chargedOf(other) - chargedOf(one) || describedOf(other) - describedOf(one) || compareText(textOf(one), textOf(other)))
    const [first] = best
    if (first !== undefined && others.some((other) => legsText(other) !== legsText(best))) {
      doubtful.push(dayOf(first))
      apart.push({ what: 'pair', id: `${first.buy.fillId}/${first.sell.fillId}`, differs: [others.some((other) => sizeOf(other) !== sizeOf(best)) ? 'quantity' : 'pnl'], at: placesInOrder(own.map(placeOf)).slice(0, maxPlaces) })
    }
    return best
  })
  return { trades: whole, doubtful, apart }
}

/** Both legs of each closed trade as fills of one account, half of its fees on each. */
export const legsOfTrades = (trades: readonly Placed<PairReading>[]): readonly ImportedFill[] => trades.toSorted((one, other) => compareText(one.buy.fillId, other.buy.fillId)).flatMap(bothLegs)

/** Legs of one second in the order in which each exit finds its entry open. */
export const legsInSequence = (legs: readonly ImportedFill[]): readonly ImportedFill[] => [...Map.groupBy(legs, ({ contract }) => contract).values()].flatMap(inSequence)

const bothLegs = ({ account, contract, qty, buy, sell, closing, fees }: Placed<PairReading>): readonly ImportedFill[] => {
  const half = fees === undefined ? null : shareOf(fees, 0, 1, 2)
  return ([['buy', buy], ['sell', sell]] as const).map(([side, { fillId, time, price }]): ImportedFill => {
    const fee: Amount | null = half === null || fees === undefined ? null : side === closing ? amountOf(fees - half) : half
    return { id: fillId, account, contract, time, side, qty, price, fee, active: true, source: 'pairs-file', orderId: null, tradeDate: null, since: time }
  })
}

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
    const goesOn = (leg: ImportedFill): boolean => isEntry(leg) && (net === 0 || Math.sign(net) === Math.sign(signedQty(leg)))
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
      net += signedQty(next)
      last = Math.max(time, last + 1)
      ordered.push(last === time ? next : { ...next, time: last })
    }
  }
  return against.size === 0 ? ordered : ordered.map((leg) => (against.has(openingLegOf(leg.id) ?? leg.id) ? { ...leg, ambiguous: true } : leg))
}
