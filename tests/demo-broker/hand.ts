import { z } from 'zod'
import { accountRow, autoLiqRows, cashBalanceRow, cashStates, riskStatusRows } from '#demo-broker/rows.ts'
import { sessionAt } from '#demo-broker/calendar.ts'
import { priceOf, ticksOf, type WireRow } from '#demo-broker/contracts.ts'
import type { ExchangeFloor } from '#demo-broker/floor.ts'
import { currentVersion, type LiveOrder, type OrderStatus, type OrderType } from '#demo-broker/orders.ts'
import { failure, type Failure } from '#demo-broker/order-requests.ts'
import type { Market } from '#demo-broker/market.ts'
import type { Account, Environment, AccountLimits } from '#demo-broker/world.ts'

/** An account by its number or its name. */
export const accountName = z.union([z.int(), z.string()])

/** A manual order; prices as on the wire. */
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

/** A hand on a market. */
export const handOn = ({ books, floor, clock }: Pick<Market, 'books' | 'floor' | 'clock'>): Hand => {
  const { accounts } = books.world
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
      const order = orderOf(floor, orderId)
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
      if (account === undefined) return false
      Object.assign(account, how)
      books.changed()
      const say = (entityType: string, entity: WireRow): void => floor.publish({ environment: account.environment, userIds: [account.traderId], entityType, eventType: 'Updated', entity })
      say('account', accountRow(account))
      const session = sessionAt(clock.now())
      if (how.moved !== undefined) for (const cash of cashStates(account, books.ledger(), session)) say('cashBalance', cashBalanceRow(account.id, cash, session))
      for (const row of autoLiqRows(account)) say('userAccountAutoLiq', row)
      for (const row of riskStatusRows(account, books.ledger(), session)) say('accountRiskStatus', row)
      return true
    },
  }
}

/** What the broker knows of an account, for a test to compare with. */
export type FloorAccount = {
  readonly accountId: number
  readonly name: string
  readonly environment: Environment
  /** Of every contract that it ever held, signed. */
  readonly positions: readonly { readonly contract: string; readonly net: number }[]
  /** Every order that was placed over the API or by hand since the start, oldest first. */
  readonly orders: readonly FloorOrder[]
}

/** What every account holds, with all its live orders. */
export const stateOfFloor = ({ books, floor }: Pick<Market, 'books' | 'floor'>): readonly FloorAccount[] => {
  const orders = Map.groupBy(floor.orders(), ({ accountId }) => accountId)
  const holdings = Map.groupBy(books.ledger().newest.values(), ({ accountId }) => accountId)
  return books.world.accounts.map(({ id, name, environment }) => ({
    accountId: id, name, environment,
    positions: (holdings.get(id) ?? []).map(({ last, net }) => ({ contract: last.contract.name, net: net.qty })),
    orders: (orders.get(id) ?? []).map(floorOrder),
  }))
}

/** A live order, or null where there is none of that id. */
export const orderOf = (floor: Pick<ExchangeFloor, 'orders'>, orderId: number): FloorOrder | null => {
  const order = floor.orders().find(({ id }) => id === orderId)
  return order === undefined ? null : floorOrder(order)
}

/** A live order as tests read it. */
export type FloorOrder = {
  readonly orderId: number
  readonly contract: string
  readonly action: 'Buy' | 'Sell'
  readonly status: OrderStatus
  readonly type: OrderType
  readonly qty: number
  readonly filled: number
  readonly price: number | null
  readonly stopPrice: number | null
  readonly pegDifference: number | null
  readonly ocoId: number | null
  readonly parentId: number | null
  readonly clOrdId: string | null
  readonly isAutomated: boolean
  /** Every command on it, oldest first. */
  readonly commands: readonly { readonly commandId: number; readonly type: string; readonly clOrdId: string | null; readonly isAutomated: boolean }[]
}

const floorOrder = (order: LiveOrder): FloorOrder => {
  const { product, name } = order.contract
  const { qty, type, limit, stop, peg } = currentVersion(order)
  return {
    orderId: order.id, contract: name, action: order.action, status: order.status, type, qty, filled: order.filled,
    price: limit === null ? null : priceOf(product, limit),
    stopPrice: stop === null ? null : priceOf(product, stop),
    pegDifference: peg === null ? null : priceOf(product, peg),
    ocoId: order.oco?.id ?? null, parentId: order.parentId, clOrdId: order.clOrdId, isAutomated: order.isAutomated,
    commands: order.commands.map((row) => ({
      commandId: row.id, type: String(row['commandType']), clOrdId: typeof row['clOrdId'] === 'string' ? row['clOrdId'] : null, isAutomated: row['isAutomated'] === true,
    })),
  }
}
