import { z } from 'zod'

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

/** The bodies of the calls on orders, by the name of the call; what else they hold is passed over. */
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

/** What an order asks for, apart from whose it is, what it trades and how much: the legs of a bracket say no more. */
export type LegRequest = z.infer<typeof leg>
export type OrderRequest = z.infer<typeof order>
/** An order with a bracket behind it. */
export type OsoRequest = OrderRequest & { readonly bracket1: LegRequest; readonly bracket2?: LegRequest | undefined }
export type OcoRequest = z.infer<typeof orderBodies.placeoco>
export type ChangeRequest = z.infer<typeof orderBodies.modifyorder>
export type CancelRequest = z.infer<typeof orderBodies.cancelorder>
export type LiquidateRequest = z.infer<typeof orderBodies.liquidateposition>

/** What the broker answers, with HTTP 200, to an order that it does not take. */
export type Failure = { readonly failureReason: string; readonly failureText: string }

/** A refusal in the broker's form. */
export const failure = (failureReason: string, failureText: string): Failure => ({ failureReason, failureText })

/** Whether an answer is a refusal. */
export const failed = (answer: object): answer is Failure => 'failureReason' in answer
