import { DayChart, moneySeries, type Plot } from '#renderer/ui/day-chart.tsx'
import { createSeriesMarkers, LineSeries, LineStyle, type LineData, type Time, type UTCTimestamp } from 'lightweight-charts'
import { drawnOf, type CurvePoint } from './compare-curves.ts'
import { letters } from './use-compared.ts'

type Curves = readonly (readonly CurvePoint[])[]

/** The curves of all sides in one chart, each with a color, a line and a letter of its own; `numberName` names a place where curves are aligned by the number of their day. */
export const CompareChart = ({ curves, label, numberName }: { curves: Curves; label: string; numberName: ((number: number) => string) | undefined }) => (
  <DayChart figures={curves} plot={plot} label={label} className="h-80" timeName={numberName && ((time: Time) => numberName(Number(time)))} />
)

const styles = [LineStyle.Solid, LineStyle.Dashed, LineStyle.Dotted, LineStyle.LargeDashed, LineStyle.SparseDotted, LineStyle.Solid] as const

const plot: Plot<Curves> = (chart) => {
  const lines = letters.map((_, at) => {
    const series = chart.addSeries(LineSeries, { ...moneySeries, lineWidth: at === letters.length - 1 ? 4 : 2, lineStyle: styles[at] ?? LineStyle.Solid, crosshairMarkerRadius: 3 })
    return { series, end: createSeriesMarkers(series) }
  })
  const zero = lines[0]?.series.createPriceLine({ price: 0, lineStyle: LineStyle.Dotted, lineWidth: 1, axisLabelVisible: false })
  return (curves, colors) => {
    zero?.applyOptions({ color: colors.faint })
    const ends = lines.map(({ series, end }, at) => {
      const letter = letters[at] ?? 'a'
      const color = colors[`side-${letter}`]
      const points = drawnOf(curves[at] ?? []).map(({ at: place, value }): LineData => ({ time: typeof place === 'string' ? place : (place as UTCTimestamp), value }))
      series.applyOptions({ color, pointMarkersVisible: points.length < 3 })
      series.setData(points)
      const last = points.at(-1)
      return () => { end.setMarkers(last === undefined ? [] : [{ time: last.time, position: 'inBar', shape: 'circle', size: 0.3, color, text: letter.toUpperCase() }]) }
    })
    // A marker needs the times of the curves: draw all curves first.
    for (const mark of ends) mark()
    return () => { chart.timeScale().fitContent() }
  }
}
