import { z } from 'zod'
import { isKeptAsItIs, nameText, utcMs } from '../api/fields.ts'
import { exportKinds } from '../imports/export-kind.ts'
import { readingShape } from '../imports/reading-shape.ts'
import { pictureName } from './picture.ts'
import { mirrorRecord } from './record.ts'

/*
 * A whole journal as one file: lines of JSON, gzipped. The first line says what it is, the last one how many lines stand
 * before it and their digest, so that a file that was cut or damaged is noticed. Between them, in this order, come the
 * contracts whose figures only imports tell; every record that is mirrored, of fills what was told without imports; the
 * imports and what was read for them; and the pictures.
 */

/** The version that this program writes, and the newest that it reads. A new kind of record is a new version. */
export const journalFileVersion = 3

const whole = z.number().int().nonnegative()
const id = nameText.max(300)
const text = z.string().max(1_000).refine(isKeptAsItIs)

/** The first line: enough of it to know a file of ours of any version. */
export const journalFileHead = z.object({ fillbook: z.literal('journal'), version: z.number().int().positive(), at: z.iso.datetime(), timeZone: nameText })
export type JournalFileHead = z.infer<typeof journalFileHead>

/** An import that stands or was undone. Times are UTC ms. */
export const importLine = z.object({
  id,
  at: utcMs,
  zone: nameText,
  account: text.nullable(),
  undoneAt: utcMs.nullable(),
  files: z.array(z.object({ place: whole, name: text, kind: z.enum(exportKinds), rows: whole, accepted: whole, refused: whole, account: text.nullable().default(null) })).max(10_000),
})
export type ImportLine = z.infer<typeof importLine>

/** What some rows of one file of an import say, which all name the same account. */
export const readingsLine = z.object({ import: id, place: whole, readings: z.array(readingShape).min(1).max(20_000) })

/** Every line between the first and the last. */
export const journalFileLine = z.union([
  mirrorRecord,
  z.object({ importedSpecs: z.array(nameText).max(100_000) }),
  z.object({ import: importLine }),
  z.object({ readings: readingsLine }),
  // Whether the bytes are right, the name tells, which is their digest.
  z.object({ picture: z.object({ name: pictureName, base64: z.string().min(1) }) }),
])

/** The last line. */
export const journalFileEnd = z.object({ end: z.object({ lines: whole, sha256: z.string().regex(/^[0-9a-f]{64}$/) }) })
