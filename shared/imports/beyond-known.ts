import { compareText } from '#shared/base/compare-text.ts'
import { countWhile } from '#shared/base/count-while.ts'
import { compareFillIds, compareFills } from '#shared/fills/order.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { shareOf } from '#shared/money/share.ts'
import type { MissingFill } from '#shared/pnl/known-position.ts'
import { keyOf, type DoubtfulDays, type FactName, type ImportedFill, type RetimedFill, type RowConflict } from './assembly.ts'
import { placesInOrder } from './distinct.ts'
import { secondOf } from './fill-facts.ts'
import { isPlatformsId, byIssuer } from './fill-ids.ts'
import { fillsOfUncovered, type UncoveredOrder } from './order-fills.ts'
import type { RowLocation } from './reading.ts'

/** Contracts of a fill, leg, or order of one platform that are a known fill of another. */
type Overlap = { readonly by: Pick<ImportedFill, 'id' | 'qty' | 'fee'>; readonly of: ImportedFill; readonly qty: number }

/** What a platform's file has beyond the known fills, and which of these it has too. */
type BeyondKnown = {
  readonly fills: readonly ImportedFill[]
  readonly overlaps: readonly Overlap[]
  /** Fills that are known in part. */
  readonly knownInPart: readonly ImportedFill[]
  /** Fills that are known a second before or after. */
  readonly shifted: readonly ImportedFill[]
  readonly retimed: readonly RetimedFill[]
}

/** A platform's fill that was found to be a known one. */
type Recognized = Pick<ImportedFill, 'contract' | 'side' | 'price' | 'time' | 'qty'>

// As exact as the times in files of pairs and orders are.
const second = 1000

/** Where and when a fill happened, as every platform knows it. */
const placeOfFill = ({ contract, side, price, time }: Omit<Recognized, 'qty'>, later = 0): string => keyOf(contract, side, price, secondOf(time + later))

/**
 * One platform's fills beyond those that other platforms have, all of one account: contracts of one contract, side, price, and second are the same,
 * however a platform divides them; if each has one that the other lacks, also a second apart. `recognized`: fills of it that are among the known ones already.
 */
const beyondKnown = (own: readonly ImportedFill[], known: readonly ImportedFill[], recognized: readonly Recognized[]): BeyondKnown => {
  const places = new Set([...own, ...recognized].flatMap((fill) => [0 - second, 0, second].map((later) => placeOfFill(fill, later))))
  const held = new Map<string, { readonly fill: ImportedFill; left: number }[]>()
  for (const fill of known) {
    const place = placeOfFill(fill)
    if (!fill.active || !places.has(place)) continue
    const at = held.get(place) ?? []
    held.set(place, at)
    at.push({ fill, left: fill.qty })
  }
  const overlaps = recognized.flatMap((fill) => takeFrom(held.get(placeOfFill(fill)) ?? [], fill.qty).map(({ fill: of, qty }): Overlap => ({ by: { id: of.id, qty: fill.qty, fee: null }, of, qty })))
  const open = own.map((fill) => ({ fill, left: fill.qty }))
  const shifted = new Set<ImportedFill>()
  for (const later of [0, 0 - second, second]) {
    for (const one of open) {
      if (!one.fill.active || one.left === 0) continue
      for (const { fill: of, qty } of takeFrom(held.get(placeOfFill(one.fill, later)) ?? [], one.left)) {
        overlaps.push({ by: one.fill, of, qty })
        one.left -= qty
        if (later !== 0) shifted.add(one.fill)
      }
    }
  }
  const rest = open.filter(({ left }) => left > 0)
  return {
    fills: rest.map(({ fill, left }) => (left === fill.qty ? fill : { ...fill, qty: left, fee: fill.fee === null ? null : shareOf(fill.fee, fill.qty - left, fill.qty, fill.qty) })),
    overlaps,
    knownInPart: rest.flatMap(({ fill, left }) => (left === fill.qty ? [] : [fill])),
    shifted: [...shifted],
    retimed: retimed(open.flatMap(({ fill, left }) => (left === 0 && shifted.has(fill) ? [fill] : [])), overlaps),
  }
}

/** Fills that are wholly known, under the time of the known ones; one that is known in two seconds is in neither alone. */
const retimed = (whole: readonly ImportedFill[], overlaps: readonly Overlap[]): readonly RetimedFill[] => {
  if (whole.length === 0) return []
  const known = Map.groupBy(overlaps, ({ by }) => by)
  return whole.flatMap((fill) => {
    const { id, account } = fill
    const [first, ...more] = known.get(fill) ?? []
    return first === undefined || more.some(({ of }) => secondOf(of.time) !== secondOf(first.of.time)) ? [] : [{ id, account, time: first.of.time }]
  })
}

