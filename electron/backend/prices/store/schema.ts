import { sql } from 'drizzle-orm'
import { blob, check, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Amount } from '#shared/money/money.ts'
import type { FeedFailure, PriceFeed, VendorDetail } from '#shared/prices/feeds.ts'
import type { PriceSource } from '#shared/prices/formats/format.ts'
import { tableWithoutRowid } from '../../db/tables.ts'

/** At most a week of one contract from one source. Times are UTC µs, prices whole ticks of `tick_size`; `grain` is the width of its bars in µs, 0 for prints. */
export const parts = sqliteTable(
  'parts',
  {
    id: integer('id').primaryKey(),
    /** Root and delivery month, `MNQ 2026-12`: short names recur each decade. */
    contract: text('contract').notNull(),
    tickSize: text('tick_size').notNull(),
    source: text('source').$type<PriceSource>().notNull(),
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

/**
 * The excursions of the trades and fill pairs that have prices, by id, so that lists need not compute them. `trade` is
 * the trade that a fill pair belongs to, or itself, and `ended` its last exit, in UTC ms. `stamp` names the fills and the
 * prices that they were computed from. Money is in 1/10,000 of the trade's currency, ratios in 1/10,000; null is unknown.
 */
export const excursions = tableWithoutRowid(
  'excursions',
  {
    id: text('id').primaryKey().notNull(),
    trade: text('trade').notNull(),
    ended: integer('ended').notNull(),
    stamp: text('stamp').notNull(),
    mfeLeast: integer('mfe_least').$type<Amount>().notNull(),
    mfeMost: integer('mfe_most').$type<Amount>(),
    maeLeast: integer('mae_least').$type<Amount>().notNull(),
    maeMost: integer('mae_most').$type<Amount>(),
    entryLeast: integer('entry_least'),
    entryMost: integer('entry_most'),
    exitLeast: integer('exit_least'),
    exitMost: integer('exit_most'),
  },
  (table) => [index('excursions_by_end').on(table.ended, table.trade)],
)

/** Each variant of exits that was tried, by a digest of its rule, its terms, and the filter: their number says how much luck may have found. `tried_at` is UTC ms. */
export const whatIfTries = tableWithoutRowid('what_if_tries', {
  key: text('key').primaryKey().notNull(),
  triedAt: integer('tried_at').notNull(),
})

/** The user's choices of a feed of prices, and why it failed last. */
export const feeds = tableWithoutRowid('feeds', {
  feed: text('feed').$type<PriceFeed>().primaryKey().notNull(),
  on: integer('is_on', { mode: 'boolean' }).notNull(),
  /** What one fetch may cost, in 1/10,000 of a US dollar. */
  spendLimit: integer('spend_limit').$type<Amount>(),
  detail: text('detail').$type<VendorDetail>(),
  failure: text('failure').$type<FeedFailure>(),
  /** The contract that failed, `MNQZ6`; null where the whole feed did. */
  failedContract: text('failed_contract'),
  /** UTC ms. */
  failedAt: integer('failed_at'),
})

/** Spans (UTC µs) that a feed has answered: they are not asked again. `entries` is 0 where it had no prices. */
export const answered = tableWithoutRowid(
  'answered',
  {
    feed: text('feed').$type<PriceFeed>().notNull(),
    contract: text('contract').notNull(),
    first: integer('first').notNull(),
    until: integer('until').notNull(),
    entries: integer('entries').notNull(),
    /** UTC ms. */
    at: integer('at').notNull(),
    /** Why nothing of what was paid for is stored; null where it is. */
    failure: text('failure').$type<FeedFailure>(),
    /** The contract as its user knows it, `MNQZ6`; with `failure` only. */
    failedContract: text('failed_contract'),
  },
  (table) => [primaryKey({ columns: [table.feed, table.contract, table.first] })],
)

/** One row while a fetch is under way, so that it goes on after a restart. Money in 1/10,000 of a US dollar; `allowed` is null where nothing may be spent. */
export const fetches = sqliteTable(
  'fetches',
  {
    id: integer('id').primaryKey(),
    begunAt: integer('begun_at').notNull(),
    allowed: integer('allowed').$type<Amount>(),
    spent: integer('spent').$type<Amount>().notNull(),
  },
  () => [check('fetches_id', sql.raw('id = 1'))],
)
