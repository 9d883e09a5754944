import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, sqliteView, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { FillPairRecord, Finance } from '#shared/api/records.ts'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { FillSource } from '#shared/fills/source.ts'
import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import { flag, oneOf, positive, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const finances = tableWithoutRowid(
  'finances',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    id: text('id').notNull(),
    type: text('type').$type<Finance['type']>().notNull(),
    amount: integer('amount').$type<Amount>().notNull(),
    date: text('date').notNull(),
    name: text('name').notNull(),
    balance: integer('balance').$type<Amount>().notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    platform: text('platform').notNull(),
    firm: text('firm').$type<NonNullable<Finance['firm']>>(),
    removedAt: integer('removed_at'),
    stamp: text('stamp').$type<Stamp>().notNull().default(neverStamped),
    category: text('category').$type<Finance['category']>().notNull().default('other'),
    account: text('account'),
    note: text('note').notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
)

export const fills = tableWithoutRowid(
  'fills',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    id: text('id').notNull(),
    contract: text('contract').notNull(),
    localDate: text('local_date').notNull(),
    time: integer('time').notNull(),
    side: text('side', { enum: ['buy', 'sell'] }).notNull(),
    qty: integer('qty').notNull(),
    price: integer('price').$type<Ticks>().notNull(),
    tickSize: text('tick_size').notNull(),
    fee: integer('fee').$type<Amount>(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    source: text('source').$type<FillSource>().notNull(),
    orderId: text('order_id'),
    brokerContractId: text('broker_contract_id'),
    tradeDate: text('trade_date'),
    ambiguous: integer('ambiguous', { mode: 'boolean' }).notNull().default(false),
    otherFees: text('other_fees'),
    feeFrom: text('fee_from'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.id] }), index('fills_of_batch').on(table.userId, table.account, table.contract, table.localDate), oneOf(table.side), positive(table.qty), flag(table.active), flag(table.ambiguous)],
)

export const copiedOrders = tableWithoutRowid(
  'copied_orders',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    account: text('account').$type<AccountKey>().notNull(),
    orderId: text('order_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.orderId] })],
)

export const batches = tableWithoutRowid(
  'batches',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    contract: text('contract').notNull(),
    localDate: text('local_date').notNull(),
    beginsOpen: integer('begins_open', { mode: 'boolean' }).notNull(),
    endsOpen: integer('ends_open', { mode: 'boolean' }).notNull(),
    endPosition: text('end_position').notNull(),
    doubtfulDays: text('doubtful_days').notNull().default('[]'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.contract, table.localDate] }), flag(table.beginsOpen), flag(table.endsOpen)],
)

export const fillPairs = sqliteTable(
  'fill_pairs',
  {
    ref: integer('ref').primaryKey(),
    userId: text('user_id').notNull(),
    id: text('id').notNull(),
    origin: text('origin', { enum: ['synced', 'manual'] }).notNull(),
    accountId: text('account_id').notNull(),
    account: text('account'),
    symbol: text('symbol').notNull(),
    date: text('date').notNull(),
    tradingDay: text('trading_day').notNull(),
    side: text('side', { enum: ['long', 'short'] }).notNull(),
    qty: integer('qty').notNull(),
    tickSize: text('tick_size').notNull(),
    entryPrice: integer('entry_price').$type<Ticks>().notNull(),
    exitPrice: integer('exit_price').$type<Ticks>().notNull(),
    entryTime: integer('entry_time').notNull(),
    exitTime: integer('exit_time').notNull(),
    gross: integer('gross').$type<Amount>().notNull(),
    commission: integer('commission').$type<Amount>().notNull(),
    net: integer('net').$type<Amount>().notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    platform: text('platform').notNull(),
    tradeId: text('trade_id'),
    multiplierSource: text('multiplier_source').$type<FillPairRecord['multiplierSource']>().notNull(),
    feeSource: text('fee_source').$type<FillPairRecord['feeSource']>().notNull(),
    warnings: text('warnings').notNull(),
    stamp: text('stamp').$type<Stamp>(),
    missing: integer('missing'),
    otherFees: text('other_fees'),
    feeFrom: text('fee_from'),
  },
  (table) => [
    uniqueIndex('fill_pairs_by_id').on(table.userId, table.id),
    index('fill_pairs_of_batch').on(table.userId, table.accountId, table.symbol, table.date),
    index('fill_pairs_by_exit').on(table.userId, table.exitTime, table.id),
    index('fill_pairs_by_day').on(table.userId, table.tradingDay, table.accountId, table.symbol, table.side, table.account, table.id),
    index('fill_pairs_entered').on(table.userId).where(sql`origin = 'manual'`),
    index('fill_pairs_of_trade').on(table.userId, table.tradeId).where(sql`trade_id IS NOT NULL`),
    oneOf(table.origin),
    oneOf(table.side),
    positive(table.qty),
  ],
)

