import type { Amount } from '#shared/money/money.ts'

/** Excursions by the stored prices: money in 1/10,000, ratios in 1/10,000; null is unknown. */
export type ExcursionBounds = {
  readonly mfeLeast: Amount
  readonly mfeMost: Amount | null
  readonly maeLeast: Amount
  readonly maeMost: Amount | null
  readonly entryLeast: number | null
  readonly entryMost: number | null
  readonly exitLeast: number | null
  readonly exitMost: number | null
}
