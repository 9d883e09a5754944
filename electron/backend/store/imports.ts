import { and, asc, eq, ne } from 'drizzle-orm'
import type { AccountNamed, Reading } from '#shared/imports/reading.ts'
import type { ImportLine } from '#shared/mirror/journal-file.ts'
import { change, query, type Reader, type Writer } from './database.ts'
import { storeFault } from './fault.ts'
import { importsOfHistory } from './history.ts'
import type { Read, Write } from './part.ts'
import { importFiles as fileTable, imports as table } from './schema/imports.ts'

const one = (userId: string, importId: string) => and(eq(table.userId, userId), eq(table.id, importId))

export const imports: Read<'imports'> = (reader, { userId }) => {
  const { orm } = reader
  const accounts = Map.groupBy(
    query<{ id: string; name: string }>(reader, `SELECT DISTINCT import_id AS id, COALESCE(account_name, account_id) AS name FROM import_readings WHERE user_id = ? AND COALESCE(account_name, account_id) IS NOT NULL ORDER BY name`).all(userId),
    ({ id }) => id,
  )
  const ofHistory = importsOfHistory(reader, userId)
  const files = Map.groupBy(orm.select().from(fileTable).where(eq(fileTable.userId, userId)).orderBy(asc(fileTable.place)).all(), ({ importId }) => importId)
  return orm
    .select()
    .from(table)
    .where(and(eq(table.userId, userId), ne(table.state, 'incoming')))
    .all()
    .toSorted((first, other) => other.at - first.at || (first.id < other.id ? -1 : 1))
    .map(({ id, at, zone, account, undoneAt }) => ({
      ...{ id, at, zone, account, undoneAt },
      fromBroker: ofHistory.has(id),
      accounts: (accounts.get(id) ?? []).map(({ name }) => name),
      files: (files.get(id) ?? []).map(({ place, name, kind, rows, accepted, refused }) => ({ place, name, kind, rows, accepted, refused })),
    }))
}

export const beginImport: Write<'beginImport'> = ({ orm }, { userId, at, importId, zone, account }) => {
  orm.insert(table).values({ userId, id: importId, at, zone, account, state: 'incoming' }).run()
}

const stateOf = ({ orm }: Reader, userId: string, importId: string) => orm.select({ state: table.state }).from(table).where(one(userId, importId)).get()?.state

const mustBeIncoming = (reader: Reader, userId: string, importId: string): void => {
  if (stateOf(reader, userId, importId) !== 'incoming') throw storeFault('not-found', 'No such import under way')
}

const accountText = ({ name, id }: AccountNamed): string => JSON.stringify([name, id])

export const addReadings: Write<'addReadings'> = (writer, { userId, importId, place, readings }) => {
  mustBeIncoming(writer, userId, importId)
  const last = query<{ part: number | null }>(writer, 'SELECT max(part) AS part FROM import_readings WHERE user_id = ? AND import_id = ? AND place = ?').get(userId, importId, place)
  let part = (last?.part ?? -1) + 1
  const put = change(writer, 'INSERT INTO import_readings (user_id, import_id, place, part, account_name, account_id, content) VALUES (?, ?, ?, ?, ?, ?, ?)')
  for (const ofAccount of Map.groupBy(readings, ({ account }) => accountText(account)).values()) {
    const { name, id } = ofAccount[0]?.account ?? { name: null, id: null }
    put.run(userId, importId, place, part, name, id, JSON.stringify(ofAccount))
    part += 1
  }
}

export const addImportFile: Write<'addImportFile'> = (writer, { userId, importId, place, name, kind, rows, accepted, refused }) => {
  mustBeIncoming(writer, userId, importId)
  writer.orm.insert(fileTable).values({ userId, importId, place, name, kind, rows, accepted, refused }).run()
}

export const dropImportFile: Write<'dropImportFile'> = (writer, { userId, importId, place }) => {
  mustBeIncoming(writer, userId, importId)
  change(writer, 'DELETE FROM import_readings WHERE user_id = ? AND import_id = ? AND place = ?').run(userId, importId, place)
}

const forgetReadings = (writer: Writer, userId: string, importId: string): void => {
  change(writer, 'DELETE FROM import_readings WHERE user_id = ? AND import_id = ?').run(userId, importId)
}