export const pairEdits = tableWithoutRowid(
  'pair_edits',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    pairId: text('pair_id').notNull(),
    notes: text('notes').notNull().default(''),
    tags: text('tags').notNull().default('[]'),
    stop: text('stop'),
    screenshot: text('screenshot').notNull().default(''),
    screenshotHeadline: text('screenshot_headline').notNull().default(''),
    screenshot2: text('screenshot2').notNull().default(''),
    screenshot2Headline: text('screenshot2_headline').notNull().default(''),
    removedAt: integer('removed_at'),
    stamps: text('stamps').notNull().default('{}'),
    place: text('place'),
    drawings: text('drawings').notNull().default('[]'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.pairId] }), index('pair_edits_unplaced').on(table.userId, table.pairId).where(sql`place IS NULL`)],
)

export const shownNotes = tableWithoutRowid(
  'shown_notes',
  {
    userId: text('user_id').notNull(),
    pairId: text('pair_id').notNull(),
    account: text('account').notNull(),
    contract: text('contract').notNull(),
    notes: text('notes').notNull(),
    tags: text('tags').notNull(),
    stop: text('stop'),
    screenshot: text('screenshot').notNull(),
    screenshotHeadline: text('screenshot_headline').notNull(),
    screenshot2: text('screenshot2').notNull(),
    screenshot2Headline: text('screenshot2_headline').notNull(),
    removedAt: integer('removed_at'),
    sources: text('sources').notNull(),
    drawings: text('drawings').notNull().default('[]'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.pairId] }),
    index('shown_notes_of_contract').on(table.userId, table.account, table.contract),
    index('shown_notes_removed').on(table.userId, table.pairId).where(sql`removed_at IS NOT NULL`),
  ],
)

export const leftOverNotes = tableWithoutRowid(
  'left_over_notes',
  {
    userId: text('user_id').notNull(),
    editId: text('edit_id').notNull(),
    account: text('account').notNull(),
    contract: text('contract').notNull(),
    tradingDay: text('trading_day').notNull(),
    fields: text('fields').notNull(),
    pairId: text('pair_id'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.editId] }), index('left_over_notes_of_day').on(table.userId, table.tradingDay)],
)

export const trades = sqliteTable(
  'trades',
  {
    ref: integer('ref').primaryKey(),
    userId: text('user_id').notNull(),
    id: text('id').notNull(),
    accountId: text('account_id').notNull(),
    symbol: text('symbol').notNull(),
    batchDate: text('batch_date').notNull(),
    underWay: integer('under_way', { mode: 'boolean' }).notNull(),
    date: text('date').notNull(),
    tradingDay: text('trading_day').notNull(),
    side: text('side', { enum: ['long', 'short'] }).notNull(),
    qty: integer('qty').notNull(),
    maxPosition: integer('max_position').notNull(),
    pairs: integer('pairs').notNull(),
    tickSize: text('tick_size').notNull(),
    basePrice: integer('base_price').$type<Ticks>().notNull(),
    entrySum: integer('entry_sum').notNull(),
    exitSum: integer('exit_sum').notNull(),
    entryTime: integer('entry_time').notNull(),
    exitTime: integer('exit_time').notNull(),
    gross: integer('gross').$type<Amount>().notNull(),
    commission: integer('commission').$type<Amount>().notNull(),
    net: integer('net').$type<Amount>().notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    multiplierSource: text('multiplier_source').$type<FillPairRecord['multiplierSource']>().notNull(),
    feeSource: text('fee_source').$type<FillPairRecord['feeSource']>().notNull(),
    warnings: text('warnings').notNull(),
    missing: integer('missing'),
    otherFees: text('other_fees'),
  },
  (table) => [
    uniqueIndex('trades_by_id').on(table.userId, table.id),
    index('trades_of_batch').on(table.userId, table.accountId, table.symbol, table.batchDate),
    index('trades_by_exit').on(table.userId, table.exitTime, table.id),
    index('trades_by_day').on(table.userId, table.tradingDay, table.accountId, table.symbol, table.side, table.id),
    flag(table.underWay),
    oneOf(table.side),
    positive(table.qty),
    positive(table.pairs),
  ],
)

