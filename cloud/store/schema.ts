import type { z } from 'zod'
import type { subscription } from '#shared/api/subscription.ts'
import { bigint, customType, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { PictureType } from '#shared/mirror/picture.ts'
import type { MirrorEntity, MirrorRecord } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' })

/** A user's subscription, as it is kept. */
export type Subscription = z.infer<typeof subscription>

export const journals = pgTable('journals', {
  userId: text('user_id').primaryKey(),
  id: uuid('id').notNull(),
  head: bigint('head', { mode: 'number' }).notNull(),
  lastStamp: text('last_stamp').$type<Stamp>().notNull(),
  lastPush: uuid('last_push'),
})

/** Hashes of what a journal holds, in buckets; triggers count them. */
export const journalHashes = pgTable('journal_hashes', { userId: text('user_id').notNull() })

/** The hash of the whole journal after a change. */
export const journalMarks = pgTable('journal_marks', { userId: text('user_id').notNull(), head: bigint('head', { mode: 'number' }).notNull(), hash: text('hash').notNull() })

export const records = pgTable(
  'records',
  {
    userId: text('user_id').notNull(),
    entity: text('entity').$type<MirrorEntity>().notNull(),
    id: text('id').notNull(),
    seq: bigint('seq', { mode: 'number' }).notNull(),
    content: jsonb('content').$type<MirrorRecord['content']>(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.entity, table.id] })],
)

export const pictures = pgTable(
  'pictures',
  {
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    type: text('type').$type<PictureType>().notNull(),
    bytes: bytea('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
)

/** Bytes of records and pictures; triggers count them. */
export const storedBytes = pgTable('stored_bytes', { userId: text('user_id').primaryKey(), bytes: bigint('bytes', { mode: 'number' }).notNull() })

export const subscriptions = pgTable('subscriptions', {
  userId: text('user_id').primaryKey(),
  content: jsonb('content').$type<Subscription>().notNull(),
})

export const deletedAccounts = pgTable('deleted_accounts', { userId: text('user_id').primaryKey() })

export const payers = pgTable('payers', {
  userId: text('user_id').primaryKey(),
  customers: text('customers').array().notNull(),
  ticket: bigint('ticket', { mode: 'number' }).notNull().default(0),
})

export const paymentEvents = pgTable('payment_events', {
  id: text('id').primaryKey(),
  receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
})

export const copierLeases = pgTable(
  'copier_leases',
  {
    userId: text('user_id').notNull(),
    account: text('account').notNull(),
    machine: text('machine').notNull(),
    since: timestamp('since', { withTimezone: true }).notNull(),
    endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account] })],
)
