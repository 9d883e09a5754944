import type { Amount } from '#shared/money/money.ts'

type Point = { readonly cumulative: Amount }

/**
 * Thins a curve to at most `most` (4 or more) points for drawing: the first, the last, and the lowest and highest of each stretch
 * between them, so that no high and no drawdown is lost. A short curve is returned unchanged.
 */
export const thinCurve = <Of extends Point>(curve: readonly Of[], most: number): readonly Of[] => {
  const last = curve.length - 1
  if (curve.length <= most) return curve
  const stretches = Math.floor((most - 2) / 2)
  const kept = [0]
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const [from, to] = [1 + Math.floor((stretch * (last - 1)) / stretches), 1 + Math.floor(((stretch + 1) * (last - 1)) / stretches)]
    kept.push(...extremes(curve, from, to))
  }
  return [...kept, last].flatMap((index) => curve[index] ?? [])
}

/** The indexes of the lowest and highest point in [from, to), in order. */
const extremes = (curve: readonly Point[], from: number, to: number): readonly number[] => {
  let [lowest, highest] = [from, from]
  for (let index = from + 1; index < to; index += 1) {
    if (valueAt(curve, index) < valueAt(curve, lowest)) lowest = index
    if (valueAt(curve, index) > valueAt(curve, highest)) highest = index
  }
  return lowest === highest ? [lowest] : [Math.min(lowest, highest), Math.max(lowest, highest)]
}

const valueAt = (curve: readonly Point[], index: number): number => curve[index]?.cumulative ?? 0
