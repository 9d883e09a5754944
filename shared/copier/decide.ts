import type { WaitReason } from '#shared/api/copier.ts'
import type { Side } from '#shared/fills/fill.ts'

/** A mirrored exit that works at the broker. `id` is its clOrdId. */
export type WorkingExit = {
  readonly id: string
  readonly side: Side
  /** Contracts that may still fill. */
  readonly left: number
  /** Its cancellation was sent. */
  readonly ending: boolean
  /** The leader's order that it follows has filled. */
  readonly twin: boolean
}

/** All that a decision about one contract of one follower rests on. Contracts are signed, short below zero. */
export type Situation = {
  /** Why nothing may be sent at all, whatever the difference: a line that is down, a reading under way, an unknown order. */
  readonly held: WaitReason | null
  /** What the follower holds by its fills. */
  readonly real: number
  /** What it should hold; null while the leader's position is not known: then nothing is added and nothing taken. */
  readonly target: number | null
  /** A deviation from the target that stands on purpose. */
  readonly apart: number
  /** Contracts of orders under way that buy, and that sell; exits that wait for their price are not among them. */
  readonly buying: number
  readonly selling: number
  /** Market orders that have been under way for too long, against the difference or not. */
  readonly overdue: readonly string[]
  readonly exits: readonly WorkingExit[]
  /** Whether the leader's exit has just filled, so that the follower's own may fill by itself. */
  readonly twinMayFill: boolean
  /** Why nothing may be added, or null. */
  readonly noAdding: WaitReason | null
  /** The most contracts that may be added now. */
  readonly room: number
  /** Why there is no more room than that. */
  readonly roomWhy: WaitReason
}

/** What to do for one contract of one follower; `why` says what is left undone, or for what is waited. */
export type Decision =
  | { readonly do: 'nothing'; readonly difference: number; readonly why: WaitReason | null }
  | { readonly do: 'send'; readonly difference: number; readonly why: WaitReason | null; readonly side: Side; readonly qty: number; /** Contracts of them that bring it further from flat. */ readonly adds: number }
  | { readonly do: 'cancel'; readonly difference: number; readonly why: WaitReason; readonly orders: readonly string[] }

/** Where a follower's contract should stand: the target, and what stands apart from it on purpose. */
export const wantedOf = ({ target, apart }: Pick<Situation, 'target' | 'apart'>): number | null => (target === null ? null : target + apart)

/**
 * The next step that brings a follower's contract to where it should be. What reduces goes whatever the rights, never past zero without the
 * right to add; and whatever becomes of orders under way, real and wanted position are never overshot.
 */
export const decide = (situation: Situation): Decision => {
  const { held, real, buying, selling, noAdding, exits } = situation
  const wanted = wantedOf(situation)
  const projected = real + buying - selling
  const difference = wanted === null ? 0 : wanted - projected
  const wait = (why: WaitReason | null): Decision => ({ do: 'nothing', difference, why })

  if (held !== null) return wait(held)
  if (wanted === null) return wait('leader-down')
  // What is under way makes up for the difference; where it does not fill, that is to be told.
  if (difference === 0) return wait(situation.overdue.length > 0 ? 'order-working' : null)
  const opposing = difference > 0 ? selling : buying
  // An order the other way is nearly always filled within milliseconds: to send against it would pay the spread twice.
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
  // A close leaves its exits in place until it has filled. But one whose leader's order filled is as likely to fill as the close: it goes first.
  const twins = reduces > 0 ? exits.filter((exit) => exit.twin && exit.side === side) : []
  if (twins.length > 0 && situation.twinMayFill) return wait('order-working')
  const racing = exceeding(twins, after)
  // One that still protects what is left shrinks first: its own loop sees to that.
  if (racing.length > 0) return Math.sign(after) === Math.sign(projected) ? wait('exits-cancelling') : cancelled(racing, difference)
  // What opens another position waits until no exit of the one before could add to it.
  const stale = adds > 0 ? exits.filter((exit) => exit.side === side) : []
  if (stale.length === 0) return { do: 'send', difference, why: left, side, qty, adds }
  if (reduces > 0) return { do: 'send', difference, why: 'exits-cancelling', side, qty: reduces, adds: 0 }
  return cancelled(stale, difference)
}

const cancelled = (exits: readonly WorkingExit[], difference: number): Decision => {
  const open = exits.filter(({ ending }) => !ending)
  return open.length === 0 ? { do: 'nothing', difference, why: 'exits-cancelling' } : { do: 'cancel', difference, why: 'exits-cancelling', orders: open.map(({ id }) => id) }
}

/** The exits that could take more than a position of `after` contracts, signed, holds. Those given first stay first. */
const exceeding = (exits: readonly WorkingExit[], after: number): WorkingExit[] => {
  let room = Math.abs(after)
  return exits.filter((exit) => {
    const against = after > 0 ? exit.side === 'sell' : after < 0 && exit.side === 'buy'
    if (!against || exit.left > room || exit.ending) return true
    room -= exit.left
    return false
  })
}
