import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { err, ok, type Result } from '#shared/base/result.ts'
import { largestJournalFile } from '#shared/api/journal-file.ts'
import { journalFileEnd, journalFileHead, journalFileLine, journalFileVersion, type JournalFileHead } from '#shared/mirror/journal-file.ts'
import { pictureNameOf, pictureTypeOf } from '#shared/mirror/picture.ts'

/** Why a file is rejected: not a journal file, from a newer program, damaged, truncated, or larger than a journal can be. */
export type JournalFileProblem = 'journal-file-foreign' | 'journal-file-newer' | 'journal-file-broken' | 'journal-file-cut' | 'journal-file-too-large'

/** A line between the first and the last; a picture includes its bytes. */
export type JournalLine = Exclude<z.infer<typeof journalFileLine>, { picture: unknown }> | { readonly picture: { readonly name: string; readonly bytes: Buffer } }

// The largest picture takes half of it.
const longestLine = 32 * 1024 * 1024
// Their ids are kept in memory to the end: ten a day for thirty years.
const mostImports = 100_000
const mostFiles = 200_000
// Sixteen times the largest file: nothing that compresses much better than a journal is one.
const mostText = 16 * largestJournalFile
const lineFeed = 0x0a
const endMark = Buffer.from('{"end":')

/**
 * Reads a journal file line by line and passes on its content; reads the next line once `take` is done. Only the
 * outcome tells whether the file is intact. Needs memory for one line and the ids of imports only.
 */
export const readJournalLines = async (source: AsyncIterable<Uint8Array>, take: (line: JournalLine) => Promise<void> | undefined): Promise<Result<JournalFileHead, JournalFileProblem>> => {
  const bytes = Readable.from(source, { objectMode: false })
  const text = createGunzip({ chunkSize: 64 * 1024 })
  bytes.on('error', (error) => text.destroy(error))
  const file = openFile(take)
  try {
    let unpacked = 0
    for await (const chunk of bytes.pipe(text)) {
      unpacked += (chunk as Buffer).length
      if (unpacked > mostText) return err('journal-file-too-large')
      const problem = await file.add(chunk as Buffer)
      if (problem !== null) return err(problem)
    }
    return file.end()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (!code.startsWith('Z_')) throw error
    if (file.head() === null) return err('journal-file-foreign')
    return err(code === 'Z_BUF_ERROR' ? 'journal-file-cut' : 'journal-file-broken')
  } finally {
    bytes.destroy()
    text.destroy()
  }
}

const openFile = (take: (line: JournalLine) => Promise<void> | undefined) => {
  const digest = createHash('sha256')
  const imports = new Set<string>()
  let head: JournalFileHead | null = null
  let ended = false
  let lines = 0
  let files = 0
  let begun: Buffer[] = []
  let begunBytes = 0

  const readLine = async (line: Buffer): Promise<JournalFileProblem | null> => {
    const value = parsed(line)
    if (head === null) {
      const first = journalFileHead.safeParse(value)
      if (!first.success) return 'journal-file-foreign'
      if (first.data.version > journalFileVersion) return 'journal-file-newer'
      head = first.data
    } else if (ended) return 'journal-file-broken'
    else {
      const last = line.subarray(0, endMark.length).equals(endMark) ? journalFileEnd.safeParse(value) : null
      if (last?.success === true) {
        ended = true
        return last.data.end.lines === lines && last.data.end.sha256 === digest.digest('hex') ? null : 'journal-file-broken'
      }
      const known = journalLineOf(value, imports)
      if (known === null) return 'journal-file-broken'
      if ('import' in known) files += known.import.files.length
      if (imports.size > mostImports || files > mostFiles) return 'journal-file-too-large'
      await take(known)
    }
    digest.update(line).update('\n')
    lines += 1
    return null
  }

  return {
    add: async (chunk: Buffer): Promise<JournalFileProblem | null> => {
      let from = 0
      for (let to = chunk.indexOf(lineFeed); to >= 0; to = chunk.indexOf(lineFeed, from)) {
        const line = Buffer.concat([...begun, chunk.subarray(from, to)])
        begun = []
        begunBytes = 0
        from = to + 1
        const problem = await readLine(line)
        if (problem !== null) return problem
      }
      begun.push(chunk.subarray(from))
      begunBytes += chunk.length - from
      if (begunBytes <= longestLine) return null
      return head === null ? 'journal-file-foreign' : 'journal-file-broken'
    },
    end: (): Result<JournalFileHead, JournalFileProblem> => {
      if (head === null) return err('journal-file-foreign')
      return ended && begunBytes === 0 ? ok(head) : err('journal-file-cut')
    },
    head: (): JournalFileHead | null => head,
  }
}

const parsed = (line: Buffer): unknown => {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return null
  }
}

/** The content of a line; null if it is nothing that a journal can hold. `imports` collects the ids of imports. */
const journalLineOf = (value: unknown, imports: Set<string>): JournalLine | null => {
  const { data } = journalFileLine.safeParse(value)
  if (data === undefined) return null
  if ('picture' in data) return pictureOf(data.picture)
  if ('import' in data) {
    if (imports.has(data.import.id)) return null
    imports.add(data.import.id)
  } else if ('readings' in data) {
    // Keeps the order of its fields, so that a restored journal is identical.
    return imports.has(data.readings.import) ? (value as JournalLine) : null
  } else if ('entity' in data) {
    if (data.content === null) return null
    if (data.entity === 'fill' && !data.id.startsWith(`${data.content.account}/`)) return null
  }
  return data
}

const pictureOf = ({ name, base64 }: { readonly name: string; readonly base64: string }): JournalLine | null => {
  const bytes = Buffer.from(base64, 'base64')
  const type = pictureTypeOf(bytes)
  return type !== null && name === pictureNameOf(type, createHash('sha256').update(bytes).digest('hex')) ? { picture: { name, bytes } } : null
}
