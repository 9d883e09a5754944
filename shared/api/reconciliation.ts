import { z } from 'zod'
import { calendarDay, decimalText, isKeptAsItIs, moment } from './fields.ts'
import type { Route } from './route.ts'

const currency = z.string().length(3)
const count = z.number().int().nonnegative()

/** Why a day was not held against the broker's figures; an unchecked day is never shown as right. */
export const uncheckedReason = z.enum([
  'no-broker-figures',
  'contradicting-balances',
  'no-fills',
  'several-currencies',
  'other-currency',
  'unknown-contract',
  /** A position is open over midnight, and the account's days are matched apart. */
  /** Its user entered its trades, and no broker tells of it. */
  'entered-by-hand',
])
export type DayReason = z.infer<typeof uncheckedReason>

const figures = z.object({ grossPnl: decimalText, commission: decimalText, netPnl: decimalText })
const state = z.enum(['equal', 'differs', 'unchecked'])
/** Of the broker's pairs those that were held against Fillbook's, and those of them that were equal; the same of days. */
const counts = z.object({ days: count, daysChecked: count, daysEqual: count, pairsChecked: count, pairsEqual: count })
export type ReconciledCounts = z.infer<typeof counts>

/** One account, trading day and currency: the journal's trades as the screens show them, beside the broker's own figures. */
export const reconciledDay = z.object({
  account: z.string(),
  tradingDay: calendarDay,
  /** Null where Fillbook has nothing that day, and the broker does not say it. */
  currency: currency.nullable(),
  fillbook: figures,
  /** Each null where nobody told it. `netFrom` says whether the net is the change of the balance or was added up from movements of cash. */
  broker: z.object({ grossPnl: decimalText.nullable(), commission: decimalText.nullable(), netPnl: decimalText.nullable(), netFrom: z.enum(['balance', 'cash']).nullable() }),
  /** Fillbook's net less the broker's; null where the day was not checked. */
  difference: decimalText.nullable(),
  state,
  reason: uncheckedReason.nullable(),
  /** Trades (pairs) of the day that its user removed, and that were entered by hand. */
  removed: count,
  entered: count,
})
export type ReconciledDay = z.infer<typeof reconciledDay>

/** One account, month (`YYYY-MM`) and currency: Fillbook's sums, and the difference of the days that were checked. */
export const reconciledMonth = z.object({ account: z.string(), month: z.string(), currency: currency.nullable(), fillbook: figures, difference: decimalText, days: count, daysChecked: count, daysEqual: count })
export type ReconciledMonth = z.infer<typeof reconciledMonth>

/** Accounts and trading days by the broker's figures. */
export const reconciliation = z.object({
  /** Latest first, on one day by account. */
  days: z.array(reconciledDay),
  months: z.array(reconciledMonth),
  /** Every account of which there is a day; `fileOnly` says that no login reaches it. */
  accounts: z.array(counts.extend({ account: z.string(), name: z.string(), fileOnly: z.boolean() })),
  all: counts,
})
export type ReconciliationAnswer = z.infer<typeof reconciliation>

/** One side of a pair; what a movement of cash does not say is null. */
const side = z.object({ qty: count.nullable(), buyPrice: decimalText.nullable(), sellPrice: decimalText.nullable(), grossPnl: decimalText })

/**
 * A pair of Fillbook's beside the broker's, by their two fills; or all of one contract that closed in one second, where
 * the broker tells no more; or one that the broker does not tell at all (`by` null).
 */
export const reconciledPair = z.object({
  by: z.enum(['fills', 'time']).nullable(),
  contract: z.string().nullable(),
  currency: currency.nullable(),
  /** Of the closing. */
  time: moment,
  buyFillId: z.string().nullable(),
  sellFillId: z.string().nullable(),
  fillbook: side.nullable(),
  broker: side.nullable(),
  /** Fillbook's gross less the broker's, as far as the broker tells of this pair at all. */
  difference: decimalText.nullable(),
  state,
  /** The trade that its user removed; it counts nowhere. */
  removed: side.nullable(),
  /** Its user entered it. */
  entered: z.boolean(),
})
export type ReconciledPair = z.infer<typeof reconciledPair>

/** Fees of one contract, on the day of their fills; the contract is null where the broker does not say it. */
export const reconciledFees = z.object({ contract: z.string().nullable(), fillbook: decimalText, broker: decimalText.nullable(), difference: decimalText.nullable() })
export type ReconciledFees = z.infer<typeof reconciledFees>

/** What a day is made of, on either side: those that differ first. */
export const reconciledDayProof = z.object({ days: z.array(reconciledDay), pairs: z.array(reconciledPair), fees: z.array(reconciledFees) })
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
