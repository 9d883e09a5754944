import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { escapeLiteral } from 'pg'
import { and, asc, count, eq, getTableColumns, gt, inArray, isNotNull, lt, lte, max, sql } from 'drizzle-orm'
import { mostRecords, type LastKnown } from '#shared/api/mirror.ts'
import { mirrorParts } from '#shared/mirror/record.ts'
import type { ContentOf, MirrorEntity, MirrorPart, MirrorRecord } from '#shared/mirror/record.ts'
import { laterStamp, neverStamped, nextStamp } from '#shared/mirror/stamp.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import type { Database, Sql } from './database.ts'
import { journalMarks, journals, records, storedBytes, type Subscription } from './schema.ts'
import { requireRoom, type StorageRule, type Stored } from './storage.ts'

/** A record with the number of its last change. */
export type ChangedRecord = MirrorRecord & { readonly seq: number }

/** One user's journal, read from one snapshot. */
export type JournalView = {
  readonly get: <E extends MirrorEntity>(entity: E, id: string) => Promise<ContentOf<E> | null>
  /** The same for several kinds at once. */
  readonly getEach: <E extends MirrorEntity>(entities: readonly E[], id: string) => Promise<{ readonly [Kind in E]: ContentOf<Kind> | null }>
  /** Every record of some kinds, by id, without removed pairs. */
  readonly list: <E extends MirrorEntity>(...entities: readonly E[]) => Promise<{ readonly [Kind in E]: readonly Listed<Kind>[] }>
}

/** A record of a known kind that was not removed. */
export type Listed<E extends MirrorEntity> = { readonly id: string; readonly content: NonNullable<ContentOf<E>> }

/** One user's journal while no one else changes it. */
export type JournalChange = JournalView & {
  /** The cloud's next stamp, later than all that it has seen of this user; `now` is UTC ms. */
  readonly stamp: (now: number) => Stamp
  /** Writes records; an existing one with the same content stays unchanged. */
  readonly put: (records: readonly MirrorRecord[]) => Promise<void>
}

/** The outcome of a push; see `mirrorRoutes.push`. */
export type Pushed = { readonly outcome: 'taken' | 'behind'; readonly journal: string; readonly head: number; readonly hashes?: string }

/** A device's push; see `mirrorRoutes.push`. */
export type Push = {
  readonly journal: string | null
  readonly after: LastKnown
  readonly hash?: string | undefined
  readonly id?: string | undefined
  readonly records: readonly MirrorRecord[]
}

/** Which changes to read: of which records, and after which change up to which. */
type Page = { readonly part: MirrorPart; readonly after: number; readonly upTo: number; readonly buckets?: string | undefined }

/** The last change that a device knows, and its hash then. */
export type KnownChange = { readonly cursor?: number | undefined; readonly hash?: string | undefined }

/** The journals of all users in PostgreSQL. A write that exceeds the plan's storage throws `StorageFull`. Writes of one user run one after another, over all instances. */
export type Journals = {
  readonly view: <T>(userId: string, work: (journal: JournalView) => Promise<T>) => Promise<T>
  /** Runs `work` as a whole or not at all. */
  readonly change: <T>(userId: string, work: (journal: JournalChange) => Promise<T>) => Promise<T>
  readonly push: (userId: string, push: Push) => Promise<Pushed>
  readonly changes: (userId: string, page: Page) => Promise<{ readonly journal: string; readonly records: readonly ChangedRecord[]; readonly next: number | null }>
  /**
   * A user's journal and the number of its last change, null and 0 before the first; the storage used; and whether the
   * journal agrees with what a device knows, see `mirrorRoutes.journal`.
   */
  readonly head: (userId: string, known?: KnownChange) => Promise<{ readonly journal: string | null; readonly head: number; readonly storage: Stored; readonly agrees?: boolean; readonly hashes?: string; readonly lacking?: string[] }>
  /** The same with the number of records of each kind, which reads the whole journal. */
  readonly state: (userId: string) => Promise<{ readonly journal: string | null; readonly head: number; readonly rows: Readonly<Record<string, number>> }>
}

