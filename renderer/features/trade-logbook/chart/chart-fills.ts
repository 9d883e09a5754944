import type { TradeChart } from '#shared/api/prices.ts'
import type { Ticks } from '#shared/money/price.ts'
import { candleAt, type CandleSize } from '#shared/prices/candles.ts'
import { positionPath, type PathFill, type PositionPath } from '#shared/prices/position-path.ts'
import type { MarkedFill } from './price-chart.ts'

type Sent = TradeChart['fills'][number]

const fillOf = ({ at, qty, price }: Sent): PathFill => ({ at: at * 1000, qty, price: price as Ticks })

/** The position of a trade, fill by fill. */
export const pathOf = ({ fills }: Pick<TradeChart, 'fills'>): PositionPath => positionPath(fills.map(fillOf))

/** The position of all that an account did in the trade's contract in the session. */
export const dayPathOf = ({ fills, others }: Pick<TradeChart, 'fills' | 'others'>): PositionPath => positionPath([...others, ...fills].map(fillOf))

/** The fills up to a moment in µs, each on its candle. */
export const markedFills = ({ fills, others }: Pick<TradeChart, 'fills' | 'others'>, size: CandleSize, until = Infinity): readonly MarkedFill[] =>
  [...others.map((fill) => ({ fill, own: false })), ...fills.map((fill) => ({ fill, own: true }))]
    .filter(({ fill }) => fill.at * 1000 <= until)
    .map(({ fill, own }) => ({ candle: candleAt(fill.at * 1000, size).from / 1_000_000, qty: fill.qty, price: fill.price as Ticks, own }))
