import { toneOf } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Stat, StatStrip } from '#renderer/ui/stat.tsx'
import type { MeasureName, Report } from '#shared/api/reports.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ReportWords } from './report-words.ts'
import { TradesLink } from './trades-link.tsx'

const first = ['trades', 'win-rate', 'profit-factor', 'drawdown'] as const satisfies readonly MeasureName[]
// Figures that are not money count the trades of all currencies.
const further = ['profit-factor', 'drawdown'] as const satisfies readonly MeasureName[]

/** The totals of a report's period, each leading to its trades; currencies are below each other. */
export const ReportFigures = ({ report, words }: { report: Report; words: ReportWords }) => {
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
            {(at === 0 ? first : further).map((name) => {
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
