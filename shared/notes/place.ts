import { z } from 'zod'
import { calendarDay, identifier, nameText, utcMs } from '../api/fields.ts'
import { compareFills } from '../fills/order.ts'
import { formatPrice, type Ticks } from '../money/price.ts'

const whole = z.number().int()

const end = z.object({
  /** The fill's id within its account. */
  fill: identifier,
  /** The fill's order; null if unknown. */
  order: z.string().max(300).nullable(),
  time: utcMs.nullable(),
  /** Decimal text without trailing zeros. */
  price: z.string().max(40).nullable(),
  /** Contracts of the whole fill. */
  qty: whole.positive().nullable(),
  /** Contracts of the same order (of the fill, if the order is unknown) in earlier pairs of the same local date. */
  from: whole.nonnegative(),
})
/** One end of a fill pair: the fill that opened or closed it, and which of its order's contracts it holds. */
export type NoteEnd = z.infer<typeof end>

/**
 * Where a fill pair was when the user annotated it. Fields are null if unknown: in notes of older programs whose pair
 * is gone.
 */
export const notePlace = z.object({
  account: identifier,
  contract: nameText.nullable(),
  /** The local date of its exit. */
  date: calendarDay.nullable(),
  tradingDay: calendarDay.nullable(),
  side: z.enum(['long', 'short']).nullable(),
  /** Contracts of the pair. */
  qty: whole.positive().nullable(),
  opening: end,
  closing: end,
  /** Other pairs that shared a fill, an order or a moment with it then, by `opening/closing`, with their contracts. */
  beside: z.array(z.tuple([z.string().max(620), whole.positive()])).max(200),
})
export type NotePlace = z.infer<typeof notePlace>

/** A fill pair with its current place. */
export type PairPlace = {
  readonly id: string
  readonly side: 'long' | 'short'
  readonly qty: number
  readonly date: string
  readonly opening: NoteEnd
  readonly closing: NoteEnd
}

type UncountedEnd = Omit<NoteEnd, 'from'> & { readonly time: number }
type UncountedPair = Omit<PairPlace, 'opening' | 'closing'> & { readonly opening: UncountedEnd; readonly closing: UncountedEnd }

/** A pair's data: prices are whole ticks of `tickSize`, times UTC ms, `date` the local date of its exit. */
export type KnownPair = Pick<PairPlace, 'id' | 'side' | 'qty' | 'date'> & {
  readonly tickSize: string
  readonly entryPrice: Ticks
  readonly exitPrice: Ticks
  readonly entryTime: number
  readonly exitTime: number
}

/** What distinguishes a fill from others. */
export type FillOfOrder = { readonly id: string; readonly order: string | null; readonly qty: number }

/** The ways to split the part of a pair's id after its account into the ids of two fills, which may contain slashes themselves. */
export const fillIdsOf = (account: string, pairId: string): readonly (readonly [opening: string, closing: string])[] => {
  const ends = pairId.slice(account.length + 1)
  return [...ends.matchAll(/\//g)].map(({ index }) => [ends.slice(0, index), ends.slice(index + 1)] as const)
}

/** An account's pairs with their fills, in the order of matching, without those whose fills are unknown. */
export const pairPlacesOf = (account: string, pairs: readonly KnownPair[], fills: ReadonlyMap<string, FillOfOrder>): readonly PairPlace[] => {
  const known = pairs.flatMap((pair): UncountedPair[] => {
    const ways = fillIdsOf(account, pair.id)
    const [openingId = '', closingId = ''] = ways.find(([one, other]) => fills.has(one) && fills.has(other)) ?? []
    const [opening, closing] = [fills.get(openingId), fills.get(closingId)]
    if (opening === undefined || closing === undefined) return []
    const end = ({ id, order, qty }: FillOfOrder, time: number, price: Ticks) => ({ fill: id, order, time, price: formatPrice(price, pair.tickSize, 'trimmed'), qty })
    const { id, side, qty, date } = pair
    return [{ id, side, qty, date, opening: end(opening, pair.entryTime, pair.entryPrice), closing: end(closing, pair.exitTime, pair.exitPrice) }]
  })
  const byFill = (one: UncountedEnd, other: UncountedEnd) => compareFills({ id: one.fill, time: one.time }, { id: other.fill, time: other.time })
  return countContracts(known.sort((one, other) => byFill(one.closing, other.closing) || byFill(one.opening, other.opening)))
}

const orderOf = ({ order, fill }: UncountedEnd): string => (order === null ? `fill ${fill}` : `order ${order}`)

const countContracts = (pairs: readonly UncountedPair[]): readonly PairPlace[] => {
  const counts = new Map<string, number>()
  const count = (role: string, date: string, qty: number, of: UncountedEnd): NoteEnd => {
    const key = `${role} ${date} ${orderOf(of)}`
    const from = counts.get(key) ?? 0
    counts.set(key, from + qty)
    return { ...of, from }
  }
  return pairs.map((pair) => ({ ...pair, opening: count('opening', pair.date, pair.qty, pair.opening), closing: count('closing', pair.date, pair.qty, pair.closing) }))
}

/** How surely an end of a pair is the end of another: the same fill, a fill of the same order, or a fill of the same second and price; 0 if it is not. */
export const endMatch = (one: NoteEnd, other: NoteEnd): 0 | 1 | 2 | 3 => {
  if (one.fill === other.fill) return 3
  if (one.order !== null && other.order !== null) return one.order === other.order ? 2 : 0
  return momentOf(one) !== null && momentOf(one) === momentOf(other) ? 1 : 0
}

/** A fill's second and price, which identify it if two sources give it different ids; null if unknown. */
export const momentOf = ({ time, price }: Pick<NoteEnd, 'time' | 'price'>): string | null => (time === null || price === null ? null : `${String(Math.floor(time / 1000))} ${price}`)

/** Identifies a pair within its account. */
export const endsOf = ({ opening, closing }: Pick<PairPlace, 'opening' | 'closing'>): string => `${opening.fill}/${closing.fill}`

const mostBeside = 200

/** The other pairs of `all` that share a fill, an order or a moment with this one. */
export const pairsBeside = (pair: PairPlace, all: readonly PairPlace[]): NotePlace['beside'] =>
  all
    .filter((other) => other.id !== pair.id && (endMatch(pair.opening, other.opening) > 0 || endMatch(pair.closing, other.closing) > 0))
    .slice(0, mostBeside)
    .map((other) => [endsOf(other), other.qty])