type Journal = typeof journals.$inferSelect & { /** Bytes of the user before this transaction. */ readonly stored: number }

// For stamps the cloud is a device too.
const cloudDevice = 'c10dc10d'
const largestPageBytes = 4_000_000
/** How long a push that was sent ahead waits for its predecessor, which may arrive later over another connection. */
const aheadPatienceMs = 1_000

/** The journals in this database. */
export const openJournals = (database: Database, rule: StorageRule): Journals => {
  // Emits the id of each finished push.
  const ends = new EventEmitter()
  return {
    view: (userId, work) => database.transaction('read', userId, (tx) => work(viewOf(tx, userId))),
    change: (userId, work) => database.transaction('write', userId, (tx) => changeJournal(tx, userId, rule, work)),
    push: async (userId, { journal, after, hash, id = null, records: pushed }) => {
      // Before anyone waits for the journal.
      const batch = batchOf(pushed)
      const attempt = () => database.transaction('write', userId, async (tx): Promise<Pushed> => {
        const before = await lockJournal(tx, userId)
        const met = journal === before.id || (journal === null && before.head === 0)
        const isNext = typeof after === 'number' ? met && after === before.head && (hash === undefined || hash === (await hashOf(tx, userId))) : after.push === before.lastPush
        if (!isNext) return { outcome: 'behind', journal: before.id, head: before.head }
        const head = await upsertRecords(tx, before, batch)
        const hashes = await saveJournal(tx, { ...before, head, lastStamp: laterStamp(before.lastStamp, batch.lastStamp), lastPush: id })
        await requireRoomFor(tx, before, rule, batch.mostGrowth)
        return { outcome: 'taken', journal: before.id, head, hashes }
      })
      const before = typeof after === 'number' ? null : once(ends, after.push, { signal: AbortSignal.timeout(aheadPatienceMs) }).catch(() => undefined)
      try {
        const first = await attempt()
        if (first.outcome === 'taken' || before === null) return first
        await before
        return await attempt()
      } finally {
        if (id !== null) ends.emit(id)
      }
    },
    changes: (userId, page) => database.transaction('write', userId, async (tx) => ({ journal: (await openJournal(tx, userId)).id, ...(await readPage(tx, userId, page)) })),
    // Every computer polls this each minute.
    head: async (userId, { cursor, hash } = {}) => {
      const found = await database.ownRow<HeadRow>(userId, headQuery(cursor, hash))
      const [journal, head] = [found?.journal ?? null, Number(found?.head ?? 0)]
      const storage = { bytes: Number(found?.bytes ?? 0), limit: rule.limitOf(userId, found?.content ?? null) }
      if (cursor === undefined) return { journal, head, storage }
      const hashes = found?.hashes ?? null
      return { journal, head, storage, agrees: found?.agrees ?? false, lacking: found?.lacking ?? [], ...(hashes === null ? {} : { hashes }) }
    },
    state: (userId) => database.transaction('read', userId, async (tx) => ({ ...(await headOf(tx, userId)), rows: await countRows(tx, userId) })),
  }
}

type HeadRow = { readonly journal: string | null; readonly head: string | null; readonly bytes: string | null; readonly content: Subscription | null; readonly agrees: boolean; readonly hashes: string | null; readonly lacking: string[] }

