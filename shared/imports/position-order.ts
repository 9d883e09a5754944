import { compareFillIds } from '#shared/fills/order.ts'
import type { KnownPosition } from '#shared/pnl/known-position.ts'
import { secondOf } from './fill-facts.ts'
import { compareImported, type ImportedFill, keyOf, signedQty } from './assembly.ts'
import type { FillReading } from './reading.ts'

/** What a fill's file shows of its order besides its time. */
export type RowOrder = Pick<FillReading, 'netAfter' | 'rank' | 'row'>

/** Fills in matching order, and the positions that their files state after them. */
export type OrderedFills = { readonly fills: readonly ImportedFill[]; readonly positions: readonly KnownPosition[] }

/**
 * Orders fills of one account and contract that share a timestamp: by broker ids, or, if a platform states the position after each fill, by file rows
 * or any other order in which these positions chain. If ids disagree, each fill moves a millisecond after the previous one, and so do later ones that it would pass.
 * A fill is marked if nothing shows the order and another one would give other trades. `heldBefore` is the position of a contract before its first fill.
 */
export const orderByPositions = (fills: readonly ImportedFill[], placeOf: (fill: ImportedFill) => RowOrder, heldBefore: (contract: string) => number = () => 0): OrderedFills => {
  const moved = new Map<ImportedFill, ImportedFill>()
  const positions: KnownPosition[] = []
  for (const stream of Map.groupBy(fills, ({ account, contract }) => keyOf(account, contract)).values()) {
    let before = stream[0] === undefined ? 0 : heldBefore(stream[0].contract)
    const states: PositionState[] = []
    let held = 0
    let latest = -Infinity
    for (const moment of Map.groupBy(stream.toSorted(compareImported), ({ time }) => time).values()) {
      const { order, isSure, isChained } = settle(moment.map((fill) => stepOf(fill, placeOf(fill))), before)
      const at = Math.max(moment[0]?.time ?? latest, latest + 1)
      // Those of the moment before may have been moved beyond this one.
      const isMoved = order.some(({ fill }, index) => fill !== moment[index] || fill.time !== at)
      latest = isMoved ? at + order.length - 1 : at
      for (const [index, { fill }] of order.entries()) {
        if (isMoved || !isSure) moved.set(fill, { ...fill, time: isMoved ? at + index : fill.time, ...(isSure ? {} : { ambiguous: true }) })
        held += fill.active ? signedQty(fill) : 0
      }
      const last = order.at(-1)
      if (last === undefined || last.to === null || !isChained) continue
      before = last.to
      states.push({ account: last.fill.account, contract: last.fill.contract, time: (moved.get(last.fill) ?? last.fill).time, net: last.to, apart: last.to - held })
    }
    positions.push(...telling(states))
  }
  return { fills: moved.size === 0 ? fills : fills.map((fill) => moved.get(fill) ?? fill), positions }
}

/**
 * Moves fills known to the second after those of the same second with lower broker ids whose millisecond another file has. The fills are those of one
 * account.
 */
export const afterLowerIds = (fills: readonly ImportedFill[]): readonly ImportedFill[] => {
  const moved = new Map<ImportedFill, ImportedFill>()
  for (const moment of Map.groupBy(fills, ({ contract, time }) => keyOf(contract, secondOf(time))).values()) {
    if (moment.length === 1 || moment.every(({ time }) => time % 1000 === 0) || !moment.every(({ id }) => brokersId.test(id))) continue
    let latest = 0
    for (const fill of moment.toSorted((one, other) => compareFillIds(one.id, other.id))) {
      if (fill.time % 1000 === 0 && latest > fill.time) moved.set(fill, { ...fill, time: latest })
      latest = Math.max(latest, fill.time)
    }
  }
  return moved.size === 0 ? fills : fills.map((fill) => moved.get(fill) ?? fill)
}

type PositionState = KnownPosition & { readonly apart: number }

/** The first and last positions and those around a missing fill: the others add nothing. */
const telling = (states: readonly PositionState[]): readonly KnownPosition[] =>
  states.filter(({ apart }, index) => states[index - 1]?.apart !== apart || states[index + 1]?.apart !== apart).map(({ account, contract, time, net }) => ({ account, contract, time, net }))

/** A fill as a step; `to` is the position after it, null if unknown. */
type Step = { readonly fill: ImportedFill; readonly place: RowOrder; readonly to: number | null }

type Settled = {
  readonly order: readonly Step[]
  /** Whether it is known to be the order. */
  readonly isSure: boolean
  /** Whether the last position is the one after the timestamp. */
  readonly isChained: boolean
}

