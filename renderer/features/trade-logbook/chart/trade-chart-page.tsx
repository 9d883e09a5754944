import { apiQuery } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { openedTrade } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useGoBack } from '#renderer/lib/use-go-back.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DocumentTitle } from '#renderer/ui/document-title.tsx'
import { FullScreenSpinner } from '#renderer/ui/spinner.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { journalRoutes } from '#shared/api/journal.ts'
import { priceRoutes, type TradeChart } from '#shared/api/prices.ts'
import type { FillPairRecord } from '#shared/api/records.ts'
import type { CandleSize } from '#shared/prices/candles.ts'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, Camera, ChartCandlestick, Play, Square } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { readUserDraft } from '../user-fields.ts'
import { useTradeForm } from '../trade-saving.ts'
import { stopOf } from './chart-card.tsx'
import { ChartBy, SizeChoice, sizeByKey } from './chart-tools.tsx'
import { sizeNames, sizesOf, usualSize } from './chart-window.ts'
import { DrawingBar } from './drawing-bar.tsx'
import { FillsTable } from './fills-table.tsx'
import { MissingPrices } from './no-prices.tsx'
import { OrdersTable } from './orders-table.tsx'
import type { PriceChart } from './price-chart.ts'
import { useChartPicture } from './use-chart-picture.ts'
import { isTyping, takesKey } from './takes-keys.ts'
import type { ReplayScope } from './use-replay.ts'

const TradeCandles = lazy(async () => ({ default: (await import('./trade-candles.tsx')).TradeCandles }))
const ReplayCandles = lazy(async () => ({ default: (await import('./replay-candles.tsx')).ReplayCandles }))

const stay = (): void => undefined

/** The chart of one trade on the whole window, and its replay. The address names the trade, and `replay` what is replayed. */
export const TradeChartPage = () => {
  const { t } = useTranslation('trade-chart')
  const [params] = useSearchParams()
  const id = params.get(openedTrade) ?? ''
  const goBack = useGoBack(`${paths.tradeLogbook}?${new URLSearchParams({ [openedTrade]: id }).toString()}`)
  const one = useQuery({ ...apiQuery(journalRoutes.recordById, { query: { id } }), enabled: id !== '' })
  // Of a trade entered by hand there are both.
  const trade = one.data?.trade?.origin === 'synced' ? one.data.trade : null
  const pairs = useQuery({ ...apiQuery(journalRoutes.tradePairs, { query: { tradeId: trade?.id ?? '' } }), enabled: trade !== null })
  const facts = useQuery({ ...apiQuery(priceRoutes.tradeChart, { query: { id } }), enabled: id !== '' })
  const failure = one.error ?? pairs.error ?? facts.error
  const alone = one.data?.pair ?? null
  const rows = trade !== null ? pairs.data?.rows : alone === null ? [] : [alone]
  const missing = (title: string, text: string) => (
    <Frame title={t('title')} onBack={goBack}>
      <EmptyState Icon={ChartCandlestick} title={title} text={text} className="grow" />
    </Frame>
  )
  const retry = (): void => {
    for (const query of [one, pairs, facts]) if (query.error !== null) void query.refetch()
  }
  if (failure !== null) return <Frame title={t('title')} onBack={goBack}><ErrorState failure={failure} onRetry={retry} className="grow" /></Frame>
  if (id === '') return missing(t('trade-logbook:no-such-trade'), t('choose'))
  if (one.data === undefined || facts.data === undefined || rows === undefined) return <FullScreenSpinner />
  if (rows.length === 0) return missing(t('trade-logbook:no-such-trade'), t('choose'))
  if (facts.data.chart === null) return missing(t('no-spec'), t('no-spec-text'))
  return <Opened key={id} id={id} pairs={rows} whole={rows.length > 1} facts={facts.data.chart} onBack={goBack} />
}

