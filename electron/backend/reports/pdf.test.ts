// @module-tag slow
import { extractText, getDocumentProxy, getMeta } from 'unpdf'
import { expect, test } from 'vitest'
import type { ReportDocument } from '#shared/api/reports.ts'
import { toPdf } from './pdf.ts'

const textOf = async (bytes: Uint8Array): Promise<readonly string[]> => (await extractText(await getDocumentProxy(bytes.slice()))).text
const pdfOf = (...blocks: ReportDocument['blocks']): Promise<Uint8Array> => toPdf({ title: 'Report 16–20 November', blocks })

const table = (rows: number): ReportDocument['blocks'][number] => ({
  kind: 'table',
  head: ['Closed', 'Contract', 'Net'],
  rows: Array.from({ length: rows }, (_, index) => [`row-${String(index + 1)}`, 'MESZ6', '−12.50 USD']),
  figures: [2],
})

test('draws every kind of block as text, with signs and arrows', async () => {
  const bytes = await pdfOf(
    { kind: 'heading', level: 1, text: 'Findings' },
    { kind: 'paragraph', tone: 'warning', text: 'Net −1,234.50 € → ≤ 3 contracts × 2, ≥ 1; “well” — Δ, Привет, Ünïcode' },
    { kind: 'list', items: ['first item', 'second item'] },
    table(2),
    { kind: 'bars', title: 'By hour', bars: [{ label: '09:00', value: -120.5, text: '−120.50 USD', marked: true }, { label: '10:00', value: 80, text: '80.00 USD', marked: false }] },
  )
  const [text = ''] = await textOf(bytes)
  for (const part of ['Findings', 'Net −1,234.50 € → ≤ 3 contracts × 2, ≥ 1; “well” — Δ, Привет, Ünïcode', 'first item', 'second item', 'Closed', 'row-2', '−12.50 USD', 'By hour', '09:00', '−120.50 USD', '1 / 1', 'Report 16–20 November']) expect(text).toContain(part)
  expect(text).not.toContain('\u0000')
})

test('Malayalam is drawn with its own letters, beside figures and signs in Inter', async () => {
  const words = 'നെറ്റ് P&L: −1,250.00 USD → ട്രേഡുകൾ 117'
  const bytes = await pdfOf({ kind: 'heading', level: 1, text: 'ശരാശരി' }, { kind: 'paragraph', tone: 'plain', text: words }, { kind: 'table', head: ['വിജയം', 'Net'], rows: [['ശ'.repeat(300), '−12.50 USD']], figures: [1] })
  const [text = ''] = await textOf(bytes)
  for (const part of ['P&L: −1,250.00 USD →', '117', '−12.50 USD']) expect(text).toContain(part)
  const named = Buffer.from(bytes).toString('latin1').match(/\/FontName \/[A-Z]+\+\w+/g)
  expect(new Set(named?.map((name) => name.split('+')[1]?.replace(/\W?(Regular|SemiBold)$/, '')))).toEqual(new Set(['Inter', 'AnekMalayalam']))
  // What no font has becomes glyph 0, and reads back as nothing.
  expect(text).not.toContain('\u0000')
})

test('draws curves and calendars with their texts, over page breaks too', async () => {
  const cell = (label: string, text: string, value: number | null) => ({ label, text, value })
  const month = (title: string): ReportDocument['blocks'][number] => ({ kind: 'calendar', title, head: ['Mon', 'Tue', 'Week'], rows: Array.from({ length: 5 }, (_, week) => [cell(String(week), '+1,250', 1250), cell('', '', null), cell('', '−12,345,678', -12_345_678)]) })
  const pages = await textOf(await pdfOf({ kind: 'curve', title: 'Net by day', points: [0, -10, 40.5], levels: [{ value: 0, text: '$0' }, { value: 20, text: '$20' }], marks: [{ at: 1, text: 'Nov 16' }, { at: 2, text: 'Nov 20' }], figures: [{ label: 'End', text: '+$40.50' }] }, ...['June', 'July', 'August', 'September', 'October'].map(month)))
  for (const part of ['Net by day', '$20', 'Nov 16', 'Nov 20', 'End +$40.50', 'Mon', 'Week', '+1,250', '−12,345,678']) expect(pages[0]).toContain(part)
  expect(pages.length).toBe(2)
  for (const title of ['June', 'October']) expect(pages.join(' ')).toContain(title)
  expect(await textOf(await pdfOf({ kind: 'curve', title: 'Flat', points: [0], levels: [], marks: [{ at: 0, text: 'a' }], figures: [] }, { kind: 'calendar', title: 'None', head: ['Mon'], rows: [] }))).toHaveLength(1)
})

test('the title appears once, above all blocks', async () => {
  const [text = ''] = await textOf(await pdfOf({ kind: 'heading', level: 1, text: 'Totals' }))
  expect(text.split('Report 16–20 November').length - 1).toBe(1)
  expect(text.indexOf('Report 16–20 November')).toBeLessThan(text.indexOf('Totals'))
})

test('a table repeats its head on each page, loses and doubles no row, and pages are numbered', { tags: 'long' }, async () => {
  const pages = await textOf(await pdfOf({ kind: 'heading', level: 1, text: 'Trades' }, table(200)))
  expect(pages.length).toBeGreaterThan(2)
  for (const [index, page] of pages.entries()) expect([page.includes('Contract'), page.includes(`${String(index + 1)} / ${String(pages.length)}`)]).toEqual([true, true])
  expect(pages.join(' ').match(/row-\d+/g)).toEqual(Array.from({ length: 200 }, (_, index) => `row-${String(index + 1)}`))
})

test('a cell longer than a page continues on the next page', { tags: 'long' }, async () => {
  const words = Array.from({ length: 3_000 }, (_, index) => `w${String(index)}`)
  const pages = await textOf(await pdfOf({ kind: 'table', head: ['Note', 'Net'], rows: [[words.join(' '), '1']], figures: [1] }))
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.join(' ').match(/w\d+/g)).toEqual(words)
})

test('a long paragraph and an endless word break at the end of the page', { tags: 'long' }, async () => {
  const pages = await textOf(await pdfOf({ kind: 'paragraph', tone: 'plain', text: `${'word '.repeat(3_000)}${'x'.repeat(10_000)}` }))
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.join('').replaceAll(/[^x]/g, '').length).toBe(10_000)
})

test('the same document gives the same bytes, without a date', async () => {
  const [one, other] = [await pdfOf(table(30)), await pdfOf(table(30))]
  expect(Buffer.from(one).equals(Buffer.from(other))).toBe(true)
  const { info } = await getMeta(await getDocumentProxy(one.slice()))
  expect(info).toMatchObject({ Title: 'Report 16–20 November', CreationDate: 'D:19700101000000Z' })
})

test('an empty document, table or bar chart is one page', async () => {
  expect(await textOf(await pdfOf())).toHaveLength(1)
  const nothing = await pdfOf({ kind: 'table', head: ['Only'], rows: [], figures: [] }, { kind: 'bars', title: 'None', bars: [] }, { kind: 'bars', title: 'Flat', bars: [{ label: 'a', value: 0, text: '0', marked: false }] }, { kind: 'list', items: [] })
  expect(await textOf(nothing)).toHaveLength(1)
})