const stepOf = (fill: ImportedFill, place: RowOrder): Step => ({ fill, place, to: place.netAfter ?? null })
const fromOf = ({ fill, to }: Step): number => (to ?? 0) - signedQty(fill)

/** `steps` come in id order. */
const settle = (steps: readonly Step[], before: number): Settled => {
  if (steps.length === 1) return { order: steps, isSure: true, isChained: true }
  const byRank = inOrderOf(steps, 'rank')
  const byRow = inOrderOf(steps, 'row')
  const byIds = steps.every(({ fill }) => brokersId.test(fill.id)) ? steps : null
  const candidates = [byRank, byIds, byRow, byRow?.toReversed() ?? null].filter((one) => one !== null)
  if (steps.every(({ to }) => to !== null)) {
    const following = candidates.filter(follow)
    const first = following.find(([step]) => step !== undefined && fromOf(step) === before) ?? following[0]
    // Rows of unknown sort direction may chain both ways.
    if (first !== undefined) return { order: first, isSure: first === byRank || first === byIds || following.every((other) => sameTrades(other, first)) || fromOf(first[0] as Step) === before, isChained: true }
    const chain = chainOf(steps, before)
    if (chain !== null) return { order: chain, isSure: isOnlyChain(steps) || !matters(steps), isChained: true }
    return { order: byRank ?? steps, isSure: byIds !== null || !matters(steps), isChained: byRank !== null }
  }
  const order = byIds ?? byRank ?? byRow ?? steps
  return { order, isSure: byIds !== null || !matters(steps), isChained: byRank !== null || byIds !== null }
}

// Broker ids ascend; NinjaTrader numbers parts after an underscore.
const brokersId = /^\d+(?:_\d+)?$/

const inOrderOf = (steps: readonly Step[], by: 'rank' | 'row'): readonly Step[] | null => {
  const places = new Set(steps.map(({ place }) => place[by]))
  if (places.has(undefined) || places.size < steps.length) return null
  return steps.toSorted((one, other) => (one.place[by] ?? 0) - (other.place[by] ?? 0))
}

const follow = (steps: readonly Step[]): boolean => steps.every((step, index) => index === 0 || steps[index - 1]?.to === fromOf(step))

const sameTrades = (one: readonly Step[], other: readonly Step[]): boolean => one.every((step, index) => isAlike(step, other[index] as Step))
const isAlike = (one: Step, other: Step): boolean => one.fill.side === other.fill.side && one.fill.qty === other.fill.qty && one.fill.price === other.fill.price

/** Whether another order of these fills would give other trades: sides or prices differ. Stand-ins for one order's average are not broker fills. */
const matters = (steps: readonly Step[]): boolean => {
  const counting = steps.filter(({ fill }) => fill.active)
  const [first] = counting
  if (first === undefined) return false
  return counting.some((step) => step.fill.side !== first.fill.side || (step.fill.price !== first.fill.price && (step.fill.source !== 'orders-file' || step.fill.orderId !== first.fill.orderId)))
}

/** Whether positions allow only one chain: from each of them only identical fills continue. */
const isOnlyChain = (steps: readonly Step[]): boolean => [...Map.groupBy(steps, fromOf).values()].every((leaving) => leaving.every((step) => isAlike(step, leaving[0] as Step)))

/** A chain of all steps, each starting at the previous position; null if there is none. Of several, the one with the lowest ids first. */
const chainOf = (steps: readonly Step[], before: number): readonly Step[] | null => {
  const leaving = Map.groupBy(steps.toReversed(), fromOf)
  const start = startOf(steps, before)
  // Hierholzer's algorithm, built from the end.
  const chain: Step[] = []
  const under: { readonly at: number; readonly by: Step | null }[] = [{ at: start, by: null }]
  for (let top = under.at(-1); top !== undefined; top = under.at(-1)) {
    const next = leaving.get(top.at)?.pop()
    if (next !== undefined) under.push({ at: next.to ?? 0, by: next })
    else {
      under.pop()
      if (top.by !== null) chain.push(top.by)
    }
  }
  const ordered = chain.reverse()
  return ordered.length === steps.length && follow(ordered) ? ordered : null
}

/** The start of the Eulerian path: the position with more departures than arrivals, otherwise the previous timestamp's end. */
const startOf = (steps: readonly Step[], before: number): number => {
  const balance = new Map<number, number>()
  for (const step of steps) {
    balance.set(fromOf(step), (balance.get(fromOf(step)) ?? 0) + 1)
    balance.set(step.to ?? 0, (balance.get(step.to ?? 0) ?? 0) - 1)
  }
  const more = [...balance].find(([, count]) => count > 0)
  if (more !== undefined) return more[0]
  return balance.has(before) ? before : fromOf(steps[0] as Step)
}
