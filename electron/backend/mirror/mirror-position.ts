import { createHash } from 'node:crypto'
import { and, asc, count, eq, lte, sql, type SQL } from 'drizzle-orm'
import { bucketCount } from '#shared/api/mirror.ts'
import type { MirrorEntity, MirrorRecord } from '#shared/mirror/record.ts'
import { accounts } from '../db/schema/brokerage.ts'
import { fillPairs, finances } from '../db/schema/journal.ts'
import { change, perConnection, query, type Reader, type Writer } from '../db/database.ts'
import { queueChange, openOutbox } from '../db/outbox.ts'
import { mirrors, outbox, pictures as pictureTable } from '../db/schema/mirror.ts'
import type { At, OfUser } from '../db/rows.ts'
import type { MirrorPosition } from './rows.ts'

export const mirror = (reader: Reader, { userId }: OfUser): MirrorPosition => {
  const { orm } = reader
  const row = orm.select().from(mirrors).where(eq(mirrors.userId, userId)).get()
  const rows = (more?: SQL): number => orm.select({ count: count() }).from(outbox).where(and(eq(outbox.userId, userId), more)).get()?.count ?? 0
  // Each of the two is counted along an index of its own.
  const setAside = rows(sql`${outbox.setAside} = 1`)
  const waiting = rows() - setAside
  // The lowest number has waited longest; the pluses make SQLite use the order of the numbers.
  const isWaiting = and(sql`+${outbox.userId} = ${userId}`, sql`+${outbox.setAside} = 0`)
  const oldest = waiting === 0 ? undefined : orm.select({ notedAt: outbox.notedAt }).from(outbox).where(isWaiting).orderBy(asc(outbox.seq)).limit(1).get()
  const anything = [accounts, fillPairs, finances].some((table) => orm.select({ userId: table.userId }).from(table).where(eq(table.userId, userId)).get() !== undefined)
  return {
    cloudUser: row?.cloudUser ?? null,
    journal: row?.journal ?? null,
    cursor: row?.cursor ?? 0,
    proof: row === undefined || row.hashes === null ? null : { head: row.hashesAt ?? 0, hashes: row.hashes },
    waiting,
    waitingSince: oldest?.notedAt ?? null,
    setAside,
    lastSentAt: row?.lastSentAt ?? null,
    empty: !anything,
  }
}

/** The journal's pictures. */
export const pictures = ({ orm }: Reader, { userId }: OfUser): { readonly name: string; readonly type: string; readonly bytes: number }[] =>
  orm.select({ name: pictureTable.name, type: pictureTable.type, bytes: pictureTable.bytes }).from(pictureTable).where(eq(pictureTable.userId, userId)).orderBy(asc(pictureTable.name)).all()

/** Removes what the cloud accepted from the outbox; a record that changed meanwhile stays. `head` becomes the cursor, with the proof of what the cloud then holds. */
export const recordPushed = (writer: Writer, { userId, at, seqs, journal, head, hashes = null }: OfUser & At & { readonly seqs: readonly number[]; readonly journal: string; readonly head: number; readonly hashes?: string | null }): void => {
  // Raw SQL: the benchmark `mirror` removes thousands at once.
  change(writer, 'DELETE FROM outbox WHERE seq IN (SELECT value FROM json_each(?)) AND +user_id = ?').run(JSON.stringify(seqs), userId)
  const row = { journal, cursor: head, lastSentAt: at, hashes, hashesAt: head }
  writer.orm.insert(mirrors).values({ userId, ...row }).onConflictDoUpdate({ target: mirrors.userId, set: row }).run()
}

const setAside = perConnection(({ orm }: Writer) => {
  const isRecord = and(eq(outbox.userId, sql.placeholder('userId')), eq(outbox.entity, sql.placeholder('entity')), eq(outbox.entityId, sql.placeholder('id')))
  return orm.update(outbox).set({ setAside: true }).where(and(isRecord, lte(outbox.seq, sql.placeholder('upTo')))).prepare()
})

/** Sets records aside that no cloud accepts, unless they changed after `upTo`, a seq of `outgoing`. They are sent again when they change. */
export const setRecordsAside = (writer: Writer, { userId, records, upTo }: OfUser & { readonly records: readonly Pick<MirrorRecord, 'entity' | 'id'>[]; readonly upTo: number }): void => {
  for (const { entity, id } of records) setAside(writer).run({ userId, entity, id, upTo })
}

