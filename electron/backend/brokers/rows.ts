import { z } from 'zod'

/** Why one row of an answer was left out while the rest went on. */
export type RefusalReason =
  /** `field` is missing or not in its shape. */
  | 'unreadable'
  | 'not-buy-or-sell'
  | 'no-order'
  | 'no-account'
  | 'no-contract'
  /** Its tick or point is worth something else than at the exchange. */
  | 'contract-differs'
  | 'price-off-tick'
  | 'amount-unreadable'
  | 'currency-unknown'

/** A row that was left out: which, and why. */
export type RefusedRow = {
  readonly entity: string
  /** Null if the row has no readable id. */
  readonly id: string | null
  readonly reason: RefusalReason
  readonly field: string | null
}

/** The readable rows of an answer, and those that were left out. */
export type Rows<T> = { readonly rows: readonly T[]; readonly refused: readonly RefusedRow[] }

const anyId = z.object({ id: z.union([z.number(), z.string()]) })

/** The parsed row, or its rejection with the first wrong field. */
export const readRow = <T>(entity: string, schema: z.core.$ZodType<T>, value: unknown): { readonly row: T } | { readonly refusal: RefusedRow } => {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return { row: parsed.data }
  const { data } = anyId.safeParse(value)
  const field = parsed.error.issues[0]?.path.join('.') || null
  return { refusal: { entity, id: data === undefined ? null : String(data.id), reason: 'unreadable', field } }
}

/** Parses a list row by row, so that a damaged row is rejected alone; `null` if the answer is not a list. */
export const readRows = <T>(entity: string, schema: z.core.$ZodType<T>, value: unknown): Rows<T> | null => {
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
