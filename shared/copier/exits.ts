import type { ExactRatio } from '#shared/api/copier.ts'
import type { Side } from '#shared/fills/fill.ts'
import { parsePrice, type Ticks } from '#shared/money/price.ts'
import type { BookOrder } from './book.ts'
import type { VersionFact } from './facts.ts'
import { targetOf } from './target.ts'

/** The order types that are mirrored as exits. */
export const exitTypes = ['Limit', 'Stop', 'StopLimit', 'TrailingStop', 'MIT'] as const
export type ExitType = (typeof exitTypes)[number]

/** The prices of an exit, whole ticks. `peg` is a trailing stop's distance, signed as the broker has it; its stop price only says where it begins. */
export type ExitPrices = { readonly price: Ticks | null; readonly stopPrice: Ticks | null; readonly peg: Ticks | null }

/** A working order of the leader that reduces its position. `ocoId`: the order that the broker cancels when this one fills. */
export type LeaderExit = ExitPrices & { readonly orderId: number; readonly ocoId: number | null; readonly side: Side; readonly qty: number; readonly type: ExitType }

/** An exit that a follower should have working for one of the leader's. */
export type WantedExit = Omit<LeaderExit, 'orderId'> & { readonly leaderOrderId: number }

/** One order of a slot. */
export type WantedLeg = ExitPrices & { readonly leaderOrderId: number; readonly type: ExitType }

/** Protection of `qty` contracts: a stop, a limit, or both as one OCO at the broker, so at most `qty` of them fill. */
export type WantedSlot = { readonly side: Side; readonly qty: number; readonly stop: WantedLeg | null; readonly limit: WantedLeg | null }

/**
 * A follower's exit at the broker. `key` is its clOrdId, `qty` what is left to fill, `ending` whether a cancel is under way, `sure` whether the
 * broker confirms that it works, `twin` whether the leader's order that it mirrors has filled.
 */
export type WorkingLeg = WantedLeg & { readonly key: string; readonly qty: number; readonly filled: number; readonly ending: boolean; readonly sure: boolean; readonly twin: boolean }
export type WorkingSlot = { readonly side: Side; readonly stop: WorkingLeg | null; readonly limit: WorkingLeg | null }

/** What exits may cover, signed contracts. `held`: the copier's position. `closing`: the part of it that should be closed but is not yet; its exits stay until then. */
export type ExitRoom = { readonly held: number; readonly closing: number }

/** One call on the way to the wanted exits. `tightens`: it reduces risk and goes first when calls are short. */
export type ExitStep =
  | { readonly do: 'cancel'; readonly key: string; readonly tightens: false }
  /** `qty` is the order's total quantity, filled part included. */
  | { readonly do: 'move'; readonly key: string; readonly to: WantedLeg; readonly qty: number; readonly tightens: boolean }
  | { readonly do: 'place'; readonly slot: WantedSlot; readonly tightens: boolean }

/** The steps to take now, and how many more slots wait for them. */
export type ExitSteps = { readonly steps: readonly ExitStep[]; readonly waiting: number }

/** A leader's order that is not mirrored, and why. */
export type NotMirrored = { readonly type: string; readonly why: 'type' | 'price' }

/** The leader's exits in a contract: those that can be mirrored, and why the others cannot. */
export const readExits = (orders: readonly BookOrder[], leader: number, tickSize: string): { readonly exits: readonly LeaderExit[]; readonly not: readonly NotMirrored[] } => {
  const exits: LeaderExit[] = []
  const not: NotMirrored[] = []
  for (const { id, side, status, left, version, ocoId } of orders) {
    if (leader === 0 || side !== sideAgainst(leader) || left === null || left === 0 || status === 'Suspended' || status === 'PendingCancel' || version === null || version.type === 'Market') continue
    const type = version.type
    if (!isExitType(type)) {
      not.push({ type, why: 'type' })
      continue
    }
    const prices = readPrices(type, version, tickSize)
    if (prices === null) not.push({ type, why: 'price' })
    else exits.push({ orderId: id, ocoId, side, qty: left, type, ...prices })
  }
  return { exits, not }
}

