import { fewestFills, type FillPrice } from './calibrate.ts'
import { mostTolerance } from './fill-moments.ts'

/** Bars of one width (µs) in order: where each begins in UTC µs, and its prices in whole ticks. */
type Bars = { readonly width: number; readonly at: Float64Array; readonly high: Int32Array; readonly low: Int32Array }

/**
 * How bars of a feed fit the fills of their contract: as they are, as bars that bear the time of their end, or not at all.
 * A feed is believed to name bars by their start unless the fills contradict that; `tick` is the size of one.
 */
export const fitBars = (bars: Bars, fills: readonly FillPrice[], tick: number): 'start' | 'end' | 'unlike' => {
  const [start, end] = [counted(bars, fills, tick, 0), counted(bars, fills, tick, -bars.width)]
  if (start.of < fewestFills || start.inside * 2 >= start.of) return 'start'
  return end.of >= fewestFills && end.inside === end.of ? 'end' : 'unlike'
}

const counted = ({ width, at, high, low }: Bars, fills: readonly FillPrice[], tick: number, shift: number): { readonly inside: number; readonly of: number } => {
  let [inside, of] = [0, 0]
  for (const { at: time, price } of fills) {
    const [from, to] = [time * 1000 - mostTolerance - shift, time * 1000 + mostTolerance - shift]
    let [lowest, highest] = [Infinity, -Infinity]
    for (let index = firstBehind(at, from - width); index < at.length && (at[index] ?? 0) <= to; index += 1) {
      lowest = Math.min(lowest, low[index] ?? 0)
      highest = Math.max(highest, high[index] ?? 0)
    }
    if (highest === -Infinity) continue
    of += 1
    const ticks = Math.round(price / tick)
    if (ticks >= lowest && ticks <= highest) inside += 1
  }
  return { inside, of }
}

/** The first place whose moment is greater. */
const firstBehind = (at: Float64Array, moment: number): number => {
  let [low, high] = [0, at.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((at[middle] ?? 0) > moment) high = middle
    else low = middle + 1
  }
  return low
}
