import type { TradeChart } from '#shared/api/prices.ts'
import { formatPrice, type Ticks } from '#shared/money/price.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { candleOf } from './candle-time.ts'

/** A price at which an order worked, from one candle to another, both by their UTC seconds. `order` tells orders apart. */
export type OrderSegment = { readonly order: number; readonly kind: 'stop' | 'limit'; readonly from: number; readonly to: number; readonly price: Ticks }

/** Where orders worked, as known at a moment in µs. */
export const orderSegments = ({ orders }: Pick<TradeChart, 'orders'>, size: CandleSize, now = Infinity): readonly OrderSegment[] =>
  orders.flatMap(({ kind, steps, until }, order) =>
    steps.flatMap(({ at, price }, index) => {
      if (at * 1000 > now) return []
      const to = Math.min(steps[index + 1]?.at ?? until, now / 1000)
      return [{ order, kind, from: candleOf(at, size), to: candleOf(Math.max(at, to), size), price: price as Ticks }]
    }),
  )

/** The stop that the trader entered; null if stop orders show where it was. */
export const flatStop = ({ orders }: Pick<TradeChart, 'orders'>, stop: number | null): number | null => (orders.some(({ kind }) => kind === 'stop') ? null : stop)

/** The first price at which a stop order worked to close the trade once it was entered; null where none did. */
export const workingStop = ({ fills, orders, tickSize }: Pick<TradeChart, 'fills' | 'orders' | 'tickSize'>): string | null => {
  const [entry] = fills.toSorted((one, other) => one.at - other.at)
  if (entry === undefined) return null
  const worked = orders
    .filter(({ kind, side, until }) => kind === 'stop' && side === (entry.qty > 0 ? 'sell' : 'buy') && until > entry.at)
    .flatMap(({ steps, until }) => steps.map(({ at, price }, index) => ({ from: Math.max(at, entry.at), to: steps[index + 1]?.at ?? until, price })))
    .filter(({ from, to }) => to > from)
    .toSorted((one, other) => one.from - other.from)
  return worked[0] === undefined ? null : formatPrice(worked[0].price as Ticks, tickSize)
}