/** Forgets an import with all that it brought; what stands of it has then to be settled. */
export const forgetImport = (writer: Writer, userId: string, importId: string): void => {
  forgetReadings(writer, userId, importId)
  change(writer, 'DELETE FROM import_files WHERE user_id = ? AND import_id = ?').run(userId, importId)
  change(writer, 'DELETE FROM imports WHERE user_id = ? AND id = ?').run(userId, importId)
}

export const dropImport: Write<'dropImport'> = (writer, { userId, importId }) => {
  if (stateOf(writer, userId, importId) === 'incoming') forgetImport(writer, userId, importId)
}

/** Lets an import that was read stand; throws `not-found` where it is not under way. */
export const letStand = (writer: Writer, userId: string, importId: string): void => {
  mustBeIncoming(writer, userId, importId)
  writer.orm.update(table).set({ state: 'standing' }).where(one(userId, importId)).run()
}

/** Marks an import as undone and forgets what it said; false where it does not stand. */
export const takeBack = (writer: Writer, userId: string, at: number, importId: string): boolean => {
  if (stateOf(writer, userId, importId) !== 'standing') return false
  writer.orm.update(table).set({ state: 'undone', undoneAt: at }).where(one(userId, importId)).run()
  forgetReadings(writer, userId, importId)
  return true
}

/** Knows an import that was undone elsewhere; one that stands here is undone with it. */
export const knowUndone = (writer: Writer, userId: string, { id, at, zone, account, undoneAt, files }: ImportLine & { readonly undoneAt: number }): void => {
  const known = stateOf(writer, userId, id)
  if (known === 'standing') takeBack(writer, userId, undoneAt, id)
  if (known !== undefined) return
  writer.orm.insert(table).values({ userId, id, at, zone, account, state: 'undone', undoneAt }).run()
  for (const file of files) writer.orm.insert(fileTable).values({ userId, importId: id, ...file }).run()
}

/** Forgets imports whose files a program that has ended was still reading. */
export const forgetIncoming = (writer: Writer): void => {
  for (const { userId, id } of writer.orm.select().from(table).where(eq(table.state, 'incoming')).all()) forgetImport(writer, userId, id)
}

/** A reading of an import that stands, and whose it is where it names no account. */
export type KeptReading = { readonly reading: Reading; readonly otherwise: string | null }

type Place = { import_id: string; place: number; part: number; account: string | null }

/** All readings of imports that stand, piece by piece, so that a caller can let others have their turn between two. */
export function* standingReadings(reader: Reader, userId: string): Generator<readonly KeptReading[]> {
  const sql = `SELECT import_id, place, part, account FROM import_readings JOIN imports ON imports.user_id = import_readings.user_id AND imports.id = import_id
    WHERE import_readings.user_id = ? AND state = 'standing'`
  const contentOf = query<{ content: string }>(reader, 'SELECT content FROM import_readings WHERE user_id = ? AND import_id = ? AND place = ? AND part = ?')
  for (const { import_id, place, part, account } of query<Place>(reader, sql).all(userId)) {
    const readings = JSON.parse(contentOf.get(userId, import_id, place, part)?.content ?? '[]') as readonly Reading[]
    yield readings.map((reading) => ({ reading, otherwise: account }))
  }
}

/** Notes at `at` (UTC ms) that fills have to be put together anew. */
export const noteUnsettled = (writer: Writer, userId: string, at: number): void => {
  change(writer, 'INSERT OR REPLACE INTO imports_unsettled (user_id, at) VALUES (?, ?)').run(userId, at)
}

/** Whose fills have to be put together anew, and since when (UTC ms). */
export const unsettledUsers = (reader: Reader): { readonly userId: string; readonly at: number }[] =>
  query<{ userId: string; at: number }>(reader, 'SELECT user_id AS userId, at FROM imports_unsettled ORDER BY user_id').all()

/** Notes that fills have to be put together anew where imports that stand name an account so, or have rows that may be its. */
export const noteNamedByImports = (writer: Writer, userId: string, at: number, { name, brokerAccountId }: { readonly name: string; readonly brokerAccountId: string }): void => {
  const sql = `SELECT 1 FROM import_readings WHERE user_id = ? AND (account_name IN (?, ?) OR account_id = ? OR (account_name IS NULL AND account_id IS NULL)) LIMIT 1`
  if (query(writer, sql).get(userId, name, brokerAccountId, brokerAccountId) !== undefined) noteUnsettled(writer, userId, at)
}
