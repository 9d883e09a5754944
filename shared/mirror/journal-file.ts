import { z } from 'zod'
import { isKeptAsItIs, nameText, utcMs } from '../api/fields.ts'
import { exportKinds } from '../imports/export-kind.ts'
import { readingShape } from '../imports/reading-shape.ts'
import { pictureName } from './picture.ts'
import { mirrorRecord } from './record.ts'

/*
 * A whole journal as one file: gzipped lines of JSON. The first line identifies the file, the last one has the number
 * of lines before it and their digest, which reveals truncation and damage. Between them, in this order: contracts
 * whose figures only imports have; every mirrored record, with fills as they are without imports; the imports and their
 * rows; and the pictures.
 */

/** The version that this program writes, and the newest that it reads. A new kind of record needs a new version. */
export const journalFileVersion = 3

const whole = z.number().int().nonnegative()
const id = nameText.max(300)
const text = z.string().max(1_000).refine(isKeptAsItIs)

/** The first line: enough to recognize a journal file of any version. */
export const journalFileHead = z.object({ fillbook: z.literal('journal'), version: z.number().int().positive(), at: z.iso.datetime(), timeZone: nameText })
export type JournalFileHead = z.infer<typeof journalFileHead>

/** An active or undone import. Times are UTC ms. */
export const importLine = z.object({
  id,
  at: utcMs,
  zone: nameText,
  account: text.nullable(),
  undoneAt: utcMs.nullable(),
  files: z.array(z.object({ place: whole, name: text, kind: z.enum(exportKinds), rows: whole, accepted: whole, refused: whole, account: text.nullable().default(null) })).max(10_000),
})
export type ImportLine = z.infer<typeof importLine>

/** Rows of one file of an import that name the same account. */
export const readingsLine = z.object({ import: id, place: whole, readings: z.array(readingShape).min(1).max(20_000) })

/** Any line between the first and the last. */
export const journalFileLine = z.union([
  mirrorRecord,
  z.object({ importedSpecs: z.array(nameText).max(100_000) }),
  z.object({ import: importLine }),
  z.object({ readings: readingsLine }),
  // The name is a digest, so it shows whether the bytes are right.
  z.object({ picture: z.object({ name: pictureName, base64: z.string().min(1) }) }),
])

/** The last line. */
export const journalFileEnd = z.object({ end: z.object({ lines: whole, sha256: z.string().regex(/^[0-9a-f]{64}$/) }) })
