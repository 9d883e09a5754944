import type { Amount } from '#shared/money/money.ts'
import type { BetweenCash } from '#shared/copier/session-money.ts'
import type { BrokerLimits } from '#shared/rules/day-facts.ts'

/** One open position; prices and point value as on the wire. */
export type PositionNow = {
  readonly contract: string
  readonly product: string
  readonly tickSize: string
  readonly valuePerPoint: number
  /** An ISO code, or the broker's number of one that is not documented, `#4`. */
  readonly currency: string
  /** Signed contracts, never 0. */
  readonly net: number
  /** Null while the broker's row has another net. */
  readonly averagePrice: number | null
  /** The last known price and its time (UTC ms). */
  readonly mark: { readonly price: number; readonly at: number } | null
}

/** An account's line state: `none` without a login on this computer. */
export type LineNow = 'up' | 'connecting' | 'down' | 'none'

/** Whether an account's prices arrive: `none` without a source. */
export type PricesNow = 'live' | 'denied' | 'none'

/** One account's live figures. Amounts in 1/10,000 of its currency. */
export type AccountNow = {
  readonly account: string
  readonly environment: 'live' | 'demo'
  readonly line: LineNow
  /** Since when (UTC ms) the line is down; null if up or unknown. */
  readonly downSince: number | null
  readonly prices: PricesNow
  /** Null before its cash is known. */
  readonly currency: string | null
  /** The session (`YYYY-MM-DD`) of the broker's last booking today by our clock; null if none arrived. */
  readonly session: string | null
  /** Cash, including the day's realized P&L. */
  readonly cash: Amount | null
  /** The session's change of cash, transfers included. */
  readonly dayRealized: Amount | null
  /** Null if the broker has only one of the two, or nothing for this session. */
  readonly between: BetweenCash | null
  /** The broker's open P&L of exactly these positions, and its request time (UTC ms). */
  readonly snapshot: { readonly pnl: Amount; readonly at: number } | null
  readonly restricted: boolean
  /** Null if the broker has none. */
  readonly limits: BrokerLimits | null
  /** Number of working orders; missing if they are not counted, null before they were read. */
  readonly working?: number | null
  readonly positions: readonly PositionNow[]
}

/** All accounts of a user at a time (UTC ms). */
export type PositionsNow = { readonly at: number; readonly accounts: readonly AccountNow[] }
