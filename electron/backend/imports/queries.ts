import { and, asc, eq, inArray, isNotNull, isNull, max, ne, or, sql, type SQL } from 'drizzle-orm'
import { datedReading } from '#shared/imports/contract-code.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { FileRows } from '#shared/imports/file-rows.ts'
import type { AccountNamed, Reading } from '#shared/imports/reading.ts'
import type { ImportLine } from '#shared/mirror/journal-file.ts'
import { deleteTransfers, saveTransfers } from './cash-transfers.ts'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { storeFault } from '../db/fault.ts'
import { importsOfHistory } from './history-queries.ts'
import { accountAttribution, accountsNamed } from './import-accounts.ts'
import { fileOfPart, givenAccount, importOfPart, savePartFacts } from './part-facts.ts'
import { importFiles as fileTable, importReadings as readingTable, imports as table, importsUnsettled } from '../db/schema/imports.ts'
import type { At, OfUser } from '../db/rows.ts'
import type { ImportedFile, StoredImport, OfImport } from './rows.ts'

const one = (userId: string, importId: string) => and(eq(table.userId, userId), eq(table.id, importId))
const ofImport = (userId: string, importId: string) => and(eq(readingTable.userId, userId), eq(readingTable.importId, importId))

const accountsOfImports = ({ orm }: Reader, userId: string) => {
  // Rows that name no account belong to the one that the user named, unless something else says whose they are.
  const name = sql<string>`COALESCE(${readingTable.accountName}, ${readingTable.accountId}, ${givenAccount})`
  return orm
    .selectDistinct({ id: readingTable.importId, name })
    .from(readingTable)
    .innerJoin(table, importOfPart)
    .leftJoin(fileTable, fileOfPart)
    .where(and(eq(readingTable.userId, userId), isNotNull(name)))
    .orderBy(name)
    .all()
}

/** The newest first; one whose files are still being read is not among them. */
export const imports = (reader: Reader, { userId }: OfUser): StoredImport[] => {
  const { orm } = reader
  const accounts = Map.groupBy(accountsOfImports(reader, userId), ({ id }) => id)
  const ofHistory = importsOfHistory(reader, userId)
  const files = Map.groupBy(orm.select().from(fileTable).where(eq(fileTable.userId, userId)).orderBy(asc(fileTable.place)).all(), ({ importId }) => importId)
  return orm
    .select()
    .from(table)
    .where(and(eq(table.userId, userId), ne(table.state, 'incoming')))
    .all()
    .toSorted((first, other) => other.at - first.at || (first.id < other.id ? -1 : 1))
    .map(({ id, at, zone, account, undoneAt }) => ({
      id, at, zone, account, undoneAt,
      fromBroker: ofHistory.has(id),
      accounts: (accounts.get(id) ?? []).map(({ name }) => name),
      files: (files.get(id) ?? []).map(({ place, name, kind, rows, accepted, refused, account }) => ({ place, name, kind, rows, accepted, refused, account })),
    }))
}

export const beginImport = ({ orm }: Writer, { userId, at, importId, zone, account }: OfImport & At & { readonly zone: string; readonly account: string | null }): void => {
  orm.insert(table).values({ userId, id: importId, at, zone, account, state: 'incoming' }).run()
}

const stateOf = ({ orm }: Reader, userId: string, importId: string) => orm.select({ state: table.state }).from(table).where(one(userId, importId)).get()?.state

const mustBeIncoming = (reader: Reader, userId: string, importId: string): void => {
  if (stateOf(reader, userId, importId) !== 'incoming') throw storeFault('not-found', 'No such import under way')
}

const accountText = ({ name, id }: AccountNamed): string => JSON.stringify([name, id])

export const addReadings = (writer: Writer, { userId, importId, place, readings }: OfImport & { readonly place: number; readonly readings: readonly Reading[] }): void => {
  mustBeIncoming(writer, userId, importId)
  const { orm } = writer
  const last = orm.select({ part: max(readingTable.part) }).from(readingTable).where(and(ofImport(userId, importId), eq(readingTable.place, place))).get()
  let part = (last?.part ?? -1) + 1
  for (const ofAccount of Map.groupBy(readings, ({ account }) => accountText(account)).values()) {
    const { name, id } = ofAccount[0]?.account ?? { name: null, id: null }
    orm.insert(readingTable).values({ userId, importId, place, part, accountName: name, accountId: id, content: JSON.stringify(ofAccount) }).run()
    savePartFacts(writer, { userId, importId, place, part }, ofAccount)
    saveTransfers(writer, { userId, importId, place, part }, ofAccount)
    part += 1
  }
}

