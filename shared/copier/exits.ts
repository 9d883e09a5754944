import type { ExactRatio } from '#shared/api/copier.ts'
import type { Side } from '#shared/fills/fill.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import type { BookOrder } from './book.ts'
import { targetOf } from './target.ts'

/** The types of exits that are mirrored. */
export type ExitType = 'Limit' | 'Stop' | 'StopLimit'

/** A working order of the leader that takes from its position. Prices are whole ticks. */
export type LeaderExit = { readonly orderId: number; readonly side: Side; readonly qty: number; readonly type: ExitType; readonly price: Ticks | null; readonly stopPrice: Ticks | null }

/** An exit that a follower should have working, for one of the leader's. */
export type WantedExit = Omit<LeaderExit, 'orderId'> & { readonly leaderOrderId: number }

/** An exit of a follower at the broker. `key` is the copier's name for it, `left` what may still fill, `ending` whether its cancellation is under way. */
export type StandingExit = WantedExit & { readonly key: string; readonly filled: number; readonly ending: boolean }

/** What brings a follower's exits to what is wanted. `tightens`: it reduces risk, and goes before other moves where calls are short. */
export type ExitStep =
  | { readonly do: 'cancel'; readonly key: string; readonly tightens: false }
  /** `qty` is what the order is for in all, with what filled of it already. */
  | { readonly do: 'move'; readonly key: string; readonly to: WantedExit; readonly qty: number; readonly tightens: boolean }
  | { readonly do: 'place'; readonly exit: WantedExit; readonly tightens: boolean }

/** The steps that may go now, and how many more wait until some of these are done. */
export type ExitSteps = { readonly steps: readonly ExitStep[]; readonly waiting: number }

/** Of the leader's orders in a contract those that are exits of its position and can be mirrored: stops and limits against it, at whole ticks. */
export const leaderExits = (orders: readonly BookOrder[], leader: number, tickSize: string): readonly LeaderExit[] =>
  orders.flatMap(({ id, side, status, left, version }) => {
    const type = version?.type
    if (leader === 0 || side !== sideAgainst(leader) || left === null || left === 0 || status === 'Suspended' || status === 'PendingCancel') return []
    if (type !== 'Limit' && type !== 'Stop' && type !== 'StopLimit') return []
    const price = ticksOf(type === 'Stop' ? null : (version?.price ?? null), tickSize)
    const stopPrice = ticksOf(type === 'Limit' ? null : (version?.stopPrice ?? null), tickSize)
    const whole = (type === 'Stop' || price !== null) && (type === 'Limit' || stopPrice !== null)
    return whole ? [{ orderId: id, side, qty: left, type, price, stopPrice }] : []
  })

const ticksOf = (price: number | null, tickSize: string): Ticks | null => {
  if (price === null) return null
  const read = parsePrice(price, tickSize)
  return read.ok ? read.value : null
}

/**
 * The exits that a follower should have. Each kind, stops and limits, is filled up from the nearest price on with as much as the follower's
 * target loses when the leader's exit fills, so that the sums follow the target's own rounding and never exceed `position`.
 */
export const wantedExits = (given: {
  readonly exits: readonly LeaderExit[]
  readonly leader: number
  readonly base: number
  readonly factor: ExactRatio
  readonly ratio: ExactRatio
  readonly contractCap: number | null
  /** Signed contracts of the follower that may be closed by exits: what it holds without what is its user's. */
  readonly position: number
}): readonly WantedExit[] => {
  const { exits, leader, base, factor, ratio, contractCap, position } = given
  const held = Math.abs(position)
  if (position === 0 || leader === 0 || position > 0 !== leader > 0) return []
  const side = sideAgainst(leader)
  const copied = Math.abs(leader - base)
  const sizeAt = (size: number): number => targetOf({ legs: [{ leader: size, base: 0, factor }], ratio, contractCap }).target
  const whole = sizeAt(copied)
  const ofKind = (kind: ExitKind): readonly WantedExit[] => {
    let taken = 0
    let given = 0
    const ordered = exits.filter((exit) => exit.side === side && kindOf(exit.type) === kind).toSorted((one, other) => distance(one, leader) - distance(other, leader) || one.orderId - other.orderId)
    return ordered.flatMap(({ orderId, ...exit }) => {
      taken += exit.qty
      const upTo = Math.min(held, whole - sizeAt(Math.max(0, copied - taken)))
      const qty = upTo - given
      given = upTo
      return qty > 0 ? [{ ...exit, leaderOrderId: orderId, qty }] : []
    })
  }
  return [...ofKind('stop'), ...ofKind('limit')]
}

