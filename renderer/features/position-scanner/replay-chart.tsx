import { useAppearance } from '#renderer/lib/theme.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import type { ReplayAnswer } from '#shared/api/rules.ts'
import { AreaSeries, ColorType, createChart, createSeriesMarkers, CrosshairMode, LineSeries, LineStyle, LineType, type AreaData, type IChartApi, type ISeriesApi, type ISeriesMarkersPluginApi, type LineData, type SeriesMarker, type Time, type WhitespaceData } from 'lightweight-charts'
import { useEffect, useRef } from 'react'

type Drawn = { readonly chart: IChartApi; readonly balance: ISeriesApi<'Area'>; readonly floor: ISeriesApi<'Line'>; readonly marks: ISeriesMarkersPluginApi<Time> }

/** The balance at the end of every day against the floor of the maximum loss, the first breach marked; `label` says in words what it shows, and the table named by `tableId` holds its figures. */
export const ReplayChart = ({ answer, label, tableId }: { answer: ReplayAnswer; label: string; tableId: string }) => {
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
    if (drawn.current === null) return
    const { chart, balance, floor } = drawn.current
    const { days } = answer
    balance.setData(days.map((day): AreaData => ({ time: day.tradingDay, value: Number(day.balance) })))
    floor.setData(days.map((day): LineData | WhitespaceData => (day.floor === null ? { time: day.tradingDay } : { time: day.tradingDay, value: Number(day.floor) })))
    // A line needs two points: fewer show as dots.
    balance.applyOptions({ pointMarkersVisible: days.length < 3 })
    chart.timeScale().fitContent()
    paint(drawn.current, answer)
  }, [answer, shown, palette])

  return (
    <div role="img" aria-label={label} aria-details={tableId} className="flex h-64 flex-col pt-2 pr-4 pl-2">
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
    leftPriceScale: { visible: true, borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.12, bottom: 0.12 } },
    timeScale: { borderVisible: false, fixLeftEdge: true, fixRightEdge: true, lockVisibleTimeRangeOnResize: true, allowBoldLabels: false },
    crosshair: { mode: CrosshairMode.Magnet },
  })
  const plain = { priceScaleId: 'left', priceFormat: { type: 'price', precision: 0, minMove: 1 }, priceLineVisible: false, lastValueVisible: false } as const
  const balance = chart.addSeries(AreaSeries, { ...plain, lineWidth: 2 })
  const floor = chart.addSeries(LineSeries, { ...plain, lineWidth: 2, lineStyle: LineStyle.Dashed, lineType: LineType.WithSteps })
  return { chart, balance, floor, marks: createSeriesMarkers(balance) }
}

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()

const paint = ({ chart, balance, floor, marks }: Drawn, { breach, passed }: ReplayAnswer): void => {
  const [accent, loss, gain] = [token('--accent'), token('--loss'), token('--gain')]
  const hair = { color: token('--faint'), labelBackgroundColor: accent }
  chart.applyOptions({
    layout: { textColor: token('--faint'), fontFamily: getComputedStyle(document.body).fontFamily },
    grid: { vertLines: { visible: false }, horzLines: { color: token('--hairline') } },
    crosshair: { vertLine: hair, horzLine: hair },
  })
  balance.applyOptions({ lineColor: accent, topColor: `${accent}33`, bottomColor: `${accent}00` })
  floor.applyOptions({ color: loss })
  const marked: SeriesMarker<Time>[] = []
  if (passed !== null) marked.push({ time: passed, position: 'aboveBar', shape: 'circle', color: gain, size: 0.4 })
  if (breach !== null) marked.push({ time: breach.tradingDay, position: 'aboveBar', shape: 'arrowDown', color: loss, size: 0.7 })
  marks.setMarkers(marked.sort((one, other) => (String(one.time) < String(other.time) ? -1 : 1)))
}
