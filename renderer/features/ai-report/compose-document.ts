import type { Format } from '#renderer/lib/format.ts'
import type { Finding, MeasureName, Narrative, Passage, Report, ReportDocument, ReportFact, Segment } from '#shared/api/reports.ts'
import type { TFunction } from 'i18next'
import { charted } from './chart-shape.ts'
import { calendarBlocks, curveBlocks, daysOf } from './day-blocks.ts'
import { textShown } from './narrative-shown.ts'
import { narrativeWords, type NarrativeWords } from './narrative-words.ts'
import { namesShown } from './pseudonyms.ts'
import type { ReportWords } from './report-words.ts'

type Block = ReportDocument['blocks'][number]

const most = { heading: 1_000, paragraph: 20_000, item: 5_000, head: 200, cell: 500, label: 100, bars: 300, title: 300, rows: 2_000, items: 500, blocks: 2_000 } as const
const tables = ['product', 'side', 'weekday', 'hour', 'day'] as const
type Grouped = 'account' | (typeof tables)[number]
/** What could be chance, and what cannot be tested, goes into the appendix. */
const byChance: readonly Finding['evidence'][] = ['possible', 'none', 'too-little']
const tableMeasures = ['trades', 'win-rate', 'net'] as const satisfies readonly MeasureName[]

/**
 * The whole report as a document in the reader's language: equity curve, calendar and accounts first, then totals,
 * findings, narrative and groups, with what could be chance in an appendix. Unproved passages are marked there too.
 */
export const composeDocument = (report: Report, words: ReportWords, t: TFunction<'ai-report'>, format: Format): ReportDocument => {
  const { period, accounts, names, createdAt, zone } = report
  const whose = accounts.length === 0 ? t('all-accounts') : accounts.map((key) => words.account(key)).join(', ')
  const title = t('document.title', { period: words.period(period) })
  const drawn = new Set<string>()
  const blocks: Block[] = [
    paragraph(t('document.made', { accounts: whose, time: format.fullDateTime(createdAt), zone }), 'muted'),
    ...(report.trades === 0 ? [] : [paragraph(words.reconciled(report))]),
    ...(report.trades === 0 ? [] : daysFirst(report, words, t, format)),
    ...groupTable(report.facts.filter((fact) => fact.kind === 'account' && fact.finding === null), 'account', words, t),
    ...totals(report, words, t),
    ...findingsOf(report, drawn, words, t, format),
    ...(report.narrative === null ? [] : narrativeOf(report.narrative, namesShown(names), narrativeWords(report, words, t), t, format)),
    ...tables.flatMap((kind) => groupTable(report.facts.filter((fact) => fact.kind === kind && fact.finding === null), kind, words, t)),
    ...appendixOf(report, drawn, words, t, format),
  ]
  return { title: cut(title, most.title), blocks: blocks.slice(0, most.blocks) }
}

