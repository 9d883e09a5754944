import { reportQuery } from '#renderer/lib/reports.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { MeasureName, Report } from '#shared/api/reports.ts'
import { compareReports, type FindingChange, type MeasureChange } from '#shared/reports/compare.ts'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChangeWords } from './change-words.ts'
import { useReportWords, type ReportWords } from './report-words.ts'

/** A report beside another: the totals, the groups and the findings of both, the earlier period as what was. */
export const CompareView = ({ report, otherId, onEnd }: { report: Report; otherId: string; onEnd: () => void }) => {
  const { data, error, refetch } = useQuery(reportQuery(otherId))
  if (data === undefined) return error === null ? <Skeleton className="h-72 w-full opacity-50" /> : <ErrorState failure={error} onRetry={() => void refetch()} />
  const [was, is] = isEarlier(data.report, report) ? [data.report, report] : [report, data.report]
  return <Compared was={was} is={is} onEnd={onEnd} />
}

const isEarlier = (one: Report, other: Report): boolean => (one.period.from === other.period.from ? one.createdAt < other.createdAt : one.period.from < other.period.from)

const Compared = ({ was, is, onEnd }: { was: Report; is: Report; onEnd: () => void }) => {
  const { t } = useTranslation('ai-report')
  const words = useReportWords([...is.names, ...was.names])
  const { total, facts, findings } = compareReports(was, is)
  const periods = { was: words.period(was.period), is: words.period(is.period) }
  const mixed = new Set(total.flatMap(({ currency }) => currency ?? [])).size > 1
  const nameOf = ({ name, currency }: MeasureChange): string => (mixed && currency !== null ? t('compare.in-currency', { name: words.measure(name), currency }) : words.measure(name))
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
                <Figures change={change} words={words} />
              </tr>
            ))}
          </Changes>
        </Card>
        <Card title={t('compare.groups')} note={t('compare.groups-note')} className="overflow-hidden">
          <div tabIndex={0} role="group" aria-label={t('compare.groups')} className="max-h-124 overflow-auto -outline-offset-2">
            <Changes first={t('compare.group')} periods={periods}>
              {groups.map(({ fact, change }) => (
                <tr key={`${fact.kind} ${words.factTitle(fact)} ${change.currency ?? ''}`}>
                  <Cell className="max-w-44 truncate" title={words.factTitle(fact)}>{words.factTitle(fact)}</Cell>
                  <Figures change={change} words={words} />
                </tr>
              ))}
            </Changes>
          </div>
        </Card>
      </div>
      <Card title={t('compare.findings')} note={t('compare.findings-note')} className="overflow-hidden">
        {findings.length === 0 ? (
          <p className="p-4 text-muted">{t('compare.no-findings')}</p>
        ) : (
          <Changes first={t('compare.finding')} periods={periods} last={t('compare.evidence')}>
            {findings.map((finding) => (
              <FindingLine key={finding.is?.key ?? `was ${finding.was?.key ?? ''}`} finding={finding} words={words} />
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

const Figures = ({ change, words }: { change: MeasureChange; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const { differenceOf } = useChangeWords(words)
  const { was, is, ...measure } = change
  return (
    <>
      <Cell end quiet>{was === null ? t('none') : words.value({ ...measure, value: was })}</Cell>
      <Cell end>{is === null ? t('none') : words.value({ ...measure, value: is })}</Cell>
      <Cell end>{differenceOf(change)}</Cell>
    </>
  )
}

const told: readonly MeasureName[] = ['excess', 'net']

const FindingLine = ({ finding: { change, was, is, measures }, words }: { finding: FindingChange; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const one = is ?? was
  const figure = told.flatMap((name) => measures.find((measure) => measure.name === name) ?? [])[0]
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
      <Figures change={figure} words={words} />
      <Cell quiet className="whitespace-normal">{change === 'new' || before === now ? now : change === 'gone' ? before : t('compare.from-to', { was: before, is: now })}</Cell>
    </tr>
  )
}
