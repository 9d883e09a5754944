import { apiQuery, callApi, invalidateRoutes, type ApiFailure } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Progress } from '#renderer/ui/progress.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { Switch } from '#renderer/ui/toggles.tsx'
import type { FetchProgress } from '#shared/api/price-fetch.ts'
import { priceRoutes, type PriceFeedShown } from '#shared/api/prices.ts'
import { feedNames } from '#shared/prices/feeds.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CostDialog } from './cost-dialog.tsx'
import { DatabentoDialog } from './databento-dialog.tsx'


/** Where Fillbook can fetch prices from, and the fetch of what trades need. */
export const PriceFeeds = () => {
  const { t } = useTranslation('prices')
  const words = useProblemText()
  const client = useQueryClient()
  const { data } = useQuery({ ...apiQuery(priceRoutes.priceFeeds), staleTime: 0 })
  const [asks, setAsks] = useState<'cost' | 'databento' | null>(null)
  const renew = () => invalidateRoutes(client, priceRoutes.priceFeeds)
  const fetching = useMutation<unknown, ApiFailure, string | null>({ mutationFn: (spend) => callApi(priceRoutes.fetchPrices, { body: { spend } }), onSettled: renew })
  const stopping = useMutation<unknown, ApiFailure>({ mutationFn: () => callApi(priceRoutes.stopFetchingPrices), onSettled: renew })
  const failure = fetching.error ?? stopping.error
  // Damaged prices are the card's above.
  if (data === undefined) return <Card title={t('feeds.title')}><div className="px-4 py-4"><Skeleton className="h-24 w-full max-w-2xl" /></div></Card>
  const usable = data.feeds.filter(({ on, ready }) => on && ready)
  const sells = usable.some(({ feed }) => feed === 'databento')
  return (
    <Card title={t('feeds.title')} note={t('feeds.note')}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5 border-b border-hairline px-4 py-3">
        <div className="min-w-64 flex-1">
          {data.fetching === null ? (
            <p className="max-w-2xl text-muted">{data.missing === 0 ? t('feeds.complete') : usable.length === 0 ? t('feeds.none-ready', { count: data.missing }) : t('feeds.missing', { count: data.missing })}</p>
          ) : (
            <Fetching fetching={data.fetching} />
          )}
        </div>
        {data.fetching === null ? (
          <Button disabled={usable.length === 0 || (data.missing === 0 && !sells)} busy={fetching.isPending} onClick={() => { if (sells) setAsks('cost'); else fetching.mutate(null) }}>
            {t('feeds.fetch')}
          </Button>
        ) : (
          <Button variant="outline" busy={stopping.isPending} onClick={() => { stopping.mutate() }}>
            {t('feeds.stop')}
          </Button>
        )}
      </div>
      {failure !== null && (
        <Notice tone="error" className="mx-4 my-3">
          {words(failure)}
        </Notice>
      )}
      <ul className="divide-y divide-hairline">{data.feeds.map((one) => <FeedLine key={one.feed} one={one} onSetUp={() => { setAsks('databento') }} />)}</ul>
      {asks === 'databento' && <DatabentoDialog kept={data.databento} onClose={() => { setAsks(null) }} />}
      {asks === 'cost' && <CostDialog others={usable.length > 1} onClose={() => { setAsks(null) }} onFetch={(spend) => { setAsks(null); fetching.mutate(spend) }} />}
    </Card>
  )
}

/** How far the fetch is. */
const Fetching = ({ fetching: { feed, done, total, contract, day, waitsUntil } }: { fetching: FetchProgress }) => {
  const { t } = useTranslation('prices')
  const format = useFormat()
  if (feed === null) return <p role="status" className="text-muted">{t('feeds.begins')}</p>
  const name = feedNames[feed]
  return (
    <div className="flex max-w-2xl flex-col gap-1.5">
      <p role="status" className="text-muted">
        {waitsUntil !== null ? t('feeds.waits', { feed: name, time: format.clock(waitsUntil) }) : contract === null || day === null ? t('feeds.asks', { feed: name }) : t('feeds.fetches', { feed: name, contract, day: format.fullDay(day) })}
      </p>
      <div className="flex items-center gap-3">
        <Progress value={total === 0 ? 0 : done / total} label={t('feeds.progress')} className="grow" />
        <span className="text-sm text-muted">{t('feeds.of', { done: format.count(done), total: format.count(total) })}</span>
      </div>
    </div>
  )
}

const FeedLine = ({ one: { feed, on, ready, failure }, onSetUp }: { one: PriceFeedShown; onSetUp: () => void }) => {
  const { t } = useTranslation('prices')
  const words = useProblemText()
  const client = useQueryClient()
  const id = useId()
  const set = useMutation<unknown, ApiFailure, boolean>({
    mutationFn: (next) => callApi(priceRoutes.setPriceFeed, { body: { feed, on: next } }),
    onSettled: () => invalidateRoutes(client, priceRoutes.priceFeeds),
  })
  const shown = set.isPending ? set.variables : on
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-64 flex-1">
        <div className="flex min-h-6.5 items-center gap-2">
          <label htmlFor={id} className="font-medium">{feedNames[feed]}</label>
          {!ready && <Badge>{t(`feed.${feed}.not-ready`)}</Badge>}
        </div>
        <p id={`${id}-text`} className="max-w-2xl text-muted">{t(`feed.${feed}.text`)}</p>
        {failure !== null && on && <p className="mt-1 max-w-2xl text-sm text-warn">{t(`failure.${failure.code}`, { contract: failure.contract ?? '' })}</p>}
        {set.error !== null && <p role="alert" className="mt-1 text-sm text-loss">{words(set.error)}</p>}
      </div>
      <div className="flex min-h-6.5 items-center gap-4">
        {feed === 'databento' && (
          <Button variant="outline" size="sm" onClick={onSetUp}>
            {t('databento.set-up')}
          </Button>
        )}
        <Switch id={id} aria-describedby={`${id}-text`} checked={shown} onChange={(next) => { set.mutate(next) }} />
      </div>
    </li>
  )
}
