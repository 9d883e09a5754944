import { classNames } from '#renderer/lib/class-names.ts'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { useFormat } from '#renderer/lib/use-format.ts'
import type { Finding } from '#shared/api/reports.ts'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { charted, chartShape, fittedName } from './chart-shape.ts'
import type { ReportWords } from './report-words.ts'

const height = 56
const room = 230
const letterWidth = 5.8
const gap = 6
const part = (share: number): string => `${String(share * 100)}%`

/** The groups of a finding, its own marked; a hidden table has the figures. */
export const FindingChart = ({ finding: whole, words }: { finding: Finding; words: ReportWords }) => {
  const finding = charted(whole)
  const { t } = useTranslation('ai-report')
  const tableId = useId()
  const { bars, barsIn } = finding
  const name = (at: number): string => fittedName(words.barName(finding, at), Math.max(8, Math.floor((room / bars.length - gap) / letterWidth)))
  const value = (figure: string): string => words.barValue(finding, figure)
  const longest = Math.max(1, ...bars.map((_, at) => name(at).length))
  const { zero, width, bars: drawn } = chartShape(bars, Math.floor(room / (longest * letterWidth + gap)))
  const marked = bars.flatMap((bar, at) => (bar.marked ? [t('chart.bar', { name: words.barName(finding, at, true), value: value(bar.value) })] : [])).join(', ')
  return (
    <div className="relative min-w-0">
      <p aria-hidden className="mb-1.5 text-xs text-pretty text-faint">{words.chartTitle(finding)}</p>
      <div role="img" aria-label={marked === '' ? t('chart.name', { title: words.title(finding) }) : t('chart.name-marked', { title: words.title(finding), marked })} aria-details={tableId}>
        <svg aria-hidden width="100%" height={height + 18} className="block overflow-visible text-xs">
          <svg width="100%" height={height} className="overflow-visible">
            {drawn.map(({ label, marked: own, x, y, height: tall, below }, at) => (
              <g key={`${label} ${String(at)}`}>
                <rect x={part(x + width * 0.14)} width={part(width * 0.72)} y={part(y)} height={part(tall)} rx={1.5} className={own ? (barsIn === 'money' ? (below ? 'fill-loss' : 'fill-gain') : 'fill-accent') : 'fill-field opacity-45'} />
                <rect x={part(x)} width={part(width)} y="0" height="100%" className="fill-transparent">
                  <title>{t('chart.bar', { name: words.barName(finding, at, true), value: value(bars[at]?.value ?? '0') })}</title>
                </rect>
              </g>
            ))}
            <line x1="0" x2="100%" y1={part(zero)} y2={part(zero)} className="stroke-line" />
          </svg>
          {drawn.map(({ label, marked: own, x, named }, at) =>
            named ? (
              <text key={`${label} ${String(at)}`} x={part(x + width / 2)} y={height + 14} textAnchor="middle" className={classNames('tabular-nums', own ? 'fill-ink font-medium' : 'fill-faint')}>
                {name(at)}
              </text>
            ) : null,
          )}
        </svg>
      </div>
      <div id={tableId} className="sr-only">
        <BarTable finding={finding} words={words} />
      </div>
    </div>
  )
}

const BarTable = ({ finding, words }: { finding: Finding; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const { bars } = finding
  return (
    <Table>
      <caption>{words.chartTitle(finding)}</caption>
      <thead>
        <tr>
          <HeaderCell>{t('chart.group')}</HeaderCell>
          <HeaderCell end>{t('chart.value')}</HeaderCell>
          <HeaderCell end>{t('column.trades')}</HeaderCell>
        </tr>
      </thead>
      <tbody>
        {bars.map((bar, at) => (
          <tr key={`${bar.label} ${String(at)}`}>
            <Cell>{words.barName(finding, at, true)}</Cell>
            <Cell end>{words.barValue(finding, bar.value)}</Cell>
            <Cell end>{format.count(bar.trades)}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
