import type { Passage, Report, Segment } from '#shared/api/reports.ts'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { blocksOf, namesShown } from './pseudonyms.ts'
import type { ReportWords } from './report-words.ts'
import { TradesLink } from './trades-link.tsx'

type Props = { readonly passages: readonly Passage[]; readonly report: Report; readonly words: ReportWords }

/** A narrative that was checked: what is proved leads to its trades, what is not is marked. Always plain text: nothing in it is followed. */
export const NarrativeText = ({ passages, report, words }: Props) => {
  const named = namesShown(report.names)
  const shown = { report, words, named }
  return (
    <div className="flex flex-col gap-2.5 leading-relaxed text-pretty wrap-anywhere">
      {blocksOf(passages).map((block, at) => {
        if (block.kind === 'list') {
          return (
            <ul key={at} className="flex list-disc flex-col gap-1.5 pl-4.5 marker:text-faint">
              {block.passages.map((passage, index) => (
                <li key={index}>
                  <Segments {...shown} segments={passage.segments} />
                </li>
              ))}
            </ul>
          )
        }
        const text = <Segments {...shown} segments={block.passage.segments} />
        return block.kind === 'heading' ? <h3 key={at} className="mt-1.5 font-semibold">{text}</h3> : <p key={at}>{text}</p>
      })}
    </div>
  )
}

type Shown = Omit<Props, 'passages'> & { readonly named: (text: string) => string }

const Segments = ({ segments, ...shown }: Shown & { segments: readonly Segment[] }) => segments.map((segment, at) => <Stretch key={at} segment={segment} {...shown} />)

const Stretch = ({ segment: { text, check, fact: id }, report, words, named }: Shown & { segment: Segment }) => {
  const { t } = useTranslation('ai-report')
  const fact = id === null ? undefined : report.facts.find((one) => one.id === id)
  // Spaces around it belong to the line, not to the link.
  const [, before = '', said = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(named(text)) ?? []
  if (check === 'plain' || said === '') return before + said + after
  if (check === 'unproved') {
    return (
      <>
        {before}
        <mark className="rounded-sm bg-warn-tint px-0.5 text-ink underline decoration-warn decoration-wavy underline-offset-3">{said}</mark>{' '}
        <span className="inline-flex items-center gap-0.5 align-baseline text-xs font-medium whitespace-nowrap text-warn">
          <TriangleAlert aria-hidden className="size-3" />
          {t('narrative.not-proved')}
        </span>
        {after}
      </>
    )
  }
  if (fact === undefined) return before + said + after
  return (
    <>
      {before}
      <TradesLink reportId={report.id} of={fact.id} title={t('narrative.shows', { title: words.factTitle(fact) })} className="rounded-xs underline decoration-accent decoration-dotted decoration-2 underline-offset-3 hover:bg-accent-tint">
        {said}
      </TradesLink>
      {after}
    </>
  )
}
