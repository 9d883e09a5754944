import type { Format } from '#renderer/lib/format.ts'
import { sumDecimals } from '#renderer/lib/sum-decimals.ts'
import type { Finding, MeasureName, Narrative, Passage, Report, ReportDocument, ReportFact, Segment } from '#shared/api/reports.ts'
import { dayOfDate, isoDate } from '#shared/market/zone-clock.ts'
import type { TFunction } from 'i18next'
import { charted } from './chart-shape.ts'
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
  const accountNames = accounts.length === 0 ? t('all-accounts') : accounts.map((key) => words.account(key)).join(', ')
  const title = t('document.title', { period: words.period(period) })
  const drawn = new Set<string>()
  const blocks: Block[] = [
    paragraph(t('document.made', { accounts: accountNames, time: format.fullDateTime(createdAt), zone }), 'muted'),
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
  const chance = findings.filter(({ evidence }) => evidence === 'possible' || evidence === 'none')
  const little = findings.filter(({ evidence }) => evidence === 'too-little')
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

type Calendar = Extract<Block, { kind: 'calendar' }>
type Day = NonNullable<Report['days']>[number]

const [mostPoints, mostMonths, mostLevels, mostMarks] = [4_000, 13, 5, 5]

/** The net of each trading day of a report. Older reports have it only if all of their days are facts; null if some are missing. */
const daysOf = ({ days, facts }: Pick<Report, 'days' | 'facts'>): readonly Day[] | null => {
  if (days !== undefined) return days
  const ofDays = facts.filter(({ kind, finding }) => kind === 'day' && finding === null)
  const traded = facts.find(({ kind }) => kind === 'total')?.measures.find(({ name }) => name === 'days')?.value
  if (traded !== String(ofDays.length)) return null
  return ofDays.flatMap(({ about, trades, measures }) => measures.flatMap((one) => (one.name === 'net' && one.currency !== null && about.day !== undefined ? [{ day: about.day, currency: one.currency, net: one.value, trades }] : [])))
}

/** Each currency's equity curve by trading day, starting at zero, with its end, its highest and its lowest point. */
const curveBlocks = (days: readonly Day[], signed: (value: string, currency: string) => string, t: TFunction<'ai-report'>, format: Format): Block[] =>
  [...Map.groupBy(days, ({ currency }) => currency)].map(([currency, own]): Block => {
    const all = ['0.00']
    for (const { net } of own.slice(0, mostPoints - 1)) all.push(sumDecimals([all.at(-1) ?? '0.00', net]))
    const most = (sign: 1 | -1): string => all.reduce((found, value) => (sign * (Number(value) - Number(found)) > 0 ? value : found), '0.00')
    return {
      kind: 'curve',
      title: t('document.curve', { currency }),
      points: all.map(Number),
      levels: levelsOf(Number(most(-1)), Number(most(1))).map((value) => ({ value, text: format.wholeMoney(value, currency) })),
      marks: marksOf(own, format),
      figures: [
        { label: t('document.curve-end'), text: signed(all.at(-1) ?? '0.00', currency) },
        { label: t('document.curve-high'), text: signed(most(1), currency) },
        { label: t('document.curve-low'), text: signed(most(-1), currency) },
      ],
    }
  })

/** Round values from the lowest to the highest, a few of them, with zero. */
const levelsOf = (lowest: number, highest: number): number[] => {
  const span = Math.max(highest - lowest, 1)
  const power = 10 ** Math.floor(Math.log10(span / mostLevels))
  const step = Math.max(1, ([1, 2, 5, 10].find((times) => span / (times * power) <= mostLevels) ?? 10) * power)
  const [from, to] = [Math.ceil(lowest / step), Math.floor(highest / step)]
  return Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step)
}

/** A few days below a curve, with the first and the last. The curve starts one point before its first day. */
const marksOf = (days: readonly Day[], format: Format): { at: number; text: string }[] => {
  const last = Math.min(days.length, mostPoints - 1)
  const count = Math.min(last, mostMarks)
  const places = Array.from({ length: count }, (_, place) => (count === 1 ? last : 1 + Math.round((place * (last - 1)) / (count - 1))))
  return places.map((at) => ({ at, text: format.fullDay(days[at - 1]?.day ?? '') }))
}

/** A calendar of each month, or for many months one of years and months; one per currency. */
const calendarBlocks = (days: readonly Day[], t: TFunction<'ai-report'>, format: Format): Block[] => {
  const currencies = Map.groupBy(days, ({ currency }) => currency)
  return [...currencies].flatMap(([currency, own]) => {
    const named = (title: string): string => t('document.net-of', { title, currency })
    const months = [...Map.groupBy(own, ({ day }) => day.slice(0, 7))]
    if (months.length > mostMonths) return [yearsCalendar(own, named(t('document.by-month')), t, format)]
    return months.map(([month, ofMonth]) => monthCalendar(month, ofMonth, named(format.month(`${month}-01`)), t, format))
  })
}

const cellOf = (label: string, days: readonly Day[], format: Format): Calendar['rows'][number][number] => {
  if (days.length === 0) return { label, text: '', value: null }
  const net = sumDecimals(days.map((one) => one.net))
  return { label, text: format.signedWhole(net), value: Number(net) }
}

const monthCalendar = (month: string, days: readonly Day[], title: string, t: TFunction<'ai-report'>, format: Format): Calendar => {
  const first = dayOfDate(`${month}-01`)
  // Day 0 of the count, 1 January 1970, was a Thursday.
  const weekdayOf = (day: number): number => ((day + 3) % 7) + 1
  const byDay = Map.groupBy(days, ({ day }) => day)
  const onWeekend = days.some(({ day }) => weekdayOf(dayOfDate(day)) > 5)
  const weekdays = onWeekend ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5]
  const mondays = Array.from({ length: 6 }, (_, week) => first - weekdayOf(first) + 1 + week * 7)
  const rows = mondays.flatMap((monday) => {
    const dates = weekdays.map((weekday) => isoDate(monday + weekday - 1))
    const inside = dates.filter((date) => date.startsWith(month))
    if (inside.length === 0) return []
    return [[...dates.map((date) => (date.startsWith(month) ? cellOf(String(Number(date.slice(8))), byDay.get(date) ?? [], format) : { label: '', text: '', value: null })), cellOf('', inside.flatMap((date) => byDay.get(date) ?? []), format)]]
  })
  return { kind: 'calendar', title, head: [...weekdays.map(format.shortWeekday), t('document.week')], rows }
}

const yearsCalendar = (days: readonly Day[], title: string, t: TFunction<'ai-report'>, format: Format): Calendar => {
  const months = Array.from({ length: 12 }, (_, month) => String(month + 1).padStart(2, '0'))
  const rows = [...Map.groupBy(days, ({ day }) => day.slice(0, 4))].map(([year, ofYear]) => [
    { label: '', text: year, value: null },
    ...months.map((month) => cellOf('', ofYear.filter(({ day }) => day.slice(5, 7) === month), format)),
    cellOf('', ofYear, format),
  ])
  return { kind: 'calendar', title, head: [t('document.year'), ...months.map((month) => format.shortMonth(`2024-${month}-01`)), t('document.sum')], rows }
}
