import { sql } from 'drizzle-orm'
import { check, integer, primaryKey, text } from 'drizzle-orm/sqlite-core'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { Stamp } from '#shared/mirror/stamp.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { oneOf, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const dayNotes = tableWithoutRowid(
  'day_notes',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    tradingDay: text('trading_day').notNull(),
    notes: text('notes').notNull().default(''),
    tags: text('tags').notNull().default('[]'),
    stamps: text('stamps').notNull().default('{}'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.tradingDay] })],
)

export const commissionRates = tableWithoutRowid(
  'commission_rates',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    scope: text('scope', { enum: ['firm', 'account'] }).notNull(),
    of: text('of').notNull(),
    product: text('product').notNull(),
    perSide: integer('per_side').$type<Amount>(),
    currency: text('currency').$type<Currency>().notNull(),
    stamp: text('stamp').$type<Stamp>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.scope, table.of, table.product] }), oneOf(table.scope), check('commission_rates_per_side', sql`per_side >= 0`)],
)

export const staleBatches = tableWithoutRowid(
  'stale_batches',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    contract: text('contract').notNull(),
    localDate: text('local_date').notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.contract, table.localDate] })],
)

export const pointValues = tableWithoutRowid(
  'point_values',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    product: text('product').notNull(),
    amount: text('amount'),
    currency: text('currency').notNull(),
    stamp: text('stamp').$type<Stamp>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.product] })],
)

export const defaultStops = tableWithoutRowid(
  'default_stops',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    product: text('product').notNull(),
    distance: text('distance'),
    unit: text('unit', { enum: ['ticks', 'points'] }).notNull(),
    stamp: text('stamp').$type<Stamp>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.product] }), oneOf(table.unit)],
)
