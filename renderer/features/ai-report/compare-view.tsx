import { reportQuery } from '#renderer/lib/reports.ts'
import type { Format } from '#renderer/lib/format.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { Finding, Measure, MeasureName, Report } from '#shared/api/reports.ts'
import { compareReports, type FindingChange, type MeasureChange } from '#shared/reports/compare.ts'
import { useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { askedIn } from './asked-trades.ts'
import { FigureLink } from './figure-link.tsx'
import { useReportWords, type ReportWords } from './report-words.ts'
import { TradesDialog } from './trades-dialog.tsx'

type Props = {
  readonly report: Report
  readonly otherId: string
  /** The finding or fact of the other report whose trades are open; null for none. */
  readonly of: string | null
  readonly onEndTrades: () => void
  readonly onEnd: () => void
}

/** A report compared with another: totals, groups and findings of both, with the earlier period as the previous one; each figure leads to its trades. */
export const CompareView = ({ report, otherId, of, onEndTrades, onEnd }: Props) => {
  const { data, error, refetch } = useQuery(reportQuery(otherId))
  if (data === undefined) return error === null ? <Skeleton className="h-72 w-full opacity-50" /> : <ErrorState failure={error} onRetry={() => void refetch()} />
  const [was, is] = isEarlier(data.report, report) ? [data.report, report] : [report, data.report]
  return (
    <>
      <Compared shown={report.id} was={was} is={is} onEnd={onEnd} />
      <OtherTrades report={data.report} of={of} onClose={onEndTrades} />
    </>
  )
}

const isEarlier = (one: Report, other: Report): boolean => (one.period.from === other.period.from ? one.createdAt < other.createdAt : one.period.from < other.period.from)

const OtherTrades = ({ report, of, onClose }: { report: Report; of: string | null; onClose: () => void }) => {
  const asked = askedIn(report, useReportWords(report.names), of)
  return asked === null ? null : <TradesDialog reportId={report.id} asked={asked} onClose={onClose} />
}

const Compared = ({ shown, was, is, onEnd }: { shown: string; was: Report; is: Report; onEnd: () => void }) => {
  const { t } = useTranslation('ai-report')
  const words = useReportWords([...is.names, ...was.names])
  const { total, facts, findings } = compareReports(was, is)
  const periods = { was: words.period(was.period), is: words.period(is.period) }
  const mixed = new Set(total.flatMap(({ currency }) => currency ?? [])).size > 1
  const nameOf = ({ name, currency }: MeasureChange): string => (mixed && currency !== null ? t('compare.in-currency', { name: words.measure(name, 'total'), currency }) : words.measure(name, 'total'))
  const both = { shown, was: was.id, is: is.id }
  const wholeOf = ({ facts: all }: Report): string | null => all.find(({ kind, finding }) => kind === 'total' && finding === null)?.id ?? null
  const groups = facts.flatMap((fact) => fact.measures.filter(({ name }) => name === 'net').map((change) => ({ fact, change })))
  return (
    <section aria-label={t('compare.with', periods)} className="flex min-w-0 flex-col gap-3.5">
      <div className="flex flex-wrap items-center gap-2">
        <p role="status" className="font-medium">{t('compare.was-is', periods)}</p>
        <Button variant="ghost" size="sm" className="ml-auto" onClick={onEnd}>
          <X aria-hidden />
          {t('compare.end')}
        </Button>
      </div>
      <div className="grid items-start gap-3.5 xl:grid-cols-2">
        <Card title={t('compare.totals')} className="overflow-hidden">
          <Changes first={t('column.figure')} periods={periods}>
            {total.map((change) => (
              <tr key={`${change.name} ${change.currency ?? ''}`}>
                <Cell>{nameOf(change)}</Cell>
                <Figures change={change} words={words} both={both} of={{ was: wholeOf(was), is: wholeOf(is) }} />
              </tr>
            ))}
          </Changes>
        </Card>
        <Card title={t('compare.groups')} note={t('compare.groups-note')} className="overflow-hidden">
          <ScrollArea label={t('compare.groups')} className="max-h-124">
            <Changes first={t('compare.group')} periods={periods}>
              {groups.map(({ fact, change }) => (
                <tr key={`${fact.kind} ${words.factTitle(fact)} ${change.currency ?? ''}`}>
                  <Cell className="max-w-44 truncate" title={words.factTitle(fact)}>{words.factTitle(fact)}</Cell>
                  <Figures change={change} words={words} both={both} of={{ was: fact.was?.id ?? null, is: fact.is?.id ?? null }} />
                </tr>
              ))}
            </Changes>
          </ScrollArea>
        </Card>
      </div>
      <Card title={t('compare.findings')} note={t('compare.findings-note')} className="overflow-hidden">
        {findings.length === 0 ? (
          <p className="p-4 text-muted">{t('compare.no-findings')}</p>
        ) : (
          <Changes first={t('compare.finding')} periods={periods} last={t('compare.evidence')}>
            {findings.map((finding) => (
              <FindingLine key={finding.is?.key ?? `was ${finding.was?.key ?? ''}`} finding={finding} words={words} both={both} />
            ))}
          </Changes>
        )}
      </Card>
    </section>
  )
}

const Changes = ({ first, last, periods, children }: { first: string; last?: string; periods: { was: string; is: string }; children: ReactNode }) => {
  const { t } = useTranslation('ai-report')
  return (
    <div className="overflow-x-auto">
      <Table className="[&_td:not(:first-child,:last-child)]:px-2 [&_th:not(:first-child,:last-child)]:px-2">
        <caption className="sr-only">{t('compare.with', periods)}</caption>
        <thead>
          <tr>
            <HeaderCell>{first}</HeaderCell>
            <HeaderCell end title={periods.was}>{t('compare.was')}</HeaderCell>
            <HeaderCell end title={periods.is}>{t('compare.is')}</HeaderCell>
            <HeaderCell end>{t('compare.difference')}</HeaderCell>
            {last !== undefined && <HeaderCell>{last}</HeaderCell>}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </Table>
    </div>
  )
}

/** The ids of the report on the page, and of the earlier and the later one. */
type Both = { readonly shown: string; readonly was: string; readonly is: string }
/** Facts or findings of both. */
type Behind = { readonly was: string | null; readonly is: string | null }

const Figures = ({ change, words, both, of }: { change: MeasureChange; words: ReportWords; both: Both; of: Behind }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const { was, is, ...measure } = change
  return (
    <>
      <Cell end quiet>{was === null ? t('none') : <FigureLink reportId={both.was} shown={both.shown} of={of.was}>{words.value({ ...measure, value: was })}</FigureLink>}</Cell>
      <Cell end>{is === null ? t('none') : <FigureLink reportId={both.is} shown={both.shown} of={of.is}>{words.value({ ...measure, value: is })}</FigureLink>}</Cell>
      <Cell end>{differenceOf(change, words, t, format)}</Cell>
    </>
  )
}

const keyOf = (finding: Finding | null): string | null => (finding === null || finding.trades === 0 ? null : finding.key)
const compared: readonly MeasureName[] = ['excess', 'net']

const FindingLine = ({ finding: { change, was, is, measures }, words, both }: { finding: FindingChange; words: ReportWords; both: Both }) => {
  const { t } = useTranslation('ai-report')
  const one = is ?? was
  const figure = compared.flatMap((name) => measures.find((measure) => measure.name === name) ?? [])[0]
  if (one === null || figure === undefined) return null
  const [before, now] = [was, is].map((of) => (of === null ? t('none') : t(`evidence.${of.evidence}`)))
  return (
    <tr>
      <Cell className="whitespace-normal">
        <span className="inline-flex flex-wrap items-center gap-2">
          {words.title(one)}
          {change !== 'stayed' && <Badge tone={change === 'new' ? 'accent' : 'quiet'}>{t(`compare.${change}`)}</Badge>}
        </span>
      </Cell>
      <Figures change={figure} words={words} both={both} of={{ was: keyOf(was), is: keyOf(is) }} />
      <Cell quiet className="whitespace-normal">{change === 'new' || before === now ? now : change === 'gone' ? before : t('compare.from-to', { was: before, is: now })}</Cell>
    </tr>
  )
}

// Floating point may miss a half by a hair.
const rounded = (value: number, step: number): number => Math.round(Number((value / step).toFixed(6)))
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000] as const
/** A time shows its two largest units. */
const timeStep = (ms: number): number => (ms >= day ? hour : ms >= hour ? minute : second)

