/** One measurement against its limit. */
export type BenchRow = {
  readonly name: string
  /** What the product took over what the plain thing beside it took; for growth, the larger input over the smaller. */
  readonly ratio: number
  /** The ratio must not exceed this. */
  readonly limit: number
  readonly details: Readonly<Record<string, number | string>>
}

/** Whether a measurement keeps its limit; one without a figure does not. */
export const meets = ({ ratio, limit }: BenchRow): boolean => ratio <= limit

/** How much of its full size each measurement has: a tenth with `--quick`, for a first look. */
export const scale = process.argv.includes('--quick') ? 0.1 : 1

/** A number as the names of rows have it: `1,000,000`. */
export const counted = (count: number): string => count.toLocaleString('en-US')

/** The middle value, of an even number the upper one of the two. */
export const median = (values: readonly number[]): number => {
  const middle = values.toSorted((one, other) => one - other)[values.length >> 1]
  if (middle === undefined) throw new Error('No values')
  return middle
}

/** Milliseconds to three places, for the details. */
export const rounded = (milliseconds: number): number => Math.round(milliseconds * 1000) / 1000

/** Milliseconds of two pieces of work that take turns, medians; the first turn of both warms them up and does not count. */
export const takingTurns = (runs: number, one: () => unknown, other: () => unknown): readonly [one: number, other: number] => {
  const [ones, others]: [number[], number[]] = [[], []]
  for (let run = 0; run <= runs; run += 1) {
    const [first, second] = [timed(one), timed(other)]
    if (run === 0) continue
    ones.push(first)
    others.push(second)
  }
  return [median(ones), median(others)]
}

const timed = (work: () => unknown): number => {
  globalThis.gc?.()
  const from = performance.now()
  work()
  return performance.now() - from
}
