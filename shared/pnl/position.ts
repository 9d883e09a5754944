import type { Fill } from '#shared/fills/fill.ts'
import type { Trade } from './trade.ts'

/**
 * Open fills, oldest first: `fills[head..tail)`, less `used` contracts of the first. FIFO never leaves any other fill partly used. Entries beyond
 * `tail` belong to whichever matching appended them: so copying the four fields is a snapshot, and no lot is copied.
 */
type OpenQueue = {
  readonly fills: readonly Fill[]
  readonly head: number
  readonly tail: number
  readonly used: number
}

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
  readonly trade: Trade | null
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
export const flat: Position = { net: 0, unknown: 0, doubt: null, queue: nothing, trade: null }

/** The open lots, the oldest first. */
export const openLots = ({ queue }: Position): readonly Lot[] =>
  queue.fills.slice(queue.head, queue.tail).map((fill, index) => ({ fill, used: index === 0 ? queue.used : 0 }))

/** The same queue while matching works on it. */
export type GrowingQueue = { fills: Fill[]; head: number; tail: number; used: number }

/** Appends a fill less `used` contracts; `used` may be above zero only if nothing else is open. */
export const pushOpen = (queue: GrowingQueue, fill: Fill, used: number): void => {
  const claimed = queue.fills.length !== queue.tail
  const mostlyPast = queue.head > 1024 && queue.head * 2 > queue.tail
  if (claimed || mostlyPast) {
    queue.fills = queue.fills.slice(queue.head, queue.tail)
    queue.tail -= queue.head
    queue.head = 0
  }
  if (queue.head === queue.tail) queue.used = used
  queue.fills.push(fill)
  queue.tail += 1
}

/** Puts a fill before all other open ones; does nothing if it is not open, or the first one is partly used. */
export const bringToFront = (queue: GrowingQueue, id: string): void => {
  if (queue.used > 0) return
  const open = queue.fills.slice(queue.head, queue.tail)
  const at = open.findIndex((fill) => fill.id === id)
  if (at <= 0) return
  // In an array of its own: the other one may be shared.
  queue.fills = [...open.splice(at, 1), ...open]
  queue.head = 0
  queue.tail = queue.fills.length
}
