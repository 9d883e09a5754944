import { sql } from 'drizzle-orm'
import { bigint, customType, index, jsonb, pgPolicy, pgSequence, pgTable, primaryKey, smallint, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import type { subscription } from '#shared/api/subscription.ts'
import type { PictureType } from '#shared/mirror/picture.ts'
import type { MirrorEntity, MirrorRecord } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** Text sorted and compared by bytes, whatever the database's locale: ids and stamps. */
const id = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

// Functions, triggers and FORCE ROW LEVEL SECURITY are only in the migrations: drizzle cannot declare them.
const ownRows = () => pgPolicy('own_rows', { using: sql`user_id = (SELECT current_user_id())` })

/** A user's stored subscription. */
export type Subscription = z.infer<typeof subscription>

export const journals = pgTable(
  'journals',
  {
    userId: id('user_id').primaryKey(),
    id: uuid('id').notNull(),
    head: bigint('head', { mode: 'number' }).notNull().default(0),
    lastStamp: id('last_stamp').$type<Stamp>().notNull(),
    lastPush: uuid('last_push'),
  },
  () => [ownRows()],
)

/** Hashes of a journal's content, in 256 buckets; maintained by triggers. */
export const journalHashes = pgTable(
  'journal_hashes',
  {
    userId: id('user_id').notNull(),
    bucket: smallint('bucket').notNull(),
    hash: bigint('hash', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ name: 'journal_hashes_pkey', columns: [table.userId, table.bucket] }), ownRows()],
)

/** The hash of the whole journal after a change. */
export const journalMarks = pgTable(
  'journal_marks',
  {
    userId: id('user_id').notNull(),
    head: bigint('head', { mode: 'number' }).notNull(),
    hash: id('hash').notNull(),
  },
  (table) => [primaryKey({ name: 'journal_marks_pkey', columns: [table.userId, table.head] }), ownRows()],
)

export const records = pgTable(
  'records',
  {
    userId: id('user_id').notNull(),
    entity: id('entity').$type<MirrorEntity>().notNull(),
    id: id('id').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    content: jsonb('content').$type<MirrorRecord['content']>(),
  },
  (table) => [primaryKey({ name: 'records_pkey', columns: [table.userId, table.entity, table.id] }), index('records_by_change').on(table.userId, table.seq), ownRows()],
)

export const pictures = pgTable(
  'pictures',
  {
    userId: id('user_id').notNull(),
    name: id('name').notNull(),
    type: text('type').$type<PictureType>().notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ name: 'pictures_pkey', columns: [table.userId, table.name] }), ownRows()],
)

/** Bytes of records and pictures; maintained by triggers. */
export const storedBytes = pgTable('stored_bytes', { userId: id('user_id').primaryKey(), bytes: bigint('bytes', { mode: 'number' }).notNull() }, () => [ownRows()])

export const subscriptions = pgTable('subscriptions', { userId: id('user_id').primaryKey(), content: jsonb('content').$type<Subscription>().notNull() }, () => [ownRows()])

export const deletedAccounts = pgTable(
  'deleted_accounts',
  { userId: id('user_id').primaryKey(), deletedAt: timestamp('deleted_at', { withTimezone: true }).notNull().defaultNow() },
  () => [ownRows()],
)

export const payers = pgTable(
  'payers',
  {
    userId: id('user_id').primaryKey(),
    customers: text('customers').array().notNull(),
    ticket: bigint('ticket', { mode: 'number' }).notNull().default(0),
  },
  () => [ownRows()],
)

/** No session caches numbers: a later ticket is always higher. */
export const paymentTickets = pgSequence('payment_tickets', { cache: 1 })

export const paymentEvents = pgTable(
  'payment_events',
  {
    id: id('id').primaryKey(),
    receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('payment_events_by_time').on(table.receivedAt)],
)

export const copierLeases = pgTable(
  'copier_leases',
  {
    userId: id('user_id').notNull(),
    account: id('account').notNull(),
    machine: id('machine').notNull(),
    since: timestamp('since', { withTimezone: true }).notNull(),
    endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ name: 'copier_leases_pkey', columns: [table.userId, table.account] }), ownRows()],
)