/** One row about the caller's journal. The hashes of all buckets are computed only for devices that lack them. */
const headQuery = (cursor: number | undefined, hash: string | undefined): string => {
  const at = String(cursor ?? 0)
  const [isHead, agrees] = hash === undefined ? ['false', 'true'] : [`head = ${at}`, `EXISTS (SELECT FROM journal_marks AS mark WHERE mark.user_id = me.user_id AND mark.head = ${at} AND mark.hash = ${escapeLiteral(hash)}) OR (head = ${at} AND md5(hashes_of(me.user_id)) = ${escapeLiteral(hash)})`]
  const lacking = `ARRAY(SELECT id FROM records AS named WHERE named.user_id = me.user_id AND entity = 'picture' AND NOT EXISTS (SELECT FROM pictures WHERE pictures.user_id = named.user_id AND pictures.name = named.id) LIMIT 100)`
  return `SELECT journal, head, bytes, content, agrees, lacking, CASE WHEN ${String(cursor === undefined)} OR (agrees AND ${isHead}) THEN NULL ELSE hashes_of(user_id) END AS hashes FROM (
      SELECT me.user_id, journals.id AS journal, journals.head, stored_bytes.bytes, subscriptions.content, coalesce(${agrees}, false) AS agrees, ${lacking} AS lacking FROM (SELECT current_user_id() AS user_id) AS me
        LEFT JOIN journals USING (user_id) LEFT JOIN stored_bytes USING (user_id) LEFT JOIN subscriptions USING (user_id)) AS found`
}

const headOf = async (tx: Sql, userId: string): Promise<{ readonly journal: string | null; readonly head: number }> => {
  const [found] = await tx.select().from(journals).where(eq(journals.userId, userId))
  return found === undefined ? { journal: null, head: 0 } : { journal: found.id, head: found.head }
}

/** The user's row, created if missing. */
const openJournal = async (tx: Sql, userId: string, lock = false): Promise<Journal> => {
  const find = async (): Promise<Journal | undefined> => {
    const stored = sql`coalesce((SELECT ${storedBytes.bytes} FROM ${storedBytes} WHERE ${storedBytes.userId} = ${userId}), 0)`.mapWith(Number)
    const query = tx.select({ ...getTableColumns(journals), stored }).from(journals).where(eq(journals.userId, userId))
    return (await (lock ? query.for('update') : query))[0]
  }
  const found = await find()
  if (found !== undefined) return found
  await tx.insert(journals).values({ userId, id: randomUUID(), head: 0, lastStamp: neverStamped }).onConflictDoNothing()
  const made = await find()
  if (made === undefined) throw new Error('A journal that was just made is gone')
  return made
}

/** From here to the end of the transaction no one else changes the journal. */
const lockJournal = (tx: Sql, userId: string): Promise<Journal> => openJournal(tx, userId, true)

/** The hash of all that a journal holds. */
const hashOf = async (tx: Sql, userId: string): Promise<string | undefined> => (await tx.select({ hash: sql<string>`md5(hashes_of(${journals.userId}))` }).from(journals).where(eq(journals.userId, userId)))[0]?.hash

// A computer that last saw a journal more changes ago than this is compared with it.
const mostChangesMarked = 100_000

/** Saves a journal's new state, and its hash at this change; returns the hashes. One statement, and the hashes only once, because the next push waits for it. */
const saveJournal = async (tx: Sql, { userId, head, lastStamp, lastPush }: Journal): Promise<string> => {
  const held = tx.$with('held').as(tx.select({ hashes: sql<string>`hashes_of(${journals.userId})`.as('hashes') }).from(journals).where(eq(journals.userId, userId)))
  const kept = tx.$with('kept').as(tx.update(journals).set({ head, lastStamp, lastPush }).where(eq(journals.userId, userId)).returning({ head: journals.head }))
  const marked = tx.$with('marked').as(
    tx
      .insert(journalMarks)
      .select(sql`SELECT ${userId}, ${head}::bigint, md5(${held.hashes}) FROM ${held}`)
      .onConflictDoUpdate({ target: [journalMarks.userId, journalMarks.head], set: { hash: sql`excluded.hash` } })
      .returning({ head: journalMarks.head }),
  )
  const old = and(eq(journalMarks.userId, userId), lt(journalMarks.head, head - mostChangesMarked))
  const forgotten = tx.$with('forgotten').as(tx.delete(journalMarks).where(old).returning({ head: journalMarks.head }))
  const [found] = await tx.with(held, kept, marked, forgotten).select({ hashes: held.hashes }).from(held)
  return found?.hashes ?? ''
}

