import type { BrokerFailure } from '../failure.ts'

/** An account from the socket. */
export type LiveAccount = { readonly id: number; readonly name: string; readonly restricted: boolean; readonly closed: boolean }

/** A contract with its product's figures. `tickSize` is exact decimal text, `valuePerPoint` as on the wire. */
export type LiveContract = { readonly id: number; readonly name: string; readonly product: string; readonly tickSize: string; readonly valuePerPoint: number; readonly currencyId: number }

/** The outcome of placing an order. */
export type PlaceOutcome =
  | { readonly kind: 'accepted'; readonly orderId: number }
  /** Rejected by the broker: nothing was placed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly text: string }
  /** Not done; may be resent after the wait, ms. `renewing`: the line first gets a new token or host. */
  | { readonly kind: 'not-now'; readonly why: 'rate-limited' | 'penalty' | 'captcha' | 'renewing'; readonly waitMs: number }
  /** The token lacks permission or expired: nothing was placed. */
  | { readonly kind: 'denied'; readonly failure: BrokerFailure }
  /** Unknown whether the broker accepted it: look it up before sending anything else. `reached` is false only if it certainly never saw it. */
  | { readonly kind: 'lost'; readonly reached: boolean }

/** Resting order types that the copier places. */
export type WorkingType = 'Limit' | 'Stop' | 'StopLimit' | 'TrailingStop' | 'MIT'

/** Wire prices; `pegDifference` is a trailing stop's distance. */
export type WirePrices = { readonly price?: number; readonly stopPrice?: number; readonly pegDifference?: number }

/** The second order of an OCO: the first one's account, contract, side and quantity. */
export type OtherLeg = WirePrices & { readonly clOrdId: string; readonly type: WorkingType }

/** The outcome of placing an OCO. */
export type PairOutcome = { readonly kind: 'accepted'; readonly orderId: number; readonly ocoId: number } | Exclude<PlaceOutcome, { kind: 'accepted' }>

/** An order to send; `clOrdId` has at most 64 characters. Wire prices. */
export type OrderToPlace = WirePrices & {
  readonly accountId: number
  readonly accountName: string
  readonly clOrdId: string
  readonly action: 'Buy' | 'Sell'
  readonly symbol: string
  readonly qty: number
  readonly type: 'Market' | WorkingType
  readonly timeInForce?: 'Day' | 'GTC'
}

/** A modify of a working order. */
export type OrderChange = WirePrices & { readonly orderId: number; readonly clOrdId: string; readonly qty: number; readonly type: WorkingType; readonly timeInForce?: 'Day' | 'GTC' }

/** The outcome of a modify or cancel. An order that already ended is `refused`. */
export type ChangeOutcome = { readonly kind: 'accepted' } | Exclude<PlaceOutcome, { kind: 'accepted' }>

/** An account's current cash figures as on the wire, in its currency; null if missing. */
export type CashNow = { readonly openPnl: number | null; readonly realized: number | null; readonly netLiq: number | null; readonly totalCash: number | null }
