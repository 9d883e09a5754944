import { compareText } from '#shared/base/compare-text.ts'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { Side } from '#shared/fills/fill.ts'
import { keyOf } from './assembly.ts'

/** A fill, or several of one moment, by facts that every kind of file has. `priceSum` is price times quantity in ticks of `tickSize`. */
export type FillFacts = {
  readonly contract: string
  readonly side: Side
  readonly qty: number
  readonly priceSum: number
  readonly tickSize: string
  /** UTC ms. */
  readonly time: number
}

/** Unix seconds: only a Fills report is more precise. */
export const secondOf = (time: number): number => Math.floor(time / 1000)

// Enough digits to tell every contract's ticks apart, few enough that differently computed averages agree.
const significantDigits = 10

/** A price as text, independent of tick size; averages that files round alike are equal. */
export const priceOf = (ticks: number, tickSize: string): string => (ticks * Number(tickSize)).toPrecision(significantDigits)

/** A fill's key across kinds of files, without its time: contract, side, and average price. */
export const factsKey = ({ contract, side, qty, priceSum, tickSize }: Omit<FillFacts, 'time'>): string => keyOf(contract, side, priceOf(priceSum / qty, tickSize))

/** Combines fills of one contract, side, and second into one, like an order that fills at once. */
export const fillsBySecond = (fills: Iterable<FillFacts>): readonly FillFacts[] => {
  const combined = new Map<string, FillFacts>()
  for (const fill of fills) {
    const key = keyOf(fill.contract, fill.side, secondOf(fill.time), fill.tickSize)
    const known = combined.get(key)
    combined.set(key, known === undefined ? fill : { ...known, qty: known.qty + fill.qty, priceSum: known.priceSum + fill.priceSum, time: Math.min(known.time, fill.time) })
  }
  return [...combined.values()]
}

/** For each key, the seconds in which it happened. */
export type Moments = ReadonlyMap<string, ReadonlySet<number>>

/** An event: its key and UTC time in ms. */
export type Moment = { readonly key: string; readonly time: number }

/** Collects moments by their keys. */
export const momentsOf = (moments: Iterable<Moment>): Moments => {
  const byKey = new Map<string, Set<number>>()
  for (const { key, time } of moments) getOrInsert(byKey, key, () => new Set()).add(secondOf(time))
  return byKey
}

/** How many of `of` sampled events match others when shifted by `shift` ms. */
export type Agreement = { readonly shift: number; readonly matched: number; readonly of: number }

const halfHour = 1_800_000
const farthest = 26 * 2 * halfHour
const mostSampled = 400

/** All shifts that a wrong zone can cause, in ms: multiples of half an hour, smallest first, starting at 0. */
const shifts: readonly number[] = Array.from({ length: farthest / halfHour }, (_, index) => (index + 1) * halfHour).reduce<number[]>((all, shift) => [...all, shift, -shift], [0])

/** Whether others include the event, within a second. */
export const happensIn = ({ key, time }: Moment, others: Moments, shift = 0): boolean => {
  const seconds = others.get(key)
  const second = secondOf(time + shift)
  return seconds !== undefined && (seconds.has(second) || seconds.has(second - 1) || seconds.has(second + 1))
}

/** The shift that matches most events with others within a second; 0 if that matches as many. Samples at most 400 events, evenly spread. */
export const bestAgreement = (some: readonly Moment[], others: Moments): { readonly best: Agreement; readonly unshifted: Agreement } => {
  const sorted = some.toSorted((one, other) => one.time - other.time || compareText(one.key, other.key))
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
