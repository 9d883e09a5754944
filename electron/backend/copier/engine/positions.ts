import type { Amount } from '#shared/money/money.ts'
import type { BetweenCash } from '#shared/copier/session-money.ts'
import type { BrokerLimits } from '#shared/rules/day-facts.ts'

/** One open position as the thread knows it; prices and the point's value as the wire has them. */
export type PositionNow = {
  readonly contract: string
  readonly product: string
  readonly tickSize: string
  readonly valuePerPoint: number
  readonly currency: string
  /** Signed contracts, never 0. */
  readonly net: number
  /** Null while the broker's row does not speak of this net. */
  readonly averagePrice: number | null
  /** The newest price that we know, and since when (UTC ms). */
  readonly mark: { readonly price: number; readonly at: number } | null
}

/** How an account is reached: `none` where no login of this computer reaches it. */
export type LineNow = 'up' | 'connecting' | 'down' | 'none'

/** Whether an account's prices are heard: `none` while nobody tells any. */
export type PricesNow = 'live' | 'denied' | 'none'

/** One account as the thread knows it. Amounts in 1/10,000 of its currency. */
export type AccountNow = {
  readonly account: string
  readonly environment: 'live' | 'demo'
  readonly line: LineNow
  /** Since when (UTC ms) the line is not up; null where it is, or nobody knows. */
  readonly downSince: number | null
  readonly prices: PricesNow
  readonly currency: string
  /** The session (`YYYY-MM-DD`) in which the broker booked something last, today by our clock; null where that was not heard. */
  readonly session: string | null
  /** Cash with what the day realised in it. */
  readonly cash: Amount | null
  /** What the session's cash changed by: with what went in or out, where that was not by trading. */
  readonly dayRealised: Amount | null
  /** Null where the broker tells only one of the two, or nothing of this session. */
  readonly between: BetweenCash | null
  /** The broker's own word on what is open, of just these positions, and when it was asked for (UTC ms). */
  readonly snapshot: { readonly pnl: Amount; readonly at: number } | null
  readonly restricted: boolean
  /** Null where the broker tells none. */
  readonly limits: BrokerLimits | null
  readonly positions: readonly PositionNow[]
}

/** All accounts of a user at a moment (UTC ms). */
export type PositionsNow = { readonly at: number; readonly accounts: readonly AccountNow[] }