/** Whether an order type can be mirrored. */
export const isExitType = (type: string): type is ExitType => (exitTypes as readonly string[]).includes(type)

/** The prices that an order type needs, in whole ticks; null if one is missing or off the tick grid. */
export const readPrices = (type: ExitType, given: Pick<VersionFact, 'price' | 'stopPrice' | 'pegDifference'>, tickSize: string): ExitPrices | null => {
  const price = type === 'Stop' || type === 'TrailingStop' ? null : given.price
  const stopPrice = type === 'Limit' ? null : given.stopPrice
  const peg = type === 'TrailingStop' ? given.pegDifference : null
  const read = { price: ticksOf(price, tickSize), stopPrice: ticksOf(stopPrice, tickSize), peg: ticksOf(peg, tickSize) }
  if ((price !== null && read.price === null) || (stopPrice !== null && read.stopPrice === null) || (peg !== null && read.peg === null)) return null
  const needed = { Limit: read.price, Stop: read.stopPrice, StopLimit: read.price === null ? null : read.stopPrice, TrailingStop: read.peg, MIT: read.price ?? read.stopPrice }
  return needed[type] === null ? null : read
}

const ticksOf = (price: number | null, tickSize: string): Ticks | null => {
  if (price === null) return null
  const read = parsePrice(price, tickSize)
  return read.ok ? read.value : null
}

/**
 * The exits that a follower should have. Stops and limits are each filled up from the nearest price, every exit with as much as the follower's
 * target shrinks when the leader's exit fills: the sums follow the target's own rounding and never exceed `position`.
 */
export const wantedExits = ({ exits, leader, base, factor, ratio, contractCap, position }: {
  readonly exits: readonly LeaderExit[]
  readonly leader: number
  readonly base: number
  readonly factor: ExactRatio
  readonly ratio: ExactRatio
  readonly contractCap: number | null
  /** The follower's position without the user's own contracts, signed: what exits may close. */
  readonly position: number
}): readonly WantedExit[] => {
  const held = Math.abs(position)
  if (position === 0 || leader === 0 || position > 0 !== leader > 0) return []
  const side = sideAgainst(leader)
  const copied = Math.abs(leader - base)
  const sizeAt = (size: number): number => targetOf({ legs: [{ leader: size, base: 0, factor }], ratio, contractCap }).target
  // Contracts that the follower does not hold, because a cap limited it, need no exit.
  const whole = Math.min(held, sizeAt(copied))
  const ofKind = (kind: ExitKind): readonly WantedExit[] => {
    let taken = 0
    let given = 0
    const ordered = exits.filter((exit) => exit.side === side && kindOf(exit.type) === kind).toSorted((one, other) => distance(one, leader) - distance(other, leader) || one.orderId - other.orderId)
    return ordered.flatMap(({ orderId, ...exit }) => {
      taken += exit.qty
      const upTo = Math.max(given, whole - sizeAt(Math.max(0, copied - taken)))
      const qty = upTo - given
      given = upTo
      return qty > 0 ? [{ ...exit, leaderOrderId: orderId, qty }] : []
    })
  }
  return [...ofKind('stop'), ...ofKind('limit')]
}

/**
 * Pairs stops and limits of `position` contracts into slots. What is an OCO at the leader is one at the follower; beyond that, only as much is
 * paired as it takes to keep the sum of all slots within the position.
 */
