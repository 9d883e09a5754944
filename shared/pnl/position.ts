import type { Fill } from '#shared/fills/fill.ts'
import type { Trip } from './trip.ts'

/** What is still open of a fill: its last `fill.qty - used` contracts. */
export type Lot = {
  readonly fill: Fill
  /** Contracts of the fill that other fills have taken already, from its front. */
  readonly used: number
}

/** What stands open in one account and contract behind a fill: all that matching needs in order to go on. */
export type Position = {
  /** Bought less sold contracts over all fills so far, whether or not the days were matched apart. */
  readonly net: number
  /** Open lots, the oldest first. */
  readonly lots: readonly Lot[]
  /** The trip under way; null when flat. */
  readonly trip: Trip | null
}

/** The position before the first fill. */
export const flat: Position = { net: 0, lots: [], trip: null }
