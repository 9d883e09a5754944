import type { Evidence } from '#shared/api/reports.ts'
import type { Amount } from '#shared/money/money.ts'
import { excessForVerdict, holdsZero } from './excess-for-verdict.ts'
import { enough, evidenceOf } from './evidence.ts'
import { moneyText } from './measures.ts'
import { intervalAbout, resampleDays, type Interval, type Resampled } from './interval.ts'

/** The net and the number of trades of one side in one currency, by trading day. */
export type SideDays = ReadonlyMap<string, { readonly net: Amount; readonly count: number }>

/** The net of one trade of a side on average, less that of the first side: with its 95 % interval to the cent, and whether chance would do as well. */
export type Judged = { readonly evidence: Exclude<Evidence, 'untested'>; readonly difference: { readonly value: string; readonly low: string; readonly high: string } | null }

type Untold = { readonly count: number; readonly interval: Interval | null }

/**
 * Each side of each currency against the first one, which is null itself. It is the interval of findings: days are resampled, those of all sides together, so that
 * what hangs together within a day stays so, copies and trades on both sides included. Both sides need what a finding needs, and the more sides, the more each must show.
 */
export const judgeSides = (currencies: readonly (readonly SideDays[])[]): readonly (readonly (Judged | null)[])[] => {
  const looked = currencies.map((sides): readonly (Untold | null)[] => {
    const days = [...new Set(sides.flatMap((side) => [...side.keys()]))].sort()
    const resampled = resampleDays({ days })
    const [first] = sides
    return sides.map((side, at) => (at === 0 || first === undefined ? null : { count: tradesOf(side), interval: isEnough(side) && isEnough(first) ? intervalBetween(side, first, days, resampled) : null }))
  })
  const tests = looked.flat().filter((one) => one !== null && one.interval !== null).length
  return looked.map((sides) => sides.map((one) => one && judgedOf(one, tests)))
}

const tradesOf = (side: SideDays): number => [...side.values()].reduce((sum, { count }) => sum + count, 0)

const isEnough = (side: SideDays): boolean => tradesOf(side) >= enough.trades && side.size >= enough.days

const intervalBetween = (own: SideDays, other: SideDays, days: readonly string[], resampled: Resampled): Interval => {
  const column = (side: SideDays, of: 'net' | 'count'): Float64Array => Float64Array.from(days, (day) => side.get(day)?.[of] ?? 0)
  const mean = (side: SideDays): number => [...side.values()].reduce((sum, { net }) => sum + net, 0) / tradesOf(side)
  const [count, difference] = [tradesOf(own), mean(own) - mean(other)]
  const columns = { own: column(own, 'net'), owned: column(own, 'count'), other: column(other, 'net'), others: column(other, 'count'), count, informativeDays: Math.min(own.size, other.size) }
  return intervalAbout(count * difference, Math.sign(difference), columns, resampled)
}

// Of each test by itself, times the number of tests: any of them is called significant by chance no more often than one alone.
const judgedOf = ({ count, interval }: Untold, tests: number): Judged => {
  if (interval === null) return { evidence: 'too-little', difference: null }
  const text = (sum: number): string => moneyText(sum / count)
  const difference = { value: text(interval.value), low: text(interval.low), high: text(interval.high) }
  const evidence = holdsZero(difference) ? 'none' : evidenceOf({ alone: interval.otherSide, corrected: Math.min(1, interval.otherSide * tests) })
  return { evidence, difference: excessForVerdict(evidence, difference) }
}
