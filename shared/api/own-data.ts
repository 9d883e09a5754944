import { z } from 'zod'
import { calendarDay, currencyCode, decimalText, done, identifier, productName as product } from './fields.ts'
import { firm, tradeUserFields } from './records.ts'
import type { Route } from './route.ts'

/** The scope of commission rates: all accounts of a firm, or one account, which wins. */
export const commissionOf = z.discriminatedUnion('scope', [z.object({ scope: z.literal('firm'), firm }), z.object({ scope: z.literal('account'), accountId: identifier })])
export type CommissionOf = z.infer<typeof commissionOf>

/** The user's commission rate per contract and side, all fees included, in the contract's currency; used for fills without a fee from the broker. */
export const ownCommission = z.object({ of: commissionOf, product, perSide: decimalText, currency: z.string().length(3) })
export type OwnCommission = z.infer<typeof ownCommission>

/** The contract table's figures of a product: the defaults without a rate of the user's own; `perSide` is null if the table has none. */
export const tableCommission = z.object({ product, name: z.string(), perSide: decimalText.nullable(), currency: z.string().length(3) })

/** A product's point value set by the user: an exact decimal above zero. */
const pointValue = z.object({ amount: decimalText.regex(/[1-9]/).regex(/^\d/), currency: currencyCode.toUpperCase() })

/** A product whose point value neither the broker nor the contract table knows: its contracts in the journal, their number of fill pairs, and the user's value. */
export const uncertainProduct = z.object({ product, contracts: z.array(z.string()), pairs: z.number().int(), pointValue: pointValue.nullable() })
export type UncertainProduct = z.infer<typeof uncertainProduct>

/** The default stop distance of a product's trades without a stop, above zero. */
export const defaultStop = z.object({ product, distance: decimalText, unit: z.enum(['ticks', 'points']) })
export type OwnDefaultStop = z.infer<typeof defaultStop>

/** The user's annotations of a trading day. */
export const dayNote = z.object({ tradingDay: calendarDay, notes: tradeUserFields.shape.notes, tags: tradeUserFields.shape.tags })
export type DayNote = z.infer<typeof dayNote>

/** The user's data beyond single trades: days, commissions, stops, and which account copies which. */
export const ownDataRoutes = {
  dayNotes: { method: 'GET', path: '/api/day-notes', query: z.object({ from: calendarDay.optional(), to: calendarDay.optional() }), answer: z.object({ days: z.array(dayNote) }) },
  /**
   * Updates only the given fields. `base` is what the client saw in them: notes that someone else changed since are
   * left unchanged, so the returned day can differ from what was sent; tags merge.
   */
  setDayNote: { method: 'POST', path: '/api/day-notes', body: dayNote.partial().required({ tradingDay: true }).extend({ base: dayNote.pick({ notes: true, tags: true }).partial().optional() }), answer: z.object({ success: z.literal(true), day: dayNote }) },
  commissions: { method: 'GET', path: '/api/commissions', answer: z.object({ own: z.array(ownCommission), table: z.array(tableCommission) }) },
  /** Null resets to the default. Derives the affected trades again before it answers, and returns how many pairs changed. */
  setCommission: {
    method: 'POST',
    path: '/api/commissions',
    body: z.object({ of: commissionOf, product, perSide: decimalText.regex(/^\d/).nullable() }),
    answer: z.object({ success: z.literal(true), pairs: z.number().int() }),
  },
  pointValues: { method: 'GET', path: '/api/point-values', answer: z.object({ products: z.array(uncertainProduct) }) },
  /** Null resets to the default. Derives the affected trades again before it answers, and returns how many pairs changed. */
  setPointValue: {
    method: 'POST',
    path: '/api/point-values',
    body: z.object({ product, pointValue: pointValue.nullable() }),
    answer: z.object({ success: z.literal(true), pairs: z.number().int() }),
  },
  defaultStops: { method: 'GET', path: '/api/default-stops', answer: z.object({ stops: z.array(defaultStop) }) },
  /** All or nothing; a null distance removes a product's stop. */
  setDefaultStops: {
    method: 'POST',
    path: '/api/default-stops',
    body: z.object({ stops: z.array(defaultStop.extend({ distance: decimalText.regex(/[1-9]/).regex(/^\d/).nullable() })).min(1).max(500) }),
    answer: done,
  },
  /** Accounts whose figures changed when matching began to carry positions across midnight, until the user dismisses the note. */
  rematched: {
    method: 'GET',
    path: '/api/rematched',
    answer: z.object({ accounts: z.array(z.object({ name: z.string(), currency: z.string().length(3), pairsBefore: z.number().int(), netBefore: decimalText, pairs: z.number().int(), net: decimalText })) }),
  },
  dismissRematched: { method: 'POST', path: '/api/rematched/dismiss', answer: done },
  /** Marks an account as a copy of a leader; null removes the mark. A leader cannot be a copy itself. */
  setCopyOf: { method: 'POST', path: '/api/accounts/copy-of', body: z.object({ accountId: identifier, leaderId: identifier.nullable() }), answer: done },
} as const satisfies Record<string, Route>