/** Records as one statement writes them. */
type Batch = { readonly json: string; readonly lastStamp: Stamp; /** Bytes that they take at most. */ readonly mostGrowth: number }

const batchOf = (given: readonly MirrorRecord[]): Batch => {
  // A statement cannot write one row twice: of duplicates the last one wins.
  const json = jsonText([...new Map(given.map((record) => [`${record.entity}/${record.id}`, record])).values()])
  // Each record takes this much besides its text, and the text of a jsonb has a space after every comma and colon.
  return { json, lastStamp: given.flatMap(stampsOf).reduce(laterStamp, neverStamped), mostGrowth: 2 * Buffer.byteLength(json) + 200 * given.length }
}

/** Writes records in one statement and returns the new head. Numbers continue from the old one; a record with unchanged content keeps its number, and if none changed, the head stays. */
const upsertRecords = async (tx: Sql, { userId, head }: Journal, { json }: Batch): Promise<number> => {
  const put = tx.$with('put').as(
    tx
      .insert(records)
      .select(
        sql`SELECT ${userId}, entity, id, ${head}::bigint + place, content
          FROM ROWS FROM (jsonb_to_recordset(${json}::jsonb) AS (entity text, id text, content jsonb)) WITH ORDINALITY AS given (entity, id, content, place)`,
      )
      .onConflictDoUpdate({
        target: [records.userId, records.entity, records.id],
        set: { seq: sql`excluded.seq`, content: sql`excluded.content` },
        setWhere: sql`${records.content} IS DISTINCT FROM excluded.content`,
      })
      .returning({ seq: records.seq }),
  )
  const [written] = await tx.with(put).select({ last: max(put.seq) }).from(put)
  return written?.last ?? head
}

/** Calls `requireRoom` if the written records might be too much; usually they are far from it, and no query is needed. */
const requireRoomFor = async (tx: Sql, { userId, stored }: Journal, rule: StorageRule, mostGrowth: number): Promise<void> => {
  if (stored + mostGrowth > rule.smallest) await requireRoom(tx, userId, rule, stored)
}

const changeJournal = async <T>(tx: Sql, userId: string, rule: StorageRule, work: (journal: JournalChange) => Promise<T>): Promise<T> => {
  const before = await lockJournal(tx, userId)
  let now = before
  let mostGrowth = 0
  const result = await work({
    ...viewOf(tx, userId),
    stamp: (at) => {
      now = { ...now, lastStamp: nextStamp(now.lastStamp, at, cloudDevice) }
      return now.lastStamp
    },
    put: async (given) => {
      for (let from = 0; from < given.length; from += mostRecords) {
        const batch = batchOf(given.slice(from, from + mostRecords))
        now = { ...now, head: await upsertRecords(tx, now, batch), lastStamp: laterStamp(now.lastStamp, batch.lastStamp), lastPush: null }
        mostGrowth += batch.mostGrowth
      }
    },
  })
  await saveJournal(tx, now)
  await requireRoomFor(tx, before, rule, mostGrowth)
  return result
}

const viewOf = (tx: Sql, userId: string): JournalView => {
  const getEach: JournalView['getEach'] = async <E extends MirrorEntity>(entities: readonly E[], id: string) => {
    const found = await tx.select({ entity: records.entity, content: records.content }).from(records).where(and(eq(records.userId, userId), inArray(records.entity, [...entities]), eq(records.id, id)))
    // Only content that a route has parsed as this kind is ever written under it.
    return Object.fromEntries(entities.map((entity) => [entity, found.find((row) => row.entity === entity)?.content ?? null])) as { [Kind in E]: ContentOf<Kind> | null }
  }
  return {
    getEach,
    get: async <E extends MirrorEntity>(entity: E, id: string) => (await getEach([entity], id))[entity] as ContentOf<E> | null,
    list: async <E extends MirrorEntity>(...entities: readonly E[]) => {
      const rows = await tx
        .select({ entity: records.entity, id: records.id, content: records.content })
        .from(records)
        .where(and(eq(records.userId, userId), inArray(records.entity, [...entities]), isNotNull(records.content)))
        .orderBy(asc(records.entity), asc(records.id))
      const byKind = Map.groupBy(rows, ({ entity }) => entity)
      return Object.fromEntries(entities.map((entity) => [entity, byKind.get(entity) ?? []])) as unknown as { [Kind in E]: Listed<Kind>[] }
    },
  }
}