export const addImportFile = (writer: Writer, { userId, importId, place, name, kind, rows, accepted, refused, account = null }: OfImport & ImportedFile): void => {
  mustBeIncoming(writer, userId, importId)
  writer.orm.insert(fileTable).values({ userId, importId, place, name, kind, rows, accepted, refused, account }).run()
}

/** Deletes the readings of a file that turns out not to be an export. */
export const deleteImportFile = (writer: Writer, { userId, importId, place }: OfImport & { readonly place: number }): void => {
  mustBeIncoming(writer, userId, importId)
  writer.orm.delete(readingTable).where(and(ofImport(userId, importId), eq(readingTable.place, place))).run()
  deleteTransfers(writer, userId, importId, place)
}

const deleteReadings = (writer: Writer, userId: string, importId: string): void => {
  deleteTransfers(writer, userId, importId, null)
  writer.orm.delete(readingTable).where(ofImport(userId, importId)).run()
}

/** Deletes an import with its readings; fills must then be recomputed. */
export const deleteImport = (writer: Writer, userId: string, importId: string): void => {
  deleteReadings(writer, userId, importId)
  writer.orm.delete(fileTable).where(and(eq(fileTable.userId, userId), eq(fileTable.importId, importId))).run()
  writer.orm.delete(table).where(one(userId, importId)).run()
}

/** Deletes an import that was begun and not finished. */
export const deleteUnfinishedImport = (writer: Writer, { userId, importId }: OfImport): void => {
  if (stateOf(writer, userId, importId) === 'incoming') deleteImport(writer, userId, importId)
}

/** Activates an import that was read; throws `not-found` if none is under way. */
export const activateImport = (writer: Writer, userId: string, importId: string): void => {
  mustBeIncoming(writer, userId, importId)
  writer.orm.update(table).set({ state: 'standing' }).where(one(userId, importId)).run()
}

/** Marks an import as undone and deletes its readings; false if it is not active. */
export const markUndone = (writer: Writer, userId: string, at: number, importId: string): boolean => {
  if (stateOf(writer, userId, importId) !== 'standing') return false
  writer.orm.update(table).set({ state: 'undone', undoneAt: at }).where(one(userId, importId)).run()
  deleteReadings(writer, userId, importId)
  return true
}

/** Whether an import is one that was undone. */
export const isUndone = (reader: Reader, userId: string, importId: string): boolean => stateOf(reader, userId, importId) === 'undone'

/** The import whose undoing began at a time (UTC ms), by which it left the user unsettled; null if none did. */
export const undoneAt = ({ orm }: Reader, userId: string, at: number): string | null =>
  orm.select({ id: table.id }).from(table).where(and(eq(table.userId, userId), eq(table.state, 'undone'), eq(table.undoneAt, at))).get()?.id ?? null

/** Records an import that was undone on another computer; one that is active here is undone with it. */
export const recordUndone = (writer: Writer, userId: string, { id, at, zone, account, undoneAt, files }: ImportLine & { readonly undoneAt: number }): void => {
  const known = stateOf(writer, userId, id)
  if (known === 'standing') markUndone(writer, userId, undoneAt, id)
  if (known !== undefined) return
  writer.orm.insert(table).values({ userId, id, at, zone, account, state: 'undone', undoneAt }).run()
  for (const file of files) writer.orm.insert(fileTable).values({ userId, importId: id, ...file }).run()
}

/** Deletes imports whose files a program that has ended was still reading. */
export const deleteUnfinishedImports = (writer: Writer): void => {
  for (const { userId, id } of writer.orm.select().from(table).where(eq(table.state, 'incoming')).all()) deleteImport(writer, userId, id)
}

/** A file of readings: its name, kind and zone, and the account that the user chose for its rows that name none. `key` tells it from all others, `place` is its number among those of its import, from 0. */
export type StoredFile = Omit<FileRows, 'readings'> & { readonly key: string; readonly place: number }

/** A reading of an import that is active or about to be. */
export type StoredReading = { readonly reading: Reading; readonly file: StoredFile }

const piecesOf = ({ orm }: Reader, userId: string, wanted: SQL) => {
  const { importId, place, part, accountName: name, accountId: id } = readingTable
  return orm
    .select({ importId, place, part, name, id, accountGiven: givenAccount, file: fileTable.name, kind: fileTable.kind, zone: table.zone, at: table.at })
    .from(readingTable)
    .innerJoin(table, importOfPart)
    .leftJoin(fileTable, fileOfPart)
    .where(and(eq(readingTable.userId, userId), wanted))
    .all()
}

type Piece = ReturnType<typeof piecesOf>[number]

