import type { Ticks } from '#shared/money/price.ts'
import type { ChartPoint } from '#shared/prices/chart-points.ts'
import type { IPrimitivePaneRenderer, IPrimitivePaneView, ISeriesPrimitive, SeriesAttachedParameter, Time, UTCTimestamp } from 'lightweight-charts'

type Column = { readonly time: UTCTimestamp; readonly average: number; readonly gain: number; readonly loss: number }

/** Shades how far a trade went for and against the trader by each candle: from the average price to the best and the worst price since the position had that average. */
export const createSeenShade = (priceOf: (ticks: Ticks) => number) => {
  let attached: SeriesAttachedParameter | null = null
  let columns: (Column | null)[] = []
  let [gainColor, lossColor] = ['', '']

  const columnOf = ({ at, seen }: ChartPoint): Column | null => {
    if (seen === null) return null
    const [high, low] = [priceOf(seen.high), priceOf(seen.low)]
    const average = seen.average * priceOf(1 as Ticks)
    // A price that went one way only shades that side only.
    const [gain, loss] = seen.isLong ? [Math.max(high, average), Math.min(low, average)] : [Math.min(low, average), Math.max(high, average)]
    return { time: (at / 1_000_000) as UTCTimestamp, average, gain, loss }
  }
  const draw: IPrimitivePaneRenderer['draw'] = (target) => {
    if (attached === null) return
    const { chart, series } = attached
    const scale = chart.timeScale()
    const width = scale.options().barSpacing
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      for (const column of columns) {
        if (column === null) continue
        const x = scale.timeToCoordinate(column.time)
        if (x === null || x < -width || x > mediaSize.width + width) continue
        const y = series.priceToCoordinate(column.average)
        for (const [to, color] of [[column.gain, gainColor], [column.loss, lossColor]] as const) {
          const end = series.priceToCoordinate(to)
          if (y === null || end === null) continue
          context.fillStyle = color
          context.fillRect(x - width / 2, Math.min(y, end), width, Math.abs(end - y))
        }
      }
    })
  }
  const view: IPrimitivePaneView = { zOrder: () => 'bottom', renderer: () => ({ draw }) }
  return {
    attached: (given: SeriesAttachedParameter): void => { attached = given },
    detached: (): void => { attached = null },
    paneViews: () => [view],
    setAll: (points: readonly ChartPoint[]): void => {
      columns = points.map(columnOf)
      attached?.requestUpdate()
    },
    update: (point: ChartPoint, isNew: boolean): void => {
      if (!isNew) columns.pop()
      columns.push(columnOf(point))
      attached?.requestUpdate()
    },
    paint: (gain: string, loss: string): void => {
      ;[gainColor, lossColor] = [gain, loss]
      attached?.requestUpdate()
    },
  } satisfies ISeriesPrimitive<Time> & Record<string, unknown>
}
