import type { BrokerFailure } from './failure.ts'

/** An account as the socket tells it. */
export type LiveAccount = { readonly id: number; readonly name: string; readonly restricted: boolean; readonly closed: boolean }

/** A contract with what its product says. `tickSize` is exact decimal text, `valuePerPoint` as the wire has it. */
export type LiveContract = { readonly id: number; readonly name: string; readonly product: string; readonly tickSize: string; readonly valuePerPoint: number; readonly currencyId: number }

/** What placing an order came to. */
export type PlaceOutcome =
  | { readonly kind: 'accepted'; readonly orderId: number }
  /** The broker understood and said no: nothing was placed. */
  | { readonly kind: 'refused'; readonly reason: string; readonly text: string }
  /** It was not done, and may be sent again after the wait, ms. `renewing`: the line gets another token, or another host, first. */
  | { readonly kind: 'not-now'; readonly why: 'rate-limited' | 'penalty' | 'captcha' | 'renewing'; readonly waitMs: number }
  /** The token may not trade this, or is dead: nothing was placed. */
  | { readonly kind: 'denied'; readonly failure: BrokerFailure }
  /** Nobody knows whether the broker took it: ask before anything else is sent. `reached` is false only where it surely never saw it. */
  | { readonly kind: 'lost'; readonly reached: boolean }

/** The types of orders that wait for their price and that the copier places. */
export type WorkingType = 'Limit' | 'Stop' | 'StopLimit' | 'TrailingStop' | 'MIT'

/** Prices as the wire has them; `pegDifference` is a trailing stop's distance. */
export type WirePrices = { readonly price?: number; readonly stopPrice?: number; readonly pegDifference?: number }

/** The second order of an OCO: the first one's account, contract, side and quantity. */
export type OtherLeg = WirePrices & { readonly clOrdId: string; readonly type: WorkingType }

/** What placing an OCO came to. */
export type PairOutcome = { readonly kind: 'accepted'; readonly orderId: number; readonly ocoId: number } | Exclude<PlaceOutcome, { kind: 'accepted' }>

/** An order as it is sent; `clOrdId` is at most 64 characters. Prices as the wire has them. */
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

/** A change of a working order. */
export type OrderChange = WirePrices & { readonly orderId: number; readonly clOrdId: string; readonly qty: number; readonly type: WorkingType; readonly timeInForce?: 'Day' | 'GTC' }

/** What changing or cancelling an order came to. An order that is over already is `refused`. */
export type ChangeOutcome = { readonly kind: 'accepted'; readonly commandId: number } | Exclude<PlaceOutcome, { kind: 'accepted' }>

/** An account's money in this moment as the wire has it, in its currency; null where the broker leaves a figure out. */
export type CashNow = { readonly openPnl: number | null; readonly realized: number | null; readonly netLiq: number | null; readonly totalCash: number | null }