/** The readings of active imports, of rows that `wanted` accepts, in chunks, so that a caller can yield between two. */
export function* activeReadings(reader: Reader, userId: string, wanted: (named: AccountNamed) => boolean = () => true): Generator<readonly StoredReading[]> {
  for (const piece of piecesOf(reader, userId, eq(table.state, 'standing'))) if (wanted(piece)) yield readingsAt(reader, userId, piece)
}

/** The readings of one import, active or not, in chunks. */
export function* readingsOfImport(reader: Reader, userId: string, importId: string): Generator<readonly StoredReading[]> {
  for (const piece of piecesOf(reader, userId, eq(readingTable.importId, importId))) yield readingsAt(reader, userId, piece)
}

const readingsAt = ({ orm }: Reader, userId: string, { importId, place, part, accountGiven, file: name, kind, zone, at }: Piece): readonly StoredReading[] => {
  const row = orm.select({ content: readingTable.content }).from(readingTable).where(and(ofImport(userId, importId), eq(readingTable.place, place), eq(readingTable.part, part))).get()
  const readings = JSON.parse(row?.content ?? '[]') as readonly Reading[]
  // Earlier programs kept contracts of different years under one name.
  const file: StoredFile = { key: `${importId}\n${String(place)}`, place, name: name ?? '', kind, zone, accountGiven, at }
  // One object for all rows that name the same account: of a million rows each would else be 100 MB of the same words.
  let last = readings[0]?.account
  return readings.map((reading) => {
    const { account } = reading
    if (last === undefined || account.id !== last.id || account.name !== last.name) last = account
    return { reading: datedReading(Object.assign(reading, { account: last })), file }
  })
}

const marks = new WeakMap<Writer, Map<string, number>>()

/** How often a user's fills were marked for recomputing: a higher number after a run means to run again. */
export const timesMarked = (writer: Writer, userId: string): number => marks.get(writer)?.get(userId) ?? 0

const upsertUnsettled = perConnection(({ orm }: Writer) => {
  const at = sql.placeholder('at')
  return orm.insert(importsUnsettled).values({ userId: sql.placeholder('userId'), at }).onConflictDoUpdate({ target: importsUnsettled.userId, set: { at: sql`${at}` } }).prepare()
})

/** Marks a user's fills for recomputing at `at` (UTC ms). */
export const markUnsettled = (writer: Writer, userId: string, at: number): void => {
  const times = marks.get(writer) ?? new Map<string, number>()
  marks.set(writer, times.set(userId, (times.get(userId) ?? 0) + 1))
  upsertUnsettled(writer).run({ userId, at })
}

/** Whether a user's fills must be recomputed. */
export const isUnsettled = ({ orm }: Reader, userId: string): boolean => orm.select().from(importsUnsettled).where(eq(importsUnsettled.userId, userId)).get() !== undefined

/** The accounts that imports change; null for all, if imports have rows that name no account. */
export const accountsWithImports = (reader: Reader, userId: string): ReadonlySet<AccountKey> | null => {
  const rows = accountsNamed(reader, userId)
  if (rows.length === 0 && !isUnsettled(reader, userId)) return new Set()
  const attribute = accountAttribution(reader, userId)
  const keys = rows.map(attribute)
  const named = keys.filter((key) => key !== null)
  return named.length < keys.length ? null : new Set(named)
}

/** The users whose fills must be recomputed, and since when (UTC ms). */
export const unsettledUsers = ({ orm }: Reader): { readonly userId: string; readonly at: number }[] => orm.select().from(importsUnsettled).orderBy(asc(importsUnsettled.userId)).all()

/** Saves an account's id with rows of imports that name it only by `name`, so that they stay its rows when the broker renames it. Runs before the account has its new name. */
export const saveBrokerId = ({ orm }: Writer, userId: string, { name, brokerAccountId }: { readonly name: string; readonly brokerAccountId: string }): void => {
  orm.update(readingTable).set({ accountId: brokerAccountId }).where(and(eq(readingTable.userId, userId), eq(readingTable.accountName, name), isNull(readingTable.accountId))).run()
}

/** Marks fills for recomputing if active imports name an account so, or have rows that may be its. */
export const markUnsettledIfNamed = (writer: Writer, userId: string, at: number, { name, brokerAccountId }: { readonly name: string; readonly brokerAccountId: string }): void => {
  const { accountName, accountId } = readingTable
  const mayBeIts = or(inArray(accountName, [name, brokerAccountId]), eq(accountId, brokerAccountId), and(isNull(accountName), isNull(accountId)))
  if (writer.orm.select({ part: readingTable.part }).from(readingTable).where(and(eq(readingTable.userId, userId), mayBeIts)).get() !== undefined) markUnsettled(writer, userId, at)
}
