import { z } from 'zod'

/** One measurement against its limit. */
export type BenchRow = {
  readonly name: string
  /** What the product took over what the plain thing beside it took; for growth, the larger input over the smaller. */
  readonly ratio: number
  /** The ratio must not exceed this. */
  readonly limit: number
  readonly details: Readonly<Record<string, number | string>>
}

// JSON has no NaN, which marks a missing measurement.
const figure = z.number().nullable().transform((value) => value ?? NaN)
const printed = z.object({ rows: z.array(z.object({ name: z.string(), ratio: figure, limit: figure, details: z.record(z.string(), z.union([z.number(), z.string()])) })) })

/** The measurements that a run with `--json` printed. */
export const rowsIn = (json: string): readonly BenchRow[] => printed.parse(JSON.parse(json)).rows

/** Whether a measurement keeps its limit; one without a figure does not. */
export const meets = ({ ratio, limit }: BenchRow): boolean => ratio <= limit

/** Whether this run is a first look: at a tenth of the sizes, which limits are not made for. */
export const quick = process.argv.includes('--quick')

/** How much of its full size each measurement has. */
export const scale = quick ? 0.1 : 1

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

/** Milliseconds of each of some pieces of work that take turns, medians; the first turn of all warms them up and does not count. */
export const takingTurns = <Works extends readonly (() => unknown)[]>(runs: number, ...works: Works): { readonly [Place in keyof Works]: number } => {
  const turns = Array.from({ length: runs + 1 }, () => works.map(timed)).slice(1)
  return works.map((_, place) => median(turns.map((turn) => turn[place] ?? NaN))) as { [Place in keyof Works]: number }
}

const timed = (work: () => unknown): number => {
  globalThis.gc?.()
  const from = performance.now()
  work()
  return performance.now() - from
}