/** A later figure less an earlier one, both as they are shown, so that it is what a reader who subtracts them gets: 52.6% and 52.6% differ by none. Shares and chances in points; null where every digit is shown. */
export const shownDifference = (unit: Measure['unit'], was: string, is: string): number | null => {
  const [before, now] = [Number(was), Number(is)]
  const less = (step: number): number => rounded(now, step) - rounded(before, step)
  switch (unit) {
    case 'share':
    case 'chance':
      return less(0.001) / 10
    case 'ratio':
    case 'contracts':
      return less(0.01) / 100
    case 'time': {
      const [one, other] = [timeStep(now), timeStep(before)]
      return rounded(now, one) * one - rounded(before, other) * other
    }
    case 'count':
    case 'days':
      return less(1)
    case 'money':
      return null
  }
}

/** How much a figure rose or fell, with its sign; shares in points. */
const differenceOf = ({ name, unit, currency, was, is, difference }: MeasureChange, words: ReportWords, t: TFunction<'ai-report'>, format: Format): string => {
  if (difference === null || was === null || is === null) return t('none')
  const shown = shownDifference(unit, was, is)
  // Points have the decimals of the percentages beside them.
  if (unit === 'share' || unit === 'chance') return t('compare.points', { points: format.signedPoints((shown ?? 0) / 100) })
  // Costs are stored as negative and shown as what was paid.
  const number = (shown ?? Number(difference)) * (name === 'commission' ? -1 : 1)
  const size = (shown === null ? difference : String(shown)).replace(/^-/, '')
  const text = unit === 'money' ? words.money(size, currency ?? 'USD') : words.value({ name, unit, currency, value: size })
  return number === 0 ? text : `${number > 0 ? '+' : '−'}${text}`
}
