// @module-tag slow
import { readFileSync } from 'node:fs'
import { strToU8, zipSync, type Zippable } from 'fflate'
import { expect, test } from 'vitest'
import { inPieces, readBytes } from '#tests/helpers/exports/read.ts'
import { inspectFile } from './imports.ts'
import { csvOfWorkbook } from './workbook.ts'

const fixture = readFileSync(new URL('../../../tests/fixtures/platforms/atas.csv', import.meta.url), 'utf8')
const table = fixture.trim().split(/\r?\n/).map((line) => line.split(','))
const dayOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`) / 86_400_000 + 25_569
const isTime = (text: string): boolean => /^\d{4}-\d{2}-\d{2} /.test(text)

type WorkbookOptions = { readonly prefix?: string; readonly inline?: boolean; readonly date1904?: boolean; readonly format?: string; readonly before?: string; readonly parts?: Readonly<Record<string, string>>; readonly sheet?: string }

/** The fixture as the workbook that Excel or .NET would write. */
const workbookOf = ({ prefix = '', inline = false, date1904 = false, format = 'yyyy\\-mm\\-dd hh:mm:ss', before = '', parts = {}, sheet }: WorkbookOptions = {}): Uint8Array => {
  const strings: string[] = []
  const tag = (name: string, attributes: string, content: string): string => `<${prefix}${name}${attributes === '' ? '' : ` ${attributes}`}>${content}</${prefix}${name}>`
  const cellOf = (text: string, column: number, row: number): string => {
    const place = `r="${String.fromCharCode(65 + column)}${String(row + 1)}"`
    if (isTime(text)) return tag('c', `${place} s="1"`, tag('v', '', String(dayOf(text) - (date1904 ? 1_462 : 0))))
    if (/^-?\d+(?:\.\d+)?$/.test(text)) return tag('c', place, tag('v', '', text === '6002.5' ? '6002.5000000000009' : text))
    if (text === '') return `<${prefix}c ${place}/>`
    if (inline) return tag('c', `${place} t="inlineStr"`, tag('is', '', tag('t', '', text)))
    strings.push(text)
    return tag('c', `${place} t="s"`, tag('v', '', String(strings.length - 1)))
  }
  const rows = table.map((cells, row) => tag('row', `r="${String(row + 1)}"`, cells.map((text, column) => cellOf(text, column, row)).join(''))).join('')
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'xl/workbook.xml': `<?xml version="1.0"?>${before}${tag('workbook', 'xmlns:r="r"', `${`<${prefix}workbookPr${date1904 ? ' date1904="1"' : ''}/>`}${tag('sheets', '', `<${prefix}sheet name="Statistics" sheetId="1" r:id="rId1"/><${prefix}sheet name="Journal" sheetId="2" r:id="rId2"/>`)}`)}`,
    'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="/xl/worksheets/sheet2.xml"/></Relationships>',
    'xl/styles.xml': tag('styleSheet', '', `${tag('numFmts', '', `<${prefix}numFmt numFmtId="164" formatCode="${format}"/>`)}${tag('cellStyleXfs', '', `<${prefix}xf numFmtId="22"/>`)}${tag('cellXfs', '', `<${prefix}xf numFmtId="0"/><${prefix}xf numFmtId="164"/>`)}`),
    'xl/worksheets/sheet1.xml': tag('worksheet', '', tag('sheetData', '', tag('row', 'r="1"', tag('c', 'r="A1" t="inlineStr"', tag('is', '', tag('t', '', 'Net profit'))) + tag('c', 'r="B1"', tag('v', '', '5'))))),
    'xl/worksheets/sheet2.xml': sheet ?? tag('worksheet', '', tag('sheetData', '', rows)),
    'xl/sharedStrings.xml': tag('sst', '', strings.map((text) => tag('si', '', tag('t', '', text.replaceAll('&', '&amp;')))).join('')),
    ...parts,
  }
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])) satisfies Zippable)
}

const readingsOrProblem = async (bytes: Uint8Array): Promise<unknown> => {
  const file = await readBytes(bytes, 'America/Chicago')
  return file.ok ? file.readings : file.problem
}

test.each<[string, WorkbookOptions]>([
  ['with shared strings', {}],
  ['with texts in its cells and prefixed names', { inline: true, prefix: 'x:' }],
  ['with days since 1904', { date1904: true }],
  ['with a format in another language', { format: '[$-de-DE]dd.mm.yyyy hh:mm:ss;@' }],
])('a workbook %s says what its CSV says', async (_, options) => {
  const expected = await readingsOrProblem(Buffer.from(fixture))
  expect(expected).toHaveLength(2)
  expect(await readingsOrProblem(workbookOf(options))).toEqual(expected)
})

test('a workbook can be mapped like any table', async () => {
  const facts = await inspectFile(inPieces(Buffer.from(workbookOf())))
  expect(facts.ok && facts.value.map(({ header }) => header)).toEqual(table[0])
})

test('cells keep what spreadsheets hide: quotes, line breaks, and formulas stay text', () => {
  const sheet = '<worksheet><sheetData><row r="3"><c r="A3" t="str"><f>1+1</f><v>=cmd|&quot;calc&quot;</v></c><c r="C3" t="inlineStr"><is><r><t>a&#10;b</t></r><rPh><t>no</t></rPh></is></c><c r="D3"><v>1E-3</v></c></row></sheetData></worksheet>'
  expect(csvOfWorkbook(workbookOf({ sheet, parts: { 'xl/worksheets/sheet1.xml': '<worksheet/>' } }))).toBe('\n\n"=cmd|""calc""","","a bno","0.001"\n')
})

test.each<[string, () => Uint8Array]>([
  ['a bomb of a sheet', () => workbookOf({ sheet: `<worksheet>${' '.repeat(80 * 1024 * 1024)}</worksheet>` })],
  ['a thousand parts', () => workbookOf({ parts: Object.fromEntries(Array.from({ length: 1_100 }, (__, index) => [`junk/${String(index)}`, 'x'])) })],
  ['another kind of zip', () => zipSync({ 'word/document.xml': strToU8('<document/>') })],
  ['a document type', () => workbookOf({ before: '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">]>' })],
  ['a tag without an end', () => workbookOf({ sheet: `<worksheet ${'a'.repeat(100_000)}` })],
  ['a cell far to the right', () => workbookOf({ sheet: '<worksheet><row r="1"><c r="XFD1"><v>1</v></c></row></worksheet>' })],
  ['a cut off zip', () => workbookOf().subarray(0, -30)],
  ['noise behind its mark', () => Uint8Array.from([0x50, 0x4b, 0x03, 0x04, ...Array.from({ length: 500 }, (__, index) => (index * 37) % 256)])],
])('%s is refused', async (_, make) => {
  const bytes = make()
  expect(await readingsOrProblem(bytes)).toEqual({ code: 'not-text' })
})

test('a row far below costs nothing', () => {
  const sheet = '<worksheet><row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row><row r="1000000"><c r="A1000000"><v>3</v></c></row></worksheet>'
  expect(csvOfWorkbook(workbookOf({ sheet, parts: { 'xl/worksheets/sheet1.xml': '<worksheet/>' } }))).toBe('"1","2"\n"3"\n')
})

test('a workbook with another bit anywhere says the same, or nothing', async () => {
  const [bytes, expected] = [workbookOf(), await readingsOrProblem(Buffer.from(fixture))]
  for (let at = 0; at < bytes.length; at += 5) {
    const found = await readingsOrProblem(bytes.map((byte, index) => (index === at ? byte ^ (1 << at % 8) : byte)))
    if (Array.isArray(found)) expect(found).toEqual(found.length === 0 ? [] : expected)
  }
})