const readPage = async (tx: Sql, userId: string, { part, after, upTo, buckets }: Page): Promise<{ readonly records: readonly ChangedRecord[]; readonly next: number | null }> => {
  const some = tx
    .select({ entity: records.entity, id: records.id, seq: records.seq, content: records.content })
    .from(records)
    .where(and(eq(records.userId, userId), gt(records.seq, after), lte(records.seq, upTo), inArray(records.entity, [...mirrorParts[part]]), buckets === undefined ? undefined : sql`record_bucket(${records.entity}, ${records.id}) = ANY (${`{${buckets}}`}::smallint[])`))
    .orderBy(asc(records.seq))
    .limit(mostRecords + 1)
    .as('some')
  const measured = tx
    .select({
      entity: some.entity,
      id: some.id,
      seq: some.seq,
      content: some.content,
      bytesBefore: sql<number>`coalesce(sum(octet_length(${some.content}::text)) OVER (ORDER BY ${some.seq} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)`.as('bytes_before'),
      found: sql<number>`count(*) OVER ()`.mapWith(Number).as('found'),
    })
    .from(some)
    .as('measured')
  // Forces the index of changes: otherwise PostgreSQL sorts all remaining changes for each page of a journal that was just filled.
  await tx.execute(sql`SELECT set_config('enable_sort', 'off', true)`)
  const rows = await tx.select().from(measured).where(lt(measured.bytesBefore, largestPageBytes)).orderBy(asc(measured.seq)).limit(mostRecords)
  const last = rows.at(-1)
  const page = rows.map(({ entity, id, seq, content }) => ({ entity, id, seq, content }) as ChangedRecord)
  return { records: page, next: last !== undefined && last.found > rows.length ? last.seq : null }
}

const countRows = async (tx: Sql, userId: string): Promise<Record<string, number>> => {
  const gone = sql`CASE ${records.entity} WHEN 'edit' THEN ${records.content} -> 'removedAt' ->> 'value' ELSE ${records.content} ->> 'removedAt' END`
  const rows = await tx
    .select({ entity: records.entity, rows: count() })
    .from(records)
    .where(and(eq(records.userId, userId), isNotNull(records.content), sql`${gone} IS NULL`))
    .groupBy(records.entity)
  return Object.fromEntries(rows.map(({ entity, rows: number }) => [entity, number]))
}

const stampsOf = (record: MirrorRecord): readonly Stamp[] => {
  switch (record.entity) {
    case 'account':
    case 'commission':
    case 'point':
    case 'removal':
    case 'finance':
    case 'trade':
    case 'stop':
    case 'rules':
      return [record.content.stamp]
    case 'edit':
    case 'day':
      return Object.values(record.content).flatMap((field) => (field === undefined ? [] : [field.stamp]))
    default:
      return []
  }
}

const replacement = '\uFFFD'

/**
 * A value as JSON that PostgreSQL accepts. Its text type has all characters except two that JSON can contain: the null
 * character and unpaired surrogates. Each becomes `U+FFFD`; if they were rejected, one such character in a note would
 * block everything after it.
 */
const jsonText = (value: unknown): string => {
  const json = JSON.stringify(value)
  // JSON writes both as an escape, and few texts have one.
  return /\\u(0000|d[89a-f])/.test(json) ? JSON.stringify(value, (_name, part: unknown) => (typeof part === 'string' ? part.toWellFormed().replaceAll('\0', replacement) : part)) : json
}
