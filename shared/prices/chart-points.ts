import type { TickValue } from '#shared/market/contract-spec.ts'
import type { Amount } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { Candle } from './candles.ts'
import { openPnl, type PathPosition, type PositionPath } from './position-path.ts'
import type { Micros } from './tape.ts'

/** A candle with what its trade was at its end: open P&L (null before the first fill and behind the last), the position, its average price, and what its position has surely seen. */
export type ChartPoint = Candle & {
  readonly end: Micros
  readonly pnl: Amount | null
  readonly held: PathPosition
  /** The contracts at its end, or the most that were held where the trade was opened and closed within it; below zero short. */
  readonly shown: number
  readonly seen: SeenPosition | null
}

/** The highest and lowest price since a position's average is what it is, its exits included. Behind the last fill it is of the position before. */
type SeenPosition = { readonly average: number; readonly isLong: boolean; readonly high: Ticks; readonly low: Ticks }

/** A candle that ends at `end`, or that is known up to there. */
export type CutCandle = Candle & { readonly end: Micros }

/** The point of a candle, from the one before it (null at the first). */
export const chartPoint = (path: PositionPath, tickValue: TickValue, before: ChartPoint | null, candle: CutCandle): ChartPoint => {
  const all = path.fills.length
  const [began, count] = [path.countBy(candle.at - 1), path.countBy(candle.end - 1)]
  const held = path.after(count)
  const isOver = began === all
  const seen = count === 0 || isOver ? null : seenBy(path, before?.seen ?? null, candle, began, count)
  return { ...candle, pnl: count === 0 || isOver ? null : openPnl(held, count === all ? lastPrice(path, candle.close) : candle.close, tickValue), held, shown: held.qty === 0 ? mostWithin(path, began, count) : held.qty, seen }
}

/** The largest position between two counts of fills that both leave none; zero where there was one before. */
const mostWithin = (path: PositionPath, began: number, count: number): number => {
  let most = 0
  if (path.after(began).qty !== 0) return most
  for (let fills = began + 1; fills < count; fills += 1) {
    const { qty } = path.after(fills)
    if (Math.abs(qty) > Math.abs(most)) most = qty
  }
  return most
}

const lastPrice = ({ fills }: PositionPath, none: Ticks): Ticks => fills.at(-1)?.price ?? none

// Of a candle in which the average changed, only what surely came afterwards counts: the fills from that one on, and the close. Of the last candle,
// only the open and the fills.
const seenBy = (path: PositionPath, before: SeenPosition | null, { open, high, low, close }: Candle, began: number, count: number): SeenPosition | null => {
  const { fills } = path
  const leaves = count === fills.length
  const { qty, average } = path.after(leaves ? count - 1 : count)
  if (average === null) return null
  let from = leaves ? count - 1 : count
  while (from > began && path.after(from - 1).average === average) from -= 1
  const changes = from > began
  const own = fills.slice(changes ? from - 1 : began, count).map(({ price }) => price)
  const prices = [...own, ...(changes ? [] : leaves ? [open] : [high, low]), ...(changes && !leaves ? [close] : [])]
  return { average, isLong: qty > 0, ...widened(changes ? null : before, prices) }
}

const widened = (seen: Pick<SeenPosition, 'high' | 'low'> | null, prices: readonly Ticks[]): Pick<SeenPosition, 'high' | 'low'> => {
  let [high, low] = [seen?.high ?? (-Infinity as Ticks), seen?.low ?? (Infinity as Ticks)]
  for (const price of prices) {
    if (price > high) high = price
    if (price < low) low = price
  }
  return { high, low }
}
