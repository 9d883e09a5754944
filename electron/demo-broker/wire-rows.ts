import { sessionOpen, tradeDate } from './chicago.ts'
import { currencyId, type Row } from './contract-library.ts'
import type { Lots, PairedFills, PositionState } from './ledger.ts'
import { priceOf, type FeeParts, type Product } from './products.ts'
import type { Account, Execution, Login, Order } from './world.ts'

// As the wire names them; a part that costs nothing is left out, as the broker does.
const FEES: readonly (readonly [part: keyof FeeParts, currency: string])[] = [
  ['commission', 'commissionCurrencyId'],
  ['exchangeFee', 'exchangeCurrencyId'],
  ['clearingFee', 'clearingCurrencyId'],
  ['nfaFee', 'nfaCurrencyId'],
  ['brokerageFee', 'brokerageCurrencyId'],
  ['orderRoutingFee', 'orderRoutingCurrencyId'],
]

/** A sum in 1/10,000 as the wire writes it. */
export const wireMoney = (amount: number): number => amount / 10_000

/** A moment as the wire writes it. */
export const wireTime = (time: number): string => new Date(time).toISOString()

/** The row of an account. */
export const accountRow = (account: Account): Row => ({
  id: account.id,
  name: account.name,
  userId: account.ownerId,
  accountType: 'Customer',
  restricted: account.restricted ?? false,
  closed: account.closed ?? false,
  clearingHouseId: 4,
  riskCategoryId: 70,
  autoLiqProfileId: 19,
  marginAccountType: 'Speculator',
  legalStatus: 'Individual',
  archived: false,
  timestamp: '2026-01-30T12:00:00Z',
  ...(account.evaluationSize === null ? {} : { evaluationSize: account.evaluationSize }),
  active: true,
})

/** The row of a login. */
export const userRow = (login: Login): Row => ({
  id: login.userId,
  name: login.name,
  timestamp: '2025-11-03T09:12:44.310Z',
  email: login.email,
  status: 'Active',
  professional: false,
  userType: 'Trader',
})

/** The row of an execution; it names no account, which only its order knows. */
export const fillRow = (fill: Execution, active: boolean, paired: number): Row => ({
  id: fill.id,
  orderId: fill.orderId,
  contractId: fill.contract.id,
  timestamp: wireTime(fill.time),
  tradeDate: tradeDate(fill.session),
  action: fill.action,
  qty: fill.qty,
  price: priceOf(fill.contract.product, fill.ticks),
  active,
  finallyPaired: paired,
  external: false,
})

/** What a whole fill cost, by part. */
export const fillFeeRow = (fill: Execution): Row => {
  const { product } = fill.contract
  const row: { id: number; [field: string]: number } = { id: fill.id }
  for (const [part, currency] of FEES) {
    if (product.fees[part] === 0) continue
    row[part] = wireMoney(product.fees[part] * fill.qty)
    row[currency] = currencyId(product.currency)
  }
  return row
}

/** The row of a matched buy and sell. */
export const fillPairRow = (pair: PairedFills, positionId: number): Row => ({
  id: pair.id,
  positionId,
  buyFillId: pair.buy.id,
  sellFillId: pair.sell.id,
  qty: pair.qty,
  buyPrice: priceOf(pair.buy.contract.product, pair.buy.ticks),
  sellPrice: priceOf(pair.sell.contract.product, pair.sell.ticks),
  active: true,
})

/** The row of an order as it stands at a moment. */
export const orderRow = (order: Order, now: number): Row => ({
  id: order.id,
  accountId: order.accountId,
  contractId: order.contract.id,
  timestamp: wireTime(order.time),
  action: order.action,
  ordStatus: order.endsAt <= now ? order.outcome : 'Working',
  executionProviderId: 1,
  archived: false,
  external: false,
  admin: false,
})

/** The one version of an order: quantity, type and prices live here. */
export const orderVersionRow = (order: Order): Row => ({
  id: order.versionId,
  orderId: order.id,
  orderQty: order.qty,
  orderType: order.type,
  ...(order.ticks === null ? {} : { [order.type === 'Stop' ? 'stopPrice' : 'price']: priceOf(order.contract.product, order.ticks) }),
  timeInForce: 'Day',
})

/** The row of a position that was traded in its session. */
export const positionRow = (id: number, position: PositionState): Row => {
  const { product, id: contractId } = position.last.contract
  return {
    id,
    accountId: position.accountId,
    contractId,
    timestamp: wireTime(position.last.time),
    tradeDate: tradeDate(position.session),
    netPos: position.net.qty,
    ...averagePrice('netPrice', product, position.net),
    bought: position.bought,
    boughtValue: priceOf(product, position.boughtTicks),
    sold: position.sold,
    soldValue: priceOf(product, position.soldTicks),
    archived: false,
    prevPos: position.before.qty,
    ...averagePrice('prevPrice', product, position.before),
  }
}

/** The row that an earlier session's position begins a new session with. */
export const carriedPositionRow = (id: number, position: PositionState, session: string): Row => {
  const { product, id: contractId } = position.last.contract
  return {
    id,
    accountId: position.accountId,
    contractId,
    timestamp: wireTime(sessionOpen(session)),
    tradeDate: tradeDate(session),
    netPos: position.net.qty,
    ...averagePrice('netPrice', product, position.net),
    bought: 0,
    boughtValue: 0,
    sold: 0,
    soldValue: 0,
    archived: false,
    prevPos: position.net.qty,
    ...averagePrice('prevPrice', product, position.net),
  }
}

const averagePrice = (field: string, product: Product, lots: Lots): Record<string, number> =>
  lots.qty === 0 ? {} : { [field]: priceOf(product, lots.ticks / lots.qty) }
