import type { Ticks } from '#shared/money/price.ts'
import type { IPrimitivePaneRenderer, IPrimitivePaneView, ISeriesPrimitive, ITimeScaleApi, SeriesAttachedParameter, Time } from 'lightweight-charts'
import type { OrderSegment } from './chart-orders.ts'

/** The place of the candle of a moment in UTC seconds, or of the nearest before it; null without any. */
export type PlaceOf = (seconds: number) => number | null

/** The x of a candle; null without any. */
export const xOfCandle = (scale: ITimeScaleApi<Time>, place: number | null): number | null => (place === null ? null : scale.logicalToCoordinate(place as Parameters<typeof scale.logicalToCoordinate>[0]))

/** Stop and limit orders as lines with a step where they were moved. */
export const createOrderLines = (priceOf: (ticks: Ticks) => number, placeOf: PlaceOf) => {
  let attached: SeriesAttachedParameter | null = null
  let segments: readonly OrderSegment[] = []
  let names = { stop: '', limit: '' }
  let colors = { stop: '', limit: '' }
  let font = ''

  const draw: IPrimitivePaneRenderer['draw'] = (target) => {
    if (attached === null) return
    const { chart, series } = attached
    const scale = chart.timeScale()
    const half = scale.options().barSpacing / 2
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      let last = null as { readonly order: number; readonly y: number } | null
      context.lineWidth = 1.5
      context.font = font
      context.textAlign = 'center'
      for (const [place, { order, kind, from, to, price }] of segments.entries()) {
        const [begin, end, y] = [xOfCandle(scale, placeOf(from)), xOfCandle(scale, placeOf(to)), series.priceToCoordinate(priceOf(price))]
        if (begin === null || end === null || y === null) continue
        const [left, right] = [begin - half, end + (segments[place + 1]?.order === order ? -half : half)]
        context.strokeStyle = colors[kind]
        context.beginPath()
        if (last?.order === order) {
          context.moveTo(left, last.y)
          context.lineTo(left, y)
        } else context.moveTo(left, y)
        context.lineTo(Math.max(left, right), y)
        context.stroke()
        const [seenFrom, seenTo] = [Math.max(left, 0), Math.min(right, mediaSize.width)]
        // In the middle, where no fill is marked.
        if (last?.order !== order && seenTo > seenFrom) {
          context.fillStyle = colors[kind]
          context.fillText(names[kind], (seenFrom + seenTo) / 2, y - 4)
        }
        last = { order, y }
      }
    })
  }
  const view: IPrimitivePaneView = { zOrder: () => 'normal', renderer: () => ({ draw }) }
  return {
    attached: (given: SeriesAttachedParameter): void => { attached = given },
    detached: (): void => { attached = null },
    paneViews: () => [view],
    // Orders within the visible time are within the visible prices.
    autoscaleInfo: (first: number, last: number) => {
      if (attached === null) return null
      const prices = segments.filter(({ from, to }) => (placeOf(from) ?? -1) <= last && (placeOf(to) ?? -1) >= first).map(({ price }) => priceOf(price))
      return prices.length === 0 ? null : { priceRange: { minValue: Math.min(...prices), maxValue: Math.max(...prices) } }
    },
    set: (given: readonly OrderSegment[], called: { readonly stop: string; readonly limit: string }): void => {
      ;[segments, names] = [given, called]
      attached?.requestUpdate()
    },
    paint: (stop: string, limit: string, family: string): void => {
      ;[colors, font] = [{ stop, limit }, `11px ${family}`]
      attached?.requestUpdate()
    },
  } satisfies ISeriesPrimitive<Time> & Record<string, unknown>
}
