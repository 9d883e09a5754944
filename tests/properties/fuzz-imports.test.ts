/** @module-tag long */

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { hugeShapes, readHuge } from '#tests/helpers/exports/huge.ts'
import { readBytes as readAny, type ReadFile } from '#tests/helpers/exports/read.ts'
import { sampleFormats, sampleTables, sampleZone } from '#tests/helpers/exports/samples.ts'
import { csvText, encoded, plainStyle, reordered, withCell, type Table } from '#tests/helpers/exports/table.ts'
import { expectSound, hugeOutcomes, missingFrom, readingsOf, textOf } from './fuzz-laws.ts'

const readBytes = (bytes: Uint8Array, zone: string, size?: number): Promise<ReadFile> => readAny(bytes, zone, size, sampleFormats)
const tables = [...sampleTables(7, 12)]
const read = (text: string) => readBytes(Buffer.from(text), sampleZone)
const readTable = (table: Table) => read(csvText(table))
const someRow = fc.nat(5)
const isMapped = ([kind]: (typeof tables)[number]): boolean => kind === 'mapped-fills'
const anyTables = [['of a report', fc.constantFrom(...tables.filter((table) => !isMapped(table)))], ['in a format of the user’s own', fc.constantFrom(...tables.filter(isMapped))]] as const

const columnPairs = [['Account', '_accountId'], ['Account Name', 'Account ID'], ['Contract', '_contractId']]
/** The one other row of the account or contract of a row; null where it has none, or several. */
const rivalOf = ({ header, rows }: Table, row: number, pair: readonly string[]): number | null => {
  const columns = header.flatMap((name, index) => (pair.includes(name) ? [index] : []))
  const others = rows.flatMap((cells, index) => (index !== row && columns.some((column) => cells[column] === rows[row]?.[column]) ? [index] : []))
  return others.length === 1 ? (others[0] ?? null) : null
}

