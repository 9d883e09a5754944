import type { TradeChart } from '#shared/api/prices.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import type { ChartPoint } from '#shared/prices/chart-points.ts'
import type { ReplayTape } from '#shared/prices/replay-tape.ts'
import { markedFills } from './chart-fills.ts'
import type { PriceChart } from './price-chart.ts'

// Replacing many candles takes longer than a frame; what is older is a pan away only until the next jump.
const afterJump = 1_200
const mostShown = 4_000
const mostUpdates = 60

/** Shows a replay's steps in a chart, behind the candles of `lead`: what is next by small updates, what is far or before by new candles. */
export const createReplayView = (chart: PriceChart, tape: ReplayTape, facts: TradeChart, size: CandleSize, lead: readonly ChartPoint[]) => {
  let first = 0
  let last = -1
  let fills = -1

  const replace = (step: number): void => {
    const points = tape.pointsTo(step, afterJump)
    last = tape.candleOf(step)
    first = last - points.length + 1
    const begins = points[0]?.at ?? 0
    chart.setAll(first > 0 ? points : [...lead.filter(({ at }) => at < begins), ...points])
    chart.toEnd()
  }
  return (step: number): void => {
    const newest = tape.candleOf(step)
    if (newest < last || last < 0 || newest - last > mostUpdates || newest - first > mostShown) replace(step)
    else {
      for (const [index, point] of tape.pointsFrom(last, step).entries()) chart.update(point, index > 0)
      last = newest
    }
    const { fills: now, at } = tape.moment(step)
    const others = facts.others.filter((fill) => fill.at * 1000 <= at).length
    if (now + others !== fills) {
      fills = now + others
      chart.setMarks(markedFills(facts, size, at))
    }
  }
}
