import type { CountedTrade } from '../figures.ts'

/** A trip, from flat to flat, as findings are looked for in it: a decision, not a matched pair. */
export type FoundTrade = CountedTrade & {
  /** Most contracts held at once. */
  readonly quantity: number
}
