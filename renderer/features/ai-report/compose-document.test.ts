// @module-tag slow
import { createFormat } from '#renderer/lib/format.ts'
import english from '#renderer/i18n/locales/en/ai-report.json' with { type: 'json' }
import { reportDocument, type Report } from '#shared/api/reports.ts'
import { toMarkdown } from '#shared/reports/markdown.ts'
import { statedFindings, statedNarrative, statedReport, statedTextOfBefore } from '#tests/e2e/stated/stated-reports.ts'
import { createInstance } from 'i18next'
import { expect, test } from 'vitest'
import { composeDocument } from './compose-document.ts'
import { reportWords } from './report-words.ts'

const i18n = createInstance()
await i18n.init({ lng: 'en', resources: { en: { 'ai-report': english } }, interpolation: { escapeValue: false } })
const t = i18n.getFixedT('en', 'ai-report')
const format = createFormat('en', 'UTC')
const compose = (report: Report) => composeDocument(report, reportWords(t, format, report.names), t, format)

test('a report becomes a document: equity curve, calendar and accounts first, what could be chance in an appendix', () => {
  const document = compose(statedReport({ narrative: statedNarrative() }))
  expect(reportDocument.parse(document)).toEqual(document)
  expect(document.title).toBe('Trading report, Nov 16 – Nov 20, 2026')
  expect(document.blocks.flatMap((block) => (block.kind === 'heading' && block.level === 1 ? [block.text] : []))).toEqual(['Equity curve', 'Calendar', 'By account', 'Totals', 'Findings', 'Narrative', 'By product', 'By weekday', 'By hour', 'By day', 'Appendix: findings that could be chance'])
  const appendix = document.blocks.findIndex((block) => block.kind === 'heading' && block.text.startsWith('Appendix'))
  const verdicts = document.blocks.map((block) => ('text' in block ? (/\. (Significant|Could be chance|Not significant|Not tested): /.exec(block.text)?.[1] ?? '') : ''))
  expect(new Set(verdicts.slice(0, appendix).filter(Boolean))).toEqual(new Set(['Significant']))
  expect(new Set(verdicts.slice(appendix).filter(Boolean))).toEqual(new Set(['Could be chance', 'Not significant']))
  expect(document.blocks).toContainEqual({ kind: 'paragraph', tone: 'muted', text: '9 findings that could be chance or have too little data are in the appendix.' })
  expect(document.blocks.filter(({ kind }) => kind === 'bars').length).toBe(statedFindings.filter(({ evidence, bars }) => evidence !== 'too-little' && bars.length > 0).length)
  expect(document.blocks[1]).toEqual({ kind: 'paragraph', tone: 'plain', text: '10 account days: 7 reconciled with the broker, 1 with a difference, 2 not checked.' })
  expect(document.blocks).toContainEqual({ kind: 'list', items: ['Days with a rule breach: 6 trades; a test needs 20 on each side, over 10 days', 'Side: 17 trades; a test needs 20 on each side, over 10 days'] })
  expect(document.blocks.find((block) => block.kind === 'table' && block.head[0] === 'Figure')).toMatchObject({ head: ['Figure', 'Value'], figures: [1] })
})

