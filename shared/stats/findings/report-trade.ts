import type { ExcursionBounds } from '#shared/prices/excursion-bounds.ts'
import type { CountedTrade } from '../figures.ts'

/** A trade from flat to flat, as reports analyze it: one decision, not a matched fill pair. */
export type ReportTrade = CountedTrade & {
  /** The max position in contracts. */
  readonly quantity: number
  /** By the stored prices; null or missing without any. */
  readonly excursions?: ExcursionBounds | null
}
