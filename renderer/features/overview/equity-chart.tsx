import { useAppearance } from '#renderer/lib/theme.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import type { StatCurve } from '#shared/api/statistics.ts'
import { AreaSeries, BaselineSeries, ColorType, createChart, createSeriesMarkers, CrosshairMode, LineStyle, type AreaData, type AutoscaleInfo, type BaselineData, type IChartApi, type ISeriesApi, type ISeriesMarkersPluginApi, type Time } from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { belowHigh } from './below-high.ts'
import { daysTableId } from './day-rows.ts'

type Drawn = { readonly chart: IChartApi; readonly area: ISeriesApi<'Area'>; readonly below: ISeriesApi<'Baseline'>; readonly latest: ISeriesMarkersPluginApi<Time> }

/** The curve of a running total, and below it how far it is from its high; `label` says in words what it shows, and the table of trading days holds its figures. */
export const EquityChart = ({ points, label }: { points: StatCurve['points']; label: string }) => {
  const frame = useRef<HTMLDivElement>(null)
  const drawn = useRef<Drawn | null>(null)
  const format = useFormat()
  const { shown, palette } = useAppearance()

  useEffect(() => {
    if (frame.current === null) return
    drawn.current = draw(frame.current)
    return () => {
      drawn.current?.chart.remove()
      drawn.current = null
    }
  }, [])

  useEffect(() => {
    drawn.current?.chart.applyOptions({
      localization: { priceFormatter: (value: number) => format.count(Math.round(value)), timeFormatter: (time: Time) => format.fullDay(String(time)) },
      timeScale: { tickMarkFormatter: (time: Time) => format.day(String(time)) },
    })
  }, [format])

  useEffect(() => {
    if (drawn.current !== null) paint(drawn.current)
  }, [shown, palette])

  useEffect(() => {
    if (drawn.current === null) return
    const { chart, area, below, latest } = drawn.current
    const totals = points.map(({ cumulative }) => Number(cumulative))
    const falls = belowHigh(totals)
    area.setData(points.map(({ tradingDay }, at): AreaData => ({ time: tradingDay, value: totals[at] ?? 0 })))
    below.setData(points.map(({ tradingDay }, at): BaselineData => ({ time: tradingDay, value: falls[at] ?? 0 })))
    const last = points.at(-1)
    latest.setMarkers(last === undefined ? [] : [{ time: last.tradingDay, position: 'inBar', shape: 'circle', size: 0.3, color: token('--accent') }])
    // A line needs two points: fewer show as dots.
    area.applyOptions({ pointMarkersVisible: points.length < 3 })
    showFromEdgeToEdge(chart, points.length)
  }, [points])

  return (
    <div role="img" aria-label={label} aria-details={daysTableId} className="flex min-h-60 grow flex-col pt-2 pr-4 pl-2">
      <div ref={frame} className="min-h-0 grow basis-0 overflow-hidden" />
    </div>
  )
}

const draw = (frame: HTMLElement): Drawn => {
  const chart = createChart(frame, {
    autoSize: true,
    handleScroll: false,
    handleScale: false,
    layout: { background: { type: ColorType.Solid, color: 'transparent' }, fontSize: 11, attributionLogo: false },
    rightPriceScale: { visible: false },
    leftPriceScale: { visible: true, borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.12, bottom: 0.06 } },
    timeScale: { borderVisible: false, fixLeftEdge: true, fixRightEdge: true, lockVisibleTimeRangeOnResize: true, allowBoldLabels: false },
    crosshair: { mode: CrosshairMode.Magnet },
  })
  const area = chart.addSeries(AreaSeries, {
    priceScaleId: 'left',
    priceFormat: { type: 'price', precision: 0, minMove: 1 },
    lineWidth: 2,
    priceLineVisible: false,
    lastValueVisible: false,
    autoscaleInfoProvider: withZero,
  })
  area.createPriceLine({ price: 0, lineStyle: LineStyle.Dotted, lineWidth: 1, axisLabelVisible: false, color: token('--faint') })
  const below = chart.addSeries(
    BaselineSeries,
    { priceScaleId: 'left', priceFormat: { type: 'price', precision: 0, minMove: 1 }, baseValue: { type: 'price', price: 0 }, lineWidth: 1, priceLineVisible: false, lastValueVisible: false, autoscaleInfoProvider: withZero },
    1,
  )
  below.priceScale().applyOptions({ borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.12 } })
  for (const [at, pane] of chart.panes().entries()) pane.setStretchFactor(at === 0 ? 3 : 1)
  const drawn = { chart, area, below, latest: createSeriesMarkers(area) }
  paint(drawn)
  return drawn
}

// The chart gives every day a slot and half of the outer ones stays blank: this shows the curve up to its ends.
const showFromEdgeToEdge = (chart: IChartApi, days: number): void => {
  const margin = Math.min(0.5, days / 100)
  if (days < 3) chart.timeScale().fitContent()
  else chart.timeScale().setVisibleLogicalRange({ from: 0.5 - margin, to: days - 1.5 + margin })
}

// A total means something against zero only.
const withZero = (seen: () => AutoscaleInfo | null): AutoscaleInfo | null => {
  const info = seen()
  if (!info?.priceRange) return info
  const { minValue, maxValue } = info.priceRange
  return { ...info, priceRange: { minValue: Math.min(0, minValue), maxValue: Math.max(0, maxValue) } }
}

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const paint = ({ chart, area, below, latest }: Drawn): void => {
  const accent = token('--accent')
  const line = { color: token('--hairline') }
  const hair = { color: token('--faint'), labelBackgroundColor: token('--accent') }
  chart.applyOptions({
    layout: { textColor: token('--faint'), fontFamily: getComputedStyle(document.body).fontFamily, panes: { enableResize: false, separatorColor: token('--hairline'), separatorHoverColor: token('--hairline') } },
    grid: { vertLines: { visible: false }, horzLines: line },
    crosshair: { vertLine: hair, horzLine: hair },
  })
  area.applyOptions({ lineColor: accent, topColor: `${accent}33`, bottomColor: `${accent}00` })
  const loss = token('--loss')
  below.applyOptions({ topLineColor: 'transparent', topFillColor1: 'transparent', topFillColor2: 'transparent', bottomLineColor: loss, bottomFillColor1: `${loss}1f`, bottomFillColor2: `${loss}33` })
  latest.setMarkers(latest.markers().map((marker) => ({ ...marker, color: accent })))
}
