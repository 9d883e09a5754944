import { isUnproved, type Passage, type Report, type ReportFact, type Segment } from '#shared/api/reports.ts'
import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { narrativeWords, type NarrativeWords } from './narrative-words.ts'
import { blocksOf, namesShown } from './pseudonyms.ts'
import type { ReportWords } from './report-words.ts'
import { TradesLink } from './trades-link.tsx'

type Props = { readonly passages: readonly Passage[]; readonly report: Report; readonly words: ReportWords }

/** A checked narrative: proved passages lead to their trades, unproved ones are marked. Always plain text: never renders links or HTML. */
export const NarrativeText = ({ passages, report, words }: Props) => {
  const { t } = useTranslation('ai-report')
  const shown = { report, words, named: namesShown(report.names), written: narrativeWords(report, words, t) }
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

type Shown = Omit<Props, 'passages'> & { readonly named: (text: string) => string; readonly written: NarrativeWords }

const Segments = ({ segments, ...shown }: Shown & { segments: readonly Segment[] }) => segments.map((segment, at) => <Stretch key={at} segment={segment} isLast={isLastOfSentence(segments, at)} {...shown} />)

// A sentence is marked as unproved only once.
const isLastOfSentence = (segments: readonly Segment[], at: number): boolean => {
  const next = segments.findIndex((one, index) => index > at && isUnproved(one))
  return next < 0 || segments.slice(at + 1, next).some((one) => 'text' in one && /[.!?](?:\s|$)/u.test(one.text))
}

const linked = 'rounded-xs underline decoration-dotted decoration-2 underline-offset-3 hover:bg-accent-tint'

const Stretch = ({ segment, isLast, report, words, named, written }: Shown & { segment: Segment; isLast: boolean }) => {
  const { t } = useTranslation('ai-report')
  if ('heading' in segment) return written.heading(segment.heading)
  const leading = (fact: ReportFact, text: string, className: string, key?: number) => (
    <TradesLink key={key} reportId={report.id} of={fact.id} title={t('narrative.shows', { title: words.factTitle(fact) })} className={`${linked} ${className}`}>
      {text}
    </TradesLink>
  )
  const pieces = 'says' in segment ? written.reference(segment.says) : null
  if (pieces !== null && segment.check !== 'unproved') return pieces.map(({ text, fact }, at) => (fact === null ? text : leading(fact, text, segment.check === 'proved' ? 'decoration-accent' : 'decoration-line', at)))
  // Spaces around it belong to the line, not to the link.
  const whole = 'text' in segment ? named(segment.text) : (pieces?.map(({ text }) => text).join('') ?? t('written.unknown'))
  const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(whole) ?? []
  if (segment.check === 'plain' || inner === '') return whole
  if (segment.check === 'unproved') {
    return (
      <>
        {before}
        <mark className="rounded-sm bg-warn-tint px-0.5 text-ink underline decoration-warn decoration-wavy underline-offset-3">{inner}</mark>
        {isLast && (
          <>
            {' '}
            <span className="inline-flex items-center gap-0.5 align-baseline text-xs font-medium whitespace-nowrap text-warn">
              <TriangleAlert aria-hidden className="size-3" />
              {t('narrative.not-proved')}
            </span>
          </>
        )}
        {after}
      </>
    )
  }
  // Older narratives: figures that the model wrote, and that agreed with a fact.
  const fact = 'fact' in segment ? report.facts.find(({ id }) => id === segment.fact) : undefined
  return fact === undefined ? whole : <>{before}{leading(fact, inner, 'decoration-accent')}{after}</>
}
