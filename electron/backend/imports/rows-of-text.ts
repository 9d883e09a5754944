import { parse } from 'csv-parse/sync'

/** One row of a CSV text: its cells, or why it has none; `line` is the number of its first line, counted from 1. */
export type TextRow = { readonly line: number } & ({ readonly cells: readonly string[] } | { readonly broken: 'quotes' | 'too-long'; readonly start: string })

/** Cuts text into rows as it comes. */
export type RowCutter = {
  /** The rows that end in what was read up to and with `text`. */
  readonly read: (text: string) => readonly TextRow[]
  /** The last row, where no line break ends it. */
  readonly end: () => readonly TextRow[]
}

// So far the end of the header is looked for, in characters.
const longestStart = 64 * 1024

/** The rows of a file, the header first; the separator is the one that its first line shows. */
export const createFileRows = () => {
  let start = ''
  let separator = ','
  let cutter: RowCutter | null = null
  return {
    /** The rows that end in this text. */
    read: (text: string, last: boolean): readonly TextRow[] => {
      if (cutter !== null) return last ? [...cutter.read(text), ...cutter.end()] : cutter.read(text)
      // Excel tells itself the separator so; the line stays, empty, so that lines are counted as in the file.
      start = (start + text).replace(/^\uFEFF?sep=[^\r\n](?=\r?\n)/i, '')
      const firstLine = firstLineOf(start)
      if (firstLine === null && !last && start.length < longestStart) return []
      separator = separatorOf(firstLine ?? start)
      cutter = createRowCutter(separator)
      const rows = cutter.read(start)
      start = ''
      return last ? [...rows, ...cutter.end()] : rows
    },
    separator: (): string => separator,
  }
}

/** The first line that has something in it, once it is whole. */
const firstLineOf = (text: string): string | null => {
  const rest = text.slice(Math.max(0, text.search(/\S/)))
  const end = rest.search(/[\r\n]/)
  return end > 0 ? rest.slice(0, end) : null
}

const separatorOf = (line: string): string => {
  const count = (separator: string): number => line.split(separator).length
  return [';', '\t'].reduce((most, separator) => (count(separator) > count(most) ? separator : most), ',')
}

type TextLine = { readonly line: number; readonly text: string; readonly tooLong: boolean }
type Joined = { readonly line: number; readonly text: string }

// The longest rows of real exports have 500 characters; a text in quotes may have line breaks, but hardly more.
const longestLine = 64 * 1024
const mostLines = 8
// Of a row that was emptied a spreadsheet leaves the separators.
const hasContent = /[^\s,;]/
const lineFeed = 10
const carriageReturn = 13

/**
 * Cuts CSV text into rows, with any line break, and tolerates broken files: an unclosed quote breaks only its own row, and
 * an endless line takes no memory. Blank lines are no rows.
 */
const createRowCutter = (separator: string): RowCutter => {
  const lines = createLineCutter()
  let held: TextLine[] = []
  let columns = 0

  const rowsOf = (cut: readonly TextLine[], last: boolean): readonly TextRow[] => {
    const rows: (TextRow | Joined)[] = []
    const giveUp = (): void => {
      rows.push(...held.map(({ line, text }) => ({ line, broken: 'quotes', start: text.slice(0, 40) }) as const))
      held = []
    }
    for (const line of cut) {
      // A line with all the cells of a row is a row, not the rest of a quoted text.
      if (held.length > 0 && (line.tooLong || held.length >= mostLines || count(line.text, separator) + 1 >= columns)) giveUp()
      if (line.tooLong) rows.push({ line: line.line, broken: 'too-long', start: line.text.slice(0, 40) })
      else if (held.length > 0 || count(line.text, '"') % 2 === 1) {
        held.push(line)
        const text = held.map((part) => part.text).join('\n')
        if (count(text, '"') % 2 === 0) {
          rows.push({ line: held[0]?.line ?? line.line, text })
          held = []
        }
      } else if (hasContent.test(line.text)) rows.push(line)
      if (columns === 0 && hasContent.test(line.text)) columns = count(line.text, separator) + 1
    }
    if (last) giveUp()
    return toCells(rows, separator)
  }

  return { read: (text) => rowsOf(lines.read(text), false), end: () => rowsOf(lines.end(), true) }
}

/** Cuts text into lines, with any line break; empty ones are counted but left out. */
const createLineCutter = (): { readonly read: (text: string) => readonly TextLine[]; readonly end: () => readonly TextLine[] } => {
  let rest = ''
  let line = 1
  let skipping = false

  const lineOf = (text: string): TextLine => ({ line, text: text.slice(0, longestLine), tooLong: text.length > longestLine })

  const read = (text: string): readonly TextLine[] => {
    const all = rest + text
    const lines: TextLine[] = []
    let from = 0
    for (let at = 0; at < all.length; at += 1) {
      const code = all.charCodeAt(at)
      if (code !== lineFeed && code !== carriageReturn) continue
      // At the very end it may be half of a line break.
      if (code === carriageReturn && at === all.length - 1) break
      if (at > from && !skipping) lines.push(lineOf(all.slice(from, at)))
      if (code === carriageReturn && all.charCodeAt(at + 1) === lineFeed) at += 1
      from = at + 1
      line += 1
      skipping = false
    }
    rest = all.slice(from)
    // A line that is too long is reported by its beginning, and the rest is skipped.
    if (rest.length > longestLine && !skipping) {
      lines.push(lineOf(rest))
      skipping = true
    }
    if (skipping) rest = rest.endsWith('\r') ? '\r' : ''
    return lines
  }

  return { read, end: () => read('\n') }
}