/** Takes contracts, first from a fill of just this size. */
const takeFrom = (held: { readonly fill: ImportedFill; left: number }[], qty: number): readonly { readonly fill: ImportedFill; readonly qty: number }[] => {
  const exact = held.find(({ left }) => left === qty)
  const found: { fill: ImportedFill; qty: number }[] = []
  let open = qty
  for (const one of exact === undefined ? held : [exact]) {
    const taken = Math.min(one.left, open)
    if (taken === 0) continue
    one.left -= taken
    open -= taken
    found.push({ fill: one.fill, qty: taken })
  }
  return found
}

/** The rows of a fill, leg, or order by its id. */
type PlacesOf = (id: string) => readonly RowLocation[]

/** Doubts because two platforms have different fills, and the conflicts to show. */
type Differences = { readonly days: readonly DoubtfulDays[]; readonly missing: readonly MissingFill[]; readonly apart: readonly RowConflict[] }

const nothing: Differences = { days: [], missing: [], apart: [] }

/**
 * Days on which each of two platforms has fills of one contract and side that the other lacks: nothing shows whether they are the same. `beyond`: one
 * platform's fills that no other has; `overlaps`: the known ones that it has too.
 */
const differingFills = (beyond: readonly ImportedFill[], known: readonly ImportedFill[], overlaps: readonly Overlap[], placesOf: PlacesOf): Differences => {
  if (beyond.length === 0 || known.length === 0) return nothing
  const streamOf = ({ contract, side, time }: ImportedFill): string => keyOf(contract, side, tradingDay(time))
  const streams = new Set(beyond.map(streamOf))
  const taken = new Map<ImportedFill, number>()
  for (const { of, qty } of overlaps) taken.set(of, (taken.get(of) ?? 0) + qty)
  const alone = Map.groupBy(known.filter((fill) => fill.active && streams.has(streamOf(fill)) && (taken.get(fill) ?? 0) < fill.qty), streamOf)
  const differing = [...Map.groupBy(beyond.filter((fill) => fill.active && alone.has(streamOf(fill))), streamOf)].sort(([one], [other]) => compareText(one, other))
  const firstOfEach = differing.flatMap(([, fills]) => fills.slice(0, 1))
  return {
    days: firstOfEach.map(dayOf),
    missing: firstOfEach.map(({ account, contract, time }) => ({ account, contract, time })),
    apart: firstOfEach.map((first) => {
      const places = [first, ...(alone.get(streamOf(first)) ?? [])].flatMap(({ id }) => placesOf(id))
      return { what: 'fill', id: first.id, differs: ['fill-id'], at: places.slice(0, 2) }
    }),
  }
}

const dayOf = ({ account, time }: ImportedFill): DoubtfulDays => ({ account, from: tradingDay(time), to: tradingDay(time), reason: 'contradicting-rows' })

const cent = 100

/**
 * The known fills with the fees that other platforms state, where they have none or less. `conflicts`: the ids of fills for which two platforms state
 * different fees, compared by closed trades, since those state both legs together.
 */
const withFeesStated = (known: readonly ImportedFill[], overlaps: readonly Overlap[]): { readonly fills: readonly ImportedFill[]; readonly conflicts: readonly (readonly string[])[] } => {
  const stated = overlaps.filter(({ by }) => by.fee !== null)
  if (stated.length === 0) return { fills: known, conflicts: [] }
  const given = new Map<ImportedFill, { qty: number; fee: number }>()
  const sofar = new Map<string, number>()
  const [larger, conflicts] = [new Set<ImportedFill>(), [] as (readonly string[])[]]
  for (const alike of Map.groupBy(stated, ({ by }) => by.id.replace(/~(?:in|out)$/, '')).values()) {
    let [theirs, ours] = [0, 0]
    for (const { by, of, qty } of alike) {
      const from = sofar.get(by.id) ?? 0
      const before = given.get(of) ?? { qty: 0, fee: 0 }
      const fee = by.fee === null ? 0 : shareOf(by.fee, from, from + qty, by.qty)
      sofar.set(by.id, from + qty)
      given.set(of, { qty: before.qty + qty, fee: before.fee + fee })
      theirs += fee
      ours += of.fee === null ? 0 : shareOf(of.fee, before.qty, before.qty + qty, of.qty)
    }
    if (alike.some(({ of }) => of.fee === null) || Math.abs(theirs - ours) < cent) continue
    conflicts.push([...new Set(alike.flatMap(({ by, of }) => [by.id, of.id]))])
    if (theirs > ours) for (const { of } of alike) larger.add(of)
  }
  const feeOf = (fill: ImportedFill): Amount | null => {
    const { qty, fee } = given.get(fill) ?? { qty: 0, fee: 0 }
    return qty === fill.qty && (fill.fee === null || larger.has(fill)) ? amountOf(fee) : fill.fee
  }
  return { conflicts, fills: known.map((fill) => (feeOf(fill) === fill.fee ? fill : { ...fill, fee: feeOf(fill) })) }
}

