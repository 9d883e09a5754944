import { classNames } from '#renderer/lib/class-names.ts'
import { widestText } from '#renderer/lib/text-width.ts'
import { useAppearance } from '#renderer/lib/theme.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { ColorType, createChart, CrosshairMode, type IChartApi, type Time } from 'lightweight-charts'
import { useEffect, useRef } from 'react'
import { paintFrame } from './chart-frame.ts'

const colorNames = ['accent', 'gain', 'loss', 'faint', 'hairline', 'side-a', 'side-b', 'side-c', 'side-d', 'side-e', 'side-f'] as const
/** The theme's colors, in CSS syntax. */
type Colors = Readonly<Record<(typeof colorNames)[number], string>>

/** Adds its series to a new chart, and returns a function that shows figures in them, in the current colors. That one returns a function that fits them into the chart's width. */
export type Plot<Figures> = (chart: IChartApi) => (figures: Figures, colors: Colors) => () => void

type Props<Figures> = {
  readonly figures: Figures
  /** Must be stable while the chart is mounted. */
  readonly plot: Plot<Figures>
  /** A description of the chart. */
  readonly label: string
  /** The id of the table with its figures; missing if the table replaces the chart. */
  readonly tableId?: string
  /** Names a place on the time axis if it is not a trading day; must be stable while its names are. */
  readonly timeName?: ((time: Time) => string) | undefined
  /** Sets its height. */
  readonly className: string
}

/** The options that all money series share. */
export const moneySeries = { priceScaleId: 'left', priceFormat: { type: 'price', precision: 0, minMove: 1 }, priceLineVisible: false, lastValueVisible: false } as const

/** The frame of a chart of money by trading day: axes, crosshair, theme and size; `plot` adds its content. */
export const DayChart = <Figures,>({ figures, plot, label, tableId, timeName, className }: Props<Figures>) => {
  const frame = useRef<HTMLDivElement>(null)
  const drawn = useRef<{ readonly chart: IChartApi; readonly show: ReturnType<Plot<Figures>>; fit: () => void } | null>(null)
  const format = useFormat()
  const { shown, palette } = useAppearance()

  useEffect(() => {
    if (frame.current === null) return
    const chart = framed(frame.current)
    drawn.current = { chart, show: plot(chart), fit: () => undefined }
    // The chart follows its frame later: figures may have been shown in its old width.
    chart.timeScale().subscribeSizeChange(() => drawn.current?.fit())
    return () => {
      chart.remove()
      drawn.current = null
    }
  }, [plot])

  useEffect(() => {
    drawn.current?.chart.applyOptions({
      localization: { priceFormatter: (value: number) => format.count(Math.round(value)), timeFormatter: timeName ?? ((time: Time) => format.fullDay(String(time))) },
      timeScale: {
        tickMarkFormatter: timeName ?? ((time: Time) => format.day(String(time))),
        // The chart's own eight characters leave out months that have room.
        tickMarkMaxCharacterLength: timeName === undefined ? dayRoom(format.day) : 8,
      },
    })
  }, [format, plot, timeName])

  useEffect(() => {
    if (drawn.current === null) return
    const colors = colorsNow()
    paintFrame(drawn.current.chart, colors)
    drawn.current.fit = drawn.current.show(figures, colors)
    drawn.current.fit()
  }, [figures, plot, shown, palette])

  return (
    <div role="img" aria-label={label} aria-details={tableId} className={classNames('flex flex-col pt-2 pr-4 pl-2', className)}>
      <div ref={frame} className="min-h-0 grow basis-0 overflow-hidden" />
    </div>
  )
}

const fontSize = 11
/** What the chart counts for a character of a label, in pixels. */
const characterWidth = ((fontSize + 4) * 5) / 8
const gap = 10
const lateDays = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}-28`)

/** The room that the longest name of a day takes on the time axis, in characters as the chart counts them. */
const dayRoom = (nameOf: (day: string) => string): number => {
  const widest = widestText(lateDays.map(nameOf), fontSize)
  return widest === null ? 8 : (widest + gap) / characterWidth
}

const framed = (frame: HTMLElement): IChartApi =>
  createChart(frame, {
    autoSize: true,
    handleScroll: false,
    handleScale: false,
    layout: { background: { type: ColorType.Solid, color: 'transparent' }, fontSize, attributionLogo: false },
    rightPriceScale: { visible: false },
    leftPriceScale: { visible: true, borderVisible: false, entireTextOnly: true, scaleMargins: { top: 0.12, bottom: 0.12 } },
    // The mark and the letter at the end of a curve need room.
    timeScale: { borderVisible: false, fixLeftEdge: true, rightOffsetPixels: 12, allowBoldLabels: false },
    crosshair: { mode: CrosshairMode.Magnet },
  })

const colorsNow = (): Colors => {
  const style = getComputedStyle(document.documentElement)
  return Object.fromEntries(colorNames.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as Colors
}
