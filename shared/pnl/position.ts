import type { Fill } from '#shared/fills/fill.ts'
import type { OpenQueue } from './open-queue.ts'
import type { Trip } from './trip.ts'

/** The position of one account and contract after a fill: all that matching needs to continue. */
export type Position = {
  /** Contracts held, long above zero: bought less sold so far, unless corrected by the broker. */
  readonly net: number
  /** The part of `net` that no known fill opened; the oldest. */
  readonly unknown: number
  /** Null if the position agrees with the broker's. */
  readonly doubt: PositionDoubt | null
  /** Open lots, oldest first; `openLots` lists them. */
  readonly queue: OpenQueue
  /** The open trade; null if flat. */
  readonly trip: Trip | null
}

/** Why a position is in doubt: `contracts` are missing, 0 if their number is unknown. It is settled once it agrees with the broker's, and ends when flat. */
export type PositionDoubt = { readonly contracts: number; readonly settled: boolean }

/** The open part of a fill. */
export type Lot = {
  readonly fill: Fill
  /** Contracts of the fill that are closed, from its front: `fill.qty - used` are open. */
  readonly used: number
}

const nothing: OpenQueue = { fills: [], head: 0, tail: 0, used: 0 }

/** The position before the first fill. */
export const flat: Position = { net: 0, unknown: 0, doubt: null, queue: nothing, trip: null }

/** The open lots, the oldest first. */
export const openLots = ({ queue }: Position): readonly Lot[] =>
  queue.fills.slice(queue.head, queue.tail).map((fill, index) => ({ fill, used: index === 0 ? queue.used : 0 }))
