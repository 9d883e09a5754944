import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import type { LockReason } from '#shared/api/copier.ts'
import { flag, oneOf, positive, tableWithoutRowid } from '../../db/tables.ts'

/** `draft`: the group as JSON; `armedAfter`: the newest event when it was last armed. A removed group stays, because its ledger names its owner. */
export const groups = sqliteTable(
  'groups',
  {
    ref: integer('ref').primaryKey(),
    id: text('id').notNull().unique(),
    userId: text('user_id').notNull(),
    draft: text('draft').notNull(),
    state: text('state', { enum: ['off', 'armed', 'paused'] }).notNull(),
    removed: integer('removed', { mode: 'boolean' }).notNull().default(false),
    armedAfter: integer('armed_after').notNull().default(0),
  },
  (table) => [oneOf(table.state), flag(table.removed)],
)

/** Each arming of a group, by the newest event before it (`after`): a dry run starts over from there. */
export const armings = tableWithoutRowid(
  'armings',
  {
    groupId: text('group_id').notNull().references(() => groups.id),
    after: integer('after').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.after] })],
)

/** A follower's state besides its rule. `day`: trading day of rejects and of a daily lock; `needsDecisionNext`: ask before adding at the next look; `closing`: its user is having it closed. */
export const followers = tableWithoutRowid(
  'followers',
  {
    groupId: text('group_id').notNull().references(() => groups.id),
    account: text('account').notNull(),
    lock: text('lock').$type<LockReason>(),
    rejects: integer('rejects').notNull(),
    day: text('day').notNull(),
    needsDecisionNext: integer('asks_first', { mode: 'boolean' }).notNull().default(false),
    closing: integer('closing', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.account] }), flag(table.needsDecisionNext), flag(table.closing)],
)

/**
 * The stance of a follower's contract, signed. `held`: the copier's position; `yours`: the rest of the account's position; `base`: the uncopied part of
 * the leader's position; `apart`: the deliberate deviation of `held` from the target; `needsDecision`: whether a question to the user is open; `takenTime` (UTC
 * ms) and `takenId`: the newest fill counted in `held` and `yours`.
 */
