import type { TickValue } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Candle } from './candles.ts'
import { openPnl, type Held, type PositionPath } from './position-path.ts'
import type { Micros } from './tape.ts'

/** A candle with what its trade was at its end: open P&L (null before the first fill and behind the last), the position, its average price, and the highest and lowest price that the trade has surely seen. */
export type ChartPoint = Candle & {
  readonly end: Micros
  readonly pnl: Amount | null
  readonly held: Held
  readonly seen: { readonly high: Ticks; readonly low: Ticks } | null
}

/** A candle that ends at `end`, or that is known up to there. */
export type CutCandle = Candle & { readonly end: Micros }

/** The point of a candle, from the one before it (null at the first). */
export const chartPoint = (path: PositionPath, tickValue: TickValue, before: ChartPoint | null, candle: CutCandle): ChartPoint => {
  const all = path.fills.length
  const [began, count] = [path.countBy(candle.at - 1), path.countBy(candle.end - 1)]
  const held = path.after(count)
  const isOver = began === all
  const seen = count === 0 ? null : isOver ? null : widened(before?.seen ?? null, pricesWithin(path, candle, began, count))
  return { ...candle, pnl: count === 0 || isOver ? null : openPnl(held, count === all ? lastPrice(path, candle.close) : candle.close, tickValue), held, seen }
}

const lastPrice = ({ fills }: PositionPath, none: Ticks): Ticks => fills.at(-1)?.price ?? none

/** The prices of a candle that surely fell within the trade: of one that holds its first or last fill only the fills, and the end that lies within. */
const pricesWithin = ({ fills }: PositionPath, { open, high, low, close }: Candle, began: number, count: number): readonly Ticks[] => {
  const own = fills.slice(began, count).map(({ price }) => price)
  const [enters, leaves] = [began === 0, count === fills.length]
  if (!enters && !leaves) return [high, low, ...own]
  return [...own, ...(enters ? [] : [open]), ...(leaves ? [] : [close])]
}

const widened = (seen: ChartPoint['seen'], prices: readonly Ticks[]): ChartPoint['seen'] => {
  let [high, low] = [seen?.high ?? (-Infinity as Ticks), seen?.low ?? (Infinity as Ticks)]
  for (const price of prices) {
    if (price > high) high = price
    if (price < low) low = price
  }
  return { high, low }
}
