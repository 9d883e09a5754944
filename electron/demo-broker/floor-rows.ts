import type { Row } from './contract-library.ts'
import type { LiveOrder, OrderStatus, OrderVersion } from './floor-order.ts'
import { priceOf, type Product } from './products.ts'
import { wireTime } from './wire-rows.ts'
import type { Execution } from './world.ts'

/** The row of a live order. */
export const liveOrderRow = (order: LiveOrder): Row => ({
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
export const liveVersionRow = (order: LiveOrder, version: OrderVersion): Row => {
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

/** What is told of the sender of a command. */
export type Sent = { readonly userId: number; readonly clOrdId: string | null; readonly isAutomated: boolean; readonly customTag50: string | null }

/** The row of a command. */
export const commandRow = (id: number, orderId: number, time: number, what: { readonly type: 'New' | 'Modify' | 'Cancel'; readonly status: string; readonly sent: Sent }): Row => ({
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

/** What a report says beside the state: why an order was refused. */
export type Why = { readonly reason: string; readonly text: string }

/** The row of a command's report. */
export const commandReportRow = (id: number, commandId: number, time: number, status: string, why: Why | null): Row => ({
  id,
  commandId,
  timestamp: wireTime(time),
  commandStatus: status,
  ...(why === null ? {} : { rejectReason: why.reason, text: why.text, ordStatus: 'Rejected' }),
})

/** What happened to an order: the state that it has after it, and what was traded, where it was. */
export type Executed = { readonly commandId: number; readonly type: string; readonly status: OrderStatus; readonly fill?: Execution; readonly why?: Why }

/** The row of an execution report. */
export const executionReportRow = (id: number, order: LiveOrder, time: number, what: Executed): Row => {
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
