import type { FloorBooks } from './books.ts'
import { sessionAt } from './calendar.ts'
import { contractsOn, type Contract, type WireRow } from './contracts.ts'
import type { Hooks } from './hooks.ts'
import { openLife, type OrderTerms } from './order-life.ts'
import { checkChange, checkOrder, checkVersion, denied, failed, failure, sentBy, type CancelRequest, type ChangeRequest, type Failure, type LegRequest, type LiquidateRequest, type OcoRequest, type OrderRequest, type OsoRequest } from './order-requests.ts'
import { hasEnded, liveOrderRow, liveVersionRow, type LiveOrder } from './orders.ts'
import { openBoard } from './rows.ts'
import type { Account, Environment } from './world.ts'

/** A user on one of the two hosts. */
export type Trader = { readonly userId: number; readonly environment: Environment }

/** The exchange floor of a world. */
export type ExchangeFloor = ReturnType<typeof openFloor>

type Deps = {
  readonly books: FloorBooks
  readonly hooks: Pick<Hooks, 'refuseOrder' | 'startOrder' | 'beforeCancel'>
  readonly now: () => number
  /** Reserves `count` consecutive ids and returns the first. */
  readonly takeIds: (count: number) => number
}

/** Opens the floor on a world's books, where live orders fill against the market. All effects happen and are pushed before a call returns. */
export const openFloor = ({ books, hooks, now, takeIds }: Deps) => {
  const { world } = books
  const board = openBoard()
  const marks = new Map<number, number>()
  const mark = (contract: Contract): number => marks.get(contract.id) ?? world.mark(contract, sessionAt(now()), now())
  const life = openLife({ books, publish: board.publish, takeIds, now, mark })
  let library: { readonly session: string; readonly contracts: ReadonlyMap<string, Contract> } | null = null

  const priceHearers = new Set<(contract: Contract) => void>()
  const nudged = new Set<number>()

  const libraryNow = (): ReadonlyMap<string, Contract> => {
    const session = sessionAt(now())
    if (library?.session !== session) {
      const contracts = contractsOn(world.executions.map(({ contract }) => contract), session)
      library = { session, contracts: new Map(contracts.map((contract) => [contract.name, contract])) }
    }
    return library.contracts
  }

  const trades = (contract: Contract, ticks: number): void => {
    marks.set(contract.id, ticks)
    books.changed()
    life.meetAll(contract)
    for (const hear of priceHearers) hear(contract)
  }

  const ownAccount = (by: Trader, isIt: (account: Account) => boolean): Account | undefined =>
    world.accounts.find((each) => each.traderId === by.userId && each.environment === by.environment && isIt(each))

  const ownOrder = (by: Trader, orderId: number): LiveOrder | Failure => {
    const order = life.orders.get(orderId)
    return order !== undefined && ownAccount(by, ({ id }) => id === order.accountId) !== undefined ? order : denied
  }

  const pathOf = (by: Trader, operation: string): string => `/${by.environment}/v1/order/${operation}`

  /** Validates a new order. */
  const checked = (by: Trader, order: OrderRequest, operation: string): OrderTerms | Failure => {
    const account = ownAccount(by, ({ id, name }) => (order.accountId === undefined ? name === order.accountSpec : id === order.accountId))
    if (account === undefined) return denied
    const refused = hooks.refuseOrder(pathOf(by, operation), account.id)
    if (refused !== null) return failure(refused.reason, refused.text)
    const terms = checkOrder(order, by.userId, { account, contract: libraryNow().get(order.symbol), now: now() })
    return failed(terms) ? terms : (checkStanding(terms) ?? terms)
  }

  /** A restricted account may only reduce positions, and a closed one may not trade. */
  const checkStanding = ({ account, contract, action, version }: OrderTerms): Failure | null => {
    if (account.closed === true) return failure('AccountClosed', 'Account is closed')
    const held = books.holding(account.id, contract.id)?.net.qty ?? 0
    const after = held + (action === 'Buy' ? version.qty : -version.qty)
    return account.restricted === true && Math.abs(after) > Math.abs(held) ? failure('LiquidationOnly', 'Account is restricted to liquidation only') : null
  }

  const start = (by: Trader, order: LiveOrder, operation: string): void =>
    hooks.startOrder(pathOf(by, operation), order, { start: () => life.start(order), reject: (why) => life.reject(order, why) })

  /** A bracket leg: the opposite side, for the entry's whole quantity. */
  const legTerms = (entry: OrderTerms, leg: LegRequest): OrderTerms | Failure => {
    const version = checkVersion(entry.contract, leg, entry.version.qty)
    return failed(version) ? version : { ...entry, action: leg.action, version, sent: { ...entry.sent, clOrdId: leg.clOrdId ?? null } }
  }

  return {
    /** The contract with this name, or undefined. */
    contractNamed: (name: string): Contract | undefined => libraryNow().get(name),
    /** Every contract of the session's library. */
    contracts: (): readonly Contract[] => [...libraryNow().values()],
    /** A contract's current price in whole ticks. */
    mark,
    /** Sets a contract's price, in whole ticks, until the market clock is set, and fills the orders that it reaches. */
    nudge: (contract: Contract, ticks: number): void => {
      nudged.add(contract.id)
      trades(contract, ticks)
    },
    /** Subscribes to price changes; returns a function that unsubscribes. */
    hearPrices: (listener: (contract: Contract) => void): (() => void) => {
      priceHearers.add(listener)
      return () => void priceHearers.delete(listener)
    },
    place: (by: Trader, request: OrderRequest): { readonly orderId: number } | Failure => {
      const terms = checked(by, request, 'placeorder')
      if (failed(terms)) return terms
      const order = life.enter(terms, null)
      start(by, order, 'placeorder')
      return { orderId: order.id }
    },
    oso: (by: Trader, request: OsoRequest): { readonly orderId: number; readonly oso1Id: number; readonly oso2Id?: number } | Failure => {
      const terms = checked(by, request, 'placeoso')
      if (failed(terms)) return terms
      const first = legTerms(terms, request.bracket1)
      const second = request.bracket2 === undefined ? null : legTerms(terms, request.bracket2)
      if (failed(first)) return first
      if (second !== null && failed(second)) return second
      const entry = life.enter(terms, null)
      const leg = life.enter(first, entry)
      const other = second === null ? null : life.enter(second, entry)
      if (other !== null) life.tie(leg, other)
      start(by, entry, 'placeoso')
      return { orderId: entry.id, oso1Id: leg.id, ...(other === null ? {} : { oso2Id: other.id }) }
    },
    oco: (by: Trader, request: OcoRequest): { readonly orderId: number; readonly ocoId: number } | Failure => {
      const terms = checked(by, request, 'placeoco')
      if (failed(terms)) return terms
      const second = legTerms(terms, request.other)
      if (failed(second)) return second
      const [order, other] = [life.enter(terms, null), life.enter(second, null)]
      life.tie(order, other)
      start(by, order, 'placeoco')
      start(by, other, 'placeoco')
      return { orderId: order.id, ocoId: other.id }
    },
    modify: (by: Trader, change: ChangeRequest): { readonly commandId: number } | Failure => {
      const order = ownOrder(by, change.orderId)
      if (failed(order)) return order
      const refused = hooks.refuseOrder(pathOf(by, 'modifyorder'), order.accountId)
      if (refused !== null) return failure(refused.reason, refused.text)
      if (hasEnded(order)) return tooLate(order)
      const version = checkChange(change, order, now())
      return failed(version) ? version : { commandId: life.change(order, version, sentBy(by.userId, change)) }
    },
    cancel: (by: Trader, sent: CancelRequest): { readonly commandId: number } | Failure => {
      const order = ownOrder(by, sent.orderId)
      if (failed(order)) return order
      if (!hasEnded(order)) hooks.beforeCancel(pathOf(by, 'cancelorder'), order, () => life.fillNow(order))
      if (hasEnded(order)) return tooLate(order)
      return { commandId: life.cancel(order, sentBy(by.userId, sent)) }
    },
    liquidate: (by: Trader, sent: LiquidateRequest): { readonly orderId: number } | Failure => {
      const account = ownAccount(by, ({ id }) => id === sent.accountId)
      if (account === undefined) return denied
      for (const order of life.orders.values()) {
        if (order.accountId === account.id && order.contract.id === sent.contractId && !hasEnded(order)) life.cancel(order, sentBy(by.userId, sent))
      }
      const held = books.holding(account.id, sent.contractId)
      if (held === undefined || held.net.qty === 0) return failure('UnknownReason', 'There is no position to liquidate')
      const { contract } = held.last
      const request = { ...sent, accountSpec: account.name, symbol: contract.name, action: held.net.qty > 0 ? 'Sell' : 'Buy', orderQty: Math.abs(held.net.qty), orderType: 'Market', timeInForce: 'Day' } as const
      const terms = checked(by, request, 'liquidateposition')
      if (failed(terms)) return terms
      const order = life.enter(terms, null)
      start(by, order, 'liquidateposition')
      return { orderId: order.id }
    },
    /** Sets a contract's price in whole ticks and fills the orders that it reaches. */
    setPrice: (name: string, ticks: number): void => {
      const contract = libraryNow().get(name)
      if (contract === undefined) throw new RangeError(`The stand-in does not trade ${name}`)
      nudged.delete(contract.id)
      trades(contract, ticks)
    },
    step: life.step,
    /** Releases the held orders. */
    release: (): void => {
      for (const order of life.orders.values()) {
        if (!order.held) continue
        order.held = false
        life.meet(order)
      }
    },
    bust: life.bust,
    /** The account that a request body names, or null. */
    accountOf: ({ accountId, orderId, accountSpec }: Readonly<Record<string, unknown>>): number | null => {
      if (typeof accountId === 'number') return accountId
      if (typeof orderId === 'number') return life.orders.get(orderId)?.accountId ?? null
      return world.accounts.find(({ name }) => name === accountSpec)?.id ?? null
    },
    /** Applies and pushes the effects of a change of the market clock on the floor's orders. */
    clockMoved: (from: number): void => {
      for (const id of nudged) marks.delete(id)
      nudged.clear()
      if (sessionAt(now()) > sessionAt(from)) life.roll()
      life.meetAll(null)
    },
    publish: board.publish,
    listen: board.listen,
    /** Live order rows of a session for the visible accounts; null for an entity without live rows. */
    rows: (entity: string, seen: ReadonlySet<number>, session: string): readonly WireRow[] | null => {
      const shown = (): LiveOrder[] => [...life.orders.values()].filter(({ accountId, time, ended }) => seen.has(accountId) && time <= now() && (ended === null || ended.session === session))
      switch (entity) {
        case 'order': return shown().map(liveOrderRow)
        case 'orderVersion': return shown().flatMap((order) => order.versions.map((version) => liveVersionRow(order, version)))
        case 'command': return shown().flatMap(({ commands }) => commands)
        case 'commandReport': return shown().flatMap(({ commandReports }) => commandReports)
        case 'executionReport': return shown().flatMap(({ executionReports }) => executionReports)
        default: return null
      }
    },
    /** Every live order, oldest first. */
    orders: (): readonly LiveOrder[] => [...life.orders.values()],
  }
}

const tooLate = ({ status }: LiveOrder): Failure => failure('UnknownReason', status === 'Filled' ? 'Already filled' : 'Too late')
