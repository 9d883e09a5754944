import { editContent, editOf } from './edits.ts'
import type { Reader } from './database.ts'
import { waitingRows, type WaitingRow } from './mirror-content.ts'
import type { Read } from './part.ts'

/** About how many bytes of records are sent at once. */
const bytesAtOnce = 4_000_000

const contentOf = (reader: Reader, userId: string, { entity, id, content }: WaitingRow): string | null => {
  if (entity !== 'edit') return content
  const { fields, stamps } = editOf(reader, userId, id)
  return JSON.stringify(editContent(fields, stamps))
}

/** A record as JSON; null where its row is gone. Of all records a pair alone can be told as gone. */
const recordOf = (reader: Reader, userId: string, row: WaitingRow): string | null => {
  const content = contentOf(reader, userId, row) ?? (row.entity === 'pair' ? 'null' : null)
  return content === null ? null : `{"entity":"${row.entity}","id":${JSON.stringify(row.id)},"content":${content}}`
}

export const outgoing: Read<'outgoing'> = (reader, { userId, limit, after = 0 }) => {
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
