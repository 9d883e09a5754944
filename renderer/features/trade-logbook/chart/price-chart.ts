import { countWhile } from '#shared/base/count-while.ts'
import type { Format } from '#renderer/lib/format.ts'
import { paintFrame, withZero } from '#renderer/ui/chart-frame.ts'
import { priceToJsonNumber, type Ticks } from '#shared/money/price.ts'
import type { ChartPoint } from '#shared/prices/chart-points.ts'
import {
  BaselineSeries, CandlestickSeries, ColorType, createChart, createSeriesMarkers, CrosshairMode, LineSeries, LineStyle, LineType, TickMarkType,
  type IChartApi, type IPriceLine, type SeriesMarker, type Time, type UTCTimestamp,
} from 'lightweight-charts'
import type { OrderSegment } from './chart-orders.ts'
import { createDrawingLines } from './drawing-lines.ts'
import type { ChartSpot, DrawnPart, DrawnShape } from './drawn.ts'
import { createOrderLines } from './order-lines.ts'
import { createSeenShade } from './seen-shade.ts'

/** A fill as it is marked: at its own price, on the candle that holds it. `own` is false for those of the session's other trades; `label` has the contracts to print, null where another mark prints them. */
export type MarkedFill = { readonly candle: number; readonly qty: number; readonly price: Ticks; readonly own: boolean; readonly label: number | null }

/** The theme's colors, in CSS syntax. */
export type ChartColors = Readonly<Record<'ink' | 'accent' | 'gain' | 'loss' | 'faint' | 'hairline' | 'surface' | 'warn', string>>

/** Amounts that are lines in the pane of open P&L, in units of 1/10,000. */
export type PnlLine = { readonly title: string; readonly amount: number }

export type PriceChart = ReturnType<typeof createPriceChart>

const unitsOfMoney = 10_000
const line = { priceLineVisible: false, lastValueVisible: false, crosshairMarkerVisible: false } as const
const spotOf = ({ at, close }: ChartPoint): ChartSpot => ({ candle: at / 1_000_000, price: close })
const secondsOf = (time: Time): number => Math.floor(Math.round(Number(time) * 1_000_000) / 1000) / 1000
const timeOf = ({ at }: ChartPoint): UTCTimestamp => (at / 1_000_000) as UTCTimestamp

type Options = {
  readonly tickSize: string
  /** Without room for the pane of the position. */
  readonly small: boolean
  /** Whether its last price is the one of the shown moment; otherwise it is only where the prices end. */
  readonly live: boolean
}