const count = (text: string, character: string): number => {
  let found = 0
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found += 1
  return found
}

const isJoined = (row: TextRow | Joined): row is Joined => 'text' in row

const toCells = (rows: readonly (TextRow | Joined)[], separator: string): readonly TextRow[] => {
  const whole = rows.filter(isJoined)
  const cells = parseAll(whole.map(({ text }) => text), separator)
  const cellsOf = new Map(whole.map((row, index) => [row, cells[index] ?? null]))
  return rows.map((row) => {
    if (!isJoined(row)) return row
    const found = cellsOf.get(row)
    return found ? { line: row.line, cells: found } : { line: row.line, broken: 'quotes', start: row.text.slice(0, 40) }
  })
}

/** The cells of each row; null for a row whose quotes are broken. All rows are parsed at once, and one by one only where some are broken. */
const parseAll = (texts: readonly string[], separator: string): readonly (readonly string[] | null)[] => {
  const all = parseText(texts.join('\n'), separator)
  if (all !== null && all.length === texts.length) return all.map((cells) => unwrap(cells, separator))
  return texts.map((text) => {
    const rows = parseText(text, separator)
    return rows?.length === 1 && rows[0] !== undefined ? unwrap(rows[0], separator) : null
  })
}

const parseText = (text: string, separator: string): string[][] | null => {
  try {
    return parse(text, { delimiter: separator, record_delimiter: '\n', relax_column_count: true, max_record_size: 0 })
  } catch {
    return null
  }
}

/** Spreadsheets that took a file for one of a single column put each row that has quotes into quotes once more. */
const unwrap = (cells: readonly string[], separator: string): readonly string[] => {
  const [only = ''] = cells
  if (cells.length > 1 || !only.includes(separator)) return cells
  const rows = parseText(only, separator)
  return rows?.length === 1 && rows[0] !== undefined ? rows[0] : cells
}

/** Turns the bytes of a file into text as they come. */
type TextReader = {
  /** The complete characters of more bytes; null if they are not text. */
  readonly read: (bytes: Uint8Array) => string | null
  /** What was held back; a character cut off by the end of the file counts as one that cannot be read. */
  readonly end: () => string | null
}

type Decoder = InstanceType<typeof TextDecoder>

/**
 * Reads UTF-8; UTF-16 where the file begins with its mark; and Latin-1, as Windows writes it, where the first character
 * beyond ASCII is no UTF-8. The mark is no part of the text, and control characters are in no text.
 */
export const createTextReader = (): TextReader => {
  let decoder: Decoder | null = null
  let start = new Uint8Array(0)
  let onlyAscii = true
  // The bytes that a UTF-8 decoder holds back: the incomplete character at the end.
  let pending = new Uint8Array(0)

  const decode = (bytes: Uint8Array): string | null => {
    try {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true })
      const text = decoder.decode(bytes, { stream: true })
      if (decoder.encoding === 'utf-8') {
        onlyAscii &&= !beyondAscii.test(text)
        pending = tailOf(pending, bytes)
      }
      return text.includes('\0') || (decoder.encoding === 'windows-1252' && control.test(text)) ? null : text
    } catch {
      return decoder?.encoding === 'utf-8' && onlyAscii ? inLatin(bytes) : null
    }
  }
  /** Null if a whole character beyond ASCII comes before the broken one: then it is broken UTF-8. */
  const inLatin = (bytes: Uint8Array): string | null => {
    const all = new Uint8Array(pending.length + bytes.length)
    all.set(pending)
    all.set(bytes, pending.length)
    if (beyondAscii.exec(new TextDecoder('utf-8').decode(all))?.[0] !== '\ufffd') return null
    decoder = new TextDecoder('windows-1252', { fatal: true })
    onlyAscii = false
    return decode(all)
  }

  return {
    read: (bytes) => {
      if (decoder !== null) return decode(bytes)
      const known = new Uint8Array(start.length + bytes.length)
      known.set(start)
      known.set(bytes, start.length)
      start = known
      return start.length < 2 ? '' : decode(start)
    },
    end: () => {
      const text = decoder === null ? decode(start) : ''
      try {
        return text === null ? null : text + (decoder?.decode() ?? '')
      } catch {
        return onlyAscii ? inLatin(new Uint8Array(0)) : '\ufffd'
      }
    },
  }
}

const control = /[\u0001-\u0008\u000e-\u001f]/
const beyondAscii = /[^\u0000-\u007f]/

const tailOf = (pending: Uint8Array, bytes: Uint8Array): Uint8Array<ArrayBuffer> => {
  const ends = [...pending, ...bytes.subarray(-4)].slice(-4)
  const from = ends.findLastIndex((byte) => byte < 0x80) + 1
  return Uint8Array.from(ends.slice(from))
}

const encodingOf = ([one, two]: Uint8Array): string => {
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  return one === 0xfe && two === 0xff ? 'utf-16be' : 'utf-8'
}