export const slotsOf = (exits: readonly WantedExit[], position: number): readonly WantedSlot[] => {
  const open = exits.map((exit) => ({ exit, left: exit.qty }))
  const stops = open.filter(({ exit }) => kindOf(exit.type) === 'stop')
  const limits = open.filter(({ exit }) => kindOf(exit.type) === 'limit')
  const slots: WantedSlot[] = []
  const join = (stop: (typeof open)[number], limit: (typeof open)[number], most: number): void => {
    const qty = Math.min(stop.left, limit.left, most)
    if (qty <= 0) return
    slots.push({ side: stop.exit.side, qty, stop: legOf(stop.exit), limit: legOf(limit.exit) })
    stop.left -= qty
    limit.left -= qty
  }
  for (const stop of stops) {
    for (const limit of limits) if (stop.exit.ocoId === limit.exit.leaderOrderId || limit.exit.ocoId === stop.exit.leaderOrderId) join(stop, limit, stop.left)
  }
  const over = (): number => slots.reduce((sum, { qty }) => sum + qty, 0) + open.reduce((sum, { left }) => sum + left, 0) - Math.abs(position)
  for (const stop of stops) for (const limit of limits) join(stop, limit, over())
  for (const { exit, left } of open) {
    if (left === 0) continue
    const leg = legOf(exit)
    slots.push({ side: exit.side, qty: left, stop: kindOf(exit.type) === 'stop' ? leg : null, limit: kindOf(exit.type) === 'limit' ? leg : null })
  }
  return slots
}

const legOf = ({ leaderOrderId, type, price, stopPrice, peg }: WantedExit): WantedLeg => ({ leaderOrderId, type, price, stopPrice, peg })

/**
 * The fewest calls that bring a follower's exits to the wanted ones, in an order that never leaves a contract unprotected:
 * - an order is modified, not replaced, if the broker can modify it;
 * - an order is canceled once its replacement works: for that round trip both work, never more than twice the position;
 * - exits of contracts that are being closed stay until these are closed, and shrink with them;
 * - a stop never waits for room; a target does. A stop-and-target pair waits for a lone or canceling target, because both would fill at one
 *   price.
 */
