import { z } from 'zod'
import { calendarDay, currencyCode, decimalText, done, identifier } from './fields.ts'
import { editGroups, type EditField } from '#shared/notes/edit-groups.ts'
import { excursionFigures } from '#shared/stats/filter.ts'
import { fillPairRecord, finance, firm, listedTrade, newFill, newFinance, newTrade, tag, tradeUpdates } from './records.ts'
import type { Route } from './route.ts'
import { filterQuery, unit } from './statistics.ts'

const ofUser = z.object({ userId: identifier })

/** The journal's records, under the paths that the spec fixes. */
export const recordRoutes = {
  getTrades: { method: 'GET', path: '/api/firestore-get-trades', query: ofUser, answer: z.object({ success: z.literal(true), trades: z.array(fillPairRecord) }) },
  addTrade: {
    method: 'POST',
    path: '/api/firestore-add-trade',
    body: ofUser.extend({ trade: newTrade }),
    answer: z.object({ success: z.literal(true), trade: fillPairRecord }),
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
    answer: z.object({ success: z.literal(true), trade: fillPairRecord }),
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

/** A broker's fill pair as the client last saw it. If the pair is gone, these fields find the one that replaced it. */
const seenPair = fillPairRecord.pick({ accountId: true, symbol: true, side: true, qty: true, date: true, tradingDay: true, entryTime: true, exitTime: true, entryPrice: true, exitPrice: true })
export type SeenPair = z.infer<typeof seenPair>

/** A changed fill pair: its new values, and what the client saw in these fields before. */
const pairEdit = z
  .object({ id: identifier, updates: tradeUpdates, base: z.partialRecord(z.enum(editFields), z.json()), seen: seenPair.optional() })
  .refine(({ updates, base }) => Object.keys(updates).every((name) => isEditField(name) && base[name] !== undefined), { path: ['base'], error: 'says nothing of a field that is changed' })
  .refine(({ updates, base }) => updates.tags === undefined || (Array.isArray(base.tags) && base.tags.every((tag) => typeof tag === 'string')), { path: ['base', 'tags'], error: 'no tags' })
  .refine(({ updates, base }) => updates.drawings === undefined || Array.isArray(base.drawings), { path: ['base', 'drawings'], error: 'no drawings' })

/** Logbook changes that are not in the spec, so the cloud does not answer them. */
export const logbookRoutes = {
  /**
   * Saves the changes of a form in one transaction. A field is written only if its value is still what the client saw;
   * tags and drawings are merged. `conflicts` names the fields that someone else changed meanwhile; those are not written on any of
   * the pairs. Returns the pairs after the change. Annotations on a broker's pair that is gone are kept beside the
   * existing ones: `kept` names the pair that shows them now, null if they are left over.
   */
  savePairs: {
    method: 'POST',
    path: '/api/fill-pairs/save',
    body: z.object({ edits: z.array(pairEdit).min(1) }),
    answer: z.object({ pairs: z.array(fillPairRecord), conflicts: z.array(z.enum(editFields)), kept: z.array(z.object({ id: identifier, on: identifier.nullable() })) }),
    failure: 'Failed to update trade',
    bodyLimit: '16mb',
  },
  /** Undoes a removal. */
  restorePair: { method: 'POST', path: '/api/fill-pairs/restore', body: z.object({ id: identifier }), answer: done },
  /** Adds a tag to fill pairs or removes it. Returns the pairs that changed, for undo. */
  tagPairs: {
    method: 'POST',
    path: '/api/fill-pairs/tag',
    body: z.object({
      tag,
      change: z.enum(['add', 'remove']),
      /** Fill pairs by id, or all rows of a filter except `except`. */
      of: z.union([z.object({ ids: z.array(identifier) }), z.object({ unit, filter: filterQuery, except: z.array(identifier) })]),
    }),
    answer: z.object({ changed: z.array(identifier) }),
    bodyLimit: '16mb',
  },
} as const satisfies Record<string, Route>

/** Columns that the logbook can be sorted by. */
export const tradeSort = z.enum(['exitTime', 'entryTime', 'symbol', 'account', 'side', 'qty', 'entryPrice', 'exitPrice', 'commission', 'netPnl', ...excursionFigures])
export type TradeSort = z.infer<typeof tradeSort>

const window = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
})

/** Search hits in notes, newest first: fill pairs, each with its trade, and days. */
const foundNotes = z.object({
  pairs: z.array(z.object({ id: identifier, tradeId: identifier.nullable(), symbol: z.string(), side: z.enum(['long', 'short']), account: z.string(), tradingDay: calendarDay, netPnl: decimalText, currency: z.string(), excerpt: z.string() })),
  days: z.array(z.object({ tradingDay: calendarDay, excerpt: z.string() })),
})
export type FoundNotes = z.infer<typeof foundNotes>

/** A withdrawal from a funded account by its broker's Cash History, which no payout of the user matches; `amount` is above zero. */
export const bookedPayout = z.object({
  /** Of the entry that it would be. */
  id: identifier,
  account: z.string(),
  name: z.string(),
  firm,
  date: calendarDay,
  amount: decimalText,
  currency: currencyCode,
})
export type BookedPayout = z.infer<typeof bookedPayout>

/** Read calls for the screens. */
export const journalRoutes = {
  pairPage: {
    method: 'GET',
    path: '/api/fill-pairs',
    query: filterQuery.extend({ ...window.shape, sort: tradeSort.default('exitTime'), direction: z.enum(['asc', 'desc']).default('desc') }),
    answer: z.object({ total: z.number().int(), rows: z.array(fillPairRecord) }),
  },
  tradePage: {
    method: 'GET',
    path: '/api/trades',
    query: filterQuery.extend({ ...window.shape, sort: tradeSort.default('exitTime'), direction: z.enum(['asc', 'desc']).default('desc') }),
    answer: z.object({ total: z.number().int(), rows: z.array(listedTrade) }),
  },
  /** A row of the logbook by its id: a fill pair, a trade, or both of one entered by hand; both null if there is none. */
  recordById: { method: 'GET', path: '/api/logbook/record', query: z.object({ id: identifier }), answer: z.object({ pair: fillPairRecord.nullable(), trade: listedTrade.nullable() }) },
  findNotes: { method: 'GET', path: '/api/notes/find', query: z.object({ text: z.string().max(100) }), answer: foundNotes },
  bookedPayouts: { method: 'GET', path: '/api/booked-payouts', answer: z.object({ payouts: z.array(bookedPayout) }) },
  /** The pairs of one trade, oldest exit first. */
  tradePairs: { method: 'GET', path: '/api/trades/pairs', query: z.object({ tradeId: identifier }), answer: z.object({ rows: z.array(fillPairRecord) }) },
} as const satisfies Record<string, Route>
