import { z } from 'zod'
import { calendarDay, currencyCode, decimalText, identifier, productName as product } from './fields.ts'
import { firm, tradeUserFields } from './records.ts'
import type { Route } from './route.ts'

const done = z.object({ success: z.literal(true) })

/** The scope of commission rates: all accounts of a firm, or one account, which wins. */
export const commissionOf = z.discriminatedUnion('scope', [z.object({ scope: z.literal('firm'), firm }), z.object({ scope: z.literal('account'), accountId: identifier })])
export type CommissionOf = z.infer<typeof commissionOf>

/** The user's commission rate per contract and side, all fees included, in the contract's currency; used for fills without a fee from the broker. */
export const ownCommission = z.object({ of: commissionOf, product, perSide: decimalText, currency: z.string().length(3) })
export type OwnCommission = z.infer<typeof ownCommission>

/** The table's figures of a product, for the user to see what applies without a rate of their own; null as `perSide` where it has none. */
export const tableCommission = z.object({ product, name: z.string(), perSide: decimalText.nullable(), currency: z.string().length(3) })

/** What a point of a product is worth by the user's word: an exact decimal above zero. */
const pointValue = z.object({ amount: decimalText.regex(/[1-9]/).regex(/^\d/), currency: currencyCode.toUpperCase() })

/** A product of which neither the broker nor the contract table says what a point is worth: its contracts in the journal, how many fill pairs are in them, and what the user says. */
export const uncertainProduct = z.object({ product, contracts: z.array(z.string()), trades: z.number().int(), pointValue: pointValue.nullable() })
export type UncertainProduct = z.infer<typeof uncertainProduct>

/** How far from its entry the stop of a trade lies that has none of its own, above zero. */
export const defaultStop = z.object({ product, distance: decimalText, unit: z.enum(['ticks', 'points']) })
export type OwnDefaultStop = z.infer<typeof defaultStop>

/** What the user says of a trading day. */
export const dayNote = z.object({ tradingDay: calendarDay, notes: tradeUserFields.shape.notes, tags: tradeUserFields.shape.tags })
export type DayNote = z.infer<typeof dayNote>

/** What the user says beside single trades: days, commissions, stops, which account copies which. */
export const ownDataRoutes = {
  dayNotes: { method: 'GET', path: '/api/day-notes', query: z.object({ from: calendarDay.optional(), to: calendarDay.optional() }), answer: z.object({ days: z.array(dayNote) }) },
  /**
   * Updates the given fields only. `base` is what the writer saw in them: notes that somebody else changed since are left
   * alone, so the answered day differs from what was sent; tags merge.
   */
  setDayNote: { method: 'POST', path: '/api/day-notes', body: dayNote.partial().required({ tradingDay: true }).extend({ base: dayNote.pick({ notes: true, tags: true }).partial().optional() }), answer: z.object({ success: z.literal(true), day: dayNote }) },
  commissions: { method: 'GET', path: '/api/commissions', answer: z.object({ own: z.array(ownCommission), table: z.array(tableCommission) }) },
  /** Null takes the own word back; trades that it changes are derived again before the answer, which says how many pairs did change. */
  setCommission: {
    method: 'POST',
    path: '/api/commissions',
    body: z.object({ of: commissionOf, product, perSide: decimalText.regex(/^\d/).nullable() }),
    answer: z.object({ success: z.literal(true), pairs: z.number().int() }),
  },
  pointValues: { method: 'GET', path: '/api/point-values', answer: z.object({ products: z.array(uncertainProduct) }) },
  /** Null takes the own word back; trades that it changes are derived again before the answer, which says how many pairs did change. */
  setPointValue: {
    method: 'POST',
    path: '/api/point-values',
    body: z.object({ product, pointValue: pointValue.nullable() }),
    answer: z.object({ success: z.literal(true), pairs: z.number().int() }),
  },
  defaultStops: { method: 'GET', path: '/api/default-stops', answer: z.object({ stops: z.array(defaultStop) }) },
  /** All of these at once, or none; null as distance takes a product's stop back. */
  setDefaultStops: {
    method: 'POST',
    path: '/api/default-stops',
    body: z.object({ stops: z.array(defaultStop.extend({ distance: decimalText.regex(/[1-9]/).regex(/^\d/).nullable() })).min(1).max(500) }),
    answer: done,
  },
  /** Accounts that came to other figures once positions were matched across midnight, until the user dismisses the note. */
  rematched: {
    method: 'GET',
    path: '/api/rematched',
    answer: z.object({ accounts: z.array(z.object({ name: z.string(), currency: z.string().length(3), pairsBefore: z.number().int(), netBefore: decimalText, pairs: z.number().int(), net: decimalText })) }),
  },
  dismissRematched: { method: 'POST', path: '/api/rematched/dismiss', answer: done },
  /** Marks an account as the copy of a leader's, null takes the mark back. A leader is no copy itself. */
  setCopyOf: { method: 'POST', path: '/api/accounts/copy-of', body: z.object({ accountId: identifier, leaderId: identifier.nullable() }), answer: done },
} as const satisfies Record<string, Route>
