import type { Finding, Measure, MeasureName } from '#shared/api/reports.ts'
import { amountOf, toDecimalString, type Amount, type Currency } from '#shared/money/money.ts'
import { averageToDecimalString } from '../average.ts'
import { role } from './candidate.ts'
import type { Panel } from './panel.ts'

/** The totals of some trades of a panel; money in 1/10,000, costs positive. */
export type Sums = { readonly trades: number; readonly net: Amount; readonly gross: Amount; readonly commission: Amount; readonly wins: number; readonly losses: number; readonly won: Amount; readonly lost: Amount; readonly days: number }

/** The totals of the picked trades. */
export const sumsOf = ({ size, day, days, net, gross, commission }: Panel, picked: (index: number) => boolean): Sums => {
  const seen = new Uint8Array(days.length)
  let trades = 0
  let made = 0
  let cost = 0
  let wins = 0
  let losses = 0
  let won = 0
  let lost = 0
  for (let index = 0; index < size; index += 1) {
    if (!picked(index)) continue
    const own = gross[index] ?? 0
    trades += 1
    made += net[index] ?? 0
    cost += commission[index] ?? 0
    seen[day[index] ?? 0] = 1
    if (own > 0) {
      wins += 1
      won += own
    } else if (own < 0) {
      losses += 1
      lost += own
    }
  }
  return { trades, net: amountOf(made), gross: amountOf(won + lost), commission: amountOf(cost), wins, losses, won: amountOf(won), lost: amountOf(lost), days: seen.reduce((sum, own) => sum + own, 0) }
}

/** A measure of money; `amount` is in 1/10,000. */
export const moneyMeasure = (name: MeasureName, amount: number, currency: Currency): Measure => ({ name, unit: 'money', value: moneyText(amount), currency })

/** Money in decimal text, rounded to cents: `-140.00`. */
export const moneyText = (amount: number): string => toDecimalString(amountOf(Math.round(amount) + 0))

/** A whole number of trades, days or contracts. */
export const countMeasure = (name: MeasureName, value: number, unit: 'count' | 'days' = 'count'): Measure => ({ name, unit, value: String(value), currency: null })

/** A share, a chance or a ratio, to four places. */
export const plainMeasure = (name: MeasureName, unit: 'share' | 'chance' | 'ratio', value: number): Measure => ({ name, unit, value: value.toFixed(4), currency: null })

/** A time in whole ms. */
export const timeMeasure = (name: MeasureName, value: number): Measure => ({ name, unit: 'time', value: String(Math.round(value)), currency: null })

/** The averages of a finding's trades and of those compared with it, with win rate and days. */
export const standardMeasures = (panel: Panel, roles: Uint8Array): readonly Measure[] => {
  const [own, other] = [sumsOf(panel, (index) => roles[index] === role.behind), sumsOf(panel, (index) => roles[index] === role.against)]
  return [
    ...(own.trades === 0 ? [] : [averageMeasure('average', own, panel.currency)]),
    ...(other.trades === 0 ? [] : [averageMeasure('average-other', other, panel.currency)]),
    ...(own.trades === 0 ? [] : [plainMeasure('win-rate', 'share', own.wins / own.trades)]),
    countMeasure('days', own.days, 'days'),
  ]
}

const averageMeasure = (name: MeasureName, { net, trades }: Sums, currency: Currency): Measure => ({ name, unit: 'money', value: averageToDecimalString({ sum: net, count: trades }), currency })

/** Bars of net P&L, one per label. `of` returns the index of a trade's group; an index out of range is in none. */
export const netBars = ({ size, net }: Panel, labels: readonly string[], of: (index: number) => number, marked: (group: number) => boolean): Finding['bars'] => {
  const [sums, trades] = [new Float64Array(labels.length), new Float64Array(labels.length)]
  for (let index = 0; index < size; index += 1) {
    const group = of(index)
    sums[group] = (sums[group] ?? 0) + (net[index] ?? 0)
    trades[group] = (trades[group] ?? 0) + 1
  }
  return labels.map((label, group) => ({ label, value: moneyText(sums[group] ?? 0), trades: trades[group] ?? 0, marked: marked(group) }))
}