const Opened = ({ id, pairs, whole, facts, onBack }: { id: string; pairs: readonly FillPairRecord[]; whole: boolean; facts: TradeChart; onBack: () => void }) => {
  const { t } = useTranslation('trade-chart')
  const format = useFormat()
  const zone = useSession().session?.timeZone ?? 'UTC'
  const [params, setParams] = useSearchParams()
  const form = useTradeForm(whole ? id : (pairs[0]?.id ?? id), { pairs, whole, zone })
  const [chosen, setChosen] = useState<CandleSize | null>(null)
  const [chart, setChart] = useState<PriceChart | null>(null)
  const picture = useChartPicture(form)
  const tableId = useId()
  const size = chosen !== null && sizesOf(facts).includes(chosen) ? chosen : usualSize(facts)
  const asked = params.get('replay')
  const scope: ReplayScope | null = asked === 'trade' || asked === 'session' ? asked : null
  const hasPrices = facts.known.length > 0
  const replay = (next: ReplayScope | null): void => {
    setParams((now) => new URLSearchParams([...[...now].filter(([key]) => key !== 'replay'), ...(next === null ? [] : [['replay', next]])]), { replace: true })
  }
  const stop = stopOf(readUserDraft(form.editing.draft.own).fields?.stop ?? null)
  const note = (text: string, at: number): void => {
    const line = `${format.clock(new Date(at).toISOString())} ${text}`
    form.change((draft) => ({ ...draft, own: { ...draft.own, notes: draft.own.notes.trim() === '' ? line : `${draft.own.notes}\n${line}` } }))
    form.saveSoon()
    toast({ title: t('note-kept') })
  }
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return
    if (event.key === 'Escape') {
      event.preventDefault()
      if (isTyping(event.target)) document.querySelector<HTMLElement>('[data-takes-keys]')?.focus()
      else if (scope !== null) replay(null)
      else onBack()
    }
    if (takesKey(event.target, event.key)) return
    const next = sizeByKey(facts, event.key, size)
    if (next !== null) setChosen(next)
    if (event.key.toLowerCase() === 'r' && hasPrices) replay(scope === null ? 'trade' : null)
  })
  useEffect(() => {
    document.addEventListener('keydown', press)
    return () => { document.removeEventListener('keydown', press) }
  }, [])
  const label = t('label', { contract: facts.contract })
  // On the chart that draws it: the state may still have the one before, which is gone.
  const drawingBar = (on: PriceChart | null, until: number | null) => <DrawingBar facts={facts} chart={on} size={size} form={form} until={until} />
  const shared = { id, facts, size, stop, label, tableId, onChart: setChart } as const
  return (
    <Frame
      // A replay does not show the future.
      title={scope !== null ? facts.contract : t('title-of', { contract: facts.contract, side: t(`trade-logbook:side.${pairs[0]?.side ?? 'long'}`) })}
      day={format.fullDay(facts.tradingDay)}
      onBack={onBack}
      tools={
        hasPrices && (
          <>
            <ChartBy />
            <SizeChoice facts={facts} size={size} onSize={setChosen} />
            <Button variant="outline" size="sm" busy={picture.busy} disabled={chart === null} onClick={() => { if (chart !== null) picture.take(chart, `${facts.contract}, ${sizeNames[size]}`) }}>
              <Camera aria-hidden />
              {t('picture')}
            </Button>
            <Button variant={scope === null ? 'default' : 'outline'} size="sm" aria-keyshortcuts="R" onClick={() => { replay(scope === null ? 'trade' : null) }}>
              {scope === null ? <Play aria-hidden /> : <Square aria-hidden />}
              {scope === null ? t('replay') : t('end-replay')}
            </Button>
          </>
        )
      }
    >
      <div className="empty:hidden px-5 py-2"><MissingPrices facts={facts} onLeave={stay} /></div>
      {hasPrices && (
        <Suspense fallback={<div className="grow" />}>
          {scope === null ? (
            <TradeCandles {...shared} small={false} autoFocus className="min-h-64 grow" below={(on) => drawingBar(on, null)} />
          ) : (
            <ReplayCandles {...shared} account={pairs[0]?.accountId ?? ''} scope={scope} onScope={replay} onNote={note} below={drawingBar} />
          )}
        </Suspense>
      )}
      <details className="border-t border-hairline px-5 py-2">
        <summary className="cursor-pointer text-sm text-muted hover:text-ink">{t('fills-and-keys')}</summary>
        <div className="flex max-h-56 flex-wrap gap-x-10 gap-y-3 overflow-y-auto pt-2">
          <div className="min-w-96 grow"><FillsTable id={tableId} facts={facts} /><OrdersTable facts={facts} /></div>
          <p className="max-w-lg text-sm text-muted">{t('keys')} {t('drawing.keys')} {t('replay-keys')}</p>
        </div>
      </details>
    </Frame>
  )
}

const Frame = ({ title, day, tools, onBack, children }: { title: string; day?: string; tools?: ReactNode; onBack: () => void; children: ReactNode }) => {
  const { t } = useTranslation('trade-chart')
  return (
    <main className="flex h-screen flex-col bg-surface">
      <DocumentTitle shows={title} />
      <header className="flex min-h-13 shrink-0 flex-wrap items-center gap-x-3 gap-y-2 border-b border-line px-3 py-2">
        <Button variant="ghost" size="icon" aria-label={t('back')} title={t('back')} aria-keyshortcuts="Escape" onClick={onBack}>
          <ArrowLeft aria-hidden />
        </Button>
        <h1 className="text-title font-[620] tracking-[-0.01em]">{title}</h1>
        {day !== undefined && <span className="text-muted">{day}</span>}
        <div className="ml-auto flex flex-wrap items-center justify-end gap-2.5">{tools}</div>
      </header>
      <div className="flex min-h-0 grow flex-col">{children}</div>
    </main>
  )
}
