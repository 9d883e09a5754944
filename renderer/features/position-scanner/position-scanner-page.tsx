import { positionsQuery } from '#renderer/lib/positions.ts'
import { Page } from '#renderer/ui/page.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { AddAccountLink } from '#renderer/ui/ways-in.tsx'
import { LivePositions } from './live-positions.tsx'

const RulesPanel = lazy(async () => ({ default: (await import('./rules-panel.tsx')).RulesPanel }))
const AlertsPanel = lazy(async () => ({ default: (await import('./alerts-panel.tsx')).AlertsPanel }))

const views = ['positions', 'rules', 'alerts'] as const

/** Every open position of every account, each account's distance to its limits, and the alerts; the address names the view. */
export const PositionScannerPage = () => {
  const { t } = useTranslation('position-scanner')
  const [params, setParams] = useSearchParams()
  const view = views.find((one) => one === params.get('tab')) ?? 'positions'
  const show = (next: (typeof views)[number]): void => {
    // Another view keeps the layout of positions.
    const kept = [...params].filter(([name]) => name === 'by' || name === 'order')
    setParams([...kept, ...(next === 'positions' ? [] : [['tab', next] as [string, string]])])
  }
  const panels = { positions: <PositionsPanel />, rules: <RulesPanel />, alerts: <AlertsPanel /> }
  return (
    <Page title={t('title')} className="flex flex-col">
      <Tabs label={t('views')} value={view} onChange={show} className="flex grow flex-col" panelClassName="flex grow flex-col gap-3.5" tabs={views.map((value) => ({ value, label: t(`view.${value}`), panel: panels[value] }))} />
    </Page>
  )
}

/** All open positions now, and the state of every account. */
const PositionsPanel = () => {
  const { t } = useTranslation('position-scanner')
  const { data, error, refetch, dataUpdatedAt } = useQuery(positionsQuery)
  if (data === undefined) return error === null ? <Loading /> : <ErrorState failure={error} onRetry={() => void refetch()} className="grow" />
  if (data.accounts.length > 0) return <LivePositions live={data} heardAt={dataUpdatedAt} />
  return (
    <EmptyState
      Icon={Link2}
      className="grow"
      title={t('no-accounts')}
      text={t('no-accounts-text')}
      action={<AddAccountLink />}
    />
  )
}

const accounts = 5

/** A placeholder while positions load. */
const Loading = () => {
  const { t } = useTranslation('position-scanner')
  return (
    <div aria-busy aria-label={t('loading')} role="status" className="flex grow flex-col gap-3">
      <div className="flex h-18 shrink-0 flex-col justify-center gap-2.5 rounded-lg border border-line bg-surface px-4">
        <Skeleton className="h-3 w-24" />
        <Skeleton className="h-5 w-36" />
      </div>
      <Skeleton className="h-7 w-44 shrink-0 opacity-50" />
      <div className="grow overflow-hidden rounded-lg border border-line bg-surface">
        {Array.from({ length: accounts }, (_, at) => (
          <div key={at} className="flex flex-col gap-3.5 border-b border-hairline px-4 py-4">
            <Skeleton className="h-4 w-64" />
            <Skeleton className="h-3 w-4/5" />
            <Skeleton className="h-3 w-3/5" />
          </div>
        ))}
      </div>
    </div>
  )
}
