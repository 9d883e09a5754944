import { classNames } from '#renderer/lib/class-names.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { inkOf } from '#renderer/ui/figures.tsx'
import type { Evidence, Finding } from '#shared/api/reports.ts'
import { ChartColumn, CircleCheck, CircleDashed, CircleHelp, Hourglass } from 'lucide-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { FigureLink } from './figure-link.tsx'
import { FindingChart } from './finding-chart.tsx'
import type { ReportWords } from './report-words.ts'
import { TradesLink } from './trades-link.tsx'

const marks = {
  evident: { tone: 'accent', Icon: CircleCheck },
  possible: { tone: 'quiet', Icon: CircleHelp },
  none: { tone: 'quiet', Icon: CircleDashed },
  untested: { tone: 'quiet', Icon: ChartColumn },
  'too-little': { tone: 'quiet', Icon: Hourglass },
} as const satisfies Record<Evidence, object>
/** One finding: its sentence, its figure with its interval, its significance, a small chart, and a link to its trades. */
export const FindingCard = ({ reportId, finding, tried, words }: { reportId: string; finding: Finding; tried: number; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const id = useId()
  const { evidence, currency, net, trades, bars } = finding
  const excess = words.excessOf(finding)
  const interval = words.interval(finding, tried)
  const title = words.title(finding)
  const figure = excess?.value ?? net
  const of = trades > 0 ? finding.key : null
  const { tone, Icon } = marks[evidence]
  return (
    <article aria-labelledby={id} className="@container rounded-lg border border-line bg-surface">
      <div className="grid gap-x-5 gap-y-3 p-4 @lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="flex min-w-0 flex-col gap-2">
          <div className="flex flex-wrap items-baseline gap-x-2">
            <h3 id={id} className="font-semibold wrap-anywhere">{title}</h3>
            {title !== t(`kind.${finding.kind}`) && !title.startsWith(t(`kind.${finding.kind}`)) && <span className="text-sm text-faint">{t(`kind.${finding.kind}`)}</span>}
          </div>
          <p>
            <FigureLink reportId={reportId} of={of}>
              <span className={classNames('text-figure font-semibold tracking-[-0.015em] tabular-nums', inkOf(figure, 'text-ink'))}>{words.signedMoney(figure, currency)}</span>{' '}
              <span className="text-sm text-faint">{words.against({ kind: finding.kind, excess })}</span>
            </FigureLink>
          </p>
          {interval !== null && (
            <p className="text-sm text-muted tabular-nums">
              <FigureLink reportId={reportId} of={of}>{interval}</FigureLink>
            </p>
          )}
          <p className="text-pretty wrap-anywhere">
            <FigureLink reportId={reportId} of={of}>{words.sentence({ ...finding, excess })}</FigureLink>
          </p>
        </div>
        {bars.length > 0 && <FindingChart finding={finding} words={words} />}
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-hairline px-4 py-2">
        <Badge tone={tone}>
          <Icon aria-hidden />
          {t(`evidence.${evidence}`)}
        </Badge>
        <span className="min-w-0 text-sm text-muted">{words.evidence(finding, tried)}</span>
        {trades > 0 && (
          <Button asChild variant="link" size="sm" className="ml-auto">
            <TradesLink reportId={reportId} of={finding.key}>
              <span>
                {t('trades', { count: trades, trades: format.count(trades) })}
                <span className="sr-only">{t('trades-behind', { title })}</span>
              </span>
            </TradesLink>
          </Button>
        )}
      </div>
    </article>
  )
}
