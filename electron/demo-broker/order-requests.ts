import { z } from 'zod'
import { marketOpen } from './calendar.ts'
import { ticksOf, type Contract } from './contracts.ts'
import type { OrderTerms } from './order-life.ts'
import { currentVersion, type LiveOrder, type OrderType, type OrderVersion, type Sent } from './orders.ts'
import type { Account } from './world.ts'

const id = z.int().positive()
const tag = z.string().max(64)

const terms = {
  action: z.enum(['Buy', 'Sell']),
  orderType: z.enum(['Limit', 'LimitIfTouched', 'MIT', 'Market', 'QTS', 'Stop', 'StopLimit', 'TrailingStop', 'TrailingStopLimit']),
  price: z.number().optional(),
  stopPrice: z.number().optional(),
  pegDifference: z.number().optional(),
  timeInForce: z.enum(['Day', 'GTC', 'GTD', 'IOC', 'FOK']).default('Day'),
  clOrdId: tag.optional(),
  text: tag.optional(),
}
const sender = { customTag50: z.string().max(50).optional(), isAutomated: z.boolean().default(false) }
const leg = z.object(terms)
const order = z.object({
  ...terms, ...sender,
  accountSpec: z.string().max(64).optional(),
  accountId: id.optional(),
  symbol: z.string(),
  orderQty: z.int().positive(),
})

/** Schemas of the order calls' bodies by call name; unknown fields are ignored. */
export const orderBodies = {
  placeorder: order,
  placeoco: order.extend({ other: leg }),
  modifyorder: z.object({
    ...sender,
    orderId: id,
    orderQty: z.int().positive(),
    orderType: terms.orderType,
    price: terms.price,
    stopPrice: terms.stopPrice,
    pegDifference: terms.pegDifference,
    timeInForce: terms.timeInForce.unwrap().optional(),
    clOrdId: terms.clOrdId,
    text: terms.text,
  }),
  cancelorder: z.object({ ...sender, orderId: id, clOrdId: terms.clOrdId }),
  liquidateposition: z.object({ ...sender, accountId: id, contractId: id, admin: z.boolean().optional() }),
}

/** An order without account, contract and quantity, as a bracket leg is sent. */
export type LegRequest = z.infer<typeof leg>
export type OrderRequest = z.infer<typeof order>
/** An order with a bracket. */
export type OsoRequest = OrderRequest & { readonly bracket1: LegRequest; readonly bracket2?: LegRequest | undefined }
export type OcoRequest = z.infer<typeof orderBodies.placeoco>
export type ChangeRequest = z.infer<typeof orderBodies.modifyorder>
export type CancelRequest = z.infer<typeof orderBodies.cancelorder>
export type LiquidateRequest = z.infer<typeof orderBodies.liquidateposition>

/** The broker's answer, with HTTP 200, to a refused order. */
export type Failure = { readonly failureReason: string; readonly failureText: string }

/** A refusal in the broker's form. */
export const failure = (failureReason: string, failureText: string): Failure => ({ failureReason, failureText })

/** Whether an answer is a refusal. */
export const failed = (answer: object): answer is Failure => 'failureReason' in answer

const MAX_ORDER_QTY = 1000

/** The broker's answer to a request for another user's data. */
export const denied = failure('UnknownReason', 'Access is denied')

/** Validates a new order; returns its version or the refusal. */
export const checkOrder = (
  order: OrderRequest, userId: number, { account, contract, now }: { readonly account: Account; readonly contract: Contract | undefined; readonly now: number },
): OrderTerms | Failure => {
  // A trader of another owner's account has to name that account.
  if (order.accountSpec === undefined ? account.ownerId !== account.traderId : order.accountSpec !== account.name) return denied
  if (contract === undefined) return failure('InvalidContract', `Unknown symbol ${order.symbol}`)
  const refused = checkMarket(now) ?? checkQty(order.orderQty)
  if (refused !== null) return refused
  const version = checkVersion(contract, order, order.orderQty)
  return failed(version) ? version : { account, contract, action: order.action, version, sent: sentBy(userId, order) }
}

/** Validates a change; returns the new version or the refusal. */
export const checkChange = (change: ChangeRequest, order: LiveOrder, now: number): Omit<OrderVersion, 'id'> | Failure => {
  const was = currentVersion(order)
  const refused = checkMarket(now) ?? checkQty(change.orderQty)
  if (refused !== null) return refused
  if (change.orderQty <= order.filled) return failure('UnknownReason', 'Too late')
  if (change.orderType !== was.type) return failure('Unsupported', 'The type of an order cannot be changed')
  const version = checkVersion(order.contract, { ...change, timeInForce: change.timeInForce ?? was.timeInForce }, change.orderQty)
  if (failed(version) || version.type !== 'TrailingStop' || (version.peg === was.peg && version.stop === was.stop)) return version
  return failure('TrailingStopNonOrderQtyModify', 'Only the quantity of a trailing stop can be changed')
}

const checkMarket = (now: number): Failure | null =>
  marketOpen(now) ? null : failure('SessionClosed', 'Orders cannot be placed outside of market hours.')

const checkQty = (qty: number): Failure | null =>
  qty > MAX_ORDER_QTY ? failure('MaxOrderQtyLimitReached', 'Your maximum order quantity has been met.') : null

/** Validates a version; ignores prices that its order type does not have. */
export const checkVersion = (
  contract: Contract, given: Pick<LegRequest, 'price' | 'stopPrice' | 'pegDifference' | 'timeInForce' | 'text'> & { readonly orderType: string }, qty: number,
): Omit<OrderVersion, 'id'> | Failure => {
  const type = given.orderType
  if (!isSupported(type)) return failure('Unsupported', `${type} orders are not taken here`)
  const hasLimit = type === 'Limit' || type === 'StopLimit' || (type === 'MIT' && given.price !== undefined)
  const hasStop = type === 'Stop' || type === 'StopLimit' || (type === 'MIT' && !hasLimit) || (type === 'TrailingStop' && given.stopPrice !== undefined)
  const limit = hasLimit ? ticksAt(contract, given.price) : null
  const stop = hasStop ? ticksAt(contract, given.stopPrice) : null
  const peg = type === 'TrailingStop' ? ticksAt(contract, given.pegDifference) : null
  if (limit === 'invalid' || stop === 'invalid' || peg === 'invalid') return failure('InvalidPrice', 'Price is missing or is not a multiple of the tick size')
  return { qty, type, limit, stop, peg, timeInForce: given.timeInForce, text: given.text ?? null }
}

const isSupported = (type: string): type is OrderType => ['Market', 'Limit', 'Stop', 'StopLimit', 'TrailingStop', 'MIT'].includes(type)

const ticksAt = (contract: Contract, price: number | undefined): number | 'invalid' =>
  (price === undefined ? null : ticksOf(contract.product, price)) ?? 'invalid'

/** The sender fields of a command. */
export const sentBy = (userId: number, given: { readonly clOrdId?: string | undefined; readonly isAutomated?: boolean; readonly customTag50?: string | undefined }): Sent => ({
  userId, clOrdId: given.clOrdId ?? null, isAutomated: given.isAutomated ?? false, customTag50: given.customTag50 ?? null,
})