/** A chart of candles with a trade's average price, open P&L and position, drawn by lightweight-charts. */
export const createPriceChart = (frame: HTMLElement, { tickSize, small, live }: Options) => {
  const tick = priceToJsonNumber(1 as Ticks, tickSize)
  const priceOf = (ticks: Ticks): number => priceToJsonNumber(ticks, tickSize)
  const chart = framed(frame)
  const candles = chart.addSeries(CandlestickSeries, { priceLineVisible: live, lastValueVisible: live, borderVisible: true, priceFormat: { type: 'price', precision: 2, minMove: tick } })
  const average = chart.addSeries(LineSeries, { ...line, lineWidth: 1, lineStyle: LineStyle.Solid, lineType: LineType.WithSteps, priceFormat: { type: 'price', precision: 2, minMove: tick } })
  const pnl = chart.addSeries(BaselineSeries, { ...line, baseValue: { type: 'price', price: 0 }, lineWidth: 1, autoscaleInfoProvider: withZero, priceFormat: { type: 'price', precision: 0, minMove: 1 } }, 1)
  const position = chart.addSeries(LineSeries, { ...line, lineWidth: 2, lineType: LineType.WithSteps, autoscaleInfoProvider: withZero, priceFormat: { type: 'price', precision: 0, minMove: 1 }, visible: !small }, small ? 1 : 2)
  if (small) position.applyOptions({ priceScaleId: '' })
  // Room for the labels of MFE and MAE.
  pnl.priceScale().applyOptions({ scaleMargins: { top: 0.16, bottom: 0.16 } })
  for (const [at, pane] of chart.panes().entries()) pane.setStretchFactor([5, 2, 1][at] ?? 1)
  const shade = createSeenShade(priceOf)
  candles.attachPrimitive(shade)
  /** The place of the candle that a moment in UTC seconds lies in, or of the one before it; -1 before the first. */
  const placeAt = (seconds: number): number => countWhile(spots.length, (place) => (spots[place]?.candle ?? Infinity) <= seconds) - 1
  const placeOf = (seconds: number): number | null => (spots.length === 0 ? null : Math.max(0, placeAt(seconds)))
  const orders = createOrderLines(priceOf, placeOf)
  candles.attachPrimitive(orders)
  const drawings = createDrawingLines(priceOf, placeOf, { mostLines: small ? 1 : 6 })
  candles.attachPrimitive(drawings)
  const marks = createSeriesMarkers(candles)
  const zero = pnl.createPriceLine({ price: 0, lineStyle: LineStyle.Dotted, lineWidth: 1, axisLabelVisible: false })
  let stopLine: IPriceLine | null = null
  let pnlLines: readonly IPriceLine[] = []
  let colors: ChartColors | null = null
  let marked: readonly MarkedFill[] = []
  let count = 0
  let spots: ChartSpot[] = []
  let awaiting: (() => void)[] = []
  /** How many candles before the last have an open P&L. */
  let withPnl = 0
  let last: ChartPoint | null = null
  /** When the last candle ends, UTC seconds. */
  let ends = -Infinity

  const candleData = (point: ChartPoint) => ({ time: timeOf(point), open: priceOf(point.open), high: priceOf(point.high), low: priceOf(point.low), close: priceOf(point.close) })
  const averageData = (point: ChartPoint) => (point.pnl === null || point.held.average === null ? { time: timeOf(point) } : { time: timeOf(point), value: point.held.average * tick })
  const pnlData = (point: ChartPoint) => (point.pnl === null ? { time: timeOf(point) } : { time: timeOf(point), value: point.pnl / unitsOfMoney })
  const positionData = (point: ChartPoint) => ({ time: timeOf(point), value: point.shown })
  /** A single point is not a line: show a dot. */
  const showDot = (): void => {
    const isAlone = withPnl + Number(last !== null && last.pnl !== null) === 1
    if (pnl.options().pointMarkersVisible !== isAlone) pnl.applyOptions({ pointMarkersVisible: isAlone, pointMarkersRadius: 4 })
  }
  const logical = () => chart.timeScale().getVisibleLogicalRange()
  const showMarks = (): void => {
    if (colors === null) return
    const { accent, faint } = colors
    // The library would draw a mark outside the candles on the nearest one.
    const shown = marked.filter(({ candle }) => candle < ends && placeAt(candle) >= 0)
    const [bought, sold] = [1, -1].map((side) => new Set(shown.flatMap(({ candle, qty, own }) => (own && Math.sign(qty) === side ? [placeAt(candle)] : []))))
    marks.setMarkers(
      shown.flatMap(({ candle, qty, price, own, label }): SeriesMarker<Time>[] => {
        const place = placeAt(candle)
        // Entries and exits within one candle would lie on each other: each side has one arrow beside it.
        const isBoth = own && bought?.has(place) === true && sold?.has(place) === true
        if (isBoth && label === null) return []
        return [{
          time: (spots[place]?.candle ?? candle) as UTCTimestamp, shape: qty > 0 ? 'arrowUp' : 'arrowDown', color: own ? accent : faint, size: own ? 1.4 : 0.8,
          ...(isBoth ? { position: qty > 0 ? 'belowBar' : 'aboveBar' } : { position: 'atPriceMiddle', price: priceOf(price) }),
          ...(own && label !== null ? { text: `${qty > 0 ? '+' : '−'}${String(Math.abs(label))}` } : {}),
        }]
      }),
    )
  }

  const setAll = (points: readonly ChartPoint[]): void => {
    candles.setData(points.map(candleData))
    average.setData(points.map(averageData))
    pnl.setData(points.map(pnlData))
    position.setData(points.map(positionData))
    shade.setAll(points)
    count = points.length
    spots = points.map(spotOf)
    if (count > 0) {
      const due = awaiting
      awaiting = []
      // The view is set after the candles.
      for (const one of due) setTimeout(one)
    }
    ends = (points.at(-1)?.end ?? -Infinity) / 1_000_000
    last = points.at(-1) ?? null
    withPnl = points.slice(0, -1).filter((point) => point.pnl !== null).length
    showDot()
    showMarks()
  }

  const spotOfPlace = (place: number): ChartSpot | undefined => spots[Math.min(Math.max(place, 0), spots.length - 1)]
  const isInCandles = (x: number, y: number): boolean => x >= 0 && y >= 0 && x <= chart.timeScale().width() && y <= (chart.panes()[0]?.getHeight() ?? 0)

  return {
    /** Replaces all candles. */
    setAll,
    /** The same, without moving the view. */
    renewAll: (points: readonly ChartPoint[]): void => {
      const range = chart.timeScale().getVisibleRange()
      setAll(points)
      if (range !== null && points.length > 0) chart.timeScale().setVisibleRange(range)
    },
    /** Replaces the last candle, or adds one behind it. */
    update: (point: ChartPoint, isNew: boolean): void => {
      candles.update(candleData(point))
      average.update(averageData(point))
      pnl.update(pnlData(point))
      position.update(positionData(point))
      shade.update(point, isNew)
      if (isNew) count += 1
      else spots.pop()
      spots.push(spotOf(point))
      ends = point.end / 1_000_000
      if (isNew) withPnl += Number(last !== null && last.pnl !== null)
      last = point
      showDot()
    },
    setMarks: (fills: readonly MarkedFill[]): void => {
      marked = fills.toSorted((one, other) => one.candle - other.candle)
      showMarks()
    },
    setOrders: (segments: readonly OrderSegment[], names: { readonly stop: string; readonly limit: string }): void => { orders.set(segments, names) },
    setStop: (price: number | null, title: string): void => {
      if (stopLine !== null) candles.removePriceLine(stopLine)
      stopLine = price === null ? null : candles.createPriceLine({ price, title, lineStyle: LineStyle.Dashed, lineWidth: 1, axisLabelVisible: true, color: colors?.loss ?? '' })
    },
    setPnlLines: (lines: readonly PnlLine[]): void => {
      for (const one of pnlLines) pnl.removePriceLine(one)
      pnlLines = lines.map(({ title, amount }) => pnl.createPriceLine({ price: amount / unitsOfMoney, title, lineStyle: LineStyle.Dashed, lineWidth: 1, axisLabelVisible: true, color: colors === null ? '' : amount > 0 ? colors.gain : colors.loss }))
    },
    paint: (given: ChartColors): void => {
      colors = given
      const { ink, gain, loss, faint } = given
      paintFrame(chart, given)
      candles.applyOptions({ upColor: gain, downColor: loss, wickUpColor: gain, wickDownColor: loss, borderUpColor: gain, borderDownColor: loss })
      average.applyOptions({ color: ink })
      position.applyOptions({ color: faint })
      zero.applyOptions({ color: faint })
      pnl.applyOptions({ topLineColor: gain, topFillColor1: `${gain}44`, topFillColor2: `${gain}11`, bottomLineColor: loss, bottomFillColor1: `${loss}11`, bottomFillColor2: `${loss}44` })
      stopLine?.applyOptions({ color: loss })
      for (const one of pnlLines) one.applyOptions({ color: one.options().price > 0 ? gain : loss })
      shade.paint(`${gain}22`, `${loss}22`)
      orders.paint(loss, gain, getComputedStyle(document.body).fontFamily)
      drawings.paint(given.warn, ink, given.surface, getComputedStyle(document.body).fontFamily)
      showMarks()
    },
    /** Formats times in the user's zone, to the millisecond if `exact`, prices in whole ticks, and days for candles of a day. */
    speak: (format: Format, dayOf: ((seconds: number) => string) | null, exact: boolean): void => {
      const iso = (time: Time): string => new Date(Math.round(secondsOf(time) * 1000)).toISOString()
      const price = (value: number): string => format.price(Math.round(value / tick) * tick)
      chart.applyOptions({
        localization: { timeFormatter: (time: Time) => (dayOf === null ? (exact ? format.exactMoment(iso(time)) : format.dateTime(iso(time))) : format.fullDay(dayOf(Number(time)))) },
        timeScale: {
          timeVisible: true,
          tickMarkFormatter: (time: Time, type: TickMarkType) => {
            if (dayOf !== null) return format.day(dayOf(Number(time)))
            return type === TickMarkType.TimeWithSeconds ? format.clock(iso(time)) : type === TickMarkType.Time ? format.time(iso(time)) : format.shortMoment(iso(time))
          },
        },
      })
      for (const series of [candles, average]) series.applyOptions({ priceFormat: { type: 'custom', minMove: tick, formatter: price } })
      pnl.applyOptions({ priceFormat: { type: 'custom', minMove: 1, formatter: (value: number) => format.signedWhole(Math.round(value)) } })
      position.applyOptions({ priceFormat: { type: 'custom', minMove: 1, formatter: (value: number) => format.signedWhole(Math.round(value)) } })
    },
    /** Shows the candles from one place to another. */
    showPlaces: (from: number, to: number): void => { chart.timeScale().setVisibleLogicalRange({ from, to }) },
    /** Moves by a share of the visible width. */
    pan: (share: number): void => {
      const range = logical()
      if (range === null) return
      const by = (range.to - range.from) * share
      chart.timeScale().setVisibleLogicalRange({ from: range.from + by, to: range.to + by })
    },
    /** Shows this many times as many candles; the newest one stays where it is if it is in sight, else the middle does. */
    zoom: (factor: number): void => {
      const range = logical()
      if (range === null) return
      const width = Math.min(Math.max((range.to - range.from) * factor, 8), count + 20)
      const kept = range.to >= count - 1 ? range.to : (range.from + range.to) / 2 + width / 2
      chart.timeScale().setVisibleLogicalRange({ from: kept - width, to: kept })
    },
    toEnd: (): void => { chart.timeScale().scrollToRealTime() },
    /** A picture of the chart, on the theme's background. */
    picture: async (): Promise<Blob> => {
      const drawn = drawings.quietly(() => chart.takeScreenshot(true))
      const canvas = document.createElement('canvas')
      ;[canvas.width, canvas.height] = [drawn.width, drawn.height]
      const context = canvas.getContext('2d')
      if (context === null) throw new Error('A canvas without a context')
      context.fillStyle = colors?.surface ?? '#ffffff'
      context.fillRect(0, 0, canvas.width, canvas.height)
      context.drawImage(drawn, 0, 0)
      return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => { if (blob === null) reject(new Error('A chart without a picture')); else resolve(blob) }, 'image/png')
      })
    },
    /** What it is drawn in, whose top left is that of the pane of candles. */
    frame,
    /** Shows drawings, and where the next one is being set. */
    setDrawings: (shapes: readonly DrawnShape[], handle: ChartSpot | null): void => { drawings.set(shapes, handle) },
    /** The drawing at a place of the frame. */
    drawingAt: (x: number, y: number): { readonly index: number; readonly part: DrawnPart } | null => (isInCandles(x, y) ? drawings.hit(x, y) : null),
    /** The nearest candle and price to a place of the frame; null outside of the candles' pane. */
    spotAt: (x: number, y: number): ChartSpot | null => {
      const [place, price] = [chart.timeScale().coordinateToLogical(x), candles.coordinateToPrice(y)]
      const spot = place === null ? undefined : spotOfPlace(Math.round(place))
      return price === null || spot === undefined || !isInCandles(x, y) ? null : { candle: spot.candle, price: Math.round(price / tick) }
    },
    /** The close of the middle candle of those in sight, or of the newest; null without candles. */
    spotInSight: (newest: boolean): ChartSpot | null => {
      const range = logical()
      return spotOfPlace(newest || range === null ? count - 1 : Math.floor((range.from + range.to) / 2)) ?? null
    },
    /** Runs once there are candles. */
    withCandles: (run: () => void): void => {
      if (count > 0) run()
      else awaiting.push(run)
    },
    /** The candle that is so many behind another. */
    candleBeside: (candle: number, by: number): number => spotOfPlace(placeAt(candle) + by)?.candle ?? candle,
    /** The candle behind another; null behind the last. */
    candleBehind: (candle: number): number | null => spots[placeAt(candle) + 1]?.candle ?? null,
    /** How many candles one is behind another. */
    candlesBetween: (from: number, to: number): number => placeAt(to) - placeAt(from),
    /** Keeps the chart in its place while something is dragged over it. */
    hold: (held: boolean): void => { chart.applyOptions({ handleScroll: !held, handleScale: !held }) },
    remove: (): void => { chart.remove() },
  }
}

const framed = (frame: HTMLElement): IChartApi =>
  createChart(frame, {
    autoSize: true,
    layout: { background: { type: ColorType.Solid, color: 'transparent' }, fontSize: 11, attributionLogo: false },
    rightPriceScale: { borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.08, bottom: 0.08 }, minimumWidth: 64 },
    timeScale: { borderVisible: false, secondsVisible: true, rightOffset: 4, allowBoldLabels: false, maxBarSpacing: 24, minBarSpacing: 0.5 },
    crosshair: { mode: CrosshairMode.Normal },
  })
