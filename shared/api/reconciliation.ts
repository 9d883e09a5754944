import { z } from 'zod'
import { brokerCurrency, calendarDay, decimalText, isKeptAsItIs, moment } from './fields.ts'
import type { Route } from './route.ts'

const currency = brokerCurrency
const count = z.number().int().nonnegative()

/** Why a day cannot be checked; such a day is never shown as right. */
export const uncheckedReason = z.enum([
  /** One of its trades depends on a position that disagrees with the broker's, or on a missing fill. */
  'incomplete',
  /** A row of the day, or possibly of the day, was rejected: the file's figures lack it. */
  'row-refused',
  /** Rows of files contradict each other about one fill, order, fill pair, or cash movement. */
  'contradicting-rows',
  /** Another account has the same fills: one account imported under two names. */
  'counted-twice',
  /** The broker charged fees at times without a known fill, or the fees of an opening in another session are not proven there. */
  'fees-uncertain',
  /** One contract of a fill costs more or less than the others: its quantity or its fee is wrong. */
  'fees-uneven',
  'unknown-contract',
  /** One of its fees is in a currency known only by the broker's number. */
  'unknown-currency',
  /** Rows of the Cash History are missing: its balance does not follow from row to row. */
  'broken-chain',
  /** A Cash History row has a type that Fillbook does not know. */
  'unknown-movement',
  /** The account's balance changed by more than its rows and trades explain. */
  'unexplained-balance',
  /** Fills with the same timestamp could be matched in another order, which would give other trades. */
  'ambiguous-order',
  /** A fill's price is only its order's average. */
  'approximate',
  /** No file has the broker's figures for it: nothing confirms its fills. */
  'no-broker-figures',
  /** The Cash History begins or ends in the middle of the session, and no file has its balance. */
  'cash-cut-off',
  /** The session was not settled when it was last read; only what the broker had realized by then is known. */
  'not-settled',
  'contradicting-balances',
  'no-fills',
  'several-currencies',
  'other-currency',
  /** The user entered its trades, and there are no broker figures. */
  'entered-by-hand',
])
export type DayReason = z.infer<typeof uncheckedReason>

const figures = z.object({ grossPnl: decimalText, commission: decimalText, netPnl: decimalText })
/** Whether a day equals the broker's figures to the cent, differs from them, or cannot be checked. */
export const dayState = z.enum(['equal', 'differs', 'unchecked'])
export type DayState = z.infer<typeof dayState>
/** Days by state; and the broker's pairs that were compared with Fillbook's, with the number of equal ones. */
const counts = z.object({ days: count, daysEqual: count, daysDiffer: count, daysUnchecked: count, pairsChecked: count, pairsEqual: count })
export type ReconciledCounts = z.infer<typeof counts>

/** One account, trading day and currency: the journal's fill pairs as the screens show them, beside the broker's figures. */
export const reconciledDay = z.object({
  account: z.string(),
  tradingDay: calendarDay,
  /** Null if Fillbook has nothing for the day and the broker does not name the currency. */
  currency: currency.nullable(),
  fillbook: figures,
  /** The broker's figures on the session on which it booked them; each null if unknown. `netFrom` says whether the net is the change of the balance, the sum of cash movements, that of the broker's figures of each fill, or that of a platform's closed trades. */
  broker: z.object({ grossPnl: decimalText.nullable(), commission: decimalText.nullable(), netPnl: decimalText.nullable(), netFrom: z.enum(['balance', 'cash', 'fills', 'trades']).nullable() }),
  /** Fillbook's net minus the broker's, without the fees of openings that one of them counts in another session. Also set on an unchecked day if both are known; otherwise null. */
  difference: decimalText.nullable(),
  /** The fees of openings by which the nets differ; null if none. */
  openings: decimalText.nullable(),
  state: dayState,
  reason: uncheckedReason.nullable(),
  /** The day's fill pairs that the user removed, and those entered by hand. */
  removed: count,
  entered: count,
})
export type ReconciledDay = z.infer<typeof reconciledDay>

/** One account, month (`YYYY-MM`) and currency: Fillbook's totals, and the sum of all known differences; null if none is known. */
export const reconciledMonth = z.object({
  account: z.string(), month: z.string(), currency: currency.nullable(),
  fillbook: figures, difference: decimalText.nullable(),
  days: count, daysEqual: count, daysDiffer: count, daysUnchecked: count,
})
export type ReconciledMonth = z.infer<typeof reconciledMonth>

