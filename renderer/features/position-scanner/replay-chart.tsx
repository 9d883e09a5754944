import { DayChart, moneySeries, type Plot } from '#renderer/ui/day-chart.tsx'
import type { ReplayAnswer } from '#shared/api/rules.ts'
import { AreaSeries, createSeriesMarkers, LineSeries, LineStyle, LineType, type AreaData, type LineData, type SeriesMarker, type Time, type WhitespaceData } from 'lightweight-charts'

/** The balance at the end of every day and the max loss floor, with the first breach marked; `label` describes it, and the table with the id `tableId` has its figures. */
export const ReplayChart = ({ answer, label, tableId }: { answer: ReplayAnswer; label: string; tableId: string }) => <DayChart figures={answer} plot={plot} label={label} tableId={tableId} className="h-64" />

const plot: Plot<ReplayAnswer> = (chart) => {
  const balance = chart.addSeries(AreaSeries, { ...moneySeries, lineWidth: 2 })
  const limit = chart.addSeries(LineSeries, { ...moneySeries, lineWidth: 2, lineStyle: LineStyle.Dashed, lineType: LineType.WithSteps })
  const marks = createSeriesMarkers(balance)
  return ({ days, breach, passed }, { accent, loss, gain }) => {
    balance.setData(days.map((day): AreaData => ({ time: day.tradingDay, value: Number(day.balance) })))
    limit.setData(days.map((day): LineData | WhitespaceData => (day.drawdownLimit === null ? { time: day.tradingDay } : { time: day.tradingDay, value: Number(day.drawdownLimit) })))
    // A line needs two points: fewer show as dots.
    balance.applyOptions({ pointMarkersVisible: days.length < 3, lineColor: accent, topColor: `${accent}33`, bottomColor: `${accent}00` })
    limit.applyOptions({ color: loss })
    const marked: SeriesMarker<Time>[] = []
    if (passed !== null) marked.push({ time: passed, position: 'aboveBar', shape: 'circle', color: gain, size: 0.4 })
    if (breach !== null) marked.push({ time: breach.tradingDay, position: 'aboveBar', shape: 'arrowDown', color: loss, size: 0.7 })
    marks.setMarkers(marked.sort((one, other) => (String(one.time) < String(other.time) ? -1 : 1)))
    return () => { chart.timeScale().fitContent() }
  }
}
