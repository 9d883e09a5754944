import { priceOf, type Contract, type Product, type WireRow } from './contracts.ts'
import { wireTime } from './rows.ts'
import type { Action, Execution } from './world.ts'

/** An order's states. */
export type OrderStatus = 'PendingNew' | 'Suspended' | 'Working' | 'Filled' | 'Canceled' | 'Rejected' | 'Expired'

/** The supported order types. */
export type OrderType = 'Market' | 'Limit' | 'Stop' | 'StopLimit' | 'TrailingStop' | 'MIT'

/** An order's terms. Each change adds a version, and the last one is current. Prices are in whole ticks. */
export type OrderVersion = {
  readonly id: number
  /** Total quantity, including what has filled. */
  readonly qty: number
  readonly type: OrderType
  readonly limit: number | null
  /** A trailing stop's initial stop price, or the trigger of a market-if-touched order that was sent with a stop price. */
  readonly stop: number | null
  /** A trailing stop's distance from the best price, in whole ticks, signed as sent. */
  readonly peg: number | null
  readonly timeInForce: 'Day' | 'GTC' | 'GTD' | 'IOC' | 'FOK'
  readonly text: string | null
}

/** The current state of an order placed over the API. */
export type LiveOrder = {
  readonly id: number
  readonly accountId: number
  readonly contract: Contract
  readonly action: Action
  /** UTC milliseconds. */
  readonly time: number
  readonly clOrdId: string | null
  readonly isAutomated: boolean
  readonly parentId: number | null
  /** Orders suspended until this one fills. */
  legs: readonly LiveOrder[]
  status: OrderStatus
  versions: readonly [OrderVersion, ...OrderVersion[]]
  filled: number
  /** Sum of the filled contracts' ticks. */
  filledTicks: number
  /** Whether its stop has triggered. */
  triggered: boolean
  /** A trailing stop's current stop price, whole ticks. */
  trail: number | null
  /** Whether it rested in the book at its limit, so that it fills at its own price. */
  resting: boolean
  /** Whether it is held until released, whatever the market does. */
  held: boolean
  /** How it fills in pieces: all at once, one per step, or only the first. */
  pieces: { readonly qty: number; readonly byStep: boolean; readonly dropRest: boolean } | null
  oco: LiveOrder | null
  /** When, UTC milliseconds, and in which session it ended. */
  ended: { readonly at: number; readonly session: string } | null
  readonly commands: WireRow[]
  readonly commandReports: WireRow[]
  readonly executionReports: WireRow[]
}

/** The current version. */
export const currentVersion = ({ versions }: LiveOrder): OrderVersion => versions.at(-1) ?? versions[0]

/** The unfilled quantity. */
export const openQty = (order: LiveOrder): number => currentVersion(order).qty - order.filled

/** Whether the order is final. */
export const hasEnded = ({ ended }: LiveOrder): boolean => ended !== null

/** The price in whole ticks at which an order fills at a market price of `mark`, or null if it keeps working; updates its trigger and trailing stop. */
export const fillPrice = (order: LiveOrder, mark: number): number | null => {
  const { type, limit, stop: given, peg } = currentVersion(order)
  const buys = order.action === 'Buy'
  if (type === 'MIT') {
    const touch = limit ?? given ?? mark
    return (buys ? mark <= touch : mark >= touch) ? mark : null
  }
  const stop = peg === null ? given : trailed(order, mark, Math.abs(peg))
  if (stop !== null && !order.triggered) {
    if (buys ? mark < stop : mark > stop) return null
    order.triggered = true
  }
  if (limit === null) return mark
  if (buys ? mark <= limit : mark >= limit) return order.resting ? limit : mark
  order.resting = true
  return null
}

// A trailing stop only moves toward the market.
const trailed = (order: LiveOrder, mark: number, offset: number): number => {
  const buys = order.action === 'Buy'
  const now = buys ? mark + offset : mark - offset
  const before = order.trail ?? currentVersion(order).stop ?? now
  order.trail = buys ? Math.min(before, now) : Math.max(before, now)
  return order.trail
}

/** The row of a live order. */
export const liveOrderRow = (order: LiveOrder): WireRow => ({
  id: order.id,
  accountId: order.accountId,
  contractId: order.contract.id,
  timestamp: wireTime(order.time),
  action: order.action,
  ordStatus: order.status,
  executionProviderId: 1,
  ...(order.oco === null ? {} : { ocoId: order.oco.id }),
  ...(order.parentId === null ? {} : { parentId: order.parentId }),
  archived: false,
  external: false,
  admin: false,
})

/** The row of one version of a live order. */
export const liveVersionRow = (order: LiveOrder, version: OrderVersion): WireRow => {
  const { product } = order.contract
  return {
    id: version.id,
    orderId: order.id,
    orderQty: version.qty,
    orderType: version.type,
    ...(version.limit === null ? {} : { price: priceOf(product, version.limit) }),
    ...(version.stop === null ? {} : { stopPrice: priceOf(product, version.stop) }),
    ...(version.peg === null ? {} : { pegDifference: priceOf(product, version.peg) }),
    timeInForce: version.timeInForce,
    ...(version.text === null ? {} : { text: version.text }),
  }
}

/** The sender of a command. */
export type Sent = { readonly userId: number; readonly clOrdId: string | null; readonly isAutomated: boolean; readonly customTag50: string | null }

/** The row of a command. */
export const commandRow = (id: number, orderId: number, time: number, what: { readonly type: 'New' | 'Modify' | 'Cancel'; readonly status: string; readonly sent: Sent }): WireRow => ({
  id,
  orderId,
  timestamp: wireTime(time),
  ...(what.sent.clOrdId === null ? {} : { clOrdId: what.sent.clOrdId }),
  commandType: what.type,
  commandStatus: what.status,
  senderId: what.sent.userId,
  ...(what.sent.customTag50 === null ? {} : { customTag50: what.sent.customTag50 }),
  isAutomated: what.sent.isAutomated,
})

/** A report's reason for a rejection. */
export type Why = { readonly reason: string; readonly text: string }

/** The row of a command's report. */
export const commandReportRow = (id: number, commandId: number, time: number, status: string, why: Why | null): WireRow => ({
  id,
  commandId,
  timestamp: wireTime(time),
  commandStatus: status,
  ...(why === null ? {} : { rejectReason: why.reason, text: why.text, ordStatus: 'Rejected' }),
})

/** An execution report: the order's state after the event and, for a fill, the execution. */
export type Executed = { readonly commandId: number; readonly type: string; readonly status: OrderStatus; readonly fill?: Execution; readonly why?: Why }

/** The row of an execution report. */
export const executionReportRow = (id: number, order: LiveOrder, time: number, what: Executed): WireRow => {
  const { product } = order.contract
  return {
    id,
    commandId: what.commandId,
    name: `${order.id}:${id}`,
    accountId: order.accountId,
    contractId: order.contract.id,
    timestamp: wireTime(time),
    orderId: order.id,
    execType: what.type,
    ordStatus: what.status,
    action: order.action,
    cumQty: order.filled,
    ...(order.filled === 0 ? {} : { avgPx: averageOf(product, order) }),
    ...(what.fill === undefined ? {} : { lastQty: what.fill.qty, lastPx: priceOf(product, what.fill.ticks), execRefId: String(what.fill.id) }),
    ...(what.why === undefined ? {} : { rejectReason: what.why.reason, text: what.why.text }),
  }
}

const averageOf = (product: Product, order: LiveOrder): number => priceOf(product, order.filledTicks / order.filled)
