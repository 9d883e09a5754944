import { z } from 'zod'
import { calendarDay, identifier } from './fields.ts'
import { finance, newFill, newFinance, newTrade, trade, tradeUpdates, trip } from './records.ts'
import type { Route } from './route.ts'

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

/** Whether a figure counts FIFO pairs or flat-to-flat trips. */
export const unit = z.enum(['pairs', 'trips'])
export type Unit = z.infer<typeof unit>

/** Columns that the logbook can be sorted by. */
export const tradeSort = z.enum(['exitTime', 'entryTime', 'symbol', 'account', 'side', 'qty', 'entryPrice', 'exitPrice', 'commission', 'netPnl'])
export type TradeSort = z.infer<typeof tradeSort>

/** The logbook's filter: `symbol` and `account` match as case-insensitive substrings. */
export const tradeFilter = z.object({ symbol: z.string().max(100).default(''), account: z.string().max(200).default('') })
export type TradeFilter = z.infer<typeof tradeFilter>

const window = z.object({
  offset: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(500).default(200),
})

/** Sums of one currency, as exact decimals. */
export const moneySummary = z.object({ currency: z.string().length(3), grossPnl: z.string(), commission: z.string(), netPnl: z.string(), maxDrawdown: z.string() })
export type MoneySummary = z.infer<typeof moneySummary>

/** The first figures of the Overview; every one counts `unit`. */
export const overview = z.object({
  unit,
  count: z.number().int(),
  wins: z.number().int(),
  losses: z.number().int(),
  /** From 0 to 1; a win is a gross above zero. Null where nothing was closed. */
  winRate: z.number().nullable(),
  profitFactor: z.number().nullable(),
  /** One row per currency: different currencies are never added. */
  money: z.array(moneySummary),
  /** Net by trading day and running total, per currency, oldest first. */
  equity: z.array(z.object({ currency: z.string().length(3), points: z.array(z.object({ tradingDay: calendarDay, netPnl: z.string(), cumulative: z.string() })) })),
  recent: z.array(trade),
  accounts: z.number().int(),
  firstDay: calendarDay.nullable(),
  lastDay: calendarDay.nullable(),
  /** Trades that carry a warning. */
  warned: z.number().int(),
})
export type Overview = z.infer<typeof overview>

/** Reads made for the screens. */
export const journalRoutes = {
  tradePage: {
    method: 'GET',
    path: '/api/trades',
    query: tradeFilter.extend({ ...window.shape, sort: tradeSort.default('exitTime'), direction: z.enum(['asc', 'desc']).default('desc') }),
    answer: z.object({ total: z.number().int(), rows: z.array(trade) }),
  },
  tripPage: {
    method: 'GET',
    path: '/api/trips',
    query: tradeFilter.extend({ ...window.shape, sort: tradeSort.default('exitTime'), direction: z.enum(['asc', 'desc']).default('desc') }),
    answer: z.object({ total: z.number().int(), rows: z.array(trip) }),
  },
  /** The pairs of one trip, oldest exit first. */
  tripPairs: { method: 'GET', path: '/api/trips/pairs', query: z.object({ tripId: identifier }), answer: z.object({ rows: z.array(trade) }) },
  overview: { method: 'GET', path: '/api/overview', query: z.object({ unit: unit.default('trips') }), answer: overview },
} as const satisfies Record<string, Route>
