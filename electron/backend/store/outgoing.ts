import type { MirrorEntity } from '#shared/mirror/record.ts'
import { query, type Reader } from './database.ts'
import { editContent, editOf } from './edits.ts'
import { rowEntities, waitingRows, type WaitingRecord } from './mirror-content.ts'
import type { Read } from './part.ts'

/** About how many bytes of records are sent at once. */
const bytesAtOnce = 4_000_000

type Named = { seq: number; entity: MirrorEntity; entity_id: string }

const recordsOf = (reader: Reader, userId: string, named: readonly Named[]): Map<number, string> => {
  const kinds = new Set(named.map(({ entity }) => entity))
  const [from, to] = [named[0]?.seq ?? 0, named.at(-1)?.seq ?? 0]
  const edits = named.flatMap(({ seq, entity, entity_id: id }): WaitingRecord[] => {
    if (entity !== 'edit') return []
    const { fields, stamps } = editOf(reader, userId, id)
    return [{ seq, text: JSON.stringify({ entity, id, content: editContent(fields, stamps) }) }]
  })
  const rows = rowEntities.filter((entity) => kinds.has(entity)).flatMap((entity) => waitingRows(reader, userId, entity, from, to))
  return new Map([...rows, ...edits].map(({ seq, text }) => [seq, text]))
}

export const outgoing: Read<'outgoing'> = (reader, { userId, limit, after = 0 }) => {
  const named = query<Named>(reader, 'SELECT seq, entity, entity_id FROM outbox WHERE +user_id = ? AND +set_aside = 0 AND seq > ? ORDER BY seq LIMIT ?').all(userId, after, limit)
  const records = recordsOf(reader, userId, named)
  const seqs: number[] = []
  const texts: string[] = []
  let bytes = 0
  for (const { seq } of named) {
    const text = records.get(seq)
    const length = text === undefined ? 0 : Buffer.byteLength(text)
    if (texts.length > 0 && bytes + length > bytesAtOnce) break
    bytes += length
    seqs.push(seq)
    if (text !== undefined) texts.push(text)
  }
  return { seqs, records: new TextEncoder().encode(`[${texts.join(',')}]`) }
}
