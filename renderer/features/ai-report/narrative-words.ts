import type { Measure, NarrativeHeading, Reference, Report, ReportFact } from '#shared/api/reports.ts'
import { resolve } from '#shared/reports/references.ts'
import type { TFunction } from 'i18next'
import type { ReportWords } from './report-words.ts'

/** A piece of the text that Fillbook writes for a reference: `fact` has the trades behind it, null for connecting text. */
export type WrittenPiece = { readonly text: string; readonly fact: ReportFact | null }

/** Writes the references and headings of a narrative, in the reader's language. */
export const narrativeWords = (report: Pick<Report, 'facts' | 'findings' | 'period' | 'tried'>, words: ReportWords, t: TFunction<'ai-report'>) => {
  const titleOf = (fact: ReportFact): string => (fact.kind === 'total' ? words.period(report.period) : words.factTitle(fact))
  const figureOf = (measure: Measure, kind: ReportFact['kind']): string => (measure.name === 'trades' ? t('trades', { count: Number(measure.value), trades: words.value(measure) }) : `${words.measure(measure.name, kind)} ${words.value(measure)}`)
  const figuresOf = (fact: ReportFact, measures: readonly Measure[]): WrittenPiece => ({ text: t('written.figures', { of: titleOf(fact), figures: measures.map((measure) => figureOf(measure, fact.kind)).join(', ') }), fact })
  // A language may order the pieces as it likes.
  const around = (write: (marks: { readonly one: string; readonly other: string }) => string, one: WrittenPiece, other: WrittenPiece | null = null): WrittenPiece[] =>
    write({ one: '\u0001', other: '\u0002' }).split(/([\u0001\u0002])/u).flatMap((text) => (text === '' ? [] : text === '\u0001' ? [one] : text === '\u0002' ? (other ?? []) : [{ text, fact: null }]))

  return {
    heading: (name: NarrativeHeading): string => (name === 'overview' ? t('written.overview') : name === 'findings' ? t('findings.title') : t(`document.by.${name}`)),
    /** Null if it does not exist. */
    reference: (reference: Reference): readonly WrittenPiece[] | null => {
      const resolved = resolve(reference, report)
      switch (resolved?.is) {
        case 'figures':
          return [figuresOf(resolved.fact, resolved.measures)]
        case 'name':
          return [{ text: titleOf(resolved.fact), fact: resolved.fact }]
        case 'compared': {
          const [one, other] = [figuresOf(resolved.facts[0], [resolved.measures[0]]), figuresOf(resolved.facts[1], [resolved.measures[1]])]
          return around((marks) => (resolved.sign > 0 ? t('written.higher', marks) : resolved.sign < 0 ? t('written.lower', marks) : t('written.same', marks)), one, other)
        }
        case 'extreme': {
          const groups = t(`written.groups.${resolved.group}`)
          return around(({ one }) => (resolved.way === 'most' ? t('written.most', { one, groups }) : t('written.least', { one, groups })), figuresOf(resolved.fact, [resolved.measure]))
        }
        case 'finding':
          return [{ text: words.sentence(resolved.finding).replace(/\.$/u, ''), fact: resolved.fact }]
        case 'evidence':
          return [{ text: t('written.evidence', { title: words.title(resolved.finding), evidence: t(`evidence.${resolved.finding.evidence}`), text: words.evidence(resolved.finding, report.tried) }), fact: resolved.fact }]
        case undefined:
          return null
      }
    },
  }
}

/** What `narrativeWords` gives. */
export type NarrativeWords = ReturnType<typeof narrativeWords>
