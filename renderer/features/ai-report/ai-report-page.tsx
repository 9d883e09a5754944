import { reportQuery, reportsQuery } from '#renderer/lib/reports.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { AddAccountLink, ImportLink } from '#renderer/ui/ways-in.tsx'
import { useQuery } from '@tanstack/react-query'
import { Cpu, FileChartColumn } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { History, HistoryButton } from './history-list.tsx'
import { latestTradeQuery } from './latest-trade.ts'
import { NewReportBar } from './new-report-bar.tsx'
import { ModelDialog } from './model-dialog.tsx'
import { ReportView } from './report-view.tsx'
import { ScheduleButton } from './schedule-panel.tsx'

/** Reports on trading periods: their findings, how certain these are, and what a language model writes about them if one is set. */
export const AiReportPage = () => {
  const { t } = useTranslation('ai-report')
  const { data, error, refetch } = useQuery(reportsQuery)
  const [params, setParams] = useSearchParams()
  const [setsUp, setUp] = useState(false)
  const reports = data?.reports ?? []
  const named = params.get('report')
  const shown = named ?? reports[0]?.id ?? null
  const endTrades = (): void => { setParams((now) => new URLSearchParams([...now].filter(([name]) => name !== 'of' && name !== 'in')), { replace: true }) }
  const show = (report: string | null, comparedWith: string | null = null): void => {
    setParams([...(report === null ? [] : [['report', report] as [string, string]]), ...(comparedWith === null ? [] : [['with', comparedWith] as [string, string]])])
  }
  return (
    <Page
      title={t('title')}
      className="flex flex-col gap-3.5"
      actions={
        data !== undefined && (
          <>
            {reports.length > 0 && <HistoryButton reports={reports} shown={shown} />}
            <ScheduleButton settings={data.settings} />
            <Button variant="outline" className="px-2.5" aria-label={t('model.open-of', { name: data.settings.model?.model ?? t('model.none') })} onClick={() => { setUp(true) }}>
              <Cpu aria-hidden />
              <span title={data.settings.model?.model} className="max-w-48 truncate max-xl:sr-only">{data.settings.model?.model ?? t('model.none')}</span>
            </Button>
          </>
        )
      }
    >
      {data === undefined && error !== null ? (
        <ErrorState failure={error} onRetry={() => void refetch()} className="grow" />
      ) : (
        <>
          <NewReportBar onMade={(id) => { show(id) }} />
          {data === undefined ? (
            <div className="grid min-w-0 items-start gap-3.5 xl:grid-cols-[15rem_minmax(0,1fr)]">
              <Skeleton className="h-72 opacity-50 max-xl:hidden" />
              <Waiting />
            </div>
          ) : shown === null ? (
            <NoReport />
          ) : (
            <div className="grid min-w-0 items-start gap-3.5 xl:grid-cols-[15rem_minmax(0,1fr)]">
              <History reports={reports} shown={shown} />
              <Shown
                key={shown}
                id={shown}
                reports={reports}
                settings={data.settings}
                comparedWith={params.get('with')}
                of={params.get('of')}
                within={params.get('in')}
                onEndTrades={endTrades}
                onCompare={(other) => { show(shown, other) }}
                onSetUp={() => { setUp(true) }}
                onGone={() => { show(null) }}
              />
            </div>
          )}
        </>
      )}
      {setsUp && data !== undefined && <ModelDialog kept={data.settings.model} onClose={() => { setUp(false) }} />}
    </Page>
  )
}

/** No report yet: says how to make one, or how to add trades if there are none. */
const NoReport = () => {
  const { t } = useTranslation('ai-report')
  const { data } = useQuery(latestTradeQuery)
  if (data?.total !== 0) return <EmptyState Icon={FileChartColumn} title={t('first.title')} text={t('first.text')} className="grow" />
  return (
    <EmptyState
      Icon={FileChartColumn}
      title={t('no-trades.title')}
      text={t('no-trades.text')}
      className="grow"
      action={
        <>
          <AddAccountLink />
          <ImportLink variant="outline" />
        </>
      }
    />
  )
}

type ShownProps = Omit<ComponentProps<typeof ReportView>, 'report' | 'onRemoved'> & { readonly id: string; readonly onGone: () => void }

const Shown = ({ id, onGone, ...rest }: ShownProps) => {
  const { t } = useTranslation('ai-report')
  const { data, error, refetch } = useQuery(reportQuery(id))
  if (data !== undefined) return <ReportView report={data.report} onRemoved={onGone} {...rest} />
  if (error?.code === 'not-found') {
    return <EmptyState Icon={FileChartColumn} title={t('gone.title')} text={t('gone.text')} action={<Button variant="outline" onClick={onGone}>{t('gone.latest')}</Button>} />
  }
  return error === null ? <Waiting /> : <ErrorState failure={error} onRetry={() => void refetch()} />
}

const Waiting = () => {
  const { t } = useTranslation('ai-report')
  return (
    <div role="status" className="flex min-w-0 flex-col gap-3.5">
      <span className="sr-only">{t('loading')}</span>
      <Skeleton className="h-8 w-64 opacity-50" />
      <Skeleton className="h-18 w-full opacity-50" />
      <div className="grid gap-3.5 lg:grid-cols-[minmax(0,1fr)_19rem] xl:grid-cols-[minmax(0,1fr)_23rem]">
        <div className="flex flex-col gap-3">
          <Skeleton className="h-44 w-full opacity-50" />
          <Skeleton className="h-44 w-full opacity-50" />
        </div>
        <Skeleton className="h-44 w-full opacity-50" />
      </div>
    </div>
  )
}