describe('a file that is damaged', () => {
  it.each(tables)('%s: truncated at any byte gives its complete rows, and for the cut one at most a refusal', async (_kind, table) => {
    const short = { ...table, rows: table.rows.slice(0, 3) }
    const bytes = encoded(csvText(short))
    const whole = readingsOf(await readBytes(bytes, sampleZone))
    const headerEnds = bytes.indexOf('\n'.charCodeAt(0))
    for (let end = 0; end < bytes.length; end += 1) {
      const file = await readBytes(bytes.subarray(0, end), sampleZone)
      expectSound(file)
      if (end === 0) expect(file).toEqual({ ok: false, problem: { code: 'empty' } })
      if (!file.ok) continue
      if (end <= headerEnds) expect(file.summary.rows).toBe(0)
      const complete = bytes.subarray(0, end).toString().split('\n').length - 2
      // Whether the last cell is complete is unknown; the rows before it are unchanged.
      const before = readingsOf(file).slice(0, Math.max(0, readingsOf(file).length - 1))
      expect(before.map(textOf)).toEqual(whole.slice(0, before.length).map(textOf))
      expect(file.summary.rows).toBeLessThanOrEqual(complete + 1)
    }
  })

  it.each(anyTables)('%s: gives the same in any order of rows and columns', async (_, anyTable) => {
    await fc.assert(
      fc.asyncProperty(anyTable, fc.nat(), async ([kind, table], seed) => {
        const draw = drawOf(seed)
        const mixed = reordered({ ...table, rows: draw.shuffle(table.rows) }, draw.shuffle(table.header.map((_, index) => index)))
        const file = await readTable(mixed)
        expect(file.ok && file.kind).toBe(kind)
        expect(readingsOf(file).map(textOf).sort()).toEqual(readingsOf(await readTable(table)).map(textOf).sort())
      }),
      { numRuns: 100 },
    )
  })

  it.each(anyTables)('%s: gives the same in pieces of any size, with either line end, with a mark or without, in UTF-8 and UTF-16', async (_, anyTable) => {
    await fc.assert(
      fc.asyncProperty(anyTable, fc.integer({ min: 1, max: 400 }), fc.constantFrom('utf-8' as const, 'utf-16le' as const, 'utf-16be' as const), fc.boolean(), fc.constantFrom('\n' as const, '\r\n' as const), fc.boolean(), async ([, table], size, encoding, mark, lineEnd, lastLineEnds) => {
        const bytes = encoded(csvText(table, { lineEnd, lastLineEnds }), { mark, encoding })
        const file = await readBytes(bytes, sampleZone, size)
        expect(readingsOf(file)).toEqual(readingsOf(await readTable(table)))
        expect(file.ok && file.refused).toEqual([])
      }),
      { numRuns: 150 },
    )
  })

  it.each(anyTables)('refuses a row with a nonsense cell, or takes it unchanged, and leaves all others alone', async (_, anyTable) => {
    const nonsense = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('', ' ', '-', '$', '$()', '1e308', '-1e400', '9'.repeat(400), 'NaN', 'Infinity', '0x10', '1,2,3', '--1', '02/30/2026 10:00:00', '99/99/9999 99:99:99', '2026-13-45', '0000-00-00', 'true', 'null', '\0', '\uFEFF', '=1+1', 'x'.repeat(5_000)),
    )
    await fc.assert(
      fc.asyncProperty(anyTable, someRow, fc.nat(), nonsense, async ([, table], rowAt, columnAt, value) => {
        const row = rowAt % table.rows.length
        const column = table.header[columnAt % table.header.length] ?? ''
        const file = await readTable(withCell(table, row, column, value))
        expectSound(file)
        if (!file.ok) {
          expect(value).toContain('\0')
          return
        }
        // If two rows contradict each other in the name and number of an account or contract, either may be right.
        const pair = columnPairs.find((names) => names.includes(column))
        const rival = pair === undefined ? null : rivalOf(table, row, pair)
        const others = readingsOf(await readTable({ ...table, rows: table.rows.filter((_, index) => index !== row && (index !== rival || file.refused.every(({ line }) => line !== index + 2))) }))
        const left = missingFrom(readingsOf(file), others)
        expect(left).not.toBeNull()
        expect(left?.length).toBeLessThanOrEqual(1)
        // A line break in quotes may be taken for the end of the row: no export has any.
        const torn = /[\r\n]/.test(value) ? 1 : 0
        expect(file.summary.rows).toBeLessThanOrEqual(table.rows.length + torn)
        expect(file.refused.every(({ line }) => line === (rival ?? row) + 2 || (line >= row + 2 && line <= row + 2 + torn))).toBe(true)
      }),
      { numRuns: 400 },
    )
  })

  it.each(anyTables)('%s: loses only the row with broken quotes', async (_, anyTable) => {
    const broken = fc.constantFrom('"', '"abc', 'ab"c', 'abc"', '"a"b', '""a', 'a""', '"""')
    await fc.assert(
      fc.asyncProperty(anyTable, someRow, fc.nat(), broken, async ([, table], rowAt, columnAt, cell) => {
        const row = rowAt % table.rows.length
        const lines = csvText(table).split('\r\n')
        const plain = (table.rows[row] ?? []).map((each) => each.replaceAll(/[",]/g, ''))
        lines[row + 1] = plain.with(columnAt % plain.length, cell).join(',')
        const file = await read(lines.join('\r\n'))
        expectSound(file)
        const others = readingsOf(await readTable({ ...table, rows: table.rows.toSpliced(row, 1) }))
        expect(missingFrom(readingsOf(file), others)).not.toBeNull()
      }),
      { numRuns: 150 },
    )
  })

  it('refuses rows with a cell too few or too many, and reads on', async () => {
    for (const [kind, table] of tables) {
      const cells = table.rows[1] ?? []
      for (const wrong of [cells.slice(0, -2), [...cells, 'one', 'more'], cells.slice(0, 1)]) {
        const file = await readTable({ ...table, rows: table.rows.with(1, wrong) })
        expect([kind, file.ok && file.refused]).toEqual([kind, [{ line: 3, problem: expect.objectContaining({ code: 'wrong-columns' }) as unknown }]])
      }
    }
  })

  it('refuses the header of an appended second file, as one row', async () => {
    for (const [kind, table] of tables) {
      const file = await read(csvText(table) + csvText(table))
      expect([kind, file.ok && file.refused.map(({ line }) => line)]).toEqual([kind, [table.rows.length + 2]])
      expect(readingsOf(file).length).toBe(2 * readingsOf(await readTable(table)).length)
    }
  })

  it('takes a formula as text', async () => {
    const formulas = ["=cmd|'/C calc'!A0", '=HYPERLINK("http://example.invalid","x")', '@SUM(1+1)*cmd', '+1+cmd', '-2+3+cmd', '\t=1', '=1,2']
    for (const [, table] of tables) {
      for (const formula of formulas) {
        for (const column of table.header.filter((name) => name !== '')) {
          const file = await readTable(withCell(table, 0, column, formula))
          expectSound(file)
          const refused = file.ok ? file.refused : []
          const named = ['Account', 'Account Name', 'ID', 'Order ID', 'orderId', 'Fill ID', 'Transaction ID']
          const asText = readingsOf(file).some((reading) => textOf(reading).includes(JSON.stringify(formula.trim()).slice(1, -1)))
          if (asText) expect(refused).toEqual([])
          else if (named.includes(column)) expect(refused.length).toBeLessThanOrEqual(1)
        }
      }
    }
  })
})

describe('a file of another kind', () => {
  const sample = csvText(tables[0]?.[1] ?? { header: [], rows: [] })
  const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])
  const refusals: readonly (readonly [string, Uint8Array, readonly string[]])[] = [
    ['nothing', Buffer.alloc(0), ['empty']],
    ['a mark alone', Buffer.from('\uFEFF'), ['empty']],
    ['line ends alone', Buffer.from('\r\n'.repeat(500)), ['empty', 'unknown-kind']],
    ['blanks', Buffer.from(' '.repeat(500)), ['empty', 'unknown-kind']],
    ['what a failed export leaves', Buffer.from('undefined'), ['failed-export']],
    ['a web page', Buffer.from('<!doctype html><html><body>Access denied</body></html>'), ['unknown-kind']],
    ['JSON', Buffer.from('{"errorText":"Access is denied"}'), ['unknown-kind']],
    ['another table', Buffer.from('Date,Open,High,Low,Close\n2026-01-02,1,2,3,4\n'), ['unknown-kind']],
    ['a compressed file', gzipSync(sample), ['not-text']],
    ['a picture', Buffer.concat([png, Buffer.alloc(5_000, 0)]), ['not-text']],
    ['a workbook', Buffer.from('PK\u0003\u0004\u0014\0\u0006\0'), ['not-text']],
    ['UTF-16 without a mark', Buffer.from(sample, 'utf16le'), ['not-text']],
    ['UTF-32', Buffer.from([...sample].flatMap((letter) => [letter.charCodeAt(0), 0, 0, 0])), ['not-text']],
    ['zeros', Buffer.alloc(100_000), ['not-text']],
    ['quotes', Buffer.from('"'.repeat(1_000_001)), ['unknown-kind', 'not-text', 'unreadable']],
    ['deep quotes', Buffer.from('"""'.repeat(400_000)), ['unknown-kind', 'not-text', 'unreadable']],
    ['one endless header', Buffer.from('symbol,'.repeat(400_000)), ['unknown-kind', 'not-text', 'unreadable']],
  ]
  it.each(refusals)('%s is refused', async (_name, bytes, problems) => {
    const file = await readBytes(bytes, sampleZone)
    expect(file.ok).toBe(false)
    expect(problems).toContain(file.ok ? 'read' : file.problem.code)
  })

  it('random bytes are refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 2_000 }), async (bytes) => {
        const file = await readBytes(bytes, sampleZone)
        expect(file.ok).toBe(false)
        expectSound(file)
      }),
      { numRuns: 150 },
    )
  })

  it('binary data after a valid start gives only the rows before it', async () => {
    for (const [, table] of tables) {
      const start = encoded(csvText(table))
      const whole = readingsOf(await readBytes(start, sampleZone))
      const file = await readBytes(Buffer.concat([start, gzipSync(start), Buffer.alloc(2_000, 0)]), sampleZone)
      expectSound(file)
      if (file.ok) expect(readingsOf(file)).toEqual(whole)
    }
  })

  it('text in a Windows encoding is read where its letters do not matter, or refused', async () => {
    for (const [, table] of tables) {
      const text = csvText(table, plainStyle).replaceAll('Micro', 'Micró')
      const file = await readBytes(Buffer.from(text, 'latin1'), sampleZone)
      expectSound(file)
      if (file.ok) expect(file.summary.rows).toBe(table.rows.length)
      else expect(file.problem.code).toBe('not-text')
    }
  })
})

describe('a file without measure', () => {
  // Measured again where the garbage of other tests in this process lies in between.
  it.each(hugeShapes)('%s: memory stays bounded, and the result is clear', { tags: ['long', 'nightly'], retry: 2 }, async (shape) => {
    const huge = await readHuge(shape, shape === 'fills' || shape === 'line-ends' ? 12 : 80)
    expect(huge.outcome).toMatchObject(hugeOutcomes[shape])
    expect(huge.peakMb).toBeLessThan(64)
    if (!huge.outcome.ok && shape !== 'line-ends') expect(huge.takenMb).toBeLessThan(8)
  })
})
