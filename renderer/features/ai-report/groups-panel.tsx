import { useFormat } from '#renderer/lib/use-format.ts'
import { Card } from '#renderer/ui/card.tsx'
import { inkOf } from '#renderer/ui/figures.tsx'
import { ScrollArea } from '#renderer/ui/scroll-area.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import type { MeasureName, Report, ReportFact } from '#shared/api/reports.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FigureLink } from './figure-link.tsx'
import type { ReportWords } from './report-words.ts'
import { TradesLink } from './trades-link.tsx'

const kinds = ['account', 'product', 'side', 'weekday', 'hour', 'day'] as const
/** The plain figures of a report by one grouping at a time: what a narrative may cite, and all there is if nothing can be tested. */
export const GroupsPanel = ({ report, words }: { report: Report; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const [chosen, choose] = useState<(typeof kinds)[number]>('product')
  const groups = Map.groupBy(report.facts.filter(({ finding }) => finding === null), ({ kind }) => kind)
  const there = kinds.filter((kind) => groups.has(kind))
  const shown = there.find((kind) => kind === chosen) ?? there[0]
  if (shown === undefined) return null
  return (
    <Card title={t('groups.title')} className="overflow-hidden" actions={<Segmented label={t('groups.by')} value={shown} onChange={choose} options={there.map((value) => ({ value, label: t(`document.group.${value}`) }))} />}>
      <ScrollArea label={t(`document.by.${shown}`)} className="max-h-100">
        <Table>
          <caption className="sr-only">{t(`document.by.${shown}`)}</caption>
          <thead>
            <tr>
              <HeaderCell className="sticky top-0 bg-surface">{t(`document.group.${shown}`)}</HeaderCell>
              <HeaderCell end className="sticky top-0 bg-surface">{words.measure('trades')}</HeaderCell>
              <HeaderCell end className="sticky top-0 bg-surface">{words.measure('win-rate')}</HeaderCell>
              <HeaderCell end className="sticky top-0 bg-surface">{words.measure('net')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {(groups.get(shown) ?? []).map((fact) => (
              <Line key={fact.id} reportId={report.id} fact={fact} words={words} />
            ))}
          </tbody>
        </Table>
      </ScrollArea>
    </Card>
  )
}

const Line = ({ reportId, fact, words }: { reportId: string; fact: ReportFact; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const of = (name: MeasureName) => fact.measures.filter((one) => one.name === name)
  const title = t('groups.of', { title: words.factTitle(fact) })
  const rate = of('win-rate').map((one) => words.value(one)).join(', ')
  return (
    <tr className="hover:bg-raised">
      <Cell className="max-w-56 truncate" title={words.factTitle(fact)}>{words.factTitle(fact)}</Cell>
      <Cell end>
        <TradesLink reportId={reportId} of={fact.id} className="text-accent underline-offset-3 hover:underline">
          {format.count(fact.trades)}
          <span className="sr-only">{t('groups.behind', { title: words.factTitle(fact) })}</span>
        </TradesLink>
      </Cell>
      <Cell end quiet>{rate === '' ? t('none') : <FigureLink reportId={reportId} of={fact.id} title={title}>{rate}</FigureLink>}</Cell>
      <Cell end>
        {of('net').map((one) => (
          <span key={one.currency ?? ''} className={`block ${inkOf(one.value)}`}>
            <FigureLink reportId={reportId} of={fact.id} title={title}>{words.signedMoney(one.value, one.currency ?? 'USD')}</FigureLink>
          </span>
        ))}
      </Cell>
    </tr>
  )
}
