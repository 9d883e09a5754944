import { z } from 'zod'
import { calendarDay, decimalText, identifier } from './fields.ts'
import { editGroups, type EditField } from '#shared/notes/merge-edit.ts'
import { finance, listedTrip, newFill, newFinance, newTrade, tag, trade, tradeUpdates } from './records.ts'
import type { Route } from './route.ts'
import { filterQuery, unit } from './statistics.ts'

const done = z.object({ success: z.literal(true) })
const ofUser = z.object({ userId: identifier })

/** The records of the journal, under the paths that the spec fixes. */
export const recordRoutes = {
  getTrades: { method: 'GET', path: '/api/firestore-get-trades', query: ofUser, answer: z.object({ success: z.literal(true), trades: z.array(trade) }) },
  addTrade: {
    method: 'POST',
    path: '/api/firestore-add-trade',
    body: ofUser.extend({ trade: newTrade }),
    answer: z.object({ success: z.literal(true), trade }),
    failure: 'Failed to save trade',
  },
  removeTrade: {
    method: 'POST',
    path: '/api/firestore-remove-trade',
    body: z.union([ofUser.extend({ id: identifier }), ofUser.extend({ accountId: identifier })]),
    answer: done,
    failure: 'Failed to remove trade',
  },
  updateTrade: {
    method: 'POST',
    path: '/api/firestore-update-trade',
    body: ofUser.extend({ id: identifier, updates: tradeUpdates }),
    answer: z.object({ success: z.literal(true), trade }),
    failure: 'Failed to update trade',
  },
  getFinances: { method: 'GET', path: '/api/firestore-get-finances', query: ofUser, answer: z.object({ success: z.literal(true), finances: z.array(finance) }) },
  addFinance: {
    method: 'POST',
    path: '/api/firestore-add-finance',
    body: ofUser.extend({ finance: newFinance }),
    answer: z.object({ success: z.literal(true), finance }),
    failure: 'Failed to save finance',
  },
  removeFinance: { method: 'POST', path: '/api/firestore-remove-finance', body: ofUser.extend({ id: identifier }), answer: done, failure: 'Failed to remove finance' },
  addFill: { method: 'POST', path: '/api/firestore-add-tradovate-fills', body: ofUser.extend({ fill: newFill }), answer: done },
} as const satisfies Record<string, Route>

const editFields = editGroups.flat()
const isEditField = (name: string): name is EditField => (editFields as readonly string[]).includes(name)

/** A trade of the broker as its writer last saw it: where it is gone, the trade that took its place is found by this. */
const seenTrade = trade.pick({ accountId: true, symbol: true, side: true, qty: true, date: true, tradingDay: true, entryTime: true, exitTime: true, entryPrice: true, exitPrice: true })
export type SeenTrade = z.infer<typeof seenTrade>

/** A changed trade: its new values, and what its writer saw in each of these fields before. */
const tradeEdit = z
  .object({ id: identifier, updates: tradeUpdates, base: z.partialRecord(z.enum(editFields), z.json()), seen: seenTrade.optional() })
  .refine(({ updates, base }) => Object.keys(updates).every((name) => isEditField(name) && base[name] !== undefined), { path: ['base'], error: 'says nothing of a field that is changed' })
  .refine(({ updates, base }) => updates.tags === undefined || (Array.isArray(base.tags) && base.tags.every((tag) => typeof tag === 'string')), { path: ['base', 'tags'], error: 'no tags' })

/** Logbook changes that are not in the spec, so the cloud does not answer them. */
export const logbookRoutes = {
  /**
   * Saves what a form changed, in one transaction: a field is written where it still says what its writer saw, tags are
   * merged, and `conflicts` names those that somebody else changed meanwhile, of which none is written in any of the
   * trades. Answers the trades as they are then. What is written on a trade of the broker that is gone is kept, beside
   * what is said there: `kept` names the trade that shows it now, null where it is left over.
   */
  saveTrades: {
    method: 'POST',
    path: '/api/trades/save',
    body: z.object({ edits: z.array(tradeEdit).min(1) }),
    answer: z.object({ trades: z.array(trade), conflicts: z.array(z.enum(editFields)), kept: z.array(z.object({ id: identifier, on: identifier.nullable() })) }),
    failure: 'Failed to update trade',
    bodyLimit: '16mb',
  },
  /** Undoes a removal. */
  restoreTrade: { method: 'POST', path: '/api/trades/restore', body: z.object({ id: identifier }), answer: done },
  /** Adds a tag to fill pairs or takes it away; answers those that changed, with which the opposite call undoes it. */
  tagTrades: {
    method: 'POST',
    path: '/api/trades/tag',
    body: z.object({
      tag,
      change: z.enum(['add', 'remove']),
      /** Fill pairs by their ids, or those of all rows of a filter but `except`. */
      of: z.union([z.object({ ids: z.array(identifier) }), z.object({ unit, filter: filterQuery, except: z.array(identifier) })]),
    }),
    answer: z.object({ changed: z.array(identifier) }),
    bodyLimit: '16mb',
  },
} as const satisfies Record<string, Route>

/** Columns that the logbook can be sorted by. */
export const tradeSort = z.enum(['exitTime', 'entryTime', 'symbol', 'account', 'side', 'qty', 'entryPrice', 'exitPrice', 'commission', 'netPnl'])
export type TradeSort = z.infer<typeof tradeSort>

const window = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
})

/** Where a text was found in notes, the latest first: trades (fill pairs, with the trip that each is part of) and days. */
const foundNotes = z.object({
  trades: z.array(z.object({ id: identifier, tripId: identifier.nullable(), symbol: z.string(), side: z.enum(['long', 'short']), account: z.string(), tradingDay: calendarDay, netPnl: decimalText, currency: z.string(), excerpt: z.string() })),
  days: z.array(z.object({ tradingDay: calendarDay, excerpt: z.string() })),
})
export type FoundNotes = z.infer<typeof foundNotes>

/** Read calls for the screens. */
export const journalRoutes = {
  tradePage: {
    method: 'GET',
    path: '/api/trades',
    query: filterQuery.extend({ ...window.shape, sort: tradeSort.default('exitTime'), direction: z.enum(['asc', 'desc']).default('desc') }),
    answer: z.object({ total: z.number().int(), rows: z.array(trade) }),
  },
  tripPage: {
    method: 'GET',
    path: '/api/trips',
    query: filterQuery.extend({ ...window.shape, sort: tradeSort.default('exitTime'), direction: z.enum(['asc', 'desc']).default('desc') }),
    answer: z.object({ total: z.number().int(), rows: z.array(listedTrip) }),
  },
  /** A trade of the logbook by its id: a fill pair or a trade by hand, or a trip; both null where there is none. */
  tradeById: { method: 'GET', path: '/api/trades/one', query: z.object({ id: identifier }), answer: z.object({ trade: trade.nullable(), trip: listedTrip.nullable() }) },
  findNotes: { method: 'GET', path: '/api/notes/find', query: z.object({ text: z.string().max(100) }), answer: foundNotes },
  /** The pairs of one trip, oldest exit first. */
  tripPairs: { method: 'GET', path: '/api/trips/pairs', query: z.object({ tripId: identifier }), answer: z.object({ rows: z.array(trade) }) },
} as const satisfies Record<string, Route>
