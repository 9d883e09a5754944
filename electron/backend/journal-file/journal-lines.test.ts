import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readJournalLines } from './journal-lines.ts'

const head = { fillbook: 'journal', version: 2, at: '2026-11-02T15:00:00.000Z', timeZone: 'UTC' }
const importOf = (id: number, files: readonly object[] = []) => ({ import: { id: String(id), at: 1, zone: 'UTC', account: null, undoneAt: 1, files } })
const file = { place: 0, name: 'Fills.csv', kind: 'fills', rows: 1, accepted: 1, refused: 0, account: null }

/** A whole file of these lines: gives what becomes of it. */
const read = async (lines: readonly object[]): Promise<unknown> => {
  const text = [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  const end = { end: { lines: lines.length + 1, sha256: createHash('sha256').update(text).digest('hex') } }
  const packed = gzipSync(`${text}${JSON.stringify(end)}\n`)
  const source = (async function* () {
    yield await Promise.resolve(packed)
  })()
  const outcome = await readJournalLines(source, () => undefined)
  return outcome.ok || outcome.error
}

test('a file with more imports, or more files of imports, than a journal can have is refused, however small it is', { tags: 'long', timeout: 120_000 }, async () => {
  const ids = Array.from({ length: 100_001 }, (_, index) => importOf(index))
  expect(await read(ids)).toBe('journal-file-too-large')
  expect(await read(ids.slice(1))).toBe(true)
  const many = Array.from({ length: 10_000 }, () => file)
  const full = Array.from({ length: 20 }, (_, index) => importOf(index, many))
  expect(await read(full)).toBe(true)
  expect(await read([...full, importOf(20, [file])])).toBe('journal-file-too-large')
})
