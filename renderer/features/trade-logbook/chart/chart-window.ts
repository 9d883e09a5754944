import type { TradeChart } from '#shared/api/prices.ts'
import { candleAt, candleSizes, isFineEnough, isTickSize, longestTicksMs, mostCandles, tickSizes, type CandleSize, type TickSize, type TimeSize } from '#shared/prices/candles.ts'
import { printsIn } from '#shared/prices/tick-candles.ts'

/** A span in UTC ms. */
export type MsSpan = { readonly from: number; readonly to: number }

type Facts = Pick<TradeChart, 'fills' | 'session' | 'known' | 'prints'>

/** Traders' names of the sizes of candles, in every language. */
export const sizeNames: Readonly<Record<CandleSize, string>> = { '1t': '1T', '100t': '100T', '500t': '500T', '1000t': '1000T', 1: '1s', 5: '5s', 15: '15s', 60: '1m', 300: '5m', 900: '15m', 3600: '1h', 86_400: '1D' }

/** The size of candles of a day. */
export const daySize = 86_400
const hourSize = 3600
// More candles are slow to draw, and too small to see.
const usualCandles = 3000
const dayMs = 86_400_000

/** From a trade's first fill to its last. */
export const spanOfTrade = ({ fills }: Pick<TradeChart, 'fills'>): MsSpan => ({ from: fills[0]?.at ?? 0, to: fills.at(-1)?.at ?? 0 })

/** The sizes of tick candles that fit the whole trade; none if prints do not cover it. */
export const tickSizesOf = (facts: Facts): readonly TickSize[] => {
  const { from, to } = spanOfTrade(facts)
  const { prints } = facts
  if (prints === null || to - from >= longestTicksMs || !facts.known.some((part) => part.grain === 0 && part.from <= to && part.to >= from)) return []
  return tickSizes.filter((size) => prints / printsIn(size) < mostCandles / 2)
}

/** The time-based candle sizes that the stored prices allow and that fit the whole trade. */
export const timeSizesOf = (facts: Facts): readonly TimeSize[] => {
  const { from, to } = spanOfTrade(facts)
  return candleSizes.filter((size) => (to - from) / 1000 / size < mostCandles / 2 && facts.known.some(({ grain }) => isFineEnough(grain === 0 ? 'prints' : grain, size)))
}

/** All candle sizes that the stored prices allow and that fit the whole trade. */
export const sizesOf = (facts: Facts): readonly CandleSize[] => [...tickSizesOf(facts), ...timeSizesOf(facts)]

/** The size at first: the largest in which the trade is thirty candles long, else the finest in time. */
export const usualSize = (facts: Facts): CandleSize => {
  const { from, to } = spanOfTrade(facts)
  const sizes = timeSizesOf(facts)
  return sizes.findLast((size) => size < daySize && (to - from) / 1000 / size >= 30) ?? sizes[0] ?? 60
}

/** The span of candles to fetch: the session, or the time around the trade. For tick candles the backend adds neighbors, because only it knows how long they last. */
export const windowOf = (facts: Facts, size: CandleSize): MsSpan => {
  const trade = spanOfTrade(facts)
  if (isTickSize(size)) return { from: trade.from, to: trade.to + 1 }
  if (size >= hourSize) {
    const margin = (size === daySize ? 90 : 7) * dayMs
    return { from: trade.from - margin, to: trade.to + margin }
  }
  const margin = Math.max(0, usualCandles * size * 1000 - (trade.to - trade.from)) / 2
  return { from: Math.max(facts.session.from, trade.from - margin), to: Math.min(facts.session.to, trade.to + margin + size * 1000) }
}

const leadCandles = 60
const mostLeadCandles = 1200

/** The span of candles before a replay that begins at a moment in ms: since the session's begin, or 60 candles. */
export const leadOf = ({ session }: Pick<TradeChart, 'session'>, begins: number, size: TimeSize): MsSpan => {
  const to = candleAt(begins * 1000, size).from / 1000
  const back = (count: number): number => to - count * size * 1000
  return { from: Math.max(back(mostLeadCandles), Math.min(session.from, back(leadCandles))), to }
}

/** The first part of a trade without stored prices; null if they cover all of it. */
export const missingOf = (facts: Facts): MsSpan | null => {
  const { from, to } = spanOfTrade(facts)
  let known = from
  for (const part of facts.known) {
    if (part.from > known) break
    known = Math.max(known, part.to)
  }
  if (known >= to) return null
  return { from: known, to: Math.min(to, facts.known.find((part) => part.from > known)?.from ?? to) }
}
