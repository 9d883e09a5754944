import { role, type Candidate } from './candidate.ts'
import { level } from './evidence.ts'
import type { Panel } from './panel.ts'
import { generatorFor } from './studentized.ts'

const resamples = 499
const standardQuantile = 1.959_964

/**
 * An excess with its interval, in 1/10,000. `otherSide` is the bootstrap's two-sided p-value: twice the share of
 * resamples with the opposite sign of the test, widened like the interval, at most 1. The interval includes zero
 * exactly if that p-value is above its level, for a value of the test's sign.
 */
export type Interval = { readonly value: number; readonly low: number; readonly high: number; readonly otherSide: number }

/** Days drawn with replacement: the count of each day in each resample. All findings of a panel share them. */
export type Resampled = { readonly days: number; readonly counts: Uint16Array }

/** Draws the days of each resample; the same for every panel with as many days. */
export const resampleDays = ({ days }: Pick<Panel, 'days'>, times = resamples): Resampled => {
  const counts = new Uint16Array(times * days.length)
  const draw = generatorFor('interval')
  for (let drawn = 0; drawn < counts.length; drawn += 1) {
    const place = drawn - (drawn % days.length) + draw(days.length)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return { days: days.length, counts }
}

/** How much more a candidate's trades made than as many of the others, in 1/10,000; null for kinds without it. */
export const excessOf = (panel: Panel, { roles, excess }: Pick<Candidate, 'roles' | 'excess'>): number | null => {
  if (excess === null) return null
  if (excess !== 'pooled') return excess.reduce((sum, made) => sum + made, 0)
  const { own, other } = totals(panel, roles)
  return own.count === 0 || other.count === 0 ? null : own.net - (own.count * other.net) / other.count
}

/**
 * The excess with a percentile bootstrap interval over days, widened about its center for the small number of days. It is the interval of a single
 * finding; `withTest` makes it that of one of many.
 */
export const intervalOf = (panel: Panel, candidate: Candidate, resampled: Resampled): Interval | null => {
  const value = excessOf(panel, candidate)
  return value === null || candidate.excess === null ? null : intervalAbout(value, candidate.sign, columnsOf(panel, candidate.roles, candidate.excess), resampled, level)
}

/** The interval of `intervalOf`, of sums by day: its p-value is above `at` exactly where it holds zero. */
export const intervalAbout = (value: number, sign: number | null, columns: Columns, { days, counts }: Resampled, at: number): Interval => {
  const freedom = Math.max(1, columns.informativeDays - 1)
  const z = at === level ? standardQuantile : normalQuantile(at / 2)
  const width = Math.sqrt(columns.informativeDays / freedom) * (studentQuantile(freedom, z) / z)
  const draws: number[] = []
  for (let from = 0; from < counts.length; from += days) {
    const draw = resampledExcess(columns, counts, from, days)
    if (draw !== null) draws.push(value + width * (draw - value))
  }
  const sorted = Float64Array.from(draws).sort()
  // A bound is the last draw that the p-value counts: this many draws beyond it are just too many.
  const least = Math.max(1, Math.floor((at / 2) * (sorted.length + 1)))
  const wrong = sorted.reduce((count, draw) => count + (sign !== 0 && Math.sign(draw) === sign ? 0 : 1), 0)
  return { value, low: Math.min(value, sorted[least - 1] ?? value), high: Math.max(value, sorted[sorted.length - least] ?? value), otherSide: Math.min(1, (2 * (1 + wrong)) / (1 + sorted.length)) }
}

/**
 * The interval of a finding that counts only if both the resampled days and its own test say so: everything that at
 * least one of them does not reject. The test is converted to money by the standard error of the resampled days, and
 * `critical` is the size that its statistic must exceed after the correction for all tests, so zero is excluded exactly
 * if both reject it with the same sign.
 */
export const withTest = ({ value, low, high, otherSide }: Interval, statistic: number, critical: number): Interval => {
  const error = (high - low) / (2 * standardQuantile)
  return { value, otherSide, low: Math.min(low, (statistic - critical) * error), high: Math.max(high, (statistic + critical) * error) }
}

// The upper quantile of the normal distribution, within 0.0005: Abramowitz and Stegun 26.2.23.
const normalQuantile = (tail: number): number => {
  const t = Math.sqrt(-2 * Math.log(tail))
  return t - (2.515_517 + t * (0.802_853 + t * 0.010_328)) / (1 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)))
}

// The quantile of Student's t by expansion about the normal quantile `z`; at 97.5% within 0.01 from three degrees of freedom on, and at 99.995% within 2% from nine on.
const studentQuantile = (freedom: number, z: number): number => {
  const v = Math.max(3, freedom)
  return z + (z ** 3 + z) / (4 * v) + (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * v * v) + (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * v ** 3)
}

/** By day: net P&L and count of the finding's trades (`own`, `owned`) and of the others (`other`, `others`). */
export type Columns = { readonly own: Float64Array; readonly owned: Float64Array | null; readonly other: Float64Array; readonly others: Float64Array; readonly count: number; readonly informativeDays: number }

const columnsOf = ({ size, net, day, days }: Panel, roles: Uint8Array, excess: 'pooled' | Float64Array): Columns => {
  const [own, owned, other, others] = [new Float64Array(days.length), new Float64Array(days.length), new Float64Array(days.length), new Float64Array(days.length)]
  if (excess !== 'pooled') return { own: excess, owned: null, other, others, count: 0, informativeDays: excess.filter((made) => made !== 0).length }
  let count = 0
  for (let index = 0; index < size; index += 1) {
    const part = roles[index] ?? role.neither
    const today = day[index] ?? 0
    if (part === role.neither) continue
    const [sums, counts] = part === role.behind ? [own, owned] : [other, others]
    if (part === role.behind) count += 1
    sums[today] = (sums[today] ?? 0) + (net[index] ?? 0)
    counts[today] = (counts[today] ?? 0) + 1
  }
  return { own, owned, other, others, count, informativeDays: owned.filter((trades) => trades > 0).length }
}

const resampledExcess = ({ own, owned, other, others, count }: Columns, counts: Uint16Array, from: number, days: number): number | null => {
  let made = 0
  let trades = 0
  let madeElse = 0
  let tradesElse = 0
  for (let day = 0; day < days; day += 1) {
    const times = counts[from + day] ?? 0
    if (times === 0) continue
    made += times * (own[day] ?? 0)
    if (owned === null) continue
    trades += times * (owned[day] ?? 0)
    madeElse += times * (other[day] ?? 0)
    tradesElse += times * (others[day] ?? 0)
  }
  if (owned === null) return made
  return trades === 0 || tradesElse === 0 ? null : count * (made / trades - madeElse / tradesElse)
}

const totals = ({ size, net }: Panel, roles: Uint8Array) => {
  const [own, other] = [{ net: 0, count: 0 }, { net: 0, count: 0 }]
  for (let index = 0; index < size; index += 1) {
    const part = roles[index] ?? role.neither
    if (part === role.neither) continue
    const sums = part === role.behind ? own : other
    sums.net += net[index] ?? 0
    sums.count += 1
  }
  return { own, other }
}
