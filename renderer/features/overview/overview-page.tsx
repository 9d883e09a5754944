import { apiQuery } from '#renderer/lib/api.ts'
import { type LinkRequest, useLinkRequest } from '#renderer/lib/link-request.ts'
import { paths } from '#renderer/lib/paths.ts'
import { isFiltering } from '#renderer/lib/trade-filter.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { useSyncState } from '#renderer/lib/use-sync.ts'
import { useTradeFilter, useUnit } from '#renderer/lib/use-trade-filter.ts'
import { Chip } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { DayNote } from '#renderer/ui/day-note.tsx'
import { FilterBar } from '#renderer/ui/filter-bar.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { EmptyState, ErrorState, NoTradeMatches } from '#renderer/ui/states.tsx'
import { SyncControls } from '#renderer/ui/sync-controls.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { UnitSwitch } from '#renderer/ui/unit-switch.tsx'
import { AddAccountLink, ImportLink } from '#renderer/ui/ways-in.tsx'
import { filterGiven, statisticsRoutes, type StatisticsAnswer } from '#shared/api/statistics.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChartLine } from 'lucide-react'
import { lazy, Suspense, useState, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { AccountsCard } from './accounts-card.tsx'
import { BreakdownPanel } from './breakdown-panel.tsx'
import { CalendarPanel } from './calendar-panel.tsx'
import { useStatisticsClock } from './clock-store.ts'
import { setAsideBy } from './compare-address.ts'
import { JournalNotes } from './journal-notes.tsx'
import { Restoring } from './restoring.tsx'
import { RiskPanel } from './risk-panel.tsx'
import { SummaryPanel } from './summary-panel.tsx'
import { Today } from './today.tsx'

/** The first screen: the results of the filtered trades, as figures, calendar, breakdown and risk. */
export const OverviewPage = () => {
  const { t } = useTranslation('overview')
  const [unit] = useUnit()
  const [noted, setNoted] = useState<string | null>(null)
  useLinkRequest('day-note', ({ tradingDay }) => { setNoted(tradingDay) })
  const { filter } = useTradeFilter()
  const { zone, timedBy } = useStatisticsClock()
  const query = { ...filterGiven(filter), unit, timedBy, ...(zone === null ? {} : { zone }) }
  const { data, error, refetch } = useQuery({ ...apiQuery(statisticsRoutes.statistics, { query }), placeholderData: keepPreviousData })
  return (
    <Page
      title={t('title')}
      className="@container flex flex-col gap-3.5"
      chips={
        <>
          {data !== undefined && <Reach statistics={data} />}
          <UnitSwitch />
        </>
      }
      actions={<SyncControls />}
    >
      {data === undefined && error !== null ? <Failed failure={error} onRetry={() => void refetch()} /> : <Body statistics={data ?? null} />}
      <DayNote tradingDay={noted} onClose={() => { setNoted(null) }} />
    </Page>
  )
}

// The user must still be able to change a filter that the program refuses.
const Failed = ({ failure, onRetry }: { failure: unknown; onRetry: () => void }) => (
  <>
    <FilterBar />
    <ErrorState failure={failure} onRetry={onRetry} className="grow" />
  </>
)

const Body = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const restoring = useRestoring()
  const [params] = useSearchParams()
  const { filter } = useTradeFilter()
  const empty = statistics?.trades === 0 && !isFiltering(filter)
  if (empty && restoring !== null) return <Restoring mirror={restoring} whole />
  if (empty) {
    return (
      <>
        <JournalNotes />
        <AccountsCard expected={statistics.accounts} className="shrink-0" />
        <NoTrades accounts={statistics.accounts} />
      </>
    )
  }
  return (
    <>
      {restoring !== null && <Restoring mirror={restoring} whole={false} />}
      <JournalNotes />
      <Today />
      <FilterBar setAside={setAsideBy(params)} />
      <Views statistics={statistics} />
    </>
  )
}

const Reach = ({ statistics: { firstDay, lastDay, accounts } }: { statistics: StatisticsAnswer }) => {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const sameYear = firstDay?.slice(0, 4) === lastDay?.slice(0, 4)
  return (
    // In a narrow window the page's head keeps to one line.
    <span className="flex gap-2.5 max-xl:hidden">
      {firstDay !== null && lastDay !== null && (
        <Chip name={t('days')}>
          {firstDay === lastDay ? format.day(lastDay) : t('from-to', { from: sameYear ? format.day(firstDay) : format.fullDay(firstDay), to: sameYear ? format.day(lastDay) : format.fullDay(lastDay) })}
        </Chip>
      )}
      {accounts > 0 && <Chip name={t('accounts')}>{format.count(accounts)}</Chip>}
    </span>
  )
}

/** No trades yet: shows the next step, which is to connect or import, to wait for the current run, or to sync. */
const NoTrades = ({ accounts }: { accounts: number }) => {
  const { t } = useTranslation('overview')
  const syncing = (useSyncState()?.running ?? null) !== null
  if (syncing) return <EmptyState Icon={ChartLine} title={t('syncing-title')} text={t('syncing-text')} className="grow" />
  if (accounts > 0) return <EmptyState Icon={ChartLine} title={t('no-trades-title')} text={t('no-trades-text')} className="grow" />
  return (
    <EmptyState
      Icon={ChartLine}
      title={t('no-account-title')}
      text={t('no-account-text')}
      className="grow"
      action={
        <>
          <AddAccountLink />
          <ImportLink variant="outline" />
          <Button asChild variant="outline">
            <Link to={paths.tradeLogbook} state={{ asks: 'add-trade' } satisfies LinkRequest}>{t('enter-by-hand')}</Link>
          </Button>
        </>
      }
    />
  )
}

// Fetched when it is first opened.
const ComparePanel = lazy(async () => ({ default: (await import('./compare-panel.tsx')).ComparePanel }))
const WhatIfPanel = lazy(async () => ({ default: (await import('./what-if-panel.tsx')).WhatIfPanel }))

const panels = { summary: SummaryPanel, calendar: CalendarPanel, breakdown: BreakdownPanel, risk: RiskPanel, compare: ComparePanel, 'what-if': WhatIfPanel } as const satisfies Record<string, ComponentType<{ statistics: StatisticsAnswer | null }>>
type View = keyof typeof panels

const views = Object.keys(panels) as View[]
const parameter = 'view'

/** The ways to look at the statistics, of which the address names one; null while they load. */
const Views = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('statistics')
  const [params, setParams] = useSearchParams()
  const { clear } = useTradeFilter()
  const view = views.find((one) => one === params.get(parameter)) ?? 'summary'
  const show = (next: View): void => {
    setParams((now) => {
      const changed = new URLSearchParams(now)
      if (next === 'summary') changed.delete(parameter)
      else changed.set(parameter, next)
      return changed
    })
  }
  // A calendar shows days without trades too, and sides set a part of the filter aside.
  const filteredAway = statistics?.all.count === 0 && view !== 'calendar' && view !== 'compare'
  return (
    <Tabs
      label={t('views')}
      value={view}
      onChange={show}
      className="flex grow flex-col"
      panelClassName="flex grow flex-col gap-3.5"
      tabs={views.map((value) => {
        const Panel = panels[value]
        return { value, label: t(`view.${value}`), panel: filteredAway ? <NoTradeMatches onClear={clear} /> : <Suspense fallback={<Skeleton className="h-40 w-full opacity-50" />}><Panel statistics={statistics} /></Suspense> }
      })}
    />
  )
}
