import { withZero } from '#renderer/ui/chart-frame.ts'
import { DayChart, moneySeries, type Plot } from '#renderer/ui/day-chart.tsx'
import type { StatCurve } from '#shared/api/statistics.ts'
import { AreaSeries, BaselineSeries, createSeriesMarkers, LineStyle, type AreaData, type BaselineData, type IChartApi } from 'lightweight-charts'
import { belowHigh } from './below-high.ts'

type Points = StatCurve['points']

/** The curve of a running total, and below it how far it is from its high; `label` says in words what it shows. */
export const EquityChart = ({ points, label }: { points: Points; label: string }) => <DayChart figures={points} plot={plot} label={label} className="min-h-60 grow" />

const plot: Plot<Points> = (chart) => {
  const area = chart.addSeries(AreaSeries, { ...moneySeries, lineWidth: 2, autoscaleInfoProvider: withZero })
  area.priceScale().applyOptions({ scaleMargins: { top: 0.12, bottom: 0.06 } })
  const zero = area.createPriceLine({ price: 0, lineStyle: LineStyle.Dotted, lineWidth: 1, axisLabelVisible: false })
  const below = chart.addSeries(BaselineSeries, { ...moneySeries, baseValue: { type: 'price', price: 0 }, lineWidth: 1, autoscaleInfoProvider: withZero }, 1)
  below.priceScale().applyOptions({ borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.12 } })
  for (const [at, pane] of chart.panes().entries()) pane.setStretchFactor(at === 0 ? 3 : 1)
  const latest = createSeriesMarkers(area)
  return (points, { accent, loss, faint }) => {
    const totals = points.map(({ cumulative }) => Number(cumulative))
    const falls = belowHigh(totals)
    area.setData(points.map(({ tradingDay }, at): AreaData => ({ time: tradingDay, value: totals[at] ?? 0 })))
    below.setData(points.map(({ tradingDay }, at): BaselineData => ({ time: tradingDay, value: falls[at] ?? 0 })))
    // A line needs two points: fewer show as dots.
    area.applyOptions({ pointMarkersVisible: points.length < 3, lineColor: accent, topColor: `${accent}33`, bottomColor: `${accent}00` })
    below.applyOptions({ topLineColor: 'transparent', topFillColor1: 'transparent', topFillColor2: 'transparent', bottomLineColor: loss, bottomFillColor1: `${loss}1f`, bottomFillColor2: `${loss}33` })
    zero.applyOptions({ color: faint })
    const last = points.at(-1)
    latest.setMarkers(last === undefined ? [] : [{ time: last.tradingDay, position: 'inBar', shape: 'circle', size: 0.3, color: accent }])
    return () => { showFromEdgeToEdge(chart, points.length) }
  }
}

// The chart gives every day a slot and half of the outer ones stays blank: this shows the curve up to its ends.
const showFromEdgeToEdge = (chart: IChartApi, days: number): void => {
  const margin = Math.min(0.5, days / 100)
  if (days < 3) chart.timeScale().fitContent()
  else chart.timeScale().setVisibleLogicalRange({ from: 0.5 - margin, to: days - 1.5 + margin })
}
