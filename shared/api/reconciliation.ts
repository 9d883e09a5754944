import { z } from 'zod'
import { calendarDay, decimalText, feeCurrency, isKeptAsItIs, moment } from './fields.ts'
import type { Route } from './route.ts'

const currency = feeCurrency
const count = z.number().int().nonnegative()

/** Why a day cannot be checked; such a day is never shown as right. */
export const uncheckedReason = z.enum([
  /** A trade of it rests on a position that disagrees with the broker's, or on a missing fill. */
  'incomplete',
  /** A row of a file that is of that day, or may be, was refused: its figures lack it. */
  'row-refused',
  /** Rows of files say different things of one fill, order, fill pair or movement of cash. */
  'contradicting-rows',
  /** Another account has the same fills: one account under two names. */
  'counted-twice',
  /** The broker charged fees at moments at which no fill is known, or the fees of an opening in another session are not proven there. */
  'fees-uncertain',
  /** A contract of a fill costs more or less than that of others: its quantity or its fee is wrong. */
  'fees-uneven',
  'unknown-contract',
  /** A fee of it is in a currency of which only the broker's number is known. */
  'unknown-currency',
  /** Rows of the Cash History are missing: its balance does not follow from row to row. */
  'broken-chain',
  /** A row of the Cash History is of a type that Fillbook does not know. */
  'unknown-movement',
  /** The account's total moved by more than its rows and trades make. */
  'unexplained-balance',
  /** Fills of one moment could be matched in another order, with other trades. */
  'ambiguous-order',
  /** The price of a fill is only the average of its order. */
  'approximate',
  /** No file has the broker's figures of it: nothing confirms what its fills say. */
  'no-broker-figures',
  /** The Cash History begins or ends in the midst of the session, and no file has its balance. */
  'cash-cut-off',
  /** The session was not settled when it was last read; what the broker had realized until then is known. */
  'not-settled',
  'contradicting-balances',
  'no-fills',
  'several-currencies',
  'other-currency',
  /** Its user entered its trades, and no broker has figures of it. */
  'entered-by-hand',
])
export type DayReason = z.infer<typeof uncheckedReason>

const figures = z.object({ grossPnl: decimalText, commission: decimalText, netPnl: decimalText })
/** Whether a day equals the broker's figures to the cent, differs, or cannot be checked. */
export const dayState = z.enum(['equal', 'differs', 'unchecked'])
export type DayState = z.infer<typeof dayState>
/** Days, each of which is equal, differs or is unchecked; and of the broker's pairs those that were held against Fillbook's, and those of them that were equal. */
const counts = z.object({ days: count, daysEqual: count, daysDiffer: count, daysUnchecked: count, pairsChecked: count, pairsEqual: count })
export type ReconciledCounts = z.infer<typeof counts>

/** One account, trading day and currency: the journal's trades as the screens show them, beside the broker's own figures. */
export const reconciledDay = z.object({
  account: z.string(),
  tradingDay: calendarDay,
  /** Null where Fillbook has nothing that day, and the broker does not say it. */
  currency: currency.nullable(),
  fillbook: figures,
  /** The broker's figures on the session on which it booked them; each null if unknown. `netFrom` says whether the net is the change of the balance, the sum of cash movements, that of what the broker states of each fill, or that of a platform's closed trades. */
  broker: z.object({ grossPnl: decimalText.nullable(), commission: decimalText.nullable(), netPnl: decimalText.nullable(), netFrom: z.enum(['balance', 'cash', 'fills', 'trades']).nullable() }),
  /** Fillbook's net less the broker's but for the fees of openings that either counts in another session, also where the day is unchecked but both are known; null where one of them is not. */
  difference: decimalText.nullable(),
  /** The fees of openings that set the nets apart; null where none do. */
  openings: decimalText.nullable(),
  state: dayState,
  reason: uncheckedReason.nullable(),
  /** Trades (pairs) of the day that its user removed, and that were entered by hand. */
  removed: count,
  entered: count,
})
export type ReconciledDay = z.infer<typeof reconciledDay>

