import type { TradeChart } from '#shared/api/prices.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { positionPath, type PathFill, type PositionPath } from '#shared/prices/position-path.ts'
import { candleOf } from './candle-time.ts'
import type { MarkedFill } from './price-chart.ts'

type Sent = TradeChart['fills'][number]

const fillOf = ({ at, qty, price }: Sent): PathFill => ({ at: at * 1000, qty, price: price as Ticks })

/** The position of a trade, fill by fill. */
export const pathOf = ({ fills }: Pick<TradeChart, 'fills'>): PositionPath => positionPath(fills.map(fillOf))

/** The account's whole position in the trade's contract during the session. */
export const dayPathOf = ({ fills, others }: Pick<TradeChart, 'fills' | 'others'>): PositionPath => positionPath([...others, ...fills].map(fillOf))

/** The fills up to a moment in µs, each on its candle. Those of one second and side lie over each other: the first says the sum. */
export const markedFills = ({ fills, others }: Pick<TradeChart, 'fills' | 'others'>, size: CandleSize, until = Infinity): readonly MarkedFill[] => {
  const known = [...others.map((fill) => ({ fill, own: false })), ...fills.map((fill) => ({ fill, own: true }))].filter(({ fill }) => fill.at * 1000 <= until)
  const together = Map.groupBy(known, ({ fill, own }) => `${String(own)} ${String(Math.sign(fill.qty))} ${String(Math.floor(fill.at / 1000))}`)
  return [...together.values()].flatMap((group) => {
    const sum = group.reduce((total, { fill }) => total + fill.qty, 0)
    return group.map(({ fill, own }, index) => ({ candle: candleOf(fill.at, size), qty: fill.qty, price: fill.price as Ticks, own, label: index === 0 ? sum : null }))
  })
}
