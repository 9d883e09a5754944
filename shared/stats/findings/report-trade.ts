import type { CountedTrade } from '../figures.ts'

/** A trade from flat to flat, as reports analyze it: one decision, not a matched fill pair. */
export type ReportTrade = CountedTrade & {
  /** The max position in contracts. */
  readonly quantity: number
}