/** Fills of all platforms, each once. */
export type FillsOnce = Differences & {
  readonly fills: readonly ImportedFill[]
  /** Rows that state different fees of one fill or trade. */
  readonly feeConflicts: readonly (readonly RowLocation[])[]
  readonly retimed: readonly RetimedFill[]
}

/** The fills of one platform, of which some were recognized as known ones before; `mirrored` if another computer read them. */
export type PlatformFills = { readonly fills: readonly ImportedFill[]; readonly recognized?: readonly Recognized[]; readonly mirrored?: boolean }

/**
 * The fills of all platforms of one account, each once: of `parts`, one a platform, each adds the fills that those before it lack, and its fees to theirs.
 * Days on which two of them differ are in doubt.
 */
export const fillsOnce = (parts: readonly PlatformFills[], placesOf: PlacesOf): FillsOnce =>
  parts.reduce<FillsOnce>((known, { fills, recognized = [], mirrored = false }) => {
    if (known.fills.length === 0) return { ...known, fills }
    const compared = mirrored ? known.fills.filter((fill) => fill.mirrored !== true) : known.fills
    const beyond = beyondKnown(fills, compared, recognized)
    const differing = differingFills(beyond.fills, compared, beyond.overlaps, placesOf)
    const charged = withFeesStated(known.fills, beyond.overlaps)
    const other = new Map(beyond.overlaps.map(({ by, of }) => [by.id, of.id]))
    const conflictOf = (differs: FactName) => ({ id }: ImportedFill): RowConflict => ({ what: 'fill', id, differs: [differs], at: placesInOrder([...placesOf(id), ...placesOf(other.get(id) ?? '')]) })
    return {
      fills: [...charged.fills, ...beyond.fills],
      days: [...known.days, ...differing.days, ...[...beyond.knownInPart, ...beyond.shifted].map(dayOf)],
      missing: [...known.missing, ...differing.missing],
      apart: [...known.apart, ...differing.apart, ...beyond.knownInPart.map(conflictOf('quantity')), ...beyond.shifted.map(conflictOf('time'))],
      feeConflicts: [...known.feeConflicts, ...charged.conflicts.map((ids) => placesInOrder(ids.flatMap(placesOf)))],
      retimed: [...known.retimed, ...beyond.retimed],
    }
  }, { ...nothing, fills: [], feeConflicts: [], retimed: [] })

/** Like `FillsOnce`, with what orders add. */
export type OrdersOnce = Omit<FillsOnce, 'retimed'> & Pick<OrderCoverage, 'contradicting' | 'astray'>

/** The fills, and the parts of orders that no fill covers, each once. `isLoose`: whether a fill may be of any order of the broker's. */
export const ordersOnce = (fills: readonly ImportedFill[], rests: readonly UncoveredOrder[], isLoose: (fill: ImportedFill) => boolean, placesOf: PlacesOf): OrdersOnce => {
  const isPlatforms = ({ order: { orderId } }: UncoveredOrder): boolean => isPlatformsId(orderId)
  const issuers = [rests.filter((rest) => !isPlatforms(rest)), ...byIssuer(rests.filter(isPlatforms), ({ order }) => order.orderId).map(([, own]) => own)]
  const parts = issuers.flatMap((all, place) => [false, true].map((mirrored) => ({ place, mirrored, own: all.filter((rest) => (rest.mirrored !== undefined) === mirrored) })))
  return parts.reduce<OrdersOnce>((known, { own, place, mirrored }) => {
    if (own.length === 0) return known
    const open = known.fills.filter((fill) => (!mirrored || fill.mirrored !== true) && (place === 0 ? fill.source === 'pairs-file' || isLoose(fill) : fill.active))
    const cover = assignFillsToOrders(open, own)
    const overlaps = cover.taken.flatMap(({ order, fills: taken }) => taken.map((of): Overlap => ({ by: { id: order.orderId, qty: order.qty, fee: order.fee ?? null }, of, qty: of.qty })))
    const beyond = cover.rests.flatMap(fillsOfUncovered)
    const differing = differingFills(beyond, place === 0 ? open.filter(({ id }) => isPlatformsId(id)) : open, overlaps, placesOf)
    const charged = withFeesStated(known.fills, overlaps)
    return {
      fills: [...charged.fills, ...beyond],
      days: [...known.days, ...differing.days],
      missing: [...known.missing, ...differing.missing],
      apart: [...known.apart, ...differing.apart],
      feeConflicts: [...known.feeConflicts, ...charged.conflicts.map((ids) => placesInOrder(ids.flatMap(placesOf)))],
      contradicting: [...known.contradicting, ...cover.contradicting],
      astray: [...known.astray, ...cover.astray],
    }
  }, { ...nothing, fills, feeConflicts: [], contradicting: [], astray: [] })
}

