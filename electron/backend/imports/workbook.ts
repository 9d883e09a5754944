import { crc32, inflateRawSync } from 'node:zlib'
import { recognizeExport } from '#shared/imports/recognize.ts'

/** A journal of years has less than a tenth of that; a small zip can hold any amount. */
const [mostBytes, mostUnpacked, mostParts] = [16 * 1024 * 1024, 64 * 1024 * 1024, 1_000]
const [mostColumns, longestGap] = [500, 1_000]
const longestTag = 8 * 1024

/** Whether bytes begin a zip, as an Excel workbook is one. */
const isZip = (start: Uint8Array): boolean => [0x50, 0x4b, 0x03, 0x04].every((byte, index) => start[index] === byte)

class NoWorkbook extends Error {}

/**
 * The table of an Excel workbook as CSV: of its first sheet whose header a report has, otherwise of its first sheet with a
 * table. Days and times are written as their cells show them, which have no zone. Null if it is no workbook, or larger than any export.
 */
export const csvOfWorkbook = (bytes: Uint8Array): string | null => {
  try {
    const parts = unpacked(bytes)
    const strings = sharedStrings(parts.get('xl/sharedStrings.xml') ?? '')
    const { times, since } = timesIn(parts)
    const sheets = sheetsIn(parts).map((xml) => rowsOf(xml, { strings, times, since }))
    const isTable = (rows: readonly SheetRow[]): boolean => headerOf(rows).length > 1
    const found = sheets.find((rows) => recognizeExport(headerOf(rows)) !== null) ?? sheets.find(isTable)
    return found === undefined ? null : csvOf(found)
  } catch (error) {
    if (error instanceof NoWorkbook) return null
    throw error
  }
}

const isRead = (name: string): boolean => /^xl\/(?:workbook|styles|sharedStrings|_rels\/workbook\.xml|worksheets\/[^/]+)\.(?:xml|rels)$/.test(name)

const [endOfZip, entry, local] = [0x06054b50, 0x02014b50, 0x04034b50]
const [stored, deflated] = [0, 8]

/** The parts of a workbook that are read. What a zip says of its sizes may be a lie, and a damaged one must not lose rows: each part has to have its checksum. */
const unpacked = (bytes: Uint8Array): ReadonlyMap<string, string> => {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const end = zip.lastIndexOf(Uint8Array.of(0x50, 0x4b, 0x05, 0x06))
  const parts = new Map<string, string>()
  let left = mostUnpacked
  try {
    if (zip.readUInt32LE(end) !== endOfZip) throw new NoWorkbook('Cut off')
    const count = zip.readUInt16LE(end + 10)
    if (count > mostParts) throw new NoWorkbook('Too many parts')
    for (let index = 0, at = zip.readUInt32LE(end + 16); index < count; index += 1) {
      if (zip.readUInt32LE(at) !== entry) throw new NoWorkbook('Damaged')
      const [nameLength, extraLength, commentLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32)]
      const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
      if (isRead(name)) {
        const part = partOf(zip, at, left)
        left -= part.length
        parts.set(name, new TextDecoder('utf-8', { fatal: true }).decode(part))
      }
      at += 46 + nameLength + extraLength + commentLength
    }
  } catch {
    throw new NoWorkbook('It cannot be unpacked')
  }
  if (!parts.has('xl/workbook.xml')) throw new NoWorkbook('Another kind of zip')
  return parts
}

const partOf = (zip: Buffer, at: number, most: number): Uint8Array => {
  const [method, checksum, size, from] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)]
  if (zip.readUInt32LE(from) !== local) throw new NoWorkbook('Damaged')
  const data = from + 30 + zip.readUInt16LE(from + 26) + zip.readUInt16LE(from + 28)
  const packed = zip.subarray(data, data + size)
  const part = method === deflated ? inflateRawSync(packed, { maxOutputLength: most }) : method === stored && packed.length <= most ? packed : null
  if (part === null || packed.length !== size || crc32(part) !== checksum) throw new NoWorkbook('Damaged')
  return part
}

type Token = { readonly text: string } | { readonly tag: string; readonly ends: boolean; readonly closed: boolean; readonly attributes: string }

