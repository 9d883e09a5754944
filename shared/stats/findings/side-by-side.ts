import type { Evidence } from '#shared/api/reports.ts'
import type { Amount } from '#shared/money/money.ts'
import { holdsZero } from './excess-for-verdict.ts'
import { enough, level } from './evidence.ts'
import { moneyText } from './measures.ts'
import { intervalAbout, resampleDays, type Interval, type Resampled } from './interval.ts'

/** Net P&L and number of trades of one side in one currency, by trading day. */
export type SideDays = ReadonlyMap<string, { readonly net: Amount; readonly count: number }>

/** The net of one trade of a side on average, less that of the first side: with its 95 % interval to the cent, and whether chance would do as well. */
export type Judged = { readonly evidence: Exclude<Evidence, 'untested'>; readonly difference: { readonly value: string; readonly low: string; readonly high: string } | null }

/** How many resamples of days so many tests need: an interval's bound must be a resample even if they share the level. */
export const resamplesFor = (tests: number): number => Math.max(499, Math.ceil((2 * tests) / level) - 1)

/**
 * Compares each side of each currency with the first one, which is null itself. Uses the intervals of findings: days
 * are resampled for all sides together, which keeps dependence within a day, copies and trades on both sides included.
 * Both sides need the minimum data of a finding. The level is shared among the tests, so with more sides each must show
 * more, and all intervals hold at once.
 */
export const judgeSides = (currencies: readonly (readonly SideDays[])[]): readonly (readonly (Judged | null)[])[] => {
  const tests = currencies.reduce((sum, [first, ...sides]) => sum + (first === undefined || !isEnough(first) ? 0 : sides.filter(isEnough).length), 0)
  return currencies.map((sides) => {
    const days = [...new Set(sides.flatMap((side) => [...side.keys()]))].sort()
    const resampled = resampleDays({ days }, resamplesFor(tests))
    const [first] = sides
    return sides.map((side, at) => (at === 0 || first === undefined ? null : isEnough(side) && isEnough(first) ? judgedOf(tradesOf(side), intervalBetween(side, first, days, resampled, tests), tests) : { evidence: 'too-little', difference: null }))
  })
}

const tradesOf = (side: SideDays): number => [...side.values()].reduce((sum, { count }) => sum + count, 0)

const isEnough = (side: SideDays): boolean => tradesOf(side) >= enough.trades && side.size >= enough.days

const intervalBetween = (own: SideDays, other: SideDays, days: readonly string[], resampled: Resampled, tests: number): Interval => {
  const column = (side: SideDays, of: 'net' | 'count'): Float64Array => Float64Array.from(days, (day) => side.get(day)?.[of] ?? 0)
  const mean = (side: SideDays): number => [...side.values()].reduce((sum, { net }) => sum + net, 0) / tradesOf(side)
  const [count, difference] = [tradesOf(own), mean(own) - mean(other)]
  const columns = { own: column(own, 'net'), owned: column(own, 'count'), other: column(other, 'net'), others: column(other, 'count'), count, informativeDays: Math.min(own.size, other.size) }
  return intervalAbout(count * difference, Math.sign(difference), columns, resampled, level / tests)
}

const judgedOf = (count: number, interval: Interval, tests: number): Judged => {
  const text = (sum: number): string => moneyText(sum / count)
  const difference = { value: text(interval.value), low: text(interval.low), high: text(interval.high) }
  return { evidence: !holdsZero(difference) ? 'evident' : tests > 1 && interval.otherSide <= level ? 'possible' : 'none', difference }
}
