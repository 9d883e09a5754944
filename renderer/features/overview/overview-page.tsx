import { apiQuery } from '#renderer/lib/api.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { Chip } from '#renderer/ui/badge.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { SyncControls } from '#renderer/ui/sync-controls.tsx'
import { journalRoutes, type Overview, type Unit } from '#shared/api/journal.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { DayCard } from './day-card.tsx'
import { EquityCard } from './equity-card.tsx'
import { KeyFigures } from './key-figures.tsx'
import { MissedSessionsNote } from './missed-sessions-note.tsx'
import { NoTrades } from './no-trades.tsx'
import { RecentTrades } from './recent-trades.tsx'
import { Restoring } from './restoring.tsx'
import { WarnedTrades } from './warned-trades.tsx'

/** The first screen: what came of all trades, by trading day, and the latest of them. */
export const OverviewPage = () => {
  const { t } = useTranslation('overview')
  const [params, setParams] = useSearchParams()
  const unit: Unit = params.get('unit') === 'pairs' ? 'pairs' : 'trips'
  const { data, error, refetch } = useQuery({ ...apiQuery(journalRoutes.overview, { query: { unit } }), placeholderData: keepPreviousData })
  return (
    <Page
      title={t('title')}
      className="@container flex flex-col gap-3.5"
      chips={
        <>
          {data !== undefined && <Reach overview={data} />}
          <Segmented
            label={t('unit')}
            value={unit}
            onChange={(next) => { setParams(next === 'pairs' ? { unit: next } : {}, { replace: true }) }}
            options={[
              { value: 'pairs', label: t('pairs') },
              { value: 'trips', label: t('trips') },
            ]}
          />
        </>
      }
      actions={<SyncControls />}
    >
      {data === undefined && error !== null ? <ErrorState failure={error} onRetry={() => void refetch()} className="grow" /> : <Body overview={data ?? null} />}
    </Page>
  )
}

const Body = ({ overview }: { overview: Overview | null }) => {
  const restoring = useRestoring()
  if (overview?.count === 0 && restoring !== null) return <Restoring mirror={restoring} whole />
  if (overview?.count === 0) {
    return (
      <>
        <MissedSessionsNote />
        <NoTrades accounts={overview.accounts} />
      </>
    )
  }
  return (
    <>
      {restoring !== null && <Restoring mirror={restoring} whole={false} />}
      <MissedSessionsNote />
      {overview !== null && overview.warned > 0 && <WarnedTrades count={overview.warned} unit={overview.unit} />}
      <KeyFigures overview={overview} />
      <div className="grid grow gap-3.5 @5xl:grid-cols-[minmax(0,1.75fr)_minmax(0,1fr)] @5xl:grid-rows-[minmax(19rem,1fr)_auto]">
        <EquityCard overview={overview} />
        <DayCard overview={overview} />
        <RecentTrades trades={overview?.recent ?? null} />
      </div>
    </>
  )
}

const Reach = ({ overview: { firstDay, lastDay, accounts } }: { overview: Overview }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const sameYear = firstDay?.slice(0, 4) === lastDay?.slice(0, 4)
  return (
    <>
      {firstDay !== null && lastDay !== null && (
        <Chip name={t('days')}>
          {firstDay === lastDay ? format.day(lastDay) : t('from-to', { from: sameYear ? format.day(firstDay) : format.fullDay(firstDay), to: sameYear ? format.day(lastDay) : format.fullDay(lastDay) })}
        </Chip>
      )}
      {accounts > 0 && (
        <span className="max-xl:hidden">
          <Chip name={t('accounts')}>{format.count(accounts)}</Chip>
        </span>
      )}
    </>
  )
}
