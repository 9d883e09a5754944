import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import type { AccountKey } from '#shared/fills/fill.ts'
import type { CentRounding } from '#shared/money/cents.ts'
import type { SpecSource } from '#shared/market/contract-spec.ts'
import { neverStamped, type Stamp } from '#shared/mirror/stamp.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import { flag, oneOf, positive, tableWithoutRowid } from '../tables.ts'
import { profiles } from './people.ts'

export const logins = sqliteTable(
  'logins',
  {
    id: text('id').primaryKey().notNull(),
    userId: text('user_id').notNull().references(() => profiles.id),
    /** Which brokerage's port reads it; a firm on ProjectX is one of its own, and NinjaTrader one whose user is the path of its database. */
    broker: text('broker', { enum: ['tradovate', 'topstepx', 'ninjatrader'] }).notNull(),
    /** The broker's own user id: connecting the same user again renews this login. */
    brokerUserId: text('broker_user_id').notNull(),
    name: text('name').notNull(),
    status: text('status', { enum: ['ok', 'expired'] }).notNull(),
    /** The broker's own text about why access ended. */
    lastError: text('last_error'),
    refusedAt: integer('refused_at'),
    /** The hosts of this login's organization, as JSON; null for those of the settings. */
    hosts: text('hosts'),
    connectedAt: integer('connected_at').notNull(),
  },
  (table) => [unique().on(table.userId, table.broker, table.brokerUserId), oneOf(table.status)],
)

export const accounts = tableWithoutRowid(
  'accounts',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    key: text('key').$type<AccountKey>().notNull(),
    loginId: text('login_id').notNull(),
    environment: text('environment', { enum: ['live', 'demo'] }).notNull(),
    brokerAccountId: text('broker_account_id').notNull(),
    name: text('name').notNull(),
    balance: integer('balance').$type<Amount>(),
    currency: text('currency').$type<Currency>().notNull(),
    balanceAt: integer('balance_at'),
    /** UTC ms of the removal by the user; sync skips such an account. */
    removedAt: integer('removed_at'),
    connectedAt: integer('connected_at').notNull(),
    lastSyncAt: integer('last_sync_at'),
    stamp: text('stamp').$type<Stamp>().notNull().default(neverStamped),
    loginName: text('login_name').notNull().default(''),
    watchedSince: integer('watched_since'),
    copyOf: text('copy_of'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.key] }), oneOf(table.environment)],
)

export const contracts = tableWithoutRowid(
  'contracts',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    environment: text('environment', { enum: ['live', 'demo'] }).notNull(),
    brokerContractId: text('broker_contract_id').notNull(),
    contract: text('contract').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.environment, table.brokerContractId] }), oneOf(table.environment)],
)

export const specs = tableWithoutRowid(
  'specs',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    contract: text('contract').notNull(),
    root: text('root'),
    rootIsWhole: integer('root_is_whole', { mode: 'boolean' }).notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    tickSize: text('tick_size').notNull(),
    tickValueNum: integer('tick_value_num').notNull(),
    tickValueDen: integer('tick_value_den').notNull(),
    feePerSide: integer('fee_per_side').$type<Amount>().notNull(),
    source: text('source').$type<SpecSource>().notNull(),
    rounding: text('rounding').$type<CentRounding>(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.contract] }), flag(table.rootIsWhole), positive(table.tickValueDen)],
)

export const syncRuns = tableWithoutRowid(
  'sync_runs',
  {
    userId: text('user_id').notNull().references(() => profiles.id),
    runId: text('run_id').notNull(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at').notNull(),
    outcome: text('outcome', { enum: ['complete', 'partial', 'failed'] }).notNull(),
    receipt: text('receipt').notNull(),
    good: integer('good', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.userId, table.runId] }), index('sync_runs_by_end').on(table.userId, table.endedAt), oneOf(table.outcome), flag(table.good)],
)

/** The P&L that the broker had realized in an account's last read session, without fees. */
export const runningSessions = tableWithoutRowid(
  'running_sessions',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    tradingDay: text('trading_day').notNull(),
    realized: integer('realized').$type<Amount>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.currency] })],
)

export const sessionReads = tableWithoutRowid(
  'session_reads',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    tradingDay: text('trading_day').notNull(),
    readUntil: integer('read_until'),
    closed: integer('closed', { mode: 'boolean' }).notNull().default(false),
    lacking: integer('lacking', { mode: 'boolean' }).notNull().default(false),
    settled: integer('settled', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.tradingDay] }), flag(table.closed), flag(table.lacking), flag(table.settled)],
)

/** What a broker itself states of each fill that counts: the P&L that it realized (null where it opened or added), and its cost (null if not stated). */
export const statedFills = tableWithoutRowid(
  'stated_fills',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    id: text('id').notNull(),
    contract: text('contract').notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    time: integer('time').notNull(),
    side: text('side', { enum: ['buy', 'sell'] }).notNull(),
    qty: integer('qty').notNull(),
    gross: integer('gross').$type<Amount>(),
    fees: integer('fees').$type<Amount>(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.id] }), oneOf(table.side), positive(table.qty)],
)

/** The fees of a session's fills (JSON: 1/10,000 or null by the fill's id) as a database on this computer stated them when it was read last. */
export const readFees = tableWithoutRowid(
  'read_fees',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    tradingDay: text('trading_day').notNull(),
    fees: text('fees').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.tradingDay] })],
)

/** Stop and limit orders as they were moved: `steps` is JSON of the time, price in ticks and contracts of each; `ended_at` is null while the order works, as it did at `seen_at`. */
export const workedOrders = tableWithoutRowid(
  'worked_orders',
  {
    userId: text('user_id').notNull(),
    account: text('account').$type<AccountKey>().notNull(),
    orderId: text('order_id').notNull(),
    contract: text('contract').notNull(),
    tickSize: text('tick_size').notNull(),
    side: text('side', { enum: ['buy', 'sell'] }).notNull(),
    kind: text('kind', { enum: ['stop', 'limit'] }).notNull(),
    beganAt: integer('began_at').notNull(),
    endedAt: integer('ended_at'),
    seenAt: integer('seen_at').notNull(),
    steps: text('steps').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.account, table.orderId] }), index('worked_orders_of_contract').on(table.userId, table.account, table.contract, table.beganAt), oneOf(table.side), oneOf(table.kind)],
)