test('the curve adds the days up to the cent, and the calendar has each day and week', () => {
  const { blocks } = compose(statedReport())
  expect(blocks.find(({ kind }) => kind === 'curve')).toEqual({
    kind: 'curve', title: 'Cumulative net P&L by trading day, in USD', points: [0, -410.25, 229.75, 2120.19, 1818.44, 2918.44],
    levels: [[0, '$0'], [1000, '$1,000'], [2000, '$2,000']].map(([value, text]) => ({ value, text })),
    marks: [16, 17, 18, 19, 20].map((day, at) => ({ at: at + 1, text: `Nov ${String(day)}, 2026` })),
    figures: [{ label: 'End', text: '+$2,918.44' }, { label: 'Highest', text: '+$2,918.44' }, { label: 'Lowest', text: '−$410.25' }],
  })
  const calendar = blocks.find((block) => block.kind === 'calendar')
  expect([calendar?.title, calendar?.head]).toEqual(['November 2026: net P&L in USD, without cents', ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Week']])
  expect(calendar?.rows.map((row) => row.map(({ label, text }) => `${label} ${text}`.trim()))).toEqual([
    ['2', '3', '4', '5', '6', ''],
    ['9', '10', '11', '12', '13', ''],
    ['16 −410', '17 +640', '18 +1,890', '19 −302', '20 +1,100', '+2,918'],
    ['23', '24', '25', '26', '27', ''],
    ['30', '', '', '', '', ''],
  ])
  const report = statedReport()
  const long = compose({ ...report, days: Array.from({ length: 20 }, (_, month) => ({ day: new Date(Date.UTC(2025, 3 + month, 15)).toISOString().slice(0, 10), currency: 'USD', net: '10.00', trades: 1 })) })
  expect(long.blocks.find((block) => block.kind === 'calendar')?.rows.map((row) => [row[0]?.text, row.filter(({ text }) => text === '+10').length, row.at(-1)?.text])).toEqual([['2025', 9, '+90'], ['2026', 11, '+110']])
  const before = statedReport()
  delete before.days
  expect(compose(before).blocks.slice(2, 3)).toEqual([{ kind: 'paragraph', tone: 'muted', text: 'This report was created before Fillbook stored every trading day. Create it again to get its equity curve and calendar.' }])
})

test('unproved passages are marked there too, names are the real ones, and a model’s text stays text', () => {
  const markdown = toMarkdown(compose(statedReport({ narrative: statedNarrative() })))
  expect(markdown).toContain('The period came in at Nov 16 – Nov 20, 2026 (Net P&L +\\$2,918.44, 212 trades). The figures show EVAL-101 (Net P&L +\\$1,804.20), the highest of the accounts traded.'.replaceAll('&', '\\&'))
  expect(markdown).toContain('MES (Net P\\&L +\\$610.10), lower than NQ (Net P\\&L +\\$2,308.34). \\[not proved: Wednesdays cost\\] you \\[not proved: \\$4,000\\].')
  expect(markdown).toContain('Trades entered from 11:00 to 12:00 made \\$2,354.80 less than the same number at other hours. 11:00 to 12:00: Significant, as large by chance in one of 410 cases, after 63 tests.')
  expect(markdown).toContain('9 figures proved. 1 not proved.')
  const before = toMarkdown(compose(statedReport({ narrative: statedNarrative(statedTextOfBefore) })))
  expect(before).toContain('\\[not proved: Wednesdays cost you \\$4,000\\]')
  expect(before).toContain('EVAL-101 made \\$1,804.20')
  for (const text of [markdown, before]) expect([text.includes('Account A'), /(?<!\\)(<b>|\]\()/.test(text)]).toEqual([false, false])
})

test('a reference to a missing fact leaves a gap', () => {
  const passages = [{ kind: 'paragraph' as const, segments: [{ says: { fact: 'f99', figures: ['net' as const] }, check: 'unproved' as const }] }]
  expect(compose(statedReport({ narrative: statedNarrative({ passages }) })).blocks).toContainEqual({ kind: 'paragraph', text: '[not proved: [no such figure]]', tone: 'plain' })
})

test('without trades it says so and nothing else', () => {
  const { blocks } = compose(statedReport({ trades: 0, net: [], findings: [], facts: [], names: [] }))
  expect(blocks.map((block) => ('text' in block ? block.text : block.kind)).slice(1)).toEqual(['No trades in this period'])
})

test('a document that is too long is cut, and stays valid', () => {
  const long = 'A very long name '.repeat(400)
  const segments = [{ text: `${long.repeat(4)}😀`, check: 'plain' as const, fact: null }]
  const report = statedReport({
    names: statedReport().names.map((one) => ({ ...one, name: long })),
    narrative: statedNarrative({ passages: [...Array.from({ length: 1_200 }, () => ({ kind: 'item' as const, segments })), ...Array.from({ length: 2_400 }, () => ({ kind: 'paragraph' as const, segments }))] }),
  })
  const document = compose(report)
  expect(reportDocument.safeParse(document).success).toBe(true)
  expect(document.blocks).toHaveLength(2_000)
})

test('of several currencies each has its own figures', () => {
  const report = statedReport()
  const [total, account] = report.facts
  if (total === undefined || account === undefined) throw new Error('There are facts')
  const euro = { name: 'net' as const, unit: 'money' as const, value: '-12.00', currency: 'EUR' }
  const { blocks } = compose({ ...report, facts: [{ ...total, measures: [...total.measures, euro] }, { ...account, measures: [...account.measures, euro] }] })
  const rows = blocks.flatMap((block) => (block.kind === 'table' ? block.rows : []))
  expect(rows).toContainEqual(['Net P&L', '−€12.00'])
  expect(rows).toContainEqual(['EVAL-101', '120', '52.8%', '+$1,804.20, −€12.00'])
})

test('findings of one kind share one chart, which marks those of its section', () => {
  const [hour] = statedFindings
  if (hour === undefined) throw new Error('There are findings')
  const other = (at: number, evidence: 'evident' | 'none') => ({ ...hour, key: `hour:${String(at)}:USD`, about: { hour: at }, evidence, bars: hour.bars.map((bar) => ({ ...bar, marked: bar.label === String(at) })) })
  const { blocks } = compose(statedReport({ findings: [hour, other(9, 'evident'), other(13, 'none')] }))
  const [chart, ...more] = blocks.flatMap((block) => (block.kind === 'bars' ? [block] : []))
  expect([more.length, chart?.title, chart?.bars.filter(({ marked }) => marked).map(({ label }) => label)]).toEqual([0, 'Net P&L by hour of entry, in USD', ['09:00 to 10:00', '11:00 to 12:00']])
  expect(chart?.bars.filter(({ text }) => text === '$0.00')).toEqual([])
})