/**
 * The fewest calls that bring a follower's exits to what is wanted: an exit whose leader's order went and another one of its type came is
 * moved, not replaced. What would, with all that still stands, lift a kind above `position` waits for the next time.
 */
export const exitSteps = (wanted: readonly WantedExit[], standing: readonly StandingExit[], position: number): ExitSteps => {
  const pairs = paired(wanted, standing.filter(({ ending }) => !ending))
  const gone = standing.filter((exit) => !exit.ending && ![...pairs.values()].includes(exit))
  const steps: ExitStep[] = gone.map(({ key }) => ({ do: 'cancel', key, tightens: false }))
  const room = { stop: Math.abs(position), limit: Math.abs(position) }
  for (const { type, qty } of standing) room[kindOf(type)] -= qty

  // What shrinks goes first. Its room counts from the next time on, when the broker has told of it.
  const changes = wanted.map((exit) => ({ exit, from: pairs.get(exit) ?? null })).toSorted((one, other) => growth(one) - growth(other))
  let waiting = 0
  for (const { exit, from } of changes) {
    const kind = kindOf(exit.type)
    const grows = Math.max(0, exit.qty - (from?.qty ?? 0))
    if (from !== null && exit.qty === from.qty && exit.price === from.price && exit.stopPrice === from.stopPrice) continue
    const free = room[kind]
    const qty = grows > free ? exit.qty - grows + Math.max(0, free) : exit.qty
    if (qty < exit.qty) waiting += 1
    if (from === null) {
      if (qty > 0) steps.push({ do: 'place', exit: { ...exit, qty }, tightens: kind === 'stop' })
    } else if (qty !== from.qty || exit.price !== from.price || exit.stopPrice !== from.stopPrice) {
      steps.push({ do: 'move', key: from.key, to: { ...exit, qty }, qty: qty + from.filled, tightens: kind === 'stop' && isNearer(exit, from, qty) })
    }
    room[kind] -= Math.max(0, qty - (from?.qty ?? 0))
  }
  return { steps, waiting }
}

type ExitKind = 'stop' | 'limit'

/** Which of the two protections an exit is: stops and limits are two ways out of the same contracts. */
export const kindOf = (type: ExitType): ExitKind => (type === 'Limit' ? 'limit' : 'stop')

const sideAgainst = (position: number): Side => (position > 0 ? 'sell' : 'buy')

const triggerOf = ({ type, price, stopPrice }: Pick<LeaderExit, 'type' | 'price' | 'stopPrice'>): number => (type === 'Limit' ? price : stopPrice) ?? 0

// The market lies above a long position's stops and below its limits: the nearest stop is the highest, the nearest limit the lowest.
const distance = (exit: LeaderExit, leader: number): number => {
  const outward = kindOf(exit.type) === 'limit' ? 1 : -1
  return (leader > 0 ? outward : 0 - outward) * triggerOf(exit)
}

const growth = ({ exit, from }: { readonly exit: WantedExit; readonly from: StandingExit | null }): number => exit.qty - (from?.qty ?? 0)

const isNearer = (exit: WantedExit, from: StandingExit, qty: number): boolean => {
  const moved = triggerOf(exit) - triggerOf(from)
  return qty > from.qty || (exit.side === 'sell' ? moved > 0 : moved < 0)
}

// The same leader's order first; then of what is left over on both sides the same type, the nearest price.
const paired = (wanted: readonly WantedExit[], standing: readonly StandingExit[]): ReadonlyMap<WantedExit, StandingExit> => {
  const pairs = new Map<WantedExit, StandingExit>()
  const free = new Set(standing)
  const fits = (exit: WantedExit, own: StandingExit): boolean => own.type === exit.type && own.side === exit.side
  const pair = (exit: WantedExit, own: StandingExit | undefined): void => {
    if (own === undefined) return
    pairs.set(exit, own)
    free.delete(own)
  }
  for (const exit of wanted) pair(exit, [...free].find((own) => own.leaderOrderId === exit.leaderOrderId && fits(exit, own)))
  for (const exit of wanted) {
    if (pairs.has(exit)) continue
    const far = (own: StandingExit): number => Math.abs(triggerOf(own) - triggerOf(exit))
    pair(exit, [...free].filter((own) => fits(exit, own)).toSorted((one, other) => far(one) - far(other))[0])
  }
  return pairs
}
