import type { Drawing, DrawnPoint } from '#shared/api/drawings.ts'
import { candleAt, isTickSize, type CandleSize } from '#shared/prices/candles.ts'
import { candleOf } from './candle-time.ts'

/** What can be drawn. */
export type Tool = Drawing['kind']

/** The part of a drawing that moves: all of it, or one end of a trend line. */
export type DrawnPart = 'whole' | 'from' | 'to'

/** A point as a chart has it: on a candle, by its UTC seconds, at a price in ticks. */
export type ChartSpot = { readonly candle: number; readonly price: number }

/** A drawing as a chart has it. */
export type DrawnShape = { readonly kind: Tool; readonly from: ChartSpot; readonly to: ChartSpot | null; readonly text: string; readonly look: 'plain' | 'selected' | 'draft' }

/** The moment, in UTC ms, of what is drawn on a candle: the candle's end, because only then is it known, but not after `until`, in µs. `next` is the candle after it, null for none. */
export const momentIn = (candle: number, size: CandleSize, until = Infinity, next: number | null = null): number =>
  Math.min(isTickSize(size) ? tickMoment(candle, next) : candleAt(candle * 1_000_000, size).to / 1000 - 1, Math.floor(until / 1000))

// Of candles of the same millisecond the last one has it.
const tickMoment = (candle: number, next: number | null): number => {
  const begins = Math.ceil(Math.round(candle * 1_000_000) / 1000)
  return next === null ? begins : Math.max(begins, Math.floor((Math.round(next * 1_000_000) - 1) / 1000))
}

/** Whether all of a drawing lies before a moment in µs. */
export const isKnownAt = (drawing: Drawing, until: number): boolean => (drawing.kind === 'trend' ? Math.max(drawing.at, drawing.to.at) : drawing.at) * 1000 <= until

const spotOf = ({ at, price }: DrawnPoint, size: CandleSize): ChartSpot => ({ candle: candleOf(at, size), price })

/** A drawing on candles of a size. */
export const shapeOf = (drawing: Drawing, size: CandleSize, look: DrawnShape['look'] = 'plain'): DrawnShape => ({
  kind: drawing.kind, from: spotOf(drawing, size), look,
  to: drawing.kind === 'trend' ? spotOf(drawing.to, size) : null,
  text: drawing.kind === 'note' ? drawing.text : '',
})

/** A drawing with the points of a part of it moved. */
export const movedBy = (drawing: Drawing, part: DrawnPart, move: (point: DrawnPoint) => DrawnPoint): Drawing => {
  if (drawing.kind !== 'trend') return { ...drawing, ...move(drawing) }
  return { ...drawing, ...(part === 'to' ? {} : move(drawing)), to: part === 'from' ? drawing.to : { ...drawing.to, ...move(drawing.to) } }
}
