import type { WaitReason } from '#shared/api/copier.ts'
import type { Side } from '#shared/fills/fill.ts'

/** A mirrored exit working at the broker. `id` is its clOrdId. */
export type WorkingExit = {
  readonly id: string
  readonly side: Side
  /** Contracts that may still fill. */
  readonly left: number
  /** Its cancel was sent. */
  readonly ending: boolean
  /** The leader's order that it mirrors has filled. */
  readonly twin: boolean
}

/** The inputs of a decision about one contract of one follower. Contracts are signed, short below zero. */
export type Situation = {
  /** Why nothing at all may be sent: the line is down, a read is under way, an order's state is unknown. */
  readonly held: WaitReason | null
  /** The follower's actual position by its fills. */
  readonly actual: number
  /** The target position; null while the leader's position is unknown: then nothing is added or reduced. */
  readonly target: number | null
  /** A deliberate deviation from the target. */
  readonly apart: number
  /** Contracts of pending buy and sell orders, without exits that rest at their price. */
  readonly buying: number
  readonly selling: number
  /** Overdue market orders, whichever their side. */
  readonly overdue: readonly string[]
  readonly exits: readonly WorkingExit[]
  /** Whether the leader's exit has just filled, so the follower's own is likely to fill too. */
  readonly twinMayFill: boolean
  /** Why nothing may be added, or null. */
  readonly noAdding: WaitReason | null
  /** Contracts that may be added now, at most. */
  readonly room: number
  /** What limits `room`. */
  readonly roomWhy: WaitReason
}

/** The next step for one contract of one follower; `why` is what it leaves undone or waits for. */
export type Decision =
  | { readonly do: 'nothing'; readonly difference: number; readonly why: WaitReason | null }
  | {
      readonly do: 'send'
      readonly difference: number
      readonly why: WaitReason | null
      readonly side: Side
      readonly qty: number
      /** How many of these contracts increase the position. */
      readonly adds: number
    }
  | { readonly do: 'cancel'; readonly difference: number; readonly why: WaitReason; readonly orders: readonly string[] }

/** The wanted position: the target plus the deliberate deviation. */
export const wantedOf = ({ target, apart }: Pick<Situation, 'target' | 'apart'>): number | null => (target === null ? null : target + apart)

/**
 * The next step that brings a follower's contract to its wanted position. Reductions go whatever the permissions, but never past zero without
 * permission to add; and whatever happens to pending orders, neither actual nor wanted position is overshot.
 */
export const decide = (situation: Situation): Decision => {
  const { held, actual, buying, selling, noAdding, exits } = situation
  const wanted = wantedOf(situation)
  const projected = actual + buying - selling
  const difference = wanted === null ? 0 : wanted - projected
  const wait = (why: WaitReason | null): Decision => ({ do: 'nothing', difference, why })

  if (held !== null) return wait(held)
  if (wanted === null) return wait('leader-down')
  // Pending orders make up the difference; if they do not fill in time, say so.
  if (difference === 0) return wait(situation.overdue.length > 0 ? 'order-working' : null)
  const opposing = difference > 0 ? selling : buying
  // An opposite order nearly always fills within milliseconds: sending against it would pay the spread twice.
  if (opposing > 0) return situation.overdue.length > 0 ? { do: 'cancel', difference, why: 'order-working', orders: situation.overdue } : wait('order-working')

  const size = Math.abs(difference)
  const reduces = projected !== 0 && projected > 0 !== difference > 0 ? Math.min(size, Math.abs(projected)) : 0
  const beyond = size - reduces
  const adds = noAdding === null ? Math.min(beyond, situation.room) : 0
  const left = beyond === adds ? null : (noAdding ?? situation.roomWhy)
  const qty = reduces + adds
  if (qty === 0) return wait(left)

  const side: Side = difference > 0 ? 'buy' : 'sell'
  const after = projected + Math.sign(difference) * qty
  // A close leaves its exits in place until it fills. But an exit whose leader's order filled may fill as soon as the close, so it is canceled first.
  const twins = reduces > 0 ? exits.filter((exit) => exit.twin && exit.side === side) : []
  if (twins.length > 0 && situation.twinMayFill) return wait('order-working')
  const racing = exceeding(twins, after)
  // An exit that still protects the rest shrinks first; the exits loop does that.
  if (racing.length > 0) return Math.sign(after) === Math.sign(projected) ? wait('exits-cancelling') : canceled(racing, difference)
  // A new position waits until no exit of the previous one could add to it.
  const stale = adds > 0 ? exits.filter((exit) => exit.side === side) : []
  if (stale.length === 0) return { do: 'send', difference, why: left, side, qty, adds }
  if (reduces > 0) return { do: 'send', difference, why: 'exits-cancelling', side, qty: reduces, adds: 0 }
  return canceled(stale, difference)
}

const canceled = (exits: readonly WorkingExit[], difference: number): Decision => {
  const open = exits.filter(({ ending }) => !ending)
  return open.length === 0 ? { do: 'nothing', difference, why: 'exits-cancelling' } : { do: 'cancel', difference, why: 'exits-cancelling', orders: open.map(({ id }) => id) }
}

/** The exits that exceed a position of `after` signed contracts, in the given order. */
const exceeding = (exits: readonly WorkingExit[], after: number): WorkingExit[] => {
  let room = Math.abs(after)
  return exits.filter((exit) => {
    const against = after > 0 ? exit.side === 'sell' : after < 0 && exit.side === 'buy'
    if (!against || exit.left > room || exit.ending) return true
    room -= exit.left
    return false
  })
}