// Limits on the fills considered per order and on the combinations tried.
const mostLookedAt = 64
const mostTried = 500

/** The uncovered parts of orders, the orders whose price contradicts the fills assigned to them, and those that are a known fill at another hour. */
type OrderCoverage = {
  readonly rests: readonly UncoveredOrder[]
  readonly contradicting: readonly UncoveredOrder['order'][]
  readonly astray: readonly WrongZoneMatch[]
  /** The fills assigned to each order. */
  readonly taken: readonly { readonly order: UncoveredOrder['order']; readonly fills: readonly ImportedFill[] }[]
}

/** A fill and an order that differ only by whole or half hours: one was written in another zone. */
type WrongZoneMatch = { readonly fill: ImportedFill; readonly order: UncoveredOrder['order'] }

/**
 * The parts of orders not covered by fills without an order id: fills win, an order's average only approximates them. An order takes fills of its
 * account, contract, and side between its placement and its fill time: first any that add up to exactly its quantity and price; then, nearest to its
 * fill time first, up to its missing quantity. Its last fill is in its fill second: if no fill is known there and none has its price, at least one
 * contract is missing.
 */
const assignFillsToOrders = (fills: readonly ImportedFill[], rests: readonly UncoveredOrder[]): OrderCoverage => {
  if (rests.length === 0 || fills.length === 0) return { rests, contradicting: [], astray: [], taken: [] }
  const streams = new Map([...Map.groupBy(fills, streamOf)].map(([key, stream]) => [key, openStream(stream.sort(compareFills))]))
  const open = rests
    // The order placed last has the fewest candidates, so it picks first: that matches the most fills.
    .toSorted((one, other) => other.order.placedAt - one.order.placedAt || other.order.filledAt - one.order.filledAt || compareFillIds(other.order.orderId, one.order.orderId))
    .map((rest): OpenRest => ({ rest, stream: streams.get(streamOf(rest.order)), qty: rest.qty, priceSum: rest.priceSum, fills: [], isLastKnown: false }))
  for (const slack of [0, second]) for (const one of open) takeExactly(one, slack)
  for (const slack of [0, second]) {
    for (const isPriced of [true, false]) {
      for (const one of open) {
        if (one.isLastKnown && slack > 0) continue
        const before = one.qty
        takeNearest(one, one.rest.order.filledAt - slack, one.rest.order.filledAt + slack, isPriced, one.qty)
        one.isLastKnown ||= one.qty < before
      }
    }
  }
  for (const isPriced of [true, false]) {
    for (const one of open) takeNearest(one, one.rest.order.placedAt - second, one.rest.order.filledAt, isPriced, isPriced || one.isLastKnown ? one.qty : one.qty - 1)
  }
  return {
    rests: open.flatMap(({ rest, qty, priceSum }) => (qty === rest.qty ? [rest] : qty === 0 ? [] : [{ ...rest, qty, priceSum }])),
    contradicting: open.flatMap(({ rest, qty, priceSum }) => (qty === 0 && priceSum !== 0 ? [rest.order] : [])),
    astray: open.flatMap(({ rest, stream, qty }) => (qty === rest.qty ? (stream?.left() ?? []).flatMap((fill) => (isAstray(fill, rest) ? [{ fill, order: rest.order }] : [])) : [])),
    taken: open.flatMap(({ rest: { order }, fills: own }) => (own.length === 0 ? [] : [{ order, fills: own }])),
  }
}

const halfHour = 1_800_000
const farthest = 26 * 3_600_000