/** One account, month (`YYYY-MM`) and currency: Fillbook's sums, and the sum of all differences that are known; null where none is. */
export const reconciledMonth = z.object({
  ...{ account: z.string(), month: z.string(), currency: currency.nullable() },
  ...{ fillbook: figures, difference: decimalText.nullable() },
  ...{ days: count, daysEqual: count, daysDiffer: count, daysUnchecked: count },
})
export type ReconciledMonth = z.infer<typeof reconciledMonth>

/** Accounts and trading days by the broker's figures. */
export const reconciliation = z.object({
  /** Latest first, on one day by account. */
  days: z.array(reconciledDay),
  months: z.array(reconciledMonth),
  /** Every account of which there is a day; `fileOnly` says that no login reaches it, `statedBy` names the broker that states the P&L of each fill itself. */
  accounts: z.array(counts.extend({ account: z.string(), name: z.string(), fileOnly: z.boolean(), statedBy: z.string().nullable() })),
  all: counts,
})
export type ReconciliationAnswer = z.infer<typeof reconciliation>

/** One side of a pair; what a movement of cash does not say is null. */
const side = z.object({ qty: count.nullable(), buyPrice: decimalText.nullable(), sellPrice: decimalText.nullable(), grossPnl: decimalText })

/**
 * A fill pair of Fillbook next to the broker's, matched by their two fills; or all pairs that one fill closed, or all of one
 * contract that closed in one second, if the broker reports only that; or one that the broker does not report at all (`by` null).
 */
export const reconciledPair = z.object({
  by: z.enum(['fills', 'fill', 'time']).nullable(),
  contract: z.string().nullable(),
  currency: currency.nullable(),
  /** Of the closing. */
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
  /** The trade that its user removed; it counts nowhere. */
  removed: side.nullable(),
  /** Its user entered it. */
  entered: z.boolean(),
})
export type ReconciledPair = z.infer<typeof reconciledPair>

/** Fees of one contract in one currency, on the day of their fills; the contract is null where the broker does not say it. */
export const reconciledFees = z.object({ contract: z.string().nullable(), currency: currency.nullable(), fillbook: decimalText, broker: decimalText.nullable(), difference: decimalText.nullable() })
export type ReconciledFees = z.infer<typeof reconciledFees>

/** All rows of one type in a day's cash: P&L of fill pairs, trading fees, transfers (deposits, withdrawals, and other non-trading cash), and types that Fillbook does not know. The name is the broker's. */
const movement = z.object({ of: z.enum(['pair', 'fee', 'transfer', 'other']), name: z.string().nullable(), amount: decimalText, rows: count })
export type ReconciledMovement = z.infer<typeof movement>

/** A row of the Cash History that does not begin with what the row before it, `after`, left: the account held `expected` there, and `found` before this one. */
const chainBreak = z.object({ transactionId: z.string(), after: z.string(), time: moment, tradingDay: calendarDay, type: z.string().nullable(), expected: decimalText, found: decimalText })

/** The identity of a day in one currency: what the account held at the start, and every row of its cash, by name, make what it held at the end. */
export const reconciledCash = z.object({
  currency: currency.nullable(),
  /** Null where the Cash History does not have them. */
  balance: z.object({ start: decimalText, end: decimalText }).nullable(),
  movements: z.array(movement),
  broken: chainBreak.nullable(),
  /** By how much the account's total moved beyond all of this and Fillbook's trades, since the total before. */
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

/** The journal held against the broker's own figures. */
export const reconciliationRoutes = {
  reconciliation: { method: 'GET', path: '/api/reconciliation', query: z.object({ from: calendarDay.optional(), to: calendarDay.optional(), accounts }), answer: reconciliation },
  /** One account's trading day opened: also an equal one, as its proof. */
  reconciledDay: { method: 'GET', path: '/api/reconciliation/day', query: z.object({ account, day: calendarDay }), answer: reconciledDayProof },
} as const satisfies Record<string, Route>
