import type { CashChange, Ledger, Lots, PairedFills, PositionState } from './books.ts'
import { addDays, sessionOpen, tradeDate, weekday } from './calendar.ts'
import { currencyId, priceOf, type FeeParts, type Product, type WireRow } from './contracts.ts'
import type { Account, Environment, Execution, Login, Order } from './world.ts'

// The API's fee fields; like the broker, omits zero fees.
const FEES: readonly (readonly [part: keyof FeeParts, currency: string])[] = [
  ['commission', 'commissionCurrencyId'],
  ['exchangeFee', 'exchangeCurrencyId'],
  ['clearingFee', 'clearingCurrencyId'],
  ['nfaFee', 'nfaCurrencyId'],
  ['brokerageFee', 'brokerageCurrencyId'],
  ['orderRoutingFee', 'orderRoutingCurrencyId'],
]

/** An amount in 1/10,000 as the API writes it. */
const wireMoney = (amount: number): number => amount / 10_000

/** A time as the API writes it. */
export const wireTime = (time: number): string => new Date(time).toISOString()

/** The row of an account. */
export const accountRow = (account: Account): WireRow => ({
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
export const userRow = (login: Login): WireRow => ({
  id: login.userId,
  name: login.name,
  timestamp: '2025-11-03T09:12:44.310Z',
  email: login.email,
  status: 'Active',
  professional: false,
  userType: 'Trader',
})

/** The row of an execution; only its order names the account. */
export const fillRow = (fill: Execution, active: boolean, paired: number): WireRow => ({
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

/** The row of a fill's fees by kind. */
export const fillFeeRow = (fill: Execution): WireRow => {
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
export const fillPairRow = (pair: PairedFills, positionId: number): WireRow => ({
  id: pair.id,
  positionId,
  buyFillId: pair.buy.id,
  sellFillId: pair.sell.id,
  qty: pair.qty,
  buyPrice: priceOf(pair.buy.contract.product, pair.buy.ticks),
  sellPrice: priceOf(pair.sell.contract.product, pair.sell.ticks),
  active: true,
})

/** The row of an order at a time. */
export const orderRow = (order: Order, now: number): WireRow => ({
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

/** The rows of an order's versions at a time, which hold quantity, type and prices. */
export const orderVersionRows = (order: Order, now: number): WireRow[] => {
  const { moved, ticks } = order
  const row = (id: number, price: number | null): WireRow => ({
    id,
    orderId: order.id,
    orderQty: order.qty,
    orderType: order.type,
    ...(price === null ? {} : { [order.type === 'Stop' ? 'stopPrice' : 'price']: priceOf(order.contract.product, price) }),
    timeInForce: 'Day',
  })
  if (moved === undefined) return [row(order.versionId, ticks)]
  return [row(order.versionId, moved.from), ...(moved.at <= now ? [row(order.rowIds + 2, ticks)] : [])]
}

/** The reports of an order's beginning, its change, and its end unless it filled, at a time. */
export const orderReportRows = (order: Order, now: number): WireRow[] => {
  const { moved, endsAt, outcome } = order
  const row = (id: number, commandId: number, time: number, execType: string, ordStatus: string): WireRow => ({
    id, commandId, name: `${order.id}:${id}`, accountId: order.accountId, contractId: order.contract.id, timestamp: wireTime(time),
    orderId: order.id, execType, ordStatus, action: order.action, cumQty: 0,
  })
  return [
    row(order.id + 2, order.id, order.time, 'New', 'Working'),
    ...(moved === undefined || moved.at > now ? [] : [row(order.rowIds + 3, order.rowIds + 1, moved.at, 'Replaced', 'Working')]),
    ...(outcome === 'Filled' || endsAt > now ? [] : [row(order.rowIds, order.id, endsAt, outcome, outcome)]),
  ]
}

/** The row of a position traded in its session. */
export const positionRow = (id: number, position: PositionState): WireRow => {
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

/** The row of a position carried over into a new session. */
export const carriedPositionRow = (id: number, position: PositionState, session: string): WireRow => {
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

/** One account's cash in one currency at one time, in 1/10,000. */
type CashState = {
  readonly id: number
  readonly currency: CashChange['currency']
  readonly amount: number
  readonly atOpen: number
  /** Realized P&L before fees, as the broker reports it. */
  readonly realized: number
  readonly weekRealized: number
  readonly changedAt: number
}

/** An account's cash per currency: opening balance plus P&L of its pairs, minus fees, plus deposits and withdrawals, exactly. */
export const cashStates = (account: Account, { cashOf }: Pick<Ledger, 'cashOf'>, session: string): CashState[] => {
  const monday = addDays(session, 1 - weekday(session))
  return account.cash.map(({ id, currency, opening }, place) => {
    let atOpen = opening
    let ofSession = place === 0 ? (account.moved ?? 0) : 0
    let realized = 0
    let weekRealized = 0
    let changedAt = sessionOpen(session)
    for (const change of cashOf.get(account.id) ?? []) {
      if (change.currency !== currency) continue
      const net = change.gross - change.fees
      if (change.session >= monday) weekRealized += change.gross
      if (change.session < session) {
        atOpen += net
        continue
      }
      ofSession += net
      realized += change.gross
      changedAt = change.time
    }
    return { id, currency, amount: atOpen + ofSession, atOpen, realized, weekRealized, changedAt }
  })
}

/** The row of a cash state. */
export const cashBalanceRow = (accountId: number, cash: CashState, session: string): WireRow => ({
  id: cash.id,
  accountId,
  timestamp: wireTime(cash.changedAt),
  tradeDate: tradeDate(session),
  currencyId: currencyId(cash.currency),
  amount: wireMoney(cash.amount),
  realizedPnL: wireMoney(cash.realized),
  weekRealizedPnL: wireMoney(cash.weekRealized),
  archived: false,
  amountSOD: wireMoney(cash.atOpen),
})

/** An account's snapshot in its own currency; omits the sums of a session without trades. */
export const cashSnapshot = (cash: CashState, openPnl: number): Record<string, number> => ({
  totalCashValue: wireMoney(cash.amount),
  ...(cash.realized === 0 && openPnl === 0 ? {} : { totalPnL: wireMoney(cash.realized + openPnl), openPnL: wireMoney(openPnl), realizedPnL: wireMoney(cash.realized) }),
  initialMargin: 0,
  maintenanceMargin: 0,
  netLiq: wireMoney(cash.amount + openPnl),
  weekRealizedPnL: wireMoney(cash.weekRealized),
  totalCashValueSOD: wireMoney(cash.atOpen),
})

// The real broker's value for a trailing drawdown without a lock.
const NEVER = 999_999_999

/** An account's auto-liquidation settings; none without limits. */
export const autoLiqRows = (account: Account): WireRow[] => {
  const { limits } = account
  if (limits === undefined) return []
  return [{
    id: account.id,
    changesLocked: true,
    ...(limits.dailyLoss === null ? {} : { dailyLossAutoLiq: wireMoney(limits.dailyLoss) }),
    ...(limits.trailing === null ? {} : { trailingMaxDrawdown: wireMoney(limits.trailing), trailingMaxDrawdownLimit: NEVER, trailingMaxDrawdownMode: 'EOD' }),
    ...(limits.flattenAt === undefined ? {} : { flattenTimestamp: wireTime(limits.flattenAt) }),
    doNotUnlock: false,
  }]
}

/** An account's risk status in a session. */
export const riskStatusRows = (account: Account, ledger: Pick<Ledger, 'cashOf'>, session: string): WireRow[] => {
  const { limits } = account
  if (limits === undefined) return []
  const most = limits.trailing === null ? null : highestClose(account, ledger, session)
  return [{
    id: account.id,
    adminAction: account.restricted === true ? 'LiquidateOnlyModeImmediately' : 'Normal',
    userTriggeredLiqOnly: false,
    ...(most === null || limits.trailing === null ? {} : { maxNetLiq: wireMoney(most), minNetLiq: wireMoney(most - limits.trailing) }),
  }]
}

/** The highest end-of-session balance before this session, or the opening balance. */
const highestClose = (account: Account, ledger: Pick<Ledger, 'cashOf'>, session: string): number => {
  const [own] = account.cash
  const sessions = [...new Set((ledger.cashOf.get(account.id) ?? []).map((change) => change.session))].sort()
  return [...sessions.filter((each) => each <= session), session].reduce((most, each) => Math.max(most, cashStates(account, ledger, each)[0]?.atOpen ?? most), own?.opening ?? 0)
}

/** A created, updated or deleted row, as the sockets push it to the logins that see its account. */
export type FloorEvent = {
  readonly environment: Environment
  /** The logins that see it. */
  readonly userIds: readonly number[]
  /** `order`, `fill`, `position` …, as in the paths of the lists. */
  readonly entityType: string
  readonly eventType: 'Created' | 'Updated' | 'Deleted'
  readonly entity: WireRow
}

/** Called with every change, in order. */
export type FloorListener = (event: FloorEvent) => void

/** An event emitter for the floor's changes. */
export const openBoard = () => {
  const listeners = new Set<FloorListener>()
  return {
    publish: (event: FloorEvent): void => {
      for (const listener of listeners) listener(event)
    },
    /** Subscribes; returns a function that unsubscribes. */
    listen: (listener: FloorListener): (() => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
