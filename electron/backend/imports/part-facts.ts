import { and, eq, sql, type SQL } from 'drizzle-orm'
import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { AccountNamed, Reading } from '#shared/imports/reading.ts'
import type { Reader, Writer } from '../db/database.ts'
import { importFiles, importNotes, importReadings, imports } from '../db/schema/imports.ts'

/** The import of a part of readings. */
export const importOfPart = and(eq(imports.userId, importReadings.userId), eq(imports.id, importReadings.importId))

/** The file of a part of readings; while it is read there is none. */
export const fileOfPart = and(eq(importFiles.userId, importReadings.userId), eq(importFiles.importId, importReadings.importId), eq(importFiles.place, importReadings.place))

/** The account that the user chose for rows of a part that name none. */
export const givenAccount = sql<string | null>`COALESCE(${importFiles.account}, ${imports.account})`

/** Where a part of an import's readings lies. */
export type PartPlace = { readonly userId: string; readonly importId: string; readonly place: number; readonly part: number }

/** A part of an import's readings: their account, and the facts known without reading them. */
export type PartFacts = AccountNamed & {
  readonly importId: string
  /** The account that the user chose for rows that name none. */
  readonly otherwise: string | null
  /** The sizes of ticks by contract. */
  readonly contracts: Readonly<Record<string, readonly string[]>>
}

/** Saves the contracts of a part of readings with their tick sizes, so that what a change of it can reach is known without reading it; runs in the caller's transaction. */
export const savePartFacts = ({ orm }: Writer, { userId, importId, place, part }: PartPlace, readings: readonly Reading[]): void => {
  const contracts = new Map<string, Set<string>>()
  for (const reading of readings) {
    if (reading.says !== 'fill' && reading.says !== 'order' && reading.says !== 'pair') continue
    getOrInsert(contracts, reading.contract, () => new Set()).add(reading.tickSize)
  }
  const text = JSON.stringify(Object.fromEntries([...contracts].map(([contract, sizes]) => [contract, [...sizes]])))
  orm.insert(importNotes).values({ userId, importId, place, part, contracts: text }).run()
}

const factsOfPart = and(eq(importNotes.userId, importReadings.userId), eq(importNotes.importId, importReadings.importId), eq(importNotes.place, importReadings.place), eq(importNotes.part, importReadings.part))

const factsOf = ({ orm }: Reader, userId: string, wanted: SQL): readonly PartFacts[] | null => {
  const rows = orm
    .select({ importId: importReadings.importId, name: importReadings.accountName, id: importReadings.accountId, otherwise: givenAccount, contracts: importNotes.contracts })
    .from(importReadings)
    .innerJoin(imports, importOfPart)
    .leftJoin(importFiles, fileOfPart)
    .leftJoin(importNotes, factsOfPart)
    .where(and(eq(importReadings.userId, userId), wanted))
    .all()
  const notes = rows.flatMap(({ contracts, ...row }) => (contracts === null ? [] : [{ ...row, contracts: JSON.parse(contracts) as PartFacts['contracts'] }]))
  return notes.length < rows.length ? null : notes
}

/** The facts of the parts of all active imports; null if one of them has none. */
export const factsOfActiveImports = (reader: Reader, userId: string): readonly PartFacts[] | null => factsOf(reader, userId, eq(imports.state, 'standing'))

/** The facts of the parts of one import; null if one of them has none. */
export const factsOfImport = (reader: Reader, userId: string, importId: string): readonly PartFacts[] | null => factsOf(reader, userId, eq(importReadings.importId, importId))
