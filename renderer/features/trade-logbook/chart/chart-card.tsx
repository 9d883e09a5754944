import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { openedTrade } from '#renderer/lib/trade-filter.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { priceRoutes } from '#shared/api/prices.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { useQuery } from '@tanstack/react-query'
import { Camera, Maximize2, Play } from 'lucide-react'
import { lazy, Suspense, useId, useState, type KeyboardEvent, type MouseEvent, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { TradeForm } from '../trade-saving.ts'
import { ChartBy, SizeChoice, sizeByKey } from './chart-tools.tsx'
import { sizeNames, sizesOf, usualSize } from './chart-window.ts'
import { FillsTable } from './fills-table.tsx'
import { MissingPrices } from './no-prices.tsx'
import { OrdersTable } from './orders-table.tsx'
import type { PriceChart } from './price-chart.ts'
import { DrawingsTable } from './drawings-table.tsx'
import { useChartPicture } from './use-chart-picture.ts'
import { shapeOf } from './drawn.ts'

const TradeCandles = lazy(async () => ({ default: (await import('./trade-candles.tsx')).TradeCandles }))

type Props = {
  readonly id: string
  /** The stop as it is being edited; null for none. */
  readonly stop: string | null
  readonly form: TradeForm
}

/** The chart of a trade in its dialog, with links to the large chart and the replay. */
export const ChartCard = ({ id, stop, form }: Props) => {
  const { t } = useTranslation('trade-chart')
  const facts = useQuery(apiQuery(priceRoutes.tradeChart, { query: { id } })).data?.chart ?? null
  const [chosen, setChosen] = useState<CandleSize | null>(null)
  const [chart, setChart] = useState<PriceChart | null>(null)
  const picture = useChartPicture(form)
  const tableId = useId()
  const { drawings } = form.editing.draft.own
  const size = facts === null ? 60 : chosen !== null && sizesOf(facts).includes(chosen) ? chosen : usualSize(facts)
  useEffect(() => { chart?.setDrawings((drawings ?? []).map((one) => shapeOf(one, size)), null) }, [chart, drawings, size])
  if (facts === null) return null
  const leave = (event: MouseEvent): void => {
    if (!form.keep()) event.preventDefault()
  }
  if (facts.known.length === 0) return <div className="rounded-md border border-hairline px-4 py-3"><MissingPrices facts={facts} onLeave={leave} /></div>
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = sizeByKey(facts, event.key, size)
    if (next !== null && !event.altKey && !event.ctrlKey && !event.metaKey) setChosen(next)
  }
  const address = `${paths.tradeChart}?${new URLSearchParams({ [openedTrade]: id }).toString()}`
  return (
    <section aria-label={t('title')} className="flex flex-col gap-2 rounded-md border border-hairline px-3 pt-2.5 pb-3">
      <div className="flex flex-wrap items-center gap-2">
        <SizeChoice facts={facts} size={size} onSize={setChosen} />
        <span className="mr-auto" />
        <ChartBy />
        <Button variant="ghost" size="icon" busy={picture.busy} disabled={chart === null} aria-label={t('picture')} title={t('picture')} onClick={() => { if (chart !== null) picture.take(chart, `${facts.contract}, ${sizeNames[size]}`) }}>
          <Camera aria-hidden />
        </Button>
        <Button asChild variant="outline" size="sm">
          <Link to={`${address}&replay=trade`} onClick={leave}><Play aria-hidden />{t('replay')}</Link>
        </Button>
        <Button asChild variant="outline" size="sm">
          <Link to={address} onClick={leave}><Maximize2 aria-hidden />{t('large')}</Link>
        </Button>
      </div>
      <MissingPrices facts={facts} onLeave={leave} />
      <div onKeyDown={onKeyDown} className="flex flex-col">
        <Suspense fallback={<Skeleton className="h-72 opacity-50" />}>
          <TradeCandles id={id} facts={facts} size={size} stop={stopOf(stop)} small label={t('label', { contract: facts.contract })} tableId={tableId} className="h-72" onChart={setChart} />
        </Suspense>
      </div>
      <details className="text-sm">
        <summary className="cursor-pointer text-muted hover:text-ink">{facts.orders.length > 0 ? t('fills-and-orders') : t('fills')}</summary>
        <FillsTable id={tableId} facts={facts} />
        <OrdersTable facts={facts} />
        <DrawingsTable facts={facts} drawings={drawings ?? []} />
      </details>
    </section>
  )
}

/** A stop as a number, where it is one. */
export const stopOf = (stop: string | null): number | null => (stop === null || stop === '' || !Number.isFinite(Number(stop)) ? null : Number(stop))
