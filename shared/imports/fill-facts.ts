import type { Side } from '#shared/fills/fill.ts'
import { keyOf } from './assembly.ts'

/** A fill, or several of one moment, by what any kind of file says of them. `priceSum` is price times quantity in ticks of `tickSize`. */
export type FillFacts = { readonly contract: string; readonly side: Side; readonly qty: number; readonly priceSum: number; readonly tickSize: string; /** UTC ms. */ readonly time: number }

/** The second of a time, counted from 1970: no kind of file but Fills tells more. */
export const secondOf = (time: number): number => Math.floor(time / 1000)

// Every tick of every contract is told apart by them, and an average that was worked out in another way is not.
const significantDigits = 10

/** A price as one text whatever size its ticks have; averages that files round alike are the same. */
export const priceOf = (ticks: number, tickSize: string): string => (ticks * Number(tickSize)).toPrecision(significantDigits)

/** What is the same of a fill in every kind of file but its moment: contract, side and average price. */
export const factsKey = ({ contract, side, qty, priceSum, tickSize }: Omit<FillFacts, 'time'>): string => keyOf(contract, side, priceOf(priceSum / qty, tickSize))

/** Fills of one contract, side and second as one each, as an order that was filled at once has them. */
export const bunchesOf = (fills: Iterable<FillFacts>): readonly FillFacts[] => {
  const bunches = new Map<string, FillFacts>()
  for (const fill of fills) {
    const key = keyOf(fill.contract, fill.side, secondOf(fill.time), fill.tickSize)
    const known = bunches.get(key)
    bunches.set(key, known === undefined ? fill : { ...known, qty: known.qty + fill.qty, priceSum: known.priceSum + fill.priceSum, time: Math.min(known.time, fill.time) })
  }
  return [...bunches.values()]
}

/** Moments by what happened in them: at each key the seconds in which it did. */
export type Moments = ReadonlyMap<string, ReadonlySet<number>>

/** What happened, and when: a key and a UTC time in ms. */
export type Moment = { readonly key: string; readonly time: number }

/** Collects moments by their keys. */
export const momentsOf = (moments: Iterable<Moment>): Moments => {
  const byKey = new Map<string, Set<number>>()
  for (const { key, time } of moments) {
    const seconds = byKey.get(key)
    if (seconds === undefined) byKey.set(key, new Set([secondOf(time)]))
    else seconds.add(secondOf(time))
  }
  return byKey
}

/** How many of some moments happen in others too, once moved by `shift` ms, and how many were looked at. */
export type Agreement = { readonly shift: number; readonly matched: number; readonly of: number }

const halfHour = 1_800_000
const farthest = 26 * 2 * halfHour
const mostSampled = 400

/** All shifts that wrong zones make, in ms: whole half hours, the smallest first, 0 before all others. */
const shifts: readonly number[] = Array.from({ length: farthest / halfHour }, (_, index) => (index + 1) * halfHour).reduce<number[]>((all, shift) => [...all, shift, -shift], [0])

/** Whether a moment happens in others too, to the second and one beside it. */
export const happensIn = ({ key, time }: Moment, others: Moments, shift = 0): boolean => {
  const seconds = others.get(key)
  const second = secondOf(time + shift)
  return seconds !== undefined && (seconds.has(second) || seconds.has(second - 1) || seconds.has(second + 1))
}

/** The shift under which most of some moments happen in others too, to the second and one beside it; 0 wherever that explains as many. At most 400 of them are looked at, evenly spread. */
export const bestAgreement = (some: readonly Moment[], others: Moments): { readonly best: Agreement; readonly unshifted: Agreement } => {
  const sorted = some.toSorted((one, other) => one.time - other.time || (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
  const step = Math.max(1, sorted.length / mostSampled)
  const sample = Array.from({ length: Math.min(sorted.length, mostSampled) }, (_, index) => sorted[Math.floor(index * step)]).filter((one) => one !== undefined)
  const agreement = (shift: number): Agreement => ({
    shift,
    of: sample.length,
    matched: sample.reduce((sum, moment) => sum + Number(happensIn(moment, others, shift)), 0),
  })
  const unshifted = agreement(0)
  if (unshifted.matched === unshifted.of) return { best: unshifted, unshifted }
  const best = shifts.map(agreement).reduce((known, next) => (next.matched > known.matched ? next : known))
  return { best, unshifted }
}
