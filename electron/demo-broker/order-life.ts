import { holdingKey, type Entered, type FloorBooks, type PairedFills, type PositionState } from './books.ts'
import { sessionAt } from './calendar.ts'
import type { Contract, WireRow } from './contracts.ts'
import { commandReportRow, commandRow, currentVersion, executionReportRow, fillPrice, hasEnded, liveOrderRow, liveVersionRow, openQty, type Executed, type LiveOrder, type OrderStatus, type OrderVersion, type Sent, type Why } from './orders.ts'
import { carriedPositionRow, cashBalanceRow, cashStates, fillFeeRow, fillPairRow, fillRow, positionRow, type FloorEvent } from './rows.ts'
import { pairRoom, type Account, type Action, type Execution } from './world.ts'

/** An order that passed every check, before it has an id. */
export type OrderTerms = {
  readonly account: Account
  readonly contract: Contract
  readonly action: Action
  readonly version: Omit<OrderVersion, 'id'>
  readonly sent: Sent
}

type Deps = {
  readonly books: FloorBooks
  readonly publish: (event: FloorEvent) => void
  /** Reserves `count` consecutive ids and returns the first. */
  readonly takeIds: (count: number) => number
  readonly now: () => number
  readonly mark: (contract: Contract) => number
}

/** The lifecycle of a floor's orders: accepted, working, filled, ended. Every step is pushed. */
export const openLife = ({ books, publish, takeIds, now, mark }: Deps) => {
  const orders = new Map<number, LiveOrder>()
  const working = new Set<LiveOrder>()
  const accounts = new Map(books.world.accounts.map((account) => [account.id, account]))

  const say = (accountId: number, entityType: string, eventType: FloorEvent['eventType'], entity: WireRow): void => {
    const account = accounts.get(accountId)
    // Lists include it before it is pushed.
    books.changed()
    if (account !== undefined) publish({ environment: account.environment, userIds: [account.traderId], entityType, eventType, entity })
  }
  const sayOrder = (order: LiveOrder): void => say(order.accountId, 'order', 'Updated', liveOrderRow(order))

  const report = (order: LiveOrder, commandId: number, status: string, why: Why | null = null): void => {
    const row = commandReportRow(takeIds(1), commandId, now(), status, why)
    order.commandReports.push(row)
    say(order.accountId, 'commandReport', 'Created', row)
  }
  const execute = (order: LiveOrder, what: Executed): void => {
    const row = executionReportRow(takeIds(1), order, now(), what)
    order.executionReports.push(row)
    say(order.accountId, 'executionReport', 'Created', row)
  }

  /** Records and pushes a command; returns its id. */
  const command = (order: LiveOrder, id: number, type: 'New' | 'Modify' | 'Cancel', sent: Sent): number => {
    const row = commandRow(id, order.id, now(), { type, status: 'Pending', sent })
    order.commands.push(row)
    say(order.accountId, 'command', 'Created', row)
    return id
  }
  const settleCommand = (order: LiveOrder, id: number, status: string, why: Why | null = null): void => {
    const index = order.commands.findIndex((row) => row.id === id)
    const row = order.commands[index]
    if (row === undefined) return
    const settled = { ...row, commandStatus: status }
    order.commands[index] = settled
    report(order, id, status, why)
    say(order.accountId, 'command', 'Updated', settled)
  }

  const sayCash = (accountId: number): void => {
    const account = accounts.get(accountId)
    const session = sessionAt(now())
    if (account === undefined) return
    for (const cash of cashStates(account, books.ledger(), session)) say(accountId, 'cashBalance', 'Updated', cashBalanceRow(accountId, cash, session))
  }

  const sayPosition = ({ position, opened }: Pick<Entered, 'position' | 'opened'>): void =>
    say(position.accountId, 'position', opened ? 'Created' : 'Updated', positionRow(books.positionId(position, position.session), position))

  const fill = (order: LiveOrder, qty: number, ticks: number): void => {
    const { id: orderId, accountId, contract, action } = order
    const execution: Execution = { id: takeIds(pairRoom({ qty }) + 2), orderId, accountId, contract, session: sessionAt(now()), time: now(), action, qty, ticks, bustedAt: null }
    order.filled += qty
    order.filledTicks += qty * ticks
    execute(order, { commandId: order.id, type: 'Trade', status: openQty(order) === 0 ? 'Filled' : 'Working', fill: execution })
    const entered = books.add(execution)
    say(accountId, 'fill', 'Created', fillRow(execution, true, books.ledger().paired.get(execution.id) ?? 0))
    say(accountId, 'fillFee', 'Created', fillFeeRow(execution))
    sayPosition(entered)
    const positionId = books.positionId(entered.position, execution.session)
    for (const pair of entered.closed) say(accountId, 'fillPair', 'Created', fillPairRow(pair, positionId))
    sayCash(accountId)
  }

  const close = (order: LiveOrder, status: OrderStatus): void => {
    order.status = status
    // An order expires in the session that has just ended.
    order.ended = { at: now(), session: sessionAt(status === 'Expired' ? order.time : now()) }
    working.delete(order)
    sayOrder(order)
  }

  /** Ends an order without a command. */
  const end = (order: LiveOrder, status: 'Canceled' | 'Expired'): void => {
    if (hasEnded(order)) return
    execute(order, { commandId: order.id, type: status, status })
    close(order, status)
    endLegs(order)
  }

  /** Rejects an accepted order. */
  const reject = (order: LiveOrder, why: Why): void => {
    if (hasEnded(order)) return
    execute(order, { commandId: order.id, type: 'Rejected', status: 'Rejected', why })
    settleCommand(order, order.id, 'RiskRejected', why)
    close(order, 'Rejected')
    for (const leg of order.legs) reject(leg, { reason: 'ParentRejected', text: 'The parent order was rejected' })
  }

  /** Starts the bracket legs for the filled part of the parent; cancels them if nothing filled. */
  const endLegs = (parent: LiveOrder): void => {
    for (const leg of parent.legs) {
      if (parent.filled === 0) end(leg, 'Canceled')
      else {
        resize(leg, parent.filled)
        start(leg)
      }
    }
  }

  const addVersion = (order: LiveOrder, version: Omit<OrderVersion, 'id'>): void => {
    const made = { ...version, id: takeIds(1) }
    order.versions = [...order.versions, made]
    say(order.accountId, 'orderVersion', 'Created', liveVersionRow(order, made))
  }
  const resize = (order: LiveOrder, qty: number): void => {
    const version = currentVersion(order)
    if (version.qty !== qty) addVersion(order, { ...version, qty })
  }

  /** Reduces the other OCO order with each fill and cancels it with the last contract. */
  const shrinkOther = ({ oco: other }: LiveOrder, left: number): void => {
    if (other === null || hasEnded(other)) return
    if (left === 0) end(other, 'Canceled')
    else if (openQty(other) > left) resize(other, other.filled + left)
  }

  /** Fills an order if the market reaches it. */
  const meet = (order: LiveOrder): void => {
    // After its first piece it continues with `step` and not with the market.
    if (order.pieces?.byStep !== true || order.filled === 0) fillReached(order)
  }

  const fillReached = (order: LiveOrder): void => {
    while (order.status === 'Working' && !order.held) {
      const ticks = fillPrice(order, mark(order.contract))
      if (ticks === null) break
      const left = openQty(order)
      const qty = Math.min(left, order.pieces?.qty ?? left)
      fill(order, qty, ticks)
      if (qty === left) {
        close(order, 'Filled')
        endLegs(order)
      } else if (order.pieces?.dropRest === true) end(order, 'Canceled')
      else sayOrder(order)
      shrinkOther(order, left - qty)
      if (order.pieces?.byStep === true) return
    }
    if (order.status === 'Working' && !order.held && isImpatient(order)) end(order, 'Canceled')
  }

  /** Puts an order to work. */
  const start = (order: LiveOrder): void => {
    if (hasEnded(order) || order.status === 'Working') return
    settleCommand(order, order.id, 'AtExecution')
    order.status = 'Working'
    working.add(order)
    sayOrder(order)
    execute(order, { commandId: order.id, type: 'New', status: 'Working' })
    meet(order)
  }

  /** Accepts an order as `PendingNew`, or suspended until its parent fills. */
  const enter = ({ account, contract, action, version, sent }: OrderTerms, parent: LiveOrder | null): LiveOrder => {
    const id = takeIds(2)
    const order: LiveOrder = {
      id, accountId: account.id, contract, action, time: now(), clOrdId: sent.clOrdId, isAutomated: sent.isAutomated, parentId: parent?.id ?? null,
      legs: [], status: parent === null ? 'PendingNew' : 'Suspended', versions: [{ id: id + 1, ...version }], filled: 0, filledTicks: 0,
      triggered: false, trail: null, resting: false, held: false, pieces: null, oco: null, ended: null, commands: [], commandReports: [], executionReports: [],
    }
    orders.set(id, order)
    if (parent !== null) parent.legs = [...parent.legs, order]
    // An order and its New command have the same id.
    command(order, id, 'New', sent)
    say(account.id, 'order', 'Created', liveOrderRow(order))
    say(account.id, 'orderVersion', 'Created', liveVersionRow(order, order.versions[0]))
    report(order, id, parent === null ? 'RiskPassed' : 'ExecutionSuspended')
    return order
  }

  /** Ends the orders of the day after the clock enters another session. */
  const roll = (): void => {
    const session = sessionAt(now())
    for (const order of [...orders.values()]) {
      if (!hasEnded(order) && currentVersion(order).timeInForce !== 'GTC' && sessionAt(order.time) !== session) end(order, 'Expired')
    }
  }

  return {
    /** Every order since the start, oldest first. */
    orders: orders as ReadonlyMap<number, LiveOrder>,
    enter, start, reject, end, meet, roll,
    /** Links two orders as OCO: a fill of one cancels the other. */
    tie: (one: LiveOrder, other: LiveOrder): void => {
      one.oco = other
      other.oco = one
      sayOrder(one)
      sayOrder(other)
    },
    /** Modifies a working order; returns the command's id. */
    change: (order: LiveOrder, version: Omit<OrderVersion, 'id'>, sent: Sent): number => {
      const id = command(order, takeIds(1), 'Modify', sent)
      addVersion(order, version)
      order.resting = false
      if (version.stop !== order.versions.at(-2)?.stop) order.triggered = false
      execute(order, { commandId: id, type: 'Replaced', status: order.status })
      settleCommand(order, id, 'Replaced')
      sayOrder(order)
      meet(order)
      return id
    },
    /** Cancels an order for its sender; returns the command's id. */
    cancel: (order: LiveOrder, sent: Sent): number => {
      const id = command(order, takeIds(1), 'Cancel', sent)
      settleCommand(order, id, 'AtExecution')
      end(order, 'Canceled')
      return id
    },
    /** Fills the rest of a working order at the market price. */
    fillNow: (order: LiveOrder): void => {
      if (order.status !== 'Working') return
      const left = openQty(order)
      fill(order, left, mark(order.contract))
      close(order, 'Filled')
      endLegs(order)
      shrinkOther(order, 0)
    },
    /** Fills the working orders that the market reaches, of one contract or of all. */
    meetAll: (contract: Contract | null): void => {
      for (const order of [...working]) if (contract === null || order.contract.id === contract.id) meet(order)
    },
    /** Fills the next piece of each order with partial fills. */
    step: (): void => {
      for (const order of [...working]) if (order.pieces?.byStep === true) fillReached(order)
    },
    /** Busts an execution; false if there is none with this id. */
    bust: (fillId: number): boolean => {
      const { pairs, newest } = books.ledger()
      const busted = books.bust(fillId)
      if (busted === null) return false
      const { accountId } = busted
      say(accountId, 'fill', 'Updated', fillRow(busted, false, 0))
      sayPositionAfter(busted, newest.get(holdingKey(accountId, busted.contract.id)))
      sayPairs(new Map(pairs.map((pair) => [pair.id, pair])))
      sayCash(accountId)
      return true
    },
  }

  /** Pushes the position after a bust: deletes its row if the session has no trades left. */
  function sayPositionAfter({ accountId, contract, session }: Execution, before: PositionState | undefined): void {
    const after = books.holding(accountId, contract.id)
    if (after?.session === session) sayPosition({ position: after, opened: false })
    else if (after !== undefined && after.net.qty !== 0) say(accountId, 'position', 'Updated', carriedPositionRow(books.positionId(after, session), after, session))
    else if (before !== undefined) say(accountId, 'position', 'Deleted', positionRow(books.positionId(before, session), before))
  }

  /** Pushes changed fill pairs: deletes the old ones and adds the new ones. */
  function sayPairs(before: ReadonlyMap<number, PairedFills>): void {
    const after = new Map(books.ledger().pairs.map((pair) => [pair.id, pair]))
    const rowOf = (pair: PairedFills): WireRow => {
      const position = books.ledger().positions.get(`${pair.session}/${pair.accountId}/${pair.contractId}`)
      return fillPairRow(pair, position === undefined ? 0 : books.positionId(position, pair.session))
    }
    for (const [id, pair] of before) if (!after.has(id)) say(pair.accountId, 'fillPair', 'Deleted', rowOf(pair))
    for (const [id, pair] of after) {
      const was = before.get(id)
      if (was === undefined) say(pair.accountId, 'fillPair', 'Created', rowOf(pair))
      else if (was.qty !== pair.qty || was.buy.id !== pair.buy.id || was.sell.id !== pair.sell.id) say(pair.accountId, 'fillPair', 'Updated', rowOf(pair))
    }
  }
}

const isImpatient = (order: LiveOrder): boolean => ['IOC', 'FOK'].includes(currentVersion(order).timeInForce)
