import type { CountedTrade } from '../figures.ts'

/** A trip, from flat to flat, as findings are examined for in it: a decision, not a matched pair. */
export type ReportTrade = CountedTrade & {
  /** Most contracts held at once. */
  readonly quantity: number
}
