import { sql } from 'drizzle-orm'
import { blob, check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { PriceFormat } from '#shared/prices/formats/format.ts'
import { tableWithoutRowid } from '../db/tables.ts'

/** At most a week of one contract from one file. Times are UTC µs, prices whole ticks of `tick_size`; `grain` is the width of its bars in µs, 0 for prints. */
export const parts = sqliteTable(
  'parts',
  {
    id: integer('id').primaryKey(),
    /** Root and delivery month, `MNQ 2026-12`: short names recur each decade. */
    contract: text('contract').notNull(),
    tickSize: text('tick_size').notNull(),
    source: text('source').$type<PriceFormat>().notNull(),
    grain: integer('grain').notNull(),
    first: integer('first').notNull(),
    /** The end of the last bar, or the microsecond behind the last print. */
    until: integer('until').notNull(),
    low: integer('low').notNull(),
    high: integer('high').notNull(),
    entries: integer('entries').notNull(),
    bytes: integer('bytes').notNull(),
    addedAt: integer('added_at').notNull(),
  },
  (table) => [index('parts_by_contract').on(table.contract, table.first)],
)

/** The stretches of a part without a hole. */
export const coverage = tableWithoutRowid(
  'coverage',
  {
    part: integer('part').notNull().references(() => parts.id, { onDelete: 'cascade' }),
    first: integer('first').notNull(),
    until: integer('until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.first] })],
)

/** Some thousand prints or bars of a part, compressed (`chunk-codec.ts`). `first` and `last` are the times of its first and last entry. */
export const chunks = sqliteTable(
  'chunks',
  {
    part: integer('part').notNull().references(() => parts.id, { onDelete: 'cascade' }),
    place: integer('place').notNull(),
    first: integer('first').notNull(),
    last: integer('last').notNull(),
    low: integer('low').notNull(),
    high: integer('high').notNull(),
    entries: integer('entries').notNull(),
    codec: integer('codec').notNull(),
    data: blob('data', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.place] }), index('chunks_by_time').on(table.part, table.first, table.place)],
)

/** The lowest and highest price of 16 chunks (level 1), of 16 such nodes (level 2), and so on. */
export const nodes = tableWithoutRowid(
  'nodes',
  {
    part: integer('part').notNull().references(() => parts.id, { onDelete: 'cascade' }),
    level: integer('level').notNull(),
    place: integer('place').notNull(),
    low: integer('low').notNull(),
    high: integer('high').notNull(),
  },
  (table) => [primaryKey({ columns: [table.part, table.level, table.place] })],
)

/** One row: the room that prices may take, in bytes, and for how many days they are kept; null without a limit. */
export const limits = sqliteTable(
  'limits',
  {
    id: integer('id').primaryKey(),
    bytes: integer('bytes'),
    days: integer('days'),
  },
  () => [check('limits_id', sql.raw('id = 1'))],
)
