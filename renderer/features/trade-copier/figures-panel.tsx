import { apiQuery } from '#renderer/lib/api.ts'
import { Card } from '#renderer/ui/card.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { copierRoutes, type CopyGroup } from '#shared/api/copier.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Gauge } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GroupChoice, useGroupChoice } from './group-choice.tsx'
import { LatencyCard } from './latency-card.tsx'
import { SlippageCard } from './slippage-card.tsx'

const spans = ['1', '7', '30', '90'] as const

/** The latency and slippage of each follower's copies over a number of days. */
export const FiguresPanel = ({ groups }: { groups: readonly CopyGroup[] }) => {
  const { t } = useTranslation('trade-copier')
  const choice = useGroupChoice(groups)
  const [days, setDays] = useState<(typeof spans)[number]>('30')
  const { data, error, refetch } = useQuery({ ...apiQuery(copierRoutes.copierFigures, { query: { ...choice.query, days: Number(days) } }), placeholderData: keepPreviousData, staleTime: 0 })
  return (
    <>
      <div className="flex flex-wrap items-center gap-3">
        <GroupChoice groups={groups} {...choice} />
        <Segmented label={t('figures.days')} value={days} onChange={setDays} options={spans.map((value) => ({ value, label: t('figures.span', { count: Number(value) }) }))} />
      </div>
      {data === undefined ? (
        error === null ? <Skeleton className="h-72 w-full rounded-lg" /> : <Card><ErrorState failure={error} onRetry={() => void refetch()} /></Card>
      ) : data.followers.length === 0 ? (
        <Card>
          <EmptyState Icon={Gauge} title={t('figures.empty')} text={t('figures.empty-text')} />
        </Card>
      ) : (
        <>
          <LatencyCard followers={data.followers} />
          <SlippageCard followers={data.followers} />
        </>
      )}
    </>
  )
}
