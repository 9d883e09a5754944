import { apiQuery } from '#renderer/lib/api.ts'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { priceRoutes, type TradeChart, type TradeExcursions } from '#shared/api/prices.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import type { ChartPoint } from '#shared/prices/chart-points.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { candlePoints } from './candle-points.ts'
import { markedFills } from './chart-fills.ts'
import { flatStop, orderSegments } from './chart-orders.ts'
import { spanOfTrade, windowOf } from './chart-window.ts'
import type { PnlLine, PriceChart } from './price-chart.ts'
import { PriceFrame } from './price-frame.tsx'

type Props = {
  readonly id: string
  readonly facts: TradeChart
  readonly size: CandleSize
  /** The trade's stop; null for none. */
  readonly stop: number | null
  readonly small: boolean
  readonly label: string
  readonly tableId: string
  readonly className: string
  readonly autoFocus?: boolean
  /** The content below the chart, which is null until it is there. */
  readonly below?: (chart: PriceChart | null) => ReactNode
  /** Must be stable. */
  readonly onChart: (chart: PriceChart | null) => void
}

// Traders' abbreviations, in every language. Those of `excursion-names.ts` come with the sentences of the filter.
const names = { mfe: 'MFE', mae: 'MAE' } as const

/** A trade's candles with its fills, average price, stop, open P&L and position. */
export const TradeCandles = ({ id, facts, size, stop, small, label, tableId, className, autoFocus, below, onChart }: Props) => {
  const { t } = useTranslation('trade-chart')
  const { from, to } = windowOf(facts, size)
  const { data, error, refetch, isPlaceholderData } = useQuery({ ...apiQuery(priceRoutes.candles, { query: { id, from, to, size } }), placeholderData: keepPreviousData, staleTime: 60_000 })
  const excursions = useQuery(apiQuery(priceRoutes.excursions, { query: { id } })).data?.excursions ?? null
  const [chart, setChart] = useState<PriceChart | null>(null)
  // Nobody draws on candles of the former size.
  const drawable = isPlaceholderData ? null : chart
  useEffect(() => { onChart(drawable) }, [drawable, onChart])
  useEffect(() => () => { onChart(null) }, [onChart])
  const candles = data?.candles
  const shown = useRef<{ readonly chart: PriceChart; readonly id: string; readonly size: CandleSize } | null>(null)
  useEffect(() => {
    if (chart === null || candles === undefined || isPlaceholderData) return
    const points = candlePoints(facts, candles, size)
    const isShown = shown.current?.chart === chart && shown.current.id === id && shown.current.size === size
    // New prices of what is shown leave the user where they looked.
    if (isShown) chart.renewAll(points)
    else chart.setAll(points)
    chart.setMarks(markedFills(facts, size))
    if (isShown) return
    shown.current = { chart, id, size }
    const trade = spanOfTrade(facts)
    const [first, last] = [placeOf(points, trade.from), placeOf(points, trade.to)]
    const margin = Math.max(12, (last - first) * 0.6)
    chart.showPlaces(first - margin, last + margin)
  }, [chart, candles, isPlaceholderData, facts, id, size])
  const shownStop = flatStop(facts, stop)
  useEffect(() => { chart?.setStop(shownStop, t('planned-stop')) }, [chart, shownStop, t])
  useEffect(() => { if (!isPlaceholderData) chart?.setOrders(orderSegments(facts, size), { stop: t('stop'), limit: t('limit') }) }, [chart, isPlaceholderData, facts, size, t])
  useEffect(() => { chart?.setPnlLines(excursions === null ? [] : extremes(excursions)) }, [chart, excursions])
  if (error !== null && candles === undefined) return <ErrorState failure={error} onRetry={() => void refetch()} className={className} />
  return (
    <>
      <div className="relative flex min-h-0 grow flex-col">
        {candles === undefined && <Skeleton className="absolute inset-4 opacity-50" />}
        <PriceFrame tickSize={facts.tickSize} size={size} small={small} label={label} tableId={tableId} className={className} autoFocus={autoFocus ?? false} onChart={setChart} />
      </div>
      {below?.(drawable)}
    </>
  )
}

const placeOf = (points: readonly ChartPoint[], ms: number): number => Math.max(0, points.findLastIndex(({ at }) => at <= ms * 1000))

/** MFE and MAE as lines; if only bounds are known, the least of each. */
const extremes = ({ mfe, mae }: TradeExcursions): readonly PnlLine[] =>
  [
    { title: names.mfe, amount: Math.round(Number(mfe.amount.least) * 10_000) },
    { title: names.mae, amount: -Math.round(Number(mae.amount.least) * 10_000) },
  ].filter(({ amount }) => amount !== 0)
