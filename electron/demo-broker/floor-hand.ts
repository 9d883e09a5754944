import { z } from 'zod'
import type { Floor } from './floor.ts'
import type { AccountLimits } from './limit-rows.ts'
import { failure, type Failure } from './floor-requests.ts'
import { ticksOf } from './products.ts'
import type { Account, World } from './world.ts'

/** An account by its number or its name. */
export const accountName = z.union([z.int(), z.string()])

/** An order that somebody places by hand; prices as the wire has them. */
export const handOrderSchema = z.strictObject({
  account: accountName,
  action: z.enum(['Buy', 'Sell']),
  symbol: z.string(),
  qty: z.int().positive(),
  type: z.enum(['Market', 'Limit', 'Stop', 'StopLimit', 'TrailingStop', 'MIT']).default('Market'),
  price: z.number().optional(),
  stopPrice: z.number().optional(),
  pegDifference: z.number().optional(),
  /** The other order of an OCO; it takes the first one's quantity. */
  other: z.strictObject({ type: z.enum(['Limit', 'Stop', 'StopLimit', 'TrailingStop', 'MIT']), price: z.number().optional(), stopPrice: z.number().optional(), pegDifference: z.number().optional() }).optional(),
})
type HandOrder = z.input<typeof handOrderSchema>

/** Somebody who trades at the broker's own screen, on any account: nothing that he does is automated or carries an id. */
export type Hand = {
  readonly place: (order: HandOrder) => { readonly orderId: number; readonly ocoId?: number } | Failure
  readonly modify: (orderId: number, to: { readonly qty?: number | undefined; readonly price?: number | undefined; readonly stopPrice?: number | undefined }) => { readonly commandId: number } | Failure
  readonly cancel: (orderId: number) => { readonly commandId: number } | Failure
  /** What the contract trades at from now on; false where there is no such contract or the price lies between two ticks. */
  readonly setPrice: (contract: string, price: number) => boolean
  /** Restricts or closes an account, or frees it again; false where there is none of that name. */
  readonly setAccount: (account: number | string, how: { readonly restricted?: boolean | undefined; readonly closed?: boolean | undefined; readonly limits?: AccountLimits | undefined; readonly moved?: number | undefined }) => boolean
}

/** A hand on the floor of a world. */
export const handOn = (floor: Floor, { accounts }: Pick<World, 'accounts'>): Hand => {
  const accountOf = (named: number | string): Account | undefined => accounts.find(({ id, name }) => id === named || name === named)
  const ownerOf = (orderId: number): Account | undefined => accounts.find(({ id }) => id === floor.accountOf({ orderId }))
  const byOf = ({ traderId: userId, environment }: Account) => ({ userId, environment })
  const nobody = failure('UnknownReason', 'There is no such account or order')
  return {
    place: (order) => {
      const account = accountOf(order.account)
      if (account === undefined) return nobody
      const { action, symbol, qty: orderQty, type: orderType = 'Market', price, stopPrice, pegDifference, other } = order
      const request = { accountId: account.id, accountSpec: account.name, action, symbol, orderQty, orderType, price, stopPrice, pegDifference, timeInForce: 'Day', isAutomated: false } as const
      if (other === undefined) return floor.place(byOf(account), request)
      const { type, ...prices } = other
      return floor.oco(byOf(account), { ...request, other: { ...prices, action, orderType: type, timeInForce: 'Day' } })
    },
    modify: (orderId, to) => {
      const account = ownerOf(orderId)
      const order = floor.order(orderId)
      if (account === undefined || order === null) return nobody
      return floor.modify(byOf(account), {
        orderId, orderQty: to.qty ?? order.qty, orderType: order.type, isAutomated: false,
        price: to.price ?? order.price ?? undefined, stopPrice: to.stopPrice ?? order.stopPrice ?? undefined, pegDifference: order.pegDifference ?? undefined,
      })
    },
    cancel: (orderId) => {
      const account = ownerOf(orderId)
      return account === undefined ? nobody : floor.cancel(byOf(account), { orderId, isAutomated: false })
    },
    setPrice: (name, price) => {
      const contract = floor.contractNamed(name)
      const ticks = contract === undefined ? null : ticksOf(contract.product, price)
      if (ticks === null) return false
      floor.setPrice(name, ticks)
      return true
    },
    setAccount: (named, how) => {
      const account = accountOf(named)
      if (account !== undefined) floor.setAccount(account.id, how)
      return account !== undefined
    },
  }
}
