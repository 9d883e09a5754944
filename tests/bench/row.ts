/** One measurement against its limit. */
export type BenchRow = {
  readonly name: string
  /** What the product took over what the plain thing beside it took; for growth, the larger input over the smaller. */
  readonly ratio: number
  /** The ratio must not exceed this. */
  readonly limit: number
  readonly details: Readonly<Record<string, number | string>>
}

/** The middle value, of an even number the upper one of the two. */
export const median = (values: readonly number[]): number => {
  const middle = values.toSorted((one, other) => one - other)[values.length >> 1]
  if (middle === undefined) throw new Error('No values')
  return middle
}

/** Milliseconds to three places, for the details. */
export const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000