export const exitSteps = (wanted: readonly WantedSlot[], workingExits: readonly WorkingSlot[], { held: position, closing }: ExitRoom): ExitSteps => {
  const held = Math.abs(position)
  const alive = workingExits.map(withoutEnding).filter((slot) => slot.stop !== null || slot.limit !== null)
  const fit = held === 0 ? [] : alive.filter((slot) => slot.side === sideAgainst(position))
  const pairs = matched(wanted, fit)
  const steps: ExitStep[] = []
  const cancel = (leg: WorkingLeg | null): void => {
    if (leg !== null) steps.push({ do: 'cancel', key: leg.key, tightens: false })
  }
  for (const slot of alive) if (!fit.includes(slot)) legsOf(slot).forEach(cancel)

  // Placements and increases. Canceling exits still take room from targets.
  const ending = workingExits.reduce((sum, slot) => sum + (withoutEnding(slot) === slot ? 0 : sizeOf(slot) - sizeOf(withoutEnding(slot))), 0)
  const left = fit.filter((slot) => ![...pairs.values()].includes(slot))
  const leaving = ending + left.reduce((sum, slot) => sum + sizeOf(slot), 0)
  const isLoneTarget = ({ stop, limit }: WorkingSlot): boolean => limit !== null && (stop === null || (limit.ending && !stop.ending))
  const targets = [...workingExits.filter((slot) => withoutEnding(slot) !== slot), ...left].filter(isLoneTarget).reduce((sum, slot) => sum + (slot.limit?.qty ?? 0), 0)
  const roomFor = ({ stop, limit }: WantedSlot): number => Math.max(0, stop === null ? room - leaving : limit === null ? room : room - targets)
  let room = held - wanted.reduce((sum, slot) => sum + Math.min(slot.qty, sizeOf(pairs.get(slot))), 0)
  let waiting = 0
  let pending = 0
  const sizes = new Map<WantedSlot, number>()
  for (const slot of wanted) {
    const from = pairs.get(slot)
    const grows = Math.max(0, slot.qty - sizeOf(from))
    const free = Math.min(grows, roomFor(slot))
    if (free < grows) waiting += 1
    room -= free
    const qty = slot.qty - grows + free
    sizes.set(slot, qty)
    if (from === undefined && qty > 0) steps.push({ do: 'place', slot: { ...slot, qty }, tightens: slot.stop !== null })
    // Slots that wait for room count as still to come.
    if (slot.stop !== null) pending += from?.stop?.sure === true ? grows : slot.qty
  }

  // A shrinking exit keeps what is being closed or not replaced yet; together with confirmed exits never more than the position.
  const isSure = (slot: WantedSlot, from: WorkingSlot): boolean => slot.stop === null || from.stop?.sure === true
  let spare = Math.max(0, held - [...pairs].reduce((sum, [slot, from]) => sum + (isSure(slot, from) ? Math.min(sizes.get(slot) ?? 0, sizeOf(from)) : 0), 0))
  let kept = Math.min(closing, spare)
  pending = Math.min(pending, spare)
  const keep = (slot: WorkingSlot, surplus: number): number => {
    const forClose = Math.min(surplus, kept, spare)
    const forReplacement = slot.stop === null ? 0 : Math.min(surplus - forClose, pending, spare - forClose)
    kept -= forClose
    pending -= forReplacement
    spare -= forClose + forReplacement
    return forClose + forReplacement
  }
  const protecting = (one: WorkingSlot, other: WorkingSlot): number => Number(other.stop !== null) - Number(one.stop !== null)
  for (const [slot, from] of [...pairs].toSorted(([, one], [, other]) => protecting(one, other))) {
    // A pair keeps a stop that is no longer wanted while its replacement is still to come.
    const sheds = slot.stop === null && from.stop !== null
    if (sheds && keep(from, sizeOf(from)) > 0) continue
    const qty = (sizes.get(slot) ?? 0) + (isTwin(from) || sheds ? 0 : keep(from, Math.max(0, sizeOf(from) - slot.qty)))
    for (const kind of ['stop', 'limit'] as const) {
      const [leg, to] = [from[kind], slot[kind]]
      if (leg === null) continue
      if (to === null) {
        cancel(leg)
        continue
      }
      if (leg.qty === qty && (leg.type === 'TrailingStop' || samePricesOf(leg, to))) continue
      // Of a trailing stop the broker changes the quantity only.
      const prices = leg.type === 'TrailingStop' ? { price: leg.price, stopPrice: leg.stopPrice, peg: leg.peg } : {}
      steps.push({ do: 'move', key: leg.key, to: { ...to, ...prices }, qty: qty + leg.filled, tightens: kind === 'stop' && isNearer(slot.side, to, leg, qty) })
    }
  }
  for (const slot of left.toSorted(protecting)) {
    const stays = { ...slot, stop: slot.stop?.twin === true ? null : slot.stop, limit: slot.limit?.twin === true ? null : slot.limit }
    const qty = keep(stays, sizeOf(stays))
    for (const leg of legsOf(slot)) {
      if (leg.twin || qty === 0) cancel(leg)
      else if (qty < leg.qty) steps.push({ do: 'move', key: leg.key, to: leg, qty: qty + leg.filled, tightens: false })
    }
  }
  return { steps, waiting }
}

/** Contracts protected by stops that the broker confirms. */
export const coveredBy = (workingExits: readonly WorkingSlot[]): number => workingExits.reduce((sum, { stop }) => sum + (stop !== null && stop.sure && !stop.ending ? stop.qty : 0), 0)