/** Accounts and trading days compared with the broker's figures. */
export const reconciliation = z.object({
  /** Newest first, days by account. */
  days: z.array(reconciledDay),
  months: z.array(reconciledMonth),
  /** Every account that has a day; `fileOnly`: no login reaches it, `statedBy` names the broker that states the P&L of each fill itself. */
  accounts: z.array(counts.extend({ account: z.string(), name: z.string(), fileOnly: z.boolean(), statedBy: z.string().nullable() })),
  all: counts,
})
export type ReconciliationAnswer = z.infer<typeof reconciliation>

/** One side of a pair; null for facts that a cash movement lacks. */
const side = z.object({ qty: count.nullable(), buyPrice: decimalText.nullable(), sellPrice: decimalText.nullable(), grossPnl: decimalText })

/**
 * A fill pair of Fillbook next to the broker's, matched by their two fills; or all pairs that one fill closed, or all of one
 * contract that closed in one second, if the broker reports only that; or one that the broker does not report at all (`by` null).
 */
export const reconciledPair = z.object({
  by: z.enum(['fills', 'fill', 'time']).nullable(),
  contract: z.string().nullable(),
  currency: currency.nullable(),
  /** Time of the closing fill. */
  time: moment,
  buyFillId: z.string().nullable(),
  sellFillId: z.string().nullable(),
  /** The fill whose P&L the broker states; null where it states pairs. */
  closedBy: z.string().nullable(),
  fillbook: side.nullable(),
  broker: side.nullable(),
  /** Fillbook's gross minus the broker's, if the broker reports this pair. */
  difference: decimalText.nullable(),
  state: dayState,
  /** The removed pair; it counts nowhere. */
  removed: side.nullable(),
  /** Entered by hand. */
  entered: z.boolean(),
})
export type ReconciledPair = z.infer<typeof reconciledPair>

/** Fees of one contract in one currency, on the day of their fills; the contract is null if the broker does not name it. */
export const reconciledFees = z.object({ contract: z.string().nullable(), currency: currency.nullable(), fillbook: decimalText, broker: decimalText.nullable(), difference: decimalText.nullable() })
export type ReconciledFees = z.infer<typeof reconciledFees>

/**
 * All rows of one type in a day's cash: P&L of fill pairs, trading fees, transfers (deposits, withdrawals, and other
 * non-trading cash), and types that Fillbook does not know. The name is the broker's.
 */
const movement = z.object({ of: z.enum(['pair', 'fee', 'transfer', 'other']), name: z.string().nullable(), amount: decimalText, rows: count })
export type ReconciledMovement = z.infer<typeof movement>

/** A break in the Cash History: the row starts from a balance of `found`, but the row before it, `after`, left `expected`. */
const chainBreak = z.object({ transactionId: z.string(), after: z.string(), time: moment, tradingDay: calendarDay, type: z.string().nullable(), expected: decimalText, found: decimalText })

/** A day's cash in one currency: the balance at the start plus every cash row, by name, makes the balance at the end. */
export const reconciledCash = z.object({
  currency: currency.nullable(),
  /** Null if the Cash History does not have them. */
  balance: z.object({ start: decimalText, end: decimalText }).nullable(),
  movements: z.array(movement),
  broken: chainBreak.nullable(),
  /** How much the account's total changed beyond all of this and Fillbook's trades, since the previous total. */
  unexplained: decimalText.nullable(),
  /** Why the nets differ, each Fillbook's figure minus the broker's: the difference, and `openings`, the fees of contracts opened and closed in different sessions, which are not part of it. */
  terms: z.array(z.object({ of: z.enum(['gross', 'fees', 'other', 'openings']), name: z.string().nullable(), amount: decimalText })),
})
export type ReconciledCash = z.infer<typeof reconciledCash>

/** A day's parts on both sides, differing ones first. `cash` has one entry for each of `days`, in order. */
export const reconciledDayProof = z.object({ days: z.array(reconciledDay), cash: z.array(reconciledCash), pairs: z.array(reconciledPair), fees: z.array(reconciledFees) })
export type ReconciledDayProof = z.infer<typeof reconciledDayProof>

// Trades entered by hand may name no account.
const account = z.string().max(300).refine(isKeptAsItIs)
const accounts = z.union([account.transform((key) => [key]), z.array(account).max(500)]).default([])

/** Compares the journal with the broker's own figures. */
export const reconciliationRoutes = {
  reconciliation: { method: 'GET', path: '/api/reconciliation', query: z.object({ from: calendarDay.optional(), to: calendarDay.optional(), accounts }), answer: reconciliation },
  /** The details of an account's trading day; for an equal day, its proof. */
  reconciledDay: { method: 'GET', path: '/api/reconciliation/day', query: z.object({ account, day: calendarDay }), answer: reconciledDayProof },
} as const satisfies Record<string, Route>
