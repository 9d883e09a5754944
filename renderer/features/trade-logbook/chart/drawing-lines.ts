import type { Ticks } from '#shared/money/price.ts'
import type { IPrimitivePaneRenderer, IPrimitivePaneView, ISeriesPrimitive, SeriesAttachedParameter, Time } from 'lightweight-charts'
import type { ChartSpot, DrawnPart, DrawnShape } from './drawn.ts'
import { xOfCandle, type PlaceOf } from './order-lines.ts'

type Point = { readonly x: number; readonly y: number }
type Box = { readonly left: number; readonly top: number; readonly width: number; readonly height: number }

const reach = 7
const lineHeight = 15
const widestText = 200

/** The user's drawings over the candles, with the handle of the current one. */
export const createDrawingLines = (priceOf: (ticks: Ticks) => number, candlePlace: PlaceOf, { mostLines }: { readonly mostLines: number }) => {
  let attached: SeriesAttachedParameter | null = null
  let shapes: readonly DrawnShape[] = []
  let handle: ChartSpot | null = null
  let colors = { line: '', ink: '', surface: '' }
  let font = ''
  let quiet = false
  let boxes: readonly (Box | null)[] = []

  const placeOf = ({ candle, price }: ChartSpot): Point | null => {
    if (attached === null) return null
    const [x, y] = [xOfCandle(attached.chart.timeScale(), candlePlace(candle)), attached.series.priceToCoordinate(priceOf(price as Ticks))]
    return x === null || y === null ? null : { x, y }
  }
  const knob = (context: CanvasRenderingContext2D, { x, y }: Point, filled: boolean): void => {
    context.beginPath()
    context.arc(x, y, 4, 0, 2 * Math.PI)
    context.fillStyle = filled ? colors.line : colors.surface
    context.fill()
    context.stroke()
  }
  const noteBox = (context: CanvasRenderingContext2D, { x, y }: Point, lines: readonly string[], room: { readonly width: number }): Box => {
    const width = Math.max(...lines.map((line) => context.measureText(line).width)) + 12
    const height = lines.length * lineHeight + 7
    return { width, height, left: x + 9 + width > room.width ? x - 9 - width : x + 9, top: y - height - 5 < 0 ? y + 5 : y - height - 5 }
  }
  const draw: IPrimitivePaneRenderer['draw'] = (target) => {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      context.font = font
      context.textAlign = 'left'
      context.textBaseline = 'middle'
      boxes = shapes.map((shape): Box | null => {
        const { kind, look } = shape
        const [from, to] = [placeOf(shape.from), shape.to === null ? null : placeOf(shape.to)]
        if (from === null) return null
        const isSelected = look === 'selected' && !quiet
        context.strokeStyle = colors.line
        context.lineWidth = isSelected ? 2.5 : 1.5
        context.setLineDash(look === 'draft' ? [5, 4] : [])
        if (kind !== 'note') {
          const end = kind === 'horizontal' ? { x: mediaSize.width, y: from.y } : to
          if (end === null) return null
          context.beginPath()
          context.moveTo(from.x, from.y)
          context.lineTo(end.x, end.y)
          context.stroke()
          context.setLineDash([])
          if (isSelected) for (const place of to === null ? [from] : [from, to]) knob(context, place, false)
          return null
        }
        context.setLineDash([])
        knob(context, from, !isSelected)
        const lines = linesOf(context, shape.text, mostLines)
        if (lines.length === 0) return null
        const box = noteBox(context, from, lines, mediaSize)
        context.beginPath()
        context.roundRect(box.left, box.top, box.width, box.height, 4)
        context.fillStyle = colors.surface
        context.fill()
        context.stroke()
        context.fillStyle = colors.ink
        for (const [place, line] of lines.entries()) context.fillText(line, box.left + 6, box.top + 4 + lineHeight * (place + 0.5))
        return box
      })
      const at = handle === null || quiet ? null : placeOf(handle)
      if (at === null) return
      context.strokeStyle = colors.line
      context.lineWidth = 1
      context.setLineDash([2, 3])
      context.beginPath()
      context.moveTo(0, at.y)
      context.lineTo(mediaSize.width, at.y)
      context.moveTo(at.x, 0)
      context.lineTo(at.x, mediaSize.height)
      context.stroke()
      context.setLineDash([])
      context.lineWidth = 2
      knob(context, at, false)
    })
  }
  const view: IPrimitivePaneView = { zOrder: () => 'top', renderer: () => ({ draw }) }
  const update = (): void => { attached?.requestUpdate() }
  return {
    attached: (given: SeriesAttachedParameter): void => { attached = given },
    detached: (): void => { attached = null },
    paneViews: () => [view],
    set: (given: readonly DrawnShape[], at: ChartSpot | null): void => {
      ;[shapes, handle] = [given, at]
      update()
    },
    paint: (line: string, ink: string, surface: string, family: string): void => {
      ;[colors, font] = [{ line, ink, surface }, `12px ${family}`]
      update()
    },
    /** Draws without handles and other aids. */
    quietly: <Result>(run: () => Result): Result => {
      quiet = true
      try {
        return run()
      } finally {
        quiet = false
      }
    },
    /** Which drawing is at a place of the pane, and which part of it; the newest first. */
    hit: (x: number, y: number): { readonly index: number; readonly part: DrawnPart } | null => {
      for (const [index, shape] of [...shapes.entries()].reverse()) {
        const [from, to, box] = [placeOf(shape.from), shape.to === null ? null : placeOf(shape.to), boxes[index] ?? null]
        if (from === null) continue
        const isAt = (place: Point): boolean => Math.hypot(place.x - x, place.y - y) <= reach + 2
        if (to !== null) {
          if (isAt(from)) return { index, part: 'from' }
          if (isAt(to)) return { index, part: 'to' }
          if (distance({ x, y }, from, to) <= reach) return { index, part: 'whole' }
        } else if (isAt(from) || (shape.kind === 'horizontal' && x >= from.x && Math.abs(y - from.y) <= reach)) return { index, part: 'whole' }
        if (box !== null && x >= box.left && x <= box.left + box.width && y >= box.top && y <= box.top + box.height) return { index, part: 'whole' }
      }
      return null
    },
  } satisfies ISeriesPrimitive<Time> & Record<string, unknown>
}

/** The distance of a point from the line between two others. */
const distance = ({ x, y }: Point, from: Point, to: Point): number => {
  const [dx, dy] = [to.x - from.x, to.y - from.y]
  const length = dx * dx + dy * dy
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - from.x) * dx + (y - from.y) * dy) / length))
  return Math.hypot(x - from.x - share * dx, y - from.y - share * dy)
}

/** A text in lines of the widest width; what has no room is cut. */
const linesOf = (context: CanvasRenderingContext2D, text: string, most: number): readonly string[] => {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const longer = lines.length === 0 ? word : `${lines.at(-1) ?? ''} ${word}`
    if (lines.length > 0 && context.measureText(longer).width <= widestText) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  const cut = (line: string): string => {
    if (context.measureText(line).width <= widestText) return line
    let kept = line
    while (kept !== '' && context.measureText(`${kept}…`).width > widestText) kept = [...kept].slice(0, -1).join('')
    return `${kept}…`
  }
  const shown = lines.slice(0, most).map(cut)
  return lines.length > most ? [...shown.slice(0, -1), `${shown.at(-1)?.replace(/…$/, '') ?? ''}…`] : shown
}