const legsOf = ({ stop, limit }: WorkingSlot): readonly WorkingLeg[] => [stop, limit].filter((leg) => leg !== null)
const sizeOf = (slot: WorkingSlot | undefined): number => (slot === undefined ? 0 : Math.max(slot.stop?.qty ?? 0, slot.limit?.qty ?? 0))
const isTwin = (slot: WorkingSlot): boolean => legsOf(slot).some(({ twin }) => twin)
const withoutEnding = (slot: WorkingSlot): WorkingSlot => (legsOf(slot).some(({ ending }) => ending) ? { ...slot, stop: slot.stop?.ending === true ? null : slot.stop, limit: slot.limit?.ending === true ? null : slot.limit } : slot)
const samePricesOf = (one: ExitPrices, other: ExitPrices): boolean => one.price === other.price && one.stopPrice === other.stopPrice && one.peg === other.peg

type ExitKind = 'stop' | 'limit'

/** Whether an exit type is a stop or a limit: two ways out of the same contracts. */
export const kindOf = (type: string): ExitKind => (type === 'Limit' || type === 'MIT' ? 'limit' : 'stop')

const sideAgainst = (position: number): Side => (position > 0 ? 'sell' : 'buy')

/** The price at which an order triggers or rests, whole ticks; 0 if it has none. */
export const triggerOf = ({ type, price, stopPrice }: Pick<LeaderExit, 'type' | 'price' | 'stopPrice'>): number => (kindOf(type) === 'limit' ? (price ?? stopPrice) : stopPrice) ?? 0

// The market lies above a long position's stops and below its limits: the nearest stop is the highest, the nearest limit the lowest.
const distance = (exit: LeaderExit, leader: number): number => {
  const outward = kindOf(exit.type) === 'limit' ? 1 : -1
  return (leader > 0 ? outward : 0 - outward) * triggerOf(exit)
}

const isNearer = (side: Side, to: WantedLeg, from: WorkingLeg, qty: number): boolean => {
  const moved = triggerOf(to) - triggerOf(from)
  return qty > from.qty || (side === 'sell' ? moved > 0 : moved < 0)
}

// First slots of the same leader orders, then of the same types at the nearest price, last a pair that can lose one order. A working exit never
// becomes a pair: the broker ties two orders only when it accepts them.
const matched = (wanted: readonly WantedSlot[], workingExits: readonly WorkingSlot[]): ReadonlyMap<WantedSlot, WorkingSlot> => {
  const pairs = new Map<WantedSlot, WorkingSlot>()
  const free = new Set(workingExits)
  const legs = (slot: WantedSlot, own: WorkingSlot) => [[slot.stop, own.stop], [slot.limit, own.limit]] as const
  const can = (slot: WantedSlot, own: WorkingSlot): boolean => legs(slot, own).every(([to, leg]) => to === null || (leg !== null && leg.type === to.type && leg.peg === to.peg))
  const isWhole = (slot: WantedSlot, own: WorkingSlot): boolean => legs(slot, own).every(([to, leg]) => (to === null) === (leg === null))
  const follows = (slot: WantedSlot, own: WorkingSlot): number => legs(slot, own).filter(([to, leg]) => to !== null && to.leaderOrderId === leg?.leaderOrderId).length
  const far = (slot: WantedSlot, own: WorkingSlot): number => legs(slot, own).reduce((sum, [to, leg]) => sum + (to === null || leg === null ? 0 : Math.abs(triggerOf(to) - triggerOf(leg))), 0)
  const most = (slot: WantedSlot): number => Number(slot.stop !== null) + Number(slot.limit !== null)
  const passes: ((slot: WantedSlot, own: WorkingSlot) => boolean)[] = [
    (slot, own) => isWhole(slot, own) && follows(slot, own) === most(slot),
    (slot, own) => isWhole(slot, own) && follows(slot, own) > 0,
    isWhole,
    (slot, own) => follows(slot, own) > 0,
    () => true,
  ]
  for (const fits of passes) {
    for (const slot of wanted) {
      if (pairs.has(slot)) continue
      const [own] = [...free].filter((each) => can(slot, each) && fits(slot, each)).toSorted((one, other) => far(slot, one) - far(slot, other))
      if (own === undefined) continue
      pairs.set(slot, own)
      free.delete(own)
    }
  }
  return pairs
}
