import type { Side } from '#shared/fills/fill.ts'

/** A parsed broker row of one account; rows arrive in any order and may repeat. Contract ids are the broker's. */
export type Fact =
  | ({ readonly kind: 'fill' } & FillFact)
  | ({ readonly kind: 'position' } & PositionFact)
  | ({ readonly kind: 'order' } & OrderFact)
  | ({ readonly kind: 'version' } & VersionFact)
  | ({ readonly kind: 'command' } & CommandFact)
  | ({ readonly kind: 'report' } & ReportFact)
  | ({ readonly kind: 'cash' } & CashFact)

/** One execution. Its row has no account: the order has. */
export type FillFact = {
  readonly id: number
  readonly orderId: number
  readonly contractId: number
  readonly side: Side
  /** Contracts, at least 1. */
  readonly qty: number
  /** The price as the wire has it. */
  readonly price: number
  /** The session, `YYYY-MM-DD`. */
  readonly session: string
  /** UTC ms. */
  readonly time: number
  /** False once the exchange busted it. */
  readonly active: boolean
}

/** One account's position in one contract during one session: `net` is `before` plus what was bought less what was sold. */
export type PositionFact = {
  readonly id: number
  readonly accountId: number
  readonly contractId: number
  readonly session: string
  readonly net: number
  readonly before: number
  readonly bought: number
  readonly sold: number
  /** The average price of what is open, null where flat. */
  readonly netPrice: number | null
  /** UTC ms. */
  readonly time: number
}

/** The broker's order states; any other is `Unknown`. */
export type OrderStatus = 'Canceled' | 'Completed' | 'Expired' | 'Filled' | 'PendingCancel' | 'PendingNew' | 'PendingReplace' | 'Rejected' | 'Suspended' | 'Unknown' | 'Working'

/** One order. Quantity, type and prices are on its versions. */
export type OrderFact = { readonly id: number; readonly accountId: number; readonly contractId: number | null; readonly side: Side; readonly status: OrderStatus; readonly ocoId: number | null; readonly time: number }

/** An order's quantity, type, and prices (as on the wire); the version with the highest id is current. */
export type VersionFact = {
  readonly id: number
  readonly orderId: number
  readonly qty: number
  readonly type: string
  readonly price: number | null
  readonly stopPrice: number | null
  /** A trailing stop's distance from the market, with the broker's sign. */
  readonly pegDifference: number | null
  readonly timeInForce: string | null
}

/** A command on an order; it carries the sender's clOrdId. */
export type CommandFact = { readonly id: number; readonly orderId: number; readonly type: 'New' | 'Modify' | 'Cancel'; readonly clOrdId: string | null }

/** The result of a command. */
export type ReportFact = { readonly id: number; readonly commandId: number; readonly rejectReason: string | null; readonly text: string | null }

/** An account's cash in 1/10,000 of the currency. `startOfDay` is null if the broker leaves it out. */
export type CashFact = {
  readonly accountId: number
  readonly session: string
  readonly currencyId: number
  readonly amount: number
  readonly startOfDay: number | null
  readonly realized: number | null
}

/** Whether an order in this state is done. */
export const isEnded = (status: OrderStatus): boolean => ['Canceled', 'Completed', 'Expired', 'Filled', 'Rejected'].includes(status)
