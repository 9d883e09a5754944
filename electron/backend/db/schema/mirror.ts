import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import type { MirrorEntity } from '#shared/mirror/record.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import { flag, oneOf, positive, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const device = sqliteTable('device', {
  onlyRow: integer('only_row').primaryKey().notNull(),
  id: text('id').notNull(),
  lastStamp: text('last_stamp').$type<Stamp>().notNull(),
}, () => [check('device_only_row', sql`only_row = 1`)])

export const mirrors = sqliteTable('mirrors', {
  userId: text('user_id').primaryKey().notNull().references(() => profiles.id),
  journal: text('journal'),
  cursor: integer('cursor').notNull().default(0),
  lastSentAt: integer('last_sent_at'),
  restoredTo: integer('restored_to'),
  hashes: text('hashes'),
  hashesAt: integer('hashes_at'),
  cloudUser: text('cloud_user'),
})

export const removedFills = tableWithoutRowid(
  'removed_fills',
  {
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    removed: integer('removed', { mode: 'boolean' }).notNull(),
    stamp: text('stamp').$type<Stamp>().notNull(),
    importId: text('import_id'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] }), flag(table.removed)],
)

// A new kind of record needs a migration: the outbox accepts no others.
const mirrorEntities = ['profile', 'account', 'balance', 'spec', 'contract', 'commission', 'point', 'finance', 'picture', 'removal', 'fill', 'trade', 'edit', 'day', 'stop', 'rules', 'pair'] as const satisfies readonly MirrorEntity[]

export const outbox = sqliteTable(
  'outbox',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    userId: text('user_id').notNull(),
    entity: text('entity', { enum: mirrorEntities }).notNull(),
    entityId: text('entity_id').notNull(),
    notedAt: integer('noted_at').notNull(),
    setAside: integer('set_aside', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [unique().on(table.userId, table.entity, table.entityId), index('outbox_set_aside').on(table.userId).where(sql`set_aside = 1`), oneOf(table.entity), flag(table.setAside)],
)

export const pictures = tableWithoutRowid(
  'pictures',
  {
    userId: text('user_id').notNull(),
    name: text('name').notNull(),
    type: text('type').notNull(),
    bytes: integer('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.name] }), positive(table.bytes)],
)