/** The figures of accounts when each local day was matched separately, kept to show the user what changed. */
export const rematchedAccounts = tableWithoutRowid(
  'rematched_accounts',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    account: text('account').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    pairsBefore: integer('pairs_before').notNull(),
    netBefore: integer('net_before').$type<Amount>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.currency] })],
)

export const knownPositions = tableWithoutRowid(
  'known_positions',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    contract: text('contract').notNull(),
    source: text('source', { enum: ['broker', 'import'] }).notNull(),
    time: integer('time').notNull(),
    net: integer('net').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.contract, table.source, table.time] }), oneOf(table.source)],
)

export const missingFills = sqliteTable(
  'missing_fills',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    contract: text('contract'),
    source: text('source', { enum: ['broker', 'import'] }).notNull(),
    time: integer('time'),
  },
  (table) => [index('missing_fills_of_contract').on(table.userId, table.account, table.contract), oneOf(table.source)],
)

/** The doubts with which a contract was matched; no row if there are none. */
export const positionDoubtRows = tableWithoutRowid(
  'position_doubts',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    contract: text('contract').notNull(),
    doubts: text('doubts').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.contract] })],
)

/** The trades that statistics count: derived ones, and those entered by hand and not removed, with a negative `ref`. */
export const countedTrades = sqliteView('counted_trades', {
  ref: integer('ref').notNull(),
  userId: text('user_id').notNull(),
  id: text('id').notNull(),
  account: text('account'),
  accountId: text('account_id').notNull(),
  symbol: text('symbol').notNull(),
  date: text('date').notNull(),
  tradingDay: text('trading_day').notNull(),
  side: text('side', { enum: ['long', 'short'] }).notNull(),
  qty: integer('qty').notNull(),
  pairs: integer('pairs').notNull(),
  tickSize: text('tick_size').notNull(),
  basePrice: integer('base_price').$type<Ticks>().notNull(),
  entrySum: integer('entry_sum').notNull(),
  exitSum: integer('exit_sum').notNull(),
  entryTime: integer('entry_time').notNull(),
  exitTime: integer('exit_time').notNull(),
  gross: integer('gross').$type<Amount>().notNull(),
  commission: integer('commission').$type<Amount>().notNull(),
  net: integer('net').$type<Amount>().notNull(),
  currency: text('currency').$type<Currency>().notNull(),
  multiplierSource: text('multiplier_source').$type<FillPairRecord['multiplierSource']>().notNull(),
  feeSource: text('fee_source').$type<FillPairRecord['feeSource']>().notNull(),
  warnings: text('warnings').notNull(),
  missing: integer('missing'),
  otherFees: text('other_fees'),
}).as(sql`
  SELECT ref, user_id, id, NULL AS account, account_id, symbol, date, trading_day, side, qty, pairs, tick_size, base_price, entry_sum, exit_sum,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, missing, other_fees FROM trades
  UNION ALL
  SELECT -ref, user_id, id, account, account_id, symbol, date, trading_day, side, qty, 1, tick_size, entry_price, 0, (exit_price - entry_price) * qty,
    entry_time, exit_time, gross, commission, net, currency, multiplier_source, fee_source, warnings, NULL, NULL FROM fill_pairs
  WHERE origin = 'manual' AND NOT EXISTS (SELECT 1 FROM shown_notes AS shown WHERE shown.user_id = fill_pairs.user_id AND shown.pair_id = fill_pairs.id AND shown.removed_at IS NOT NULL)`)
