/** How far below its highest point so far, or below zero where it began, a curve is at each of its points: zero or less. */
export const belowHigh = (values: readonly number[]): number[] => {
  let high = 0
  return values.map((value) => {
    high = Math.max(high, value)
    return value - high
  })
}
