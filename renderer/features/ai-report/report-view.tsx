import { toneOf } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import type { MeasureName, Report, ReportHead, ReportSettings } from '#shared/api/reports.ts'
import { CalendarX, ChevronDown, GitCompareArrows } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#renderer/ui/button.tsx'
import { Menu, MenuItem } from '#renderer/ui/menu.tsx'
import { askedIn } from './asked-trades.ts'
import { CompareView } from './compare-view.tsx'
import { ExportMenu } from './export-menu.tsx'
import { FindingsPanel } from './findings-panel.tsx'
import { GroupsPanel } from './groups-panel.tsx'
import { NarrativePanel } from './narrative-panel.tsx'
import { PreviewDialog } from './preview-dialog.tsx'
import { RemoveButton } from './remove-button.tsx'
import { type ReportWords, useReportWords } from './report-words.ts'
import { TradesDialog } from './trades-dialog.tsx'
import { TradesLink } from './trades-link.tsx'

type Props = {
  readonly report: Report
  readonly reports: readonly ReportHead[]
  readonly settings: ReportSettings
  readonly comparedWith: string | null
  /** What the trades are asked for of: the id of a fact or the key of a finding. */
  readonly of: string | null
  /** The report that they are asked for of, where it is the one beside this. */
  readonly within: string | null
  readonly onEndTrades: () => void
  readonly onCompare: (id: string | null) => void
  readonly onSetUp: () => void
  readonly onRemoved: () => void
}

/** One report: its totals, its findings and its narrative, or its comparison with another. */
export const ReportView = ({ report, reports, settings, comparedWith, of, within, onEndTrades, onCompare, onSetUp, onRemoved }: Props) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const words = useReportWords(report.names)
  const asked = within === null || within === report.id ? askedIn(report, words, of) : null
  const [previews, preview] = useState(false)
  const { period, accounts, by, createdAt, zone, trades } = report
  const accountNames = accounts.length === 0 ? t('all-accounts') : accounts.map((key) => words.account(key)).join(', ')
  return (
    <div className="flex min-w-0 flex-col gap-3.5">
      <div className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0">
          <h2 className="text-title font-semibold tracking-[-0.01em]">{words.period(period)}</h2>
          <p title={accountNames} className="truncate text-sm text-faint">{t(`made.${by}`, { accounts: accounts.length > 2 ? t('accounts', { count: accounts.length, accounts: format.count(accounts.length) }) : accountNames, time: format.fullDateTime(createdAt), zone })}</p>
          {trades > 0 && <p className="text-sm text-faint">{words.reconciled(report)}</p>}
        </div>
        <div className="ml-auto flex items-center gap-1">
          <CompareButton report={report} reports={reports} onCompare={onCompare} />
          <ExportMenu report={report} words={words} />
          <RemoveButton id={report.id} period={words.period(period)} onRemoved={onRemoved} />
        </div>
      </div>
      {comparedWith !== null && comparedWith !== report.id ? (
        <CompareView report={report} otherId={comparedWith} of={within === comparedWith ? of : null} onEndTrades={onEndTrades} onEnd={() => { onCompare(null) }} />
      ) : trades === 0 ? (
        <EmptyState Icon={CalendarX} title={t('empty.title')} text={t('empty.text')} className="grow" />
      ) : (
        <>
          <ReportFigures report={report} words={words} />
          <div className="grid items-start gap-3.5 lg:grid-cols-[minmax(0,1fr)_19rem] xl:grid-cols-[minmax(0,1fr)_23rem]">
            <div className="flex min-w-0 flex-col gap-4">
              <FindingsPanel report={report} words={words} />
              <GroupsPanel report={report} words={words} />
            </div>
            <NarrativePanel report={report} settings={settings} words={words} onWrite={() => { preview(true) }} onSetUp={onSetUp} />
          </div>
        </>
      )}
      {asked !== null && <TradesDialog reportId={report.id} asked={asked} onClose={onEndTrades} />}
      {previews && settings.model !== null && <PreviewDialog reportId={report.id} model={settings.model} onClose={() => { preview(false) }} />}
    </div>
  )
}

// No one would read a longer menu: older reports are compared from their own page.
const offered = 20

/** Chooses another report to compare this one with. */
const CompareButton = ({ report, reports, onCompare }: { report: Report; reports: readonly ReportHead[]; onCompare: (id: string) => void }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const words = useReportWords([])
  const others = reports.filter(({ id }) => id !== report.id).slice(0, offered)
  return (
    <Menu
      align="end"
      trigger={
        <Button variant="ghost" disabled={others.length === 0} title={others.length === 0 ? t('compare.none') : undefined}>
          <GitCompareArrows aria-hidden />
          {t('compare.title')}
          <ChevronDown aria-hidden className="text-faint" />
        </Button>
      }
    >
      {others.map(({ id, period, accounts, trades }) => (
        <MenuItem key={id} onSelect={() => { onCompare(id) }}>
          <span>{words.period(period)}</span>
          <span className="ml-auto pl-4 text-sm text-faint">
            {accounts.length === 0 ? t('trades', { count: trades, trades: format.count(trades) }) : t('accounts', { count: accounts.length, accounts: format.count(accounts.length) })}
          </span>
        </MenuItem>
      ))}
    </Menu>
  )
}

const figuresOfFirst = ['trades', 'win-rate', 'profit-factor', 'drawdown'] as const satisfies readonly MeasureName[]
// Figures that are not money count the trades of all currencies.
const figuresOfOthers = ['profit-factor', 'drawdown'] as const satisfies readonly MeasureName[]

/** The totals of a report's period, each leading to its trades; currencies are below each other. */
const ReportFigures = ({ report, words }: { report: Report; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const fact = report.facts.find(({ kind, finding }) => kind === 'total' && finding === null)
  const parts = report.net.length === 0 ? [{ currency: 'USD', amount: '0' }] : report.net
  return (
    <div className="flex shrink-0 flex-col gap-2">
      {parts.map(({ currency, amount }, at) => {
        const linked = (children: ReactNode): ReactNode =>
          fact === undefined ? (
            children
          ) : (
            <TradesLink reportId={report.id} of={fact.id} className="rounded-xs decoration-accent decoration-dotted decoration-2 underline-offset-4 hover:underline">
              {children}
            </TradesLink>
          )
        return (
          <StatStrip key={currency}>
            <Stat large={at === 0} label={t('figure.net')} value={linked(format.signedMoney(amount))} note={currency} tone={toneOf(amount)} />
            {(at === 0 ? figuresOfFirst : figuresOfOthers).map((name) => {
              const found = fact?.measures.find((one) => one.name === name && (one.currency === null || one.currency === currency))
              return <Stat key={name} label={words.measure(name)} value={found === undefined ? t('none') : linked(found.unit === 'money' ? format.money(found.value) : words.value(found, currency))} />
            })}
            {at === 0 && <Stat label={t('figure.evident')} value={format.count(report.evident)} note={report.tried === 0 ? t('figure.untested') : t('figure.of-looks', { count: report.tried, looks: format.count(report.tried) })} />}
          </StatStrip>
        )
      })}
    </div>
  )
}
