import type { TradeChart } from '#shared/api/prices.ts'
import type { Ticks } from '#shared/money/price.ts'
import { candleAt, type CandleSize } from '#shared/prices/candles.ts'

/** A price at which an order worked, from one candle to another, both by their UTC seconds. `order` tells orders apart. */
export type OrderSegment = { readonly order: number; readonly kind: 'stop' | 'limit'; readonly from: number; readonly to: number; readonly price: Ticks }

/** Where orders worked, as far as it was known at a moment in µs. */
export const orderSegments = ({ orders }: Pick<TradeChart, 'orders'>, size: CandleSize, now = Infinity): readonly OrderSegment[] => {
  const candleOf = (ms: number): number => candleAt(ms * 1000, size).from / 1_000_000
  return orders.flatMap(({ kind, steps, until }, order) =>
    steps.flatMap(({ at, price }, index) => {
      if (at * 1000 > now) return []
      const to = Math.min(steps[index + 1]?.at ?? until, now / 1000)
      return [{ order, kind, from: candleOf(at), to: candleOf(Math.max(at, to)), price: price as Ticks }]
    }),
  )
}

/** The stop that the trader entered, unless stop orders tell where it was. */
export const flatStop = ({ orders }: Pick<TradeChart, 'orders'>, stop: number | null): number | null => (orders.some(({ kind }) => kind === 'stop') ? null : stop)
