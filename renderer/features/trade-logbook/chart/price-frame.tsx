import { classNames } from '#renderer/lib/class-names.ts'
import { useAppearance } from '#renderer/lib/theme.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { latestTradingDay } from '#shared/market/session.ts'
import { isTickSize, type CandleSize } from '#shared/prices/candles.ts'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { daySize } from './chart-window.ts'
import { createPriceChart, type ChartColors, type PriceChart } from './price-chart.ts'

type Props = {
  readonly tickSize: string
  readonly size: CandleSize
  readonly small: boolean
  /** Whether the last price is that of a moment. */
  readonly live?: boolean
  /** A description of the chart. */
  readonly label: string
  /** The id of the text that says the same. */
  readonly tableId: string
  /** Sets its height. */
  readonly className: string
  readonly autoFocus?: boolean
  /** Given the chart once it is there, and null when it goes; must be stable. */
  readonly onChart: (chart: PriceChart | null) => void
}

/** Moves and zooms a chart by a key: arrows, `+` and `-`. False for any other key. */
const moveByKey = (chart: PriceChart, key: string): boolean => {
  if (key === 'ArrowLeft') chart.pan(-0.1)
  else if (key === 'ArrowRight') chart.pan(0.1)
  else if (key === '+' || key === '=' || key === 'ArrowUp') chart.zoom(0.8)
  else if (key === '-' || key === 'ArrowDown') chart.zoom(1.25)
  else return false
  return true
}

/** The frame of a chart of prices: theme, words, size, and keys that pan and zoom it. */
export const PriceFrame = ({ tickSize, size, small, live = false, label, tableId, className, autoFocus = false, onChart }: Props) => {
  const frame = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<PriceChart | null>(null)
  const format = useFormat()
  const { shown, palette } = useAppearance()
  useEffect(() => {
    if (frame.current === null) return
    const made = createPriceChart(frame.current, { tickSize, small, live })
    setChart(made)
    onChart(made)
    return () => {
      onChart(null)
      setChart(null)
      made.remove()
    }
  }, [tickSize, small, live, onChart])
  useEffect(() => {
    chart?.speak(format, size === daySize ? (seconds) => latestTradingDay(seconds * 1000) : null, isTickSize(size))
  }, [chart, format, size])
  useEffect(() => { chart?.paint(colorsNow()) }, [chart, shown, palette])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (chart === null || event.altKey || event.ctrlKey || event.metaKey || !moveByKey(chart, event.key)) return
    event.preventDefault()
  }
  return (
    // A chart that pans by keys takes the focus like a picture with controls.
    <div
      role="application"
      aria-label={label}
      aria-details={tableId}
      tabIndex={0}
      autoFocus={autoFocus}
      data-takes-keys
      onKeyDown={onKeyDown}
      className={classNames('flex flex-col rounded-md -outline-offset-2', className)}
    >
      <div ref={frame} className="min-h-0 grow basis-0 overflow-hidden" />
    </div>
  )
}

const colorsNow = (): ChartColors => {
  const style = getComputedStyle(document.documentElement)
  const token = (name: keyof ChartColors): string => style.getPropertyValue(`--${name}`).trim()
  return { ink: token('ink'), accent: token('accent'), gain: token('gain'), loss: token('loss'), faint: token('faint'), hairline: token('hairline'), surface: token('surface'), warn: token('warn') }
}