/** The tags and texts of a part; names without their prefixes. Nothing that a document type could define is followed. */
function* tokens(xml: string): Generator<Token> {
  for (let at = 0; ; ) {
    const open = xml.indexOf('<', at)
    if (open < 0) return
    if (open > at) yield { text: plainText(xml.slice(at, open)) }
    const [end, skipped] = xml.startsWith('<!--', open) ? ['-->', true] : xml.startsWith('<?', open) ? ['?>', true] : ['>', false]
    if (!skipped && xml[open + 1] === '!') throw new NoWorkbook('A document type')
    const close = xml.indexOf(end, open)
    if (close < 0 || (!skipped && close - open > longestTag)) throw new NoWorkbook('Cut off')
    at = close + end.length
    if (skipped) continue
    const [, ends = '', tag = '', attributes = ''] = /^(\/?)(?:[\w.-]+:)?([\w.-]+)([^]*)$/.exec(xml.slice(open + 1, close)) ?? []
    yield { tag, ends: ends !== '', closed: attributes.endsWith('/'), attributes }
  }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plainText = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{1,8}));/gi, (whole: string, hex?: string, number?: string, name?: string) => {
        const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16)
        return name === undefined ? (code <= 0x10ffff ? String.fromCodePoint(code) : whole) : (named[name] ?? whole)
      })
    : text

const shapes = new Map<string, RegExp>()
const attribute = (attributes: string, name: string): string | null => {
  const shape = shapes.get(name) ?? new RegExp(String.raw`(?:^|\s)(?:[\w.-]+:)?${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`)
  shapes.set(name, shape)
  const value = shape.exec(attributes)
  return value === null ? null : plainText(value[1] ?? value[2] ?? '')
}

const sharedStrings = (xml: string): readonly string[] => {
  const strings: string[] = []
  let [current, inText, inSound] = ['', false, false]
  for (const token of tokens(xml)) {
    if ('text' in token) current += inText && !inSound ? token.text : ''
    else if (token.tag === 'si') {
      if (token.ends || token.closed) strings.push(current)
      current = ''
    } else if (token.tag === 't') inText = !token.ends && !token.closed
    else if (token.tag === 'rPh') inSound = !token.ends && !token.closed
  }
  return strings
}

/** Which of a sheet's number formats show a day, a time of day, or both. */
type Shows = 'day' | 'clock' | 'both' | null

const builtIn = (id: number): Shows => (id === 22 ? 'both' : (id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 58) || id === 36 ? 'day' : (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47) ? 'clock' : null)
const shownBy = (format: string): Shows => {
  const codes = format.replaceAll(/"[^"]*"|\\.|_.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').toLowerCase()
  const [day, clock] = [/[yd]/.test(codes), /[hs]/.test(codes)]
  return day && clock ? 'both' : day ? 'day' : clock ? 'clock' : null
}

/** What each style of the workbook shows, and the moment from which its days are counted, ms as if it were UTC. */
const timesIn = (parts: ReadonlyMap<string, string>): { readonly times: readonly Shows[]; readonly since: number } => {
  const own = new Map<number, Shows>()
  const times: Shows[] = []
  let inStyles = false
  for (const token of tokens(parts.get('xl/styles.xml') ?? '')) {
    if ('text' in token) continue
    if (token.tag === 'cellXfs') inStyles = !token.ends && !token.closed
    else if (token.tag === 'numFmt') own.set(Number(attribute(token.attributes, 'numFmtId')), shownBy(attribute(token.attributes, 'formatCode') ?? ''))
    else if (token.tag === 'xf' && inStyles && !token.ends) {
      const id = Number(attribute(token.attributes, 'numFmtId') ?? 0)
      times.push(own.get(id) ?? builtIn(id))
    }
  }
  const is1904 = [...tokens(parts.get('xl/workbook.xml') ?? '')].some((token) => 'tag' in token && token.tag === 'workbookPr' && ['1', 'true'].includes(attribute(token.attributes, 'date1904') ?? ''))
  return { times, since: is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30) }
}