/** Whether a fill matches an order except for whole or half hours. */
const isAstray = ({ time, qty, price }: ImportedFill, { order: { filledAt }, qty: whole, priceSum }: UncoveredOrder): boolean => {
  const apart = Math.abs(time - filledAt)
  return apart <= farthest && Math.abs(apart - Math.round(apart / halfHour) * halfHour) <= second && qty <= whole && price * whole === priceSum
}

type OpenRest = { readonly rest: UncoveredOrder; readonly stream: Stream | undefined; qty: number; priceSum: number; readonly fills: ImportedFill[]; isLastKnown: boolean }

const streamOf = ({ account, contract, side }: Pick<ImportedFill, 'account' | 'contract' | 'side'>): string => keyOf(account, contract, side)

const take = (open: OpenRest, found: FoundFill): void => {
  open.qty -= found.fill.qty
  open.priceSum -= found.fill.price * found.fill.qty
  open.fills.push(found.fill)
  open.stream?.take(found)
}

const takeExactly = (open: OpenRest, slack: number): void => {
  const { rest: { order: { placedAt, filledAt } }, stream } = open
  if (stream === undefined || open.qty === 0) return
  const candidates = [...stream.within(placedAt - slack, filledAt + slack)]
  const isLast = (fill: ImportedFill): boolean => Math.abs(fill.time - filledAt) <= slack
  const chosen = candidates.some(({ fill }) => isLast(fill)) ? summingUp(candidates, open, isLast) : null
  for (const found of chosen ?? []) take(open, found)
  if (chosen !== null) open.isLastKnown = true
}

/** Fills that add up to a quantity and price, with at least one possible last fill; null if there are none or too many combinations. */
const summingUp = (candidates: readonly FoundFill[], { qty, priceSum }: { readonly qty: number; readonly priceSum: number }, isLast: (fill: ImportedFill) => boolean): readonly FoundFill[] | null => {
  let tried = 0
  const search = (at: number, left: number, sum: number, hasLast: boolean): readonly FoundFill[] | null => {
    if (left === 0) return sum === 0 && hasLast ? [] : null
    for (let next = at; next < candidates.length && tried < mostTried; next += 1) {
      const found = candidates[next]
      if (found === undefined || found.fill.qty > left) continue
      tried += 1
      const others = search(next + 1, left - found.fill.qty, sum - found.fill.price * found.fill.qty, hasLast || isLast(found.fill))
      if (others !== null) return [found, ...others]
    }
    return null
  }
  return search(0, qty, priceSum, false)
}

const takeNearest = (open: OpenRest, from: number, until: number, isPriced: boolean, most: number): void => {
  const { qty, priceSum } = open.rest
  let left = most
  if (left <= 0 || open.stream === undefined) return
  for (const found of open.stream.within(from, until)) {
    if (found.fill.qty > left || (isPriced && found.fill.price * qty !== priceSum)) continue
    left -= found.fill.qty
    take(open, found)
    if (left === 0) return
  }
}

type FoundFill = { readonly fill: ImportedFill; readonly at: number }

/** The unassigned fills of one account, contract, and side. */
type Stream = {
  /** Those of a time, latest first. */
  readonly within: (from: number, until: number) => Generator<FoundFill>
  readonly take: (found: FoundFill) => void
  readonly left: () => readonly ImportedFill[]
}

const openStream = (stream: readonly ImportedFill[]): Stream => {
  // The nearest untaken fill at or before each index, with path compression.
  const before = stream.map((_, index) => index)
  let left: readonly ImportedFill[] | null = null
  const openAt = (from: number): number => {
    let at = from
    while (at >= 0 && before[at] !== at) at = before[at] ?? -1
    for (let place = from; place > at; ) {
      const next = before[place] ?? -1
      before[place] = at
      place = next
    }
    return at
  }
  return {
    within: function* (from, until) {
      let looked = 0
      for (let at = openAt(lastUntil(stream, until)); at >= 0 && looked < mostLookedAt; at = openAt(at - 1)) {
        const fill = stream[at]
        if (fill === undefined || fill.time < from) return
        looked += 1
        yield { fill, at }
      }
    },
    take: ({ at }) => {
      before[at] = at - 1
    },
    left: () => (left ??= stream.filter((_, at) => before[at] === at)),
  }
}

/** The index of the last fill at or before a time; -1 if none. */
const lastUntil = (stream: readonly ImportedFill[], time: number): number => countWhile(stream.length, (index) => (stream[index]?.time ?? Infinity) <= time) - 1
