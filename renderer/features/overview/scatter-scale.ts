/** An axis from its lowest to its highest round number, with round numbers between. */
export type Axis = { readonly from: number; readonly to: number; readonly ticks: readonly number[] }

const wanted = 5

/** The axis that holds all values, and zero. */
export const axisOf = (values: readonly number[]): Axis => {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const span = high - low || 1
  const power = 10 ** Math.floor(Math.log10(span / wanted))
  const step = ([1, 2, 5].find((times) => span / (times * power) <= wanted + 1) ?? 10) * power
  const [from, to] = [Math.floor(low / step), Math.max(Math.ceil(high / step), Math.floor(low / step) + 1)]
  return { from: from * step, to: to * step, ticks: Array.from({ length: to - from + 1 }, (_, index) => (from + index) * step) }
}

/** Where a value lies on an axis, 0 to 1. */
export const placeOn = ({ from, to }: Axis, value: number): number => (value - from) / (to - from)