export const stances = tableWithoutRowid(
  'stances',
  {
    groupId: text('group_id').notNull().references(() => groups.id),
    account: text('account').notNull(),
    contract: text('contract').notNull(),
    held: integer('held').notNull(),
    yours: integer('yours').notNull(),
    base: integer('base').notNull(),
    apart: integer('apart').notNull(),
    why: text('why', { enum: ['exit-filled', 'by-hand'] }),
    needsDecision: integer('asks', { mode: 'boolean' }).notNull(),
    takenTime: integer('taken_time').notNull(),
    takenId: integer('taken_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.account, table.contract] }), oneOf(table.why), flag(table.needsDecision)],
)

/** A group's last known leader position in a contract, and its newest counted fill. */
export const leaders = tableWithoutRowid(
  'leaders',
  {
    groupId: text('group_id').notNull().references(() => groups.id),
    contract: text('contract').notNull(),
    net: integer('net').notNull(),
    takenTime: integer('taken_time').notNull(),
    takenId: integer('taken_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.contract] })],
)

/** The fills of a leader's orders that may work beyond the session, until each order is over: the broker lists fills of the current session only. `active`: not busted; `at`: UTC ms. */
export const leaderFills = tableWithoutRowid(
  'leader_fills',
  {
    groupId: text('group_id').notNull().references(() => groups.id),
    account: text('account').notNull(),
    orderId: integer('order_id').notNull(),
    id: integer('id').notNull(),
    qty: integer('qty').notNull(),
    active: integer('active', { mode: 'boolean' }).notNull(),
    at: integer('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.groupId, table.account, table.orderId, table.id] }), positive(table.qty), flag(table.active)],
)

/** The ledger: a leader's fill, or another cause of orders. */
export const events = sqliteTable(
  'events',
  {
    id: integer('id').primaryKey(),
    groupId: text('group_id').notNull().references(() => groups.id),
    at: integer('at').notNull(),
    kind: text('kind', { enum: ['fill', 'repair', 'exit', 'flatten', 'start'] }).notNull(),
    leaderAccount: text('leader_account').notNull(),
    contract: text('contract').notNull(),
    fillId: text('fill_id'),
    side: text('side', { enum: ['buy', 'sell'] }),
    qty: integer('qty').notNull(),
    price: text('price'),
  },
  (table) => [
    oneOf(table.kind),
    oneOf(table.side),
    index('events_of_group').on(table.groupId),
    index('events_by_time').on(table.at),
    uniqueIndex('events_of_fills').on(table.groupId, table.fillId).where(sql`fill_id IS NOT NULL`),
  ],
)

/** An event's orders as they are written before they are sent, in JSON lists; `cause` is the event itself if it is not in `events` yet. Rows of both tables follow a moment later. */
export const intents = sqliteTable('intents', {
  event: integer('event').notNull(),
  cause: text('cause'),
  orders: text('orders').notNull(),
})

/**
 * The orders of each event. `stage` `unknown`: the answer was lost; all but the first four are final. `pegDifference`: a trailing stop's distance;
 * `leaderOrderId`: the leader's order of a mirrored exit or entry; `price`: the average as exact decimal text; `toWire`, `ack` and `fill`: ms since the
 * leader's fill arrived; `why`: the reason of its end; `unmarked`: it filled, and the journal has not marked its trade as copied yet;
 * `counts`: an entry that filled or that its user canceled, which counts for the leader's order as long as that may work.
 */
export const orders = tableWithoutRowid(
  'orders',
  {
    cause: integer('event').notNull().references(() => events.id),
    clOrdId: text('cl_ord_id').notNull(),
    account: text('account').notNull(),
    contract: text('contract').notNull(),
    side: text('side', { enum: ['buy', 'sell'] }).notNull(),
    qty: integer('qty').notNull(),
    purpose: text('purpose', { enum: ['copy', 'repair', 'flatten', 'exit', 'entry'] }).notNull(),
    type: text('type', { enum: ['Market', 'Limit', 'Stop', 'StopLimit', 'TrailingStop', 'MIT'] }).notNull(),
    limitPrice: real('limit_price'),
    stopPrice: real('stop_price'),
    leaderOrderId: integer('leader_order_id'),
    writtenAt: integer('written_at').notNull(),
    dryRun: integer('dry_run', { mode: 'boolean' }).notNull(),
    stage: text('stage', { enum: ['written', 'sent', 'acknowledged', 'unknown', 'filled', 'cancelled', 'rejected', 'refused', 'never-arrived', 'dry-run'] }).notNull(),
    orderId: integer('order_id'),
    filled: integer('filled').notNull().default(0),
    price: text('price'),
    toWire: real('to_wire'),
    ack: real('ack'),
    fill: real('fill'),
    slipTicks: real('slip_ticks'),
    slipMoney: integer('slip_money'),
    slipCurrency: text('slip_currency'),
    why: text('why'),
    pegDifference: real('peg_difference'),
    unmarked: integer('unmarked', { mode: 'boolean' }).notNull().default(false),
    counts: integer('counts', { mode: 'boolean' }).notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.cause, table.clOrdId] }),
    oneOf(table.side),
    positive(table.qty),
    oneOf(table.purpose),
    oneOf(table.type),
    flag(table.dryRun),
    flag(table.unmarked),
    flag(table.counts),
    oneOf(table.stage),
    // No two orders share an id.
    uniqueIndex('orders_by_id').on(table.clOrdId),
    index('orders_by_time').on(table.writtenAt, table.account),
    index('unmarked_orders').on(table.cause).where(sql`unmarked = 1`),
    index('counting_orders').on(table.account).where(sql`counts = 1`),
    index('open_orders').on(table.cause).where(sql`stage IN ('written', 'sent', 'acknowledged', 'unknown')`),
  ],
)

/** Why nothing was sent to a follower for an event. */
export const notSent = tableWithoutRowid(
  'not_sent',
  {
    cause: integer('event').notNull().references(() => events.id),
    account: text('account').notNull(),
    contract: text('contract').notNull(),
    why: text('why').notNull(),
  },
  (table) => [primaryKey({ columns: [table.cause, table.account, table.contract] })],
)
