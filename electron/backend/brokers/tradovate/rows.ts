import { z } from 'zod'
import type { RefusedRow, Rows } from './wire.ts'

const anyId = z.object({ id: z.union([z.number(), z.string()]) })

/** The row in its shape, or the refusal that names it and the first field that is wrong. */
export const readRow = <T>(entity: string, schema: z.ZodType<T>, value: unknown): { readonly row: T } | { readonly refusal: RefusedRow } => {
  const parsed = schema.safeParse(value)
  if (parsed.success) return { row: parsed.data }
  const { data } = anyId.safeParse(value)
  const field = parsed.error.issues[0]?.path.join('.') || null
  return { refusal: { entity, id: data === undefined ? null : String(data.id), reason: 'unreadable', field } }
}

/** Reads a list row by row, so that a damaged one costs only itself; `null` where the answer is no list. */
export const readRows = <T>(entity: string, schema: z.ZodType<T>, value: unknown): Rows<T> | null => {
  if (!Array.isArray(value)) return null
  const rows: T[] = []
  const refused: RefusedRow[] = []
  for (const item of value) {
    const read = readRow(entity, schema, item)
    if ('row' in read) rows.push(read.row)
    else refused.push(read.refusal)
  }
  return { rows, refused }
}
