import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Card } from '#renderer/ui/card.tsx'
import { inkOf } from '#renderer/ui/figures.tsx'
import { Popover } from '#renderer/ui/popover.tsx'
import { PanelButton } from '#renderer/ui/filter-panel.tsx'
import type { ReportHead } from '#shared/api/reports.ts'
import { FileText, PenLine, Timer, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router-dom'
import { useReportWords } from './report-words.ts'

/** The existing reports, newest first: a list at the side of a wide window, behind a button in a narrow one. */
export const History = ({ reports, shown }: { reports: readonly ReportHead[]; shown: string | null }) => {
  const { t } = useTranslation('ai-report')
  return (
    <Card title={t('history.title')} note={useFormat().count(reports.length)} className="flex max-h-[calc(100vh-9.5rem)] flex-col self-start overflow-hidden max-xl:hidden xl:sticky xl:top-0">
      <Reports reports={reports} shown={shown} />
    </Card>
  )
}

/** The same list behind a button, if there is no room at the side. */
export const HistoryButton = ({ reports, shown }: { reports: readonly ReportHead[]; shown: string | null }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  return (
    <div className="xl:hidden">
      <Popover
        label={t('history.title')}
        align="end"
        trigger={
          <PanelButton>
            {t('history.title')}
            <span className="text-faint">{format.count(reports.length)}</span>
          </PanelButton>
        }
      >
        <div className="-m-4 flex max-h-96 w-72 flex-col">
          <Reports reports={reports} shown={shown} />
        </div>
      </Popover>
    </div>
  )
}

const Reports = ({ reports, shown }: { reports: readonly ReportHead[]; shown: string | null }) => {
  const { t } = useTranslation('ai-report')
  return (
    <nav aria-label={t('history.title')} className="min-h-0 overflow-y-auto">
      <ul className="flex flex-col divide-y divide-hairline">
        {reports.map((head) => (
          <li key={head.id}>
            <Line head={head} current={head.id === shown} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

const Line = ({ head, current }: { head: ReportHead; current: boolean }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const words = useReportWords([])
  const [params] = useSearchParams()
  const search = new URLSearchParams([...[...params].filter(([name]) => name !== 'report' && name !== 'with' && name !== 'of'), ['report', head.id]]).toString()
  return (
    <Link
      to={`?${search}`}
      aria-current={current ? 'true' : undefined}
      className={classNames('relative flex flex-col gap-0.5 px-4 py-2 -outline-offset-2 hover:bg-raised', current && 'bg-raised before:absolute before:inset-y-2 before:left-0 before:w-0.5 before:rounded-full before:bg-accent')}
    >
      <span className="flex items-baseline gap-2">
        <span className="min-w-0 truncate font-medium">{words.period(head.period)}</span>
        <span className="ml-auto shrink-0 text-xs text-faint">{t(`period.${head.period.kind}`)}</span>
      </span>
      <span className="flex flex-wrap items-center gap-x-2 text-sm text-muted tabular-nums">
        {head.net.map(({ currency, amount }) => (
          <span key={currency} className={inkOf(amount)}>{words.signedMoney(amount, currency)}</span>
        ))}
        <span>{t('trades', { count: head.trades, trades: format.count(head.trades) })}</span>
        <span className={head.evident > 0 ? 'text-ink' : undefined}>{t('history.evident', { count: head.evident, evident: format.count(head.evident) })}</span>
      </span>
      <span className="flex items-center gap-1.5 text-xs text-faint [&_svg]:size-3 [&_svg]:shrink-0">
        {head.by === 'schedule' ? <Timer aria-hidden /> : <FileText aria-hidden />}
        {head.accounts.length === 0 ? t('all-accounts') : t('accounts', { count: head.accounts.length, accounts: format.count(head.accounts.length) })}
        {head.narrative !== null && (
          <span className="ml-auto inline-flex items-center gap-1">
            {head.narrative === 'failed' ? <TriangleAlert aria-hidden /> : <PenLine aria-hidden />}
            {t(`history.narrative.${head.narrative}`)}
          </span>
        )}
      </span>
    </Link>
  )
}
