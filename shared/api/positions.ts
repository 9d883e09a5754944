import { z } from 'zod'
import { brokerCurrency, decimalText, identifier, productName, utcMs } from './fields.ts'
import type { Route } from './route.ts'
import { accountStanding } from './rules.ts'

/** Open P&L as an exact decimal, from live prices or the broker's snapshot of the account; `at` is the time of its oldest figure. */
const openPnl = z.object({ amount: decimalText, from: z.enum(['prices', 'snapshot']), at: utcMs })

/** One open position. */
export const livePosition = z.object({
  account: z.string(),
  contract: z.string(),
  product: productName,
  /** Signed contracts, never 0. */
  net: z.number().int(),
  averagePrice: decimalText.nullable(),
  /** Of `open`. */
  currency: brokerCurrency,
  /** The last traded price and when it arrived; null if prices are not available, or none arrived yet. */
  last: z.object({ price: decimalText, at: utcMs }).nullable(),
  open: openPnl.nullable(),
  /** Signed equivalent in micro contracts. */
  micros: z.number(),
  /** The user's other accounts with the opposite position in the same market. */
  against: z.array(z.string()),
})
export type LivePosition = z.infer<typeof livePosition>

/** One account, live. */
export const livePositionAccount = accountStanding.extend({
  environment: z.enum(['live', 'demo']),
  /** `none`: no login on this computer reaches the account. */
  line: z.enum(['up', 'connecting', 'down', 'none']),
  /** Since when (UTC ms) the connection has been down. */
  downSince: utcMs.nullable(),
  /** `denied`: the login may not read prices, so open P&L is the account's snapshot. */
  prices: z.enum(['live', 'denied', 'none']),
  dayRealized: decimalText.nullable(),
  open: openPnl.nullable(),
  /** Working orders; missing if unknown. */
  working: z.number().int().nonnegative().optional(),
  /** The broker allows it only to reduce positions, or not to trade at all. */
  restricted: z.boolean(),
})
export type LivePositionAccount = z.infer<typeof livePositionAccount>

/** All open positions of a user; `seq` grows with every change. */
export const positionsLive = z.object({
  seq: z.number().int(),
  at: utcMs,
  positions: z.array(livePosition),
  accounts: z.array(livePositionAccount),
  /** By market, `ES` for ES and MES: signed micros over all accounts, long and short separately. */
  exposure: z.array(z.object({ market: z.string(), net: z.number(), long: z.number(), short: z.number(), accounts: z.number().int() })),
})
export type PositionsLive = z.infer<typeof positionsLive>

/** The result of a close. */
export const closeReport = z.object({
  account: z.string(),
  outcome: z.enum(['flat', 'was-flat', 'not-flat', 'not-connected', 'refused']),
  left: z.array(z.object({ contract: z.string(), net: z.number().int() })),
  /** The broker's text. */
  detail: z.string().nullable(),
})
export type CloseReport = z.infer<typeof closeReport>

/** Open positions over all accounts. Reading them keeps all accounts' connections open for half a minute; meanwhile, changes are pushed as `positions`. */
export const positionRoutes = {
  positions: { method: 'GET', path: '/api/positions', answer: positionsLive },
  /** Cancels the contract's working orders and closes it at market. */
  closePosition: { method: 'POST', path: '/api/positions/close', body: z.strictObject({ account: identifier, contract: z.string().min(1).max(60) }), answer: closeReport },
  /** The same for all of the account's positions and working orders. */
  flattenAccount: { method: 'POST', path: '/api/positions/flatten', body: z.strictObject({ account: identifier }), answer: closeReport },
} as const satisfies Record<string, Route>