const cut = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`)
const heading = (level: 1 | 2, text: string): Block => ({ kind: 'heading', level, text: cut(text, most.heading) })
const paragraph = (text: string, tone: 'plain' | 'muted' | 'warning' = 'plain'): Block => ({ kind: 'paragraph', text: cut(text, most.paragraph), tone })
const table = (head: readonly string[], rows: readonly (readonly string[])[], figures: readonly number[]): Block => ({
  kind: 'table',
  head: head.map((text) => cut(text, most.head)),
  rows: rows.slice(0, most.rows).map((row) => row.map((text) => cut(text, most.cell))),
  figures: [...figures],
})

const daysFirst = (report: Report, words: ReportWords, t: TFunction<'ai-report'>, format: Format): Block[] => {
  const days = daysOf(report)
  if (days === null) return [paragraph(t('document.no-days'), 'muted')]
  return [heading(1, t('document.equity')), ...curveBlocks(days, words.signedMoney, t, format), heading(1, t('document.calendar')), ...calendarBlocks(days, t, format)]
}

const totals = ({ facts, trades }: Report, words: ReportWords, t: TFunction<'ai-report'>): Block[] => {
  const all = facts.filter(({ kind }) => kind === 'total')
  if (trades === 0 || all.length === 0) return [paragraph(t('empty.title'))]
  return [heading(1, t('document.totals')), table([t('column.figure'), t('column.value')], all.flatMap(({ measures }) => measures.map((one) => [words.measure(one.name, 'total'), words.value(one)])), [1])]
}

const findingsOf = ({ findings, tried, level, evident }: Report, drawn: Set<string>, words: ReportWords, t: TFunction<'ai-report'>, format: Format): Block[] => {
  if (findings.length === 0) return []
  const note = tried === 0 ? t('findings.untested') : t('findings.note', { count: tried, looks: format.count(tried), level: format.wholePercent(level) })
  const aside = findings.filter(({ evidence }) => byChance.includes(evidence)).length
  return [
    heading(1, t('findings.title')),
    paragraph(note, 'muted'),
    ...(evident > 0 ? [] : [paragraph(tried === 0 ? t('findings.too-little') : t('findings.nothing'))]),
    ...findingBlocks(findings.filter(({ evidence }) => !byChance.includes(evidence)), tried, drawn, words, t, format),
    ...(aside === 0 ? [] : [paragraph(t('document.in-appendix', { count: aside, findings: format.count(aside) }), 'muted')]),
  ]
}

const appendixOf = ({ findings, tried }: Report, drawn: Set<string>, words: ReportWords, t: TFunction<'ai-report'>, format: Format): Block[] => {
  const [chance, little] = [findings.filter(({ evidence }) => evidence === 'possible' || evidence === 'none'), findings.filter(({ evidence }) => evidence === 'too-little')]
  if (chance.length + little.length === 0) return []
  return [
    heading(1, t('document.appendix')),
    paragraph(t('document.appendix-text'), 'muted'),
    ...findingBlocks(chance, tried, drawn, words, t, format),
    ...(little.length === 0
      ? []
      : [heading(2, t('findings.little', { count: little.length, findings: format.count(little.length) })), { kind: 'list' as const, items: little.slice(0, most.items).map((one) => cut(`${words.title(one)}: ${words.evidence(one, tried)}`, most.item)) }]),
  ]
}

/** The findings of a section. All of one kind share one chart, which is drawn once in the document, with those of the section marked. */
const findingBlocks = (findings: readonly Finding[], tried: number, drawn: Set<string>, words: ReportWords, t: TFunction<'ai-report'>, format: Format): Block[] =>
  findings.flatMap((finding) => {
    const chart = ({ kind, currency }: Finding): string => `${kind} ${currency}`
    const own = chart(finding)
    if (finding.bars.length === 0 || drawn.has(own)) return findingOf(finding, tried, words, t, format)
    drawn.add(own)
    const marked = new Set(findings.filter((one) => chart(one) === own).flatMap(({ bars }) => bars.flatMap((bar) => (bar.marked ? [bar.label] : []))))
    return [...findingOf(finding, tried, words, t, format), barsOf({ ...finding, bars: finding.bars.map((bar) => ({ ...bar, marked: marked.has(bar.label) })) }, words)]
  })

const barsOf = (whole: Finding, words: ReportWords): Block => {
  const finding = charted(whole)
  return {
    kind: 'bars',
    title: cut(words.chartTitle(finding), most.bars),
    bars: finding.bars.map(({ value, marked }, at) => ({ label: cut(words.barName(finding, at, true), most.label), value: Number(value), text: cut(words.barValue(finding, value), most.label), marked })),
  }
}

const findingOf = (finding: Finding, tried: number, words: ReportWords, t: TFunction<'ai-report'>, format: Format): Block[] => {
  const { net, currency, trades, evidence } = finding
  const excess = words.excessOf(finding)
  const money = (value: string): string => words.signedMoney(value, currency)
  const figure = [`${money(excess?.value ?? net)} ${words.against({ kind: finding.kind, excess })}`, ...[words.interval(finding, tried) ?? []].flat()].join('. ')
  return [
    heading(2, words.title(finding)),
    paragraph(words.sentence({ ...finding, excess })),
    paragraph(`${figure}. ${t('trades', { count: trades, trades: format.count(trades) })}. ${t(`evidence.${evidence}`)}: ${words.evidence(finding, tried)}`, 'muted'),
  ]
}

const narrativeOf = (narrative: Narrative, named: (text: string) => string, written: NarrativeWords, t: TFunction<'ai-report'>, format: Format): Block[] => {
  const shown = textShown(narrative)
  if (shown === null) return []
  const { passages, proved, unproved, model, writtenAt } = shown
  const segmentOf = (segment: Segment): string => {
    if ('heading' in segment) return written.heading(segment.heading)
    const text = 'text' in segment ? named(segment.text) : (written.reference(segment.says)?.map((piece) => piece.text).join('') ?? t('written.unknown'))
    return segment.check === 'unproved' ? t('document.not-proved', { text: text.trim() }) : text
  }
  const textOf = ({ segments }: Passage): string => segments.map(segmentOf).join('').trim()
  const counted = proved + unproved === 0 ? `${t('narrative.no-figures')}.` : `${t('narrative.proved', { count: proved, figures: format.count(proved) })}. ${t('narrative.unproved', { count: unproved, figures: format.count(unproved) })}.`
  const blocks: Block[] = [heading(1, t('narrative.title')), paragraph(`${t('document.written', { model, time: format.fullDateTime(writtenAt) })} ${counted}`, unproved > 0 ? 'warning' : 'muted')]
  for (const passage of passages) {
    const text = textOf(passage)
    const last = blocks.at(-1)
    if (text === '') continue
    if (passage.kind === 'heading') blocks.push(heading(2, text))
    else if (passage.kind === 'paragraph') blocks.push(paragraph(text))
    else if (last?.kind === 'list' && last.items.length < most.items) last.items.push(cut(text, most.item))
    else blocks.push({ kind: 'list', items: [cut(text, most.item)] })
  }
  return blocks
}

const groupTable = (facts: readonly ReportFact[], kind: Grouped, words: ReportWords, t: TFunction<'ai-report'>): Block[] => {
  if (facts.length === 0) return []
  // Each of several currencies has its own.
  const figureOf = (fact: ReportFact, name: MeasureName): string => fact.measures.flatMap((one) => (one.name === name ? [words.value(one)] : [])).join(', ') || t('none')
  return [
    heading(1, t(`document.by.${kind}`)),
    table([t(`document.group.${kind}`), ...tableMeasures.map((name) => words.measure(name))], facts.map((fact) => [words.factTitle(fact), ...tableMeasures.map((name) => figureOf(fact, name))]), [1, 2, 3]),
  ]
}
