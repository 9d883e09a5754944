import { timeOfWall, zoneClock } from '#shared/market/zone-clock.ts'
import { mostTolerance } from './fill-moments.ts'
import type { PriceRow, PriceShape } from './formats/format.ts'

/** How to read the times and prices of a file: the zone of its clock, whether a bar has the time of its start or end, and the power of ten by which prices are multiplied. */
export type PriceChoice = { readonly zone: string; readonly label: 'start' | 'end'; readonly scale: number }

/** A choice, with how many of the fills in its time lie within its prices. */
export type TriedChoice = PriceChoice & { readonly inside: number; readonly of: number }

/** A fill of the journal: UTC ms, and its price as a number. */
export type FillPrice = { readonly at: number; readonly price: number }

/** The result of a calibration: the choice to read with, choices to ask about, best first, or that the prices do not match the fills. */
export type Calibrated =
  | { readonly says: 'one'; readonly choice: TriedChoice }
  | { readonly says: 'ask'; readonly choices: readonly TriedChoice[] }
  | { readonly says: 'unlike'; readonly best: TriedChoice }

const dayMs = 86_400_000
const daysOfOffsets = 4000
const scales = [0, -1, -2, -3, -4, 1, 2, 3, 4]
const askedScales = [0, -2, -4]
/** This many fills outside the prices cannot be chance. */
export const fewestFills = 5

/** One way to read the file: each fill's wall time, and the lowest and highest price at that time so far. */
type Trial = {
  readonly zone: string
  readonly label: 'start' | 'end'
  readonly at: Float64Array
  readonly fills: readonly FillPrice[]
  readonly low: Float64Array
  readonly high: Float64Array
  next: number
  /** The file's first and last time. */
  first: number
  last: number
}

/** Tries every way to read a file against the fills of its contract: a fill's price lies within the prices of its moment. `zones` are tried beside the usual one; `tick` is the size of one. */
export const createCalibration = ({ grain, utc, zone, label, labelKnown, scaled }: PriceShape, { fills, zones, tick }: { readonly fills: readonly FillPrice[]; readonly zones: readonly string[]; readonly tick: number }) => {
  const labels = grain === 0 || labelKnown ? [label] : [label, label === 'end' ? ('start' as const) : ('end' as const)]
  const trials = (utc ? ['UTC'] : [...new Set([zone, ...zones])]).flatMap((tried) =>
    labels.map((way): Trial => {
      const clock = zoneClock(tried)
      const local = fills.map((fill) => ({ wall: (fill.at + clock.offsetAt(fill.at)) * 1000, fill })).sort((one, other) => one.wall - other.wall)
      const unseen = (value: number): Float64Array => new Float64Array(fills.length).fill(value)
      return { zone: tried, label: way, at: Float64Array.from(local, ({ wall }) => wall), fills: local.map(({ fill }) => fill), low: unseen(Infinity), high: unseen(-Infinity), next: 0, first: Infinity, last: -Infinity }
    }),
  )
  const tolerance = grain === 0 ? 2 * mostTolerance : mostTolerance

  const choicesOf = (trial: Trial): readonly TriedChoice[] => {
    const inTime = [...trial.fills.keys()].filter((index) => (trial.at[index] ?? 0) >= trial.first && (trial.at[index] ?? 0) <= trial.last)
    const slack = tick * 0.1
    return (scaled ? scales : [0]).map((scale) => {
      const factor = 10 ** scale
      const inside = inTime.filter((index) => {
        const price = trial.fills[index]?.price ?? NaN
        return price >= (trial.low[index] ?? 0) * factor - slack && price <= (trial.high[index] ?? 0) * factor + slack
      }).length
      return { zone: trial.zone, label: trial.label, scale, inside, of: inTime.length }
    })
  }
  /** Whether the file has prices of any fill's moment. */
  const isTouched = ({ high }: Trial): boolean => high.some((price) => price > -Infinity)
  /** Whether two zones show the same clock throughout the file. */
  const isSameClock = (one: Trial, other: Trial): boolean => {
    const [first, last] = [one.first / 1000, one.last / 1000]
    const [here, there] = [zoneClock(one.zone), zoneClock(other.zone)]
    if (!(last - first < daysOfOffsets * dayMs)) return false
    for (let time = first - dayMs; time <= last + dayMs; time += dayMs) if (here.offsetAt(time) !== there.offsetAt(time)) return false
    return true
  }

  return {
    /** Takes the next row of the file. */
    row: ({ wall, low, high }: PriceRow): void => {
      for (const trial of trials) {
        const begin = trial.label === 'end' ? wall - grain : wall
        const end = begin + grain
        if (begin < trial.first) trial.first = begin
        if (end > trial.last) trial.last = end
        while (trial.next < trial.at.length && (trial.at[trial.next] ?? 0) < begin - tolerance) trial.next += 1
        for (let index = trial.next; index < trial.at.length && (trial.at[index] ?? 0) < end + tolerance; index += 1) {
          if (low < (trial.low[index] ?? 0)) trial.low[index] = low
          if (high > (trial.high[index] ?? 0)) trial.high[index] = high
        }
      }
    },
    /** The result after all rows. */
    result: (): Calibrated => {
      const distinct = trials.filter((trial, index) => !trials.slice(0, index).some((before) => before.label === trial.label && isSameClock(before, trial)))
      const all = distinct.flatMap(choicesOf).sort((one, other) => other.inside * Math.max(1, one.of) - one.inside * Math.max(1, other.of))
      const [best] = all
      if (best === undefined) throw new Error('No way to read a file was tried')
      const whole = all.filter(({ inside, of }) => of > 0 && inside === of)
      const [only] = whole
      if (only !== undefined && whole.length === 1) return { says: 'one', choice: only }
      // One fill is enough if it lies outside the prices however the file is read, and each reading has prices of its moment.
      if (distinct.every(isTouched) && all.every(({ inside }) => inside === 0)) return { says: 'unlike', best }
      if (Math.max(...all.map(({ of }) => of)) >= fewestFills && all.every(({ inside, of }) => inside * 2 < of)) return { says: 'unlike', best }
      if (all.length === 1) return { says: 'one', choice: best }
      const unproved = best.inside === 0
      // Readings that many fills contradict are not offered: then only one without fills in its time could be right.
      const choices = all.filter(({ inside, of, scale }) => (unproved ? askedScales.includes(scale) && of < fewestFills : inside > 0))
      return choices.length === 0 ? { says: 'unlike', best } : { says: 'ask', choices }
    },
  }
}

const quarter = 15 * 60_000_000

/** Turns the times of a file's rows into UTC µs at which their prints begin. */
export const utcOf = ({ grain, utc }: PriceShape, { zone, label }: PriceChoice): ((wall: number) => number) => {
  const before = label === 'end' ? grain : 0
  if (utc) return (wall) => wall - before
  // Clocks change at quarters of an hour, and rows of one follow each other.
  let [known, shift] = [NaN, 0]
  return (wall) => {
    const own = Math.floor((wall - before) / quarter)
    if (own !== known) [known, shift] = [own, timeOfWall((own * quarter) / 1000, zone) * 1000 - own * quarter]
    return wall - before + shift
  }
}
