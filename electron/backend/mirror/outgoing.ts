import { dayContent, dayOf } from '../trades/day-notes.ts'
import { editContent, editOf } from '../trades/edits.ts'
import type { Reader } from '../db/database.ts'
import { waitingRows, type WaitingRow } from './mirror-content.ts'
import { placeOfFill } from './outbox.ts'
import { hasBaseFill } from '../fills/base-fills.ts'
import type { OfUser } from '../db/rows.ts'

/** Approximate bytes of records in one push. */
const bytesAtOnce = 4_000_000

/** A record's JSON, including those built field by field; null if its row is gone. */
export const contentOf = (reader: Reader, userId: string, { entity, id, content }: Pick<WaitingRow, 'entity' | 'id' | 'content'>): string | null => {
  if (entity === 'edit') {
    const { fields, stamps } = editOf(reader, userId, id)
    return JSON.stringify(editContent(fields, stamps))
  }
  if (entity !== 'day') return content
  const { fields, stamps } = dayOf(reader, userId, id)
  return JSON.stringify(dayContent(fields, stamps))
}

// A base fill that is not among the journal's fills here may exist on another computer: it is not gone.
const isGone = (reader: Reader, userId: string, { entity, id }: WaitingRow): boolean => entity === 'pair' || (entity === 'fill' && !hasBaseFill(reader, userId, placeOfFill(reader, userId, id)))

/** A record as JSON; null if its row is gone. Only a fill pair, and a fill that no source has any more, can be sent as removed. */
const recordOf = (reader: Reader, userId: string, row: WaitingRow): string | null => {
  const content = contentOf(reader, userId, row) ?? (isGone(reader, userId, row) ? 'null' : null)
  return content === null ? null : `{"entity":"${row.entity}","id":${JSON.stringify(row.id)},"content":${content}}`
}

/**
 * The next records to send, those that have waited longest first, as the JSON of an array of `MirrorRecord`: at most
 * `limit`, and about 4 MB. `seqs` are the entries for `mirrorSent` to remove; with `after`, only entries after that
 * seq, so that the next batch can be read while one is being sent.
 */
export const outgoing = (reader: Reader, { userId, limit, after = 0 }: OfUser & { readonly limit: number; readonly after?: number }): { readonly seqs: readonly number[]; readonly records: Uint8Array } => {
  const seqs: number[] = []
  const texts: string[] = []
  let bytes = 0
  for (const row of waitingRows(reader, userId, after, limit)) {
    const text = recordOf(reader, userId, row)
    const length = text === null ? 0 : Buffer.byteLength(text)
    if (texts.length > 0 && bytes + length > bytesAtOnce) break
    bytes += length
    seqs.push(row.seq)
    if (text !== null) texts.push(text)
  }
  return { seqs, records: new TextEncoder().encode(`[${texts.join(',')}]`) }
}