// Raw SQL, of which `contentsOf` makes more: the benchmark `mirror` queues a whole journal with it.
/** Kind and name of every record of `@user`, in download order, so that the dependencies of fills come first. */
export const everything = `
  SELECT 'profile' AS entity, 'profile' AS id FROM profiles WHERE id = @user
  UNION ALL SELECT 'account', key FROM accounts WHERE user_id = @user
  UNION ALL SELECT 'balance', key FROM accounts WHERE user_id = @user AND balance IS NOT NULL
  UNION ALL SELECT 'spec', contract FROM specs WHERE user_id = @user
  UNION ALL SELECT 'contract', environment || '/' || broker_contract_id FROM contracts WHERE user_id = @user
  UNION ALL SELECT 'commission', scope || '/' || product || '/' || of FROM commission_rates WHERE user_id = @user
  UNION ALL SELECT 'point', product FROM point_values WHERE user_id = @user
  UNION ALL SELECT 'finance', id FROM finances WHERE user_id = @user
  UNION ALL SELECT 'picture', name FROM pictures WHERE user_id = @user
  UNION ALL SELECT 'removal', name FROM removed_fills WHERE user_id = @user
  UNION ALL SELECT * FROM (SELECT 'fill', account || '/' || id FROM fills WHERE user_id = @user ORDER BY time)
  UNION ALL SELECT * FROM (SELECT 'trade', id FROM fill_pairs WHERE user_id = @user AND origin = 'manual' ORDER BY exit_time)
  UNION ALL SELECT 'edit', pair_id FROM pair_edits WHERE user_id = @user
  UNION ALL SELECT 'day', trading_day FROM day_notes WHERE user_id = @user
  UNION ALL SELECT 'stop', product FROM default_stops WHERE user_id = @user
  UNION ALL SELECT 'rules', account FROM account_rules WHERE user_id = @user
  UNION ALL SELECT * FROM (SELECT 'pair', id FROM fill_pairs WHERE user_id = @user AND origin = 'synced' ORDER BY exit_time)`

/** Starts over with another journal of the cloud: queues everything, and forgets what is in it. */
export const resetMirror = (writer: Writer, { userId, at, journal }: OfUser & At & { readonly journal: string | null }): void => {
  writer.orm.delete(outbox).where(eq(outbox.userId, userId)).run()
  change(writer, `INSERT INTO outbox (user_id, entity, entity_id, noted_at) SELECT @user, entity, id, @at FROM (${everything})`).run({ user: userId, at })
  const row = { journal, cursor: 0, lastSentAt: null, hashes: null, hashesAt: null }
  writer.orm.insert(mirrors).values({ userId, ...row }).onConflictDoUpdate({ target: mirrors.userId, set: row }).run()
}

/** Records whose cloud journal this one is a copy of. */
export const saveCloudUser = ({ orm }: Writer, { userId, cloudUser }: OfUser & { readonly cloudUser: string }): void => {
  orm.insert(mirrors).values({ userId, cloudUser }).onConflictDoUpdate({ target: mirrors.userId, set: { cloudUser } }).run()
}

/** Makes the journal a new one of the cloud account that its user has now: queues everything, and deletes what is known of the previous account. */
export const resetCloudUser = (writer: Writer, { userId, at }: OfUser & At): void => {
  resetMirror(writer, { userId, at, journal: null })
  writer.orm.update(mirrors).set({ cloudUser: null }).where(eq(mirrors.userId, userId)).run()
}

const bucketOf = (entity: MirrorEntity, id: string): number => createHash('md5').update(`${entity}/${id}`).digest()[0] ?? 0

/** Queues every record of these buckets, in addition to what is queued. */
export const queueBuckets = (writer: Writer, { userId, at, buckets }: OfUser & At & { readonly buckets: readonly number[] }): void => {
  const wanted = new Set(buckets)
  const waits = new Set(writer.orm.select({ entity: outbox.entity, entityId: outbox.entityId }).from(outbox).where(eq(outbox.userId, userId)).all().map(({ entity, entityId }) => `${entity}/${entityId}`))
  const outgoing = openOutbox(writer, userId, at)
  for (const { entity, id } of query<{ entity: MirrorEntity; id: string }>(writer, everything).all({ user: userId })) {
    if (!waits.has(`${entity}/${id}`) && (wanted.size === bucketCount || wanted.has(bucketOf(entity, id)))) outgoing.queue(entity, id)
  }
  outgoing.flush()
}

/** Adds a picture whose file is already in the data folder. */
export const addPicture = (writer: Writer, { userId, at, name, type, bytes }: OfUser & At & { readonly name: string; readonly type: string; readonly bytes: number }): void => {
  const known = writer.orm.select({ name: pictureTable.name }).from(pictureTable).where(and(eq(pictureTable.userId, userId), eq(pictureTable.name, name))).get()
  if (known !== undefined) return
  writer.orm.insert(pictureTable).values({ userId, name, type, bytes }).run()
  queueChange(writer, userId, at, 'picture', name)
}
