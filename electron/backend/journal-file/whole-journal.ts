import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import type { MirrorEntity } from '#shared/mirror/record.ts'
import { eachRow, query, type Reader } from '../db/database.ts'
import { baseFills, importedSpecs as specTable, importReadings } from '../db/schema/imports.ts'
import type { PricedFill } from '../fills/fill-rows.ts'
import { imports } from '../imports/queries.ts'
import { everything } from '../mirror/mirror-position.ts'
import { contentOf, contentsOf, fillsWithoutBase } from '../mirror/outgoing.ts'

type Named = { readonly entity: MirrorEntity; readonly id: string; readonly content: string | null }
type Content = { readonly id: string; readonly content: string }

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

// Raw SQL of the mirror, whose records these are, here and for fills without a base: the benchmark `mirror` measures it.
function* recordsOf(reader: Reader, userId: string, which: string): Generator<string> {
  const sql = contentsOf(`SELECT @user, entity, id FROM (${everything}) WHERE entity ${which}`)
  for (const row of query<Named>(reader, sql).iterate({ user: userId })) {
    const content = contentOf(reader, userId, row)
    if (content !== null) yield line(row.entity, row.id, content)
  }
}

function* fillsOf(reader: Reader, userId: string): Generator<string> {
  for (const { id, content } of query<Content>(reader, fillsWithoutBase).iterate(userId)) yield line('fill', id, content)
  const { account, id: fillId, base } = baseFills
  const based = reader.orm
    .select({ account, id: fillId, base })
    .from(baseFills)
    .where(and(eq(baseFills.userId, userId), isNotNull(base)))
    .orderBy(asc(account), sql`json_extract(${base}, '$.contract')`, sql`json_extract(${base}, '$.time')`)
  for (const row of eachRow(reader, based)) yield line('fill', `${row.account}/${row.id}`, JSON.stringify({ ...(JSON.parse(row.base ?? 'null') as PricedFill), id: undefined }))
}

function* importsOf(reader: Reader, userId: string): Generator<string> {
  const { place: placeOf, part, content: text } = importReadings
  const partsOf = (importId: string) =>
    reader.orm
      .select({ place: placeOf, content: text })
      .from(importReadings)
      .where(and(eq(importReadings.userId, userId), eq(importReadings.importId, importId)))
      .orderBy(asc(placeOf), asc(part))
  for (const { id, at, zone, account, undoneAt, files } of imports(reader, { userId }).toReversed()) {
    yield JSON.stringify({ import: { id, at, zone, account, undoneAt, files } })
    for (const { place, content } of eachRow(reader, partsOf(id))) yield `{"readings":{"import":${JSON.stringify(id)},"place":${String(place)},"readings":${content}}}`
  }
}
