import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { amountOf } from '#shared/money/money.ts'
import { thinCurve } from '#shared/stats/thin-curve.ts'
import type { Alignment } from './compare-address.ts'

/** A point of a curve: its place (a trading day, or the number of the side's own trading day from 1 on), and the running total there. */
export type CurvePoint = { readonly at: string | number; readonly tradingDay: string; readonly total: string }

/** Each side's equity in one currency; a day of a long curve that was thinned has no point. */
export const curvesOf = (sides: readonly StatisticsAnswer[], currency: string, align: Alignment): readonly (readonly CurvePoint[])[] =>
  sides.map(({ days, equity }) => {
    const traded = days.filter(({ money }) => money.some((own) => own.currency === currency))
    const numbers = new Map(traded.map(({ tradingDay }, at) => [tradingDay, at + 1]))
    const points = equity.find((curve) => curve.currency === currency)?.points ?? []
    return points.map(({ tradingDay, cumulative }) => ({ at: align === 'date' ? tradingDay : (numbers.get(tradingDay) ?? 0), tradingDay, total: cumulative }))
  })

const mostDrawn = 300

/** What is drawn of a curve: no more than a screen has room for, and without losing a high or a fall. */
export const drawnOf = (curve: readonly CurvePoint[]): readonly { readonly at: string | number; readonly value: number }[] =>
  thinCurve(curve.map(({ at, total }) => ({ at, cumulative: amountOf(Math.round(Number(total) * 10_000)) })), mostDrawn).map(({ at, cumulative }) => ({ at, value: cumulative / 10_000 }))

/** Curves as the lines of a table, in order: each side's point there, null where it has none. */
export const curveLines = (curves: readonly (readonly CurvePoint[])[]): readonly { readonly at: string | number; readonly points: readonly (CurvePoint | null)[] }[] => {
  const found = curves.map((curve) => new Map(curve.map((point) => [point.at, point])))
  const places = [...new Set(curves.flatMap((curve) => curve.map(({ at }) => at)))].sort((one, other) => (one < other ? -1 : 1))
  return places.map((at) => ({ at, points: found.map((curve) => curve.get(at) ?? null) }))
}
