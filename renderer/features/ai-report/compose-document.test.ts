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

test('a report becomes a document of totals, findings, narrative and groups, in that order', () => {
  const document = compose(statedReport({ narrative: statedNarrative() }))
  expect(reportDocument.parse(document)).toEqual(document)
  expect(document.title).toBe('Trading report, Nov 16 – Nov 20, 2026')
  expect(document.blocks.flatMap((block) => (block.kind === 'heading' && block.level === 1 ? [block.text] : []))).toEqual(['Totals', 'Findings', 'Narrative', 'By account', 'By product', 'By weekday', 'By hour', 'By day'])
  expect(document.blocks.filter(({ kind }) => kind === 'bars').length).toBe(statedFindings.filter(({ evidence, bars }) => evidence !== 'too-little' && bars.length > 0).length)
  expect(document.blocks).toContainEqual({ kind: 'list', items: ['Days with a rule breach: 6 trades; a test needs 20 on each side, over 10 days', 'Side: 17 trades; a test needs 20 on each side, over 10 days'] })
  expect(document.blocks.find(({ kind }) => kind === 'table')).toMatchObject({ head: ['Figure', 'Value'], figures: [1] })
})

test('what is not proved says so there too, names are the real ones, and text of a model stays text', () => {
  const markdown = toMarkdown(compose(statedReport({ narrative: statedNarrative() })))
  expect(markdown).toContain('The period came in at Nov 16 – Nov 20, 2026 (Net P&L \\$2,918.44, 212 trades). The figures show EVAL-101 (Net P&L \\$1,804.20), the highest of the accounts traded.'.replaceAll('&', '\\&'))
  expect(markdown).toContain('MES (Net P\\&L \\$610.10), lower than NQ (Net P\\&L \\$2,308.34). \\[not proved: Wednesdays cost\\] you \\[not proved: \\$4,000\\].')
  expect(markdown).toContain('Trades entered from 11:00 to 12:00 made \\$2,354.80 less than the same number at other hours. 11:00 to 12:00: Significant, one in 410 by chance, after 63 tests.')
  expect(markdown).toContain('9 figures proved. 1 not proved.')
  const before = toMarkdown(compose(statedReport({ narrative: statedNarrative(statedTextOfBefore) })))
  expect(before).toContain('\\[not proved: Wednesdays cost you \\$4,000\\]')
  expect(before).toContain('EVAL-101 made \\$1,804.20')
  for (const text of [markdown, before]) expect([text.includes('Account A'), /(?<!\\)(<b>|\]\()/.test(text)]).toEqual([false, false])
})

test('a reference to what is not there has a gap in its place', () => {
  const passages = [{ kind: 'paragraph' as const, segments: [{ says: { fact: 'f99', figures: ['net' as const] }, check: 'unproved' as const }] }]
  expect(compose(statedReport({ narrative: statedNarrative({ passages }) })).blocks).toContainEqual({ kind: 'paragraph', text: '[not proved: [no such figure]]', tone: 'plain' })
})

test('without trades it says so and nothing else', () => {
  const { blocks } = compose(statedReport({ trades: 0, net: [], findings: [], facts: [], names: [] }))
  expect(blocks.map((block) => ('text' in block ? block.text : block.kind)).slice(1)).toEqual(['No trades in this period'])
})

test('what is longer than a document may be is cut, and stays a document', () => {
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
  expect(rows).toContainEqual(['EVAL-101', '120', '52.8%', '$1,804.20, −€12.00'])
})
