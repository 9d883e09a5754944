import type { Fill } from '#shared/fills/fill.ts'
import type { OpenQueue } from './open-queue.ts'
import type { Trip } from './trip.ts'

/** What stands open in one account and contract behind a fill: all that matching needs in order to go on. */
export type Position = {
  /** Contracts held, long above zero: bought less sold over all fills so far, unless the broker knew better. */
  readonly net: number
  /** Of `net` those that no known fill opened, the oldest of all. */
  readonly unknown: number
  /** Null where our count is sure to be the broker's. */
  readonly doubt: PositionDoubt | null
  /** What is open, the oldest first; `openLots` lists it. */
  readonly queue: OpenQueue
  /** The trip under way; null where nothing is open. */
  readonly trip: Trip | null
}

/** Why a position is in doubt: `contracts` are missing, 0 where their number is not known. Once our count agrees with the broker's it is settled, and ends where the position is flat. */
export type PositionDoubt = { readonly contracts: number; readonly settled: boolean }

/** What is still open of a fill. */
export type Lot = {
  readonly fill: Fill
  /** Contracts of the fill that other fills have taken already, from its front: `fill.qty - used` are open. */
  readonly used: number
}

const nothing: OpenQueue = { fills: [], head: 0, tail: 0, used: 0 }

/** The position before the first fill. */
export const flat: Position = { net: 0, unknown: 0, doubt: null, queue: nothing, trip: null }

/** The open lots, the oldest first. */
export const openLots = ({ queue }: Position): readonly Lot[] =>
  queue.fills.slice(queue.head, queue.tail).map((fill, index) => ({ fill, used: index === 0 ? queue.used : 0 }))
