import { asc, eq } from 'drizzle-orm'
import type { MirrorEntity } from '#shared/mirror/record.ts'
import { query, type Reader } from '../db/database.ts'
import { importedSpecs as specTable } from '../db/schema/imports.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { imports } from '../imports/queries.ts'
import { everything } from '../mirror/mirror-place.ts'
import { contentOf, contentsOf, fillsWithoutBase } from '../mirror/outgoing.ts'

type Named = { readonly entity: MirrorEntity; readonly id: string; readonly content: string | null }
type Content = { readonly id: string; readonly content: string }
type Part = { readonly place: number; readonly content: string }

const line = (entity: MirrorEntity, id: string, content: string): string => `{"entity":"${entity}","id":${JSON.stringify(id)},"content":${content}}`

/**
 * A user's journal as the lines of `journalFileLine`, without the bytes of its pictures. Contains the fills as they are
 * without imports, and the imports separately, so that these can be undone wherever the journal is restored.
 */
export function* wholeJournal(reader: Reader, userId: string): Generator<string> {
  const importedSpecs = reader.orm.select().from(specTable).where(eq(specTable.userId, userId)).orderBy(asc(specTable.contract)).all().map(({ contract }) => contract)
  yield JSON.stringify({ importedSpecs })
  yield* recordsOf(reader, userId, "NOT IN ('removal', 'fill', 'pair')")
  yield* fillsOf(reader, userId)
  yield* recordsOf(reader, userId, "= 'pair'")
  yield* importsOf(reader, userId)
}

// Raw SQL from here on: a journal is too large to be read other than row by row, which drizzle cannot.
function* recordsOf(reader: Reader, userId: string, which: string): Generator<string> {
  const sql = contentsOf(`SELECT @user, entity, id FROM (${everything}) WHERE entity ${which}`)
  for (const row of query<Named>(reader, sql).iterate({ user: userId })) {
    const content = contentOf(reader, userId, row)
    if (content !== null) yield line(row.entity, row.id, content)
  }
}

function* fillsOf(reader: Reader, userId: string): Generator<string> {
  for (const { id, content } of query<Content>(reader, fillsWithoutBase).iterate(userId)) yield line('fill', id, content)
  const baseFills = `SELECT account || '/' || id AS id, told AS content FROM told_fills WHERE user_id = ? AND told IS NOT NULL
    ORDER BY account, json_extract(told, '$.contract'), json_extract(told, '$.time')`
  for (const { id, content } of query<Content>(reader, baseFills).iterate(userId)) {
    yield line('fill', id, JSON.stringify({ ...(JSON.parse(content) as PricedFill), id: undefined }))
  }
}

function* importsOf(reader: Reader, userId: string): Generator<string> {
  const partsOf = query<Part>(reader, 'SELECT place, content FROM import_readings WHERE user_id = ? AND import_id = ? ORDER BY place, part')
  for (const { id, at, zone, account, undoneAt, files } of imports(reader, { userId }).toReversed()) {
    yield JSON.stringify({ import: { id, at, zone, account, undoneAt, files } })
    for (const { place, content } of partsOf.iterate(userId, id)) yield `{"readings":{"import":${JSON.stringify(id)},"place":${String(place)},"readings":${content}}}`
  }
}