/** The sheets in their order. */
const sheetsIn = (parts: ReadonlyMap<string, string>): readonly string[] => {
  const targets = new Map<string, string>()
  for (const token of tokens(parts.get('xl/_rels/workbook.xml.rels') ?? '')) {
    if ('tag' in token && token.tag === 'Relationship') targets.set(attribute(token.attributes, 'Id') ?? '', (attribute(token.attributes, 'Target') ?? '').replace(/^\/?(?:xl\/)?/, 'xl/'))
  }
  const named = [...tokens(parts.get('xl/workbook.xml') ?? '')].flatMap((token) => ('tag' in token && token.tag === 'sheet' ? [parts.get(targets.get(/:id\s*=\s*["']([^"']*)/.exec(token.attributes)?.[1] ?? '') ?? '')] : []))
  return named.filter((xml) => xml !== undefined)
}

type SheetRow = { readonly line: number; readonly cells: readonly string[] }
type Reading = { readonly strings: readonly string[]; readonly times: readonly Shows[]; readonly since: number }

const rowsOf = (xml: string, reading: Reading): readonly SheetRow[] => {
  const rows: SheetRow[] = []
  let [cells, line]: [string[], number] = [[], 0]
  let cell: { column: number; type: string; style: number; text: string } | null = null
  let isValue = false
  const endCell = (): void => {
    if (cell !== null) cells[cell.column] = shownCell(cell, reading)
    cell = null
  }
  for (const token of tokens(xml)) {
    if ('text' in token) {
      if (cell !== null && isValue) cell.text += token.text
      continue
    }
    const { tag, ends, closed, attributes } = token
    if (tag === 'row' && !ends) {
      line = Number(attribute(attributes, 'r') ?? line + 1)
      cells = []
    } else if (tag === 'row') rows.push({ line, cells: Array.from(cells, (text: string | undefined) => text ?? '') })
    else if (tag === 'c' && !ends) {
      const column = columnOf(attribute(attributes, 'r')) ?? cells.length
      if (column >= mostColumns) throw new NoWorkbook('Too many columns')
      cell = { column, type: attribute(attributes, 't') ?? 'n', style: Number(attribute(attributes, 's') ?? 0), text: '' }
      if (closed) endCell()
    } else if (tag === 'c') endCell()
    else if (tag === 'v' || tag === 't') isValue = !ends && !closed
  }
  return rows.filter(({ cells: own }) => own.some((text) => text.trim() !== ''))
}

const columnOf = (place: string | null): number | null => {
  const letters = /^([A-Z]{1,3})\d*$/.exec(place ?? '')?.[1]
  return letters === undefined ? null : [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

const shownCell = ({ type, style, text }: { readonly type: string; readonly style: number; readonly text: string }, { strings, times, since }: Reading): string => {
  if (type === 's') {
    const shared = strings[Number(text)]
    if (shared === undefined) throw new NoWorkbook('Texts are missing')
    return shared
  }
  if (type === 'd') return text.replace('T', ' ')
  const shows = times[style] ?? null
  if (type !== 'n' || text === '') return text
  const number = Number(text)
  return shows === null || !(number >= 0 && number < 3_000_000) ? plainNumber(number, text) : shownTime(since + Math.round(number * 86_400_000), shows)
}

/** Sums of a spreadsheet have the noise of floating-point numbers. */
const plainNumber = (number: number, text: string): string => (Number.isFinite(number) && Math.abs(number) < 1e15 && !/e/i.test(String(number)) ? String(Number(number.toPrecision(15))) : text)

const shownTime = (ms: number, shows: NonNullable<Shows>): string => {
  const iso = new Date(ms).toISOString()
  const [day, clock] = [iso.slice(0, 10), iso.slice(11, 23).replace(/\.000$/, '')]
  return shows === 'day' && ms % 86_400_000 === 0 ? day : shows === 'clock' && ms < Date.UTC(1905, 0) ? clock : `${day} ${clock}`
}

const headerOf = (rows: readonly SheetRow[]): readonly string[] => rows[0]?.cells ?? []

/** Lines keep the numbers of their rows. */
const csvOf = (rows: readonly SheetRow[]): string => {
  const lines: string[] = []
  for (const { line, cells } of rows) {
    if (line - lines.length - 1 <= longestGap) while (lines.length < line - 1) lines.push('')
    lines.push(cells.map((text) => `"${text.replaceAll(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`).join(','))
  }
  return `${lines.join('\n')}\n`
}

/** A file as it is read: the bytes as they come, or of a workbook its table as CSV; a workbook that cannot be read stays the zip that it is. */
export async function* asText(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] | null = []
  let size = 0
  for await (const bytes of source) {
    if (held === null) {
      yield bytes
      continue
    }
    held.push(bytes)
    size += bytes.length
    if (size < 4 || (size <= mostBytes && isZip(joined(held, Math.min(size, 4))))) continue
    yield* held
    held = null
  }
  if (held === null) return
  const all = joined(held, size)
  const csv = isZip(all) ? csvOfWorkbook(all) : null
  yield csv === null ? all : new TextEncoder().encode(csv)
}

const joined = (pieces: readonly Uint8Array[], size: number): Uint8Array => {
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    if (at >= size) break
    all.set(piece.subarray(0, size - at), at)
    at += piece.length
  }
  return all
}
