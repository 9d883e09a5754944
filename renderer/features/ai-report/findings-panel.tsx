import { useFormat } from '#renderer/lib/use-format.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import type { Finding, Report } from '#shared/api/reports.ts'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FindingCard } from './finding-card.tsx'
import type { ReportWords } from './report-words.ts'

/** The findings of a report, largest first; those that may be chance and those with too little data are collapsed at the end. */
export const FindingsPanel = ({ report, words }: { report: Report; words: ReportWords }) => {
  const { t } = useTranslation('ai-report')
  const format = useFormat()
  const { findings, tried, level, evident } = report
  const of = (...evidence: readonly Finding['evidence'][]): Finding[] => findings.filter((one) => evidence.includes(one.evidence))
  const [telling, chance, plain, little] = [of('evident', 'possible'), of('none'), of('untested'), of('too-little')]
  const card = (finding: Finding) => (
    <li key={finding.key}>
      <FindingCard reportId={report.id} finding={finding} tried={tried} words={words} />
    </li>
  )
  return (
    <section aria-label={t('findings.title')} className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-baseline gap-x-2">
        <h2 className="text-title font-semibold tracking-[-0.01em]">{t('findings.title')}</h2>
        <p className="text-sm text-faint">{tried === 0 ? t('findings.untested') : t('findings.note', { count: tried, looks: format.count(tried), level: format.wholePercent(level) })}</p>
      </div>
      {findings.some(({ excess }) => excess !== null) && <p className="text-sm text-pretty text-faint">{t('findings.intervals')}</p>}
      {evident === 0 && <Notice>{tried === 0 ? t('findings.too-little') : t('findings.nothing')}</Notice>}
      {telling.length > 0 && <ul className="flex flex-col gap-3">{telling.map(card)}</ul>}
      {chance.length > 0 && <Folded title={t('findings.chance', { count: chance.length, findings: format.count(chance.length) })}>{chance.map(card)}</Folded>}
      {plain.length > 0 && <Folded title={t('findings.plain', { count: plain.length, findings: format.count(plain.length) })}>{plain.map(card)}</Folded>}
      {little.length > 0 && <Folded title={t('findings.little', { count: little.length, findings: format.count(little.length) })}>{little.map(card)}</Folded>}
    </section>
  )
}

const Folded = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="group/folded">
    <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-md py-1.5 text-muted hover:text-ink [&::-webkit-details-marker]:hidden">
      <ChevronRight aria-hidden className="size-4 text-faint transition-transform duration-100 group-open/folded:rotate-90" />
      {title}
    </summary>
    <ul className="flex flex-col gap-3 pt-1.5">{children}</ul>
  </details>
)
