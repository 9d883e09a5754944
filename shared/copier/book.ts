import { getOrInsert } from '#shared/base/get-or-insert.ts'
import type { Side } from '#shared/fills/fill.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { isEnded, type CashFact, type CommandFact, type Fact, type FillFact, type OrderFact, type OrderStatus, type PositionFact, type ReportFact, type VersionFact } from './facts.ts'

/** One order of the account, by the facts so far; null for what is not known yet. */
export type BookOrder = {
  readonly id: number
  readonly contractId: number | null
  readonly side: Side | null
  readonly status: OrderStatus | null
  readonly ocoId: number | null
  /** UTC ms when it was placed. */
  readonly time: number | null
  /** The current version: the one with the highest id. */
  readonly version: VersionFact | null
  /** Contracts of its active fills. */
  readonly filled: number
  /** Contracts that may still fill, or that the broker says filled but whose fills have not arrived; null while its quantity is unknown. */
  readonly left: number | null
  /** Whether it cannot change any more: it ended, and its fills are complete or were read since. */
  readonly final: boolean
}

/** A fill of an order that may work beyond the session, as a copier remembers it: the broker lists fills of the current session only. Time is UTC ms. */
export type PastFill = Pick<FillFact, 'id' | 'orderId' | 'qty' | 'active' | 'time'>

/** A contract's position row and fills. */
type ContractBook = {
  row: PositionFact | null
  /** A row of the same session with lower sums: an older row, unless a busted fill reduced the broker's sums. */
  lower: PositionFact | null
  /** The newest session with a bust. */
  busted: string | null
  /** The position before a session without a row. */
  carried: { readonly session: string; readonly before: number } | null
  /** Contracts by session. */
  readonly sums: Map<string, { bought: number; sold: number }>
  /** The orders that can still change. */
  readonly open: Set<number>
}

type OrderBook = {
  fact: OrderFact | null
  contractId: number | null
  version: VersionFact | null
  readonly fills: Map<number, FillFact>
  /** Fills of an earlier run that the broker has not listed since. */
  readonly past: Map<number, PastFill>
  filled: number
  read: boolean
  clOrdId: string | null
  named: boolean
  canceledUnder: string | null | undefined
  readonly commands: Set<number>
  lastReport: ReportFact | null
}

const newContractBook = (): ContractBook => ({ row: null, lower: null, busted: null, carried: null, sums: new Map(), open: new Set() })

const newOrderBook = (): OrderBook => ({
  fact: null,
  contractId: null,
  version: null,
  fills: new Map(),
  past: new Map(),
  filled: 0,
  read: false,
  clOrdId: null,
  named: false,
  canceledUnder: undefined,
  commands: new Set(),
  lastReport: null,
})

/** One account's positions and orders, built from facts in any order, repeats included. */
export type Book = ReturnType<typeof createBook>

export const createBook = (accountId: number) => {
  const contracts = new Map<number, ContractBook>()
  const orders = new Map<number, OrderBook>()
  const orderByClOrdId = new Map<string, number>()
  const orderByCommand = new Map<number, number>()
  // Reports that arrived before their command.
  const reports = new Map<number, ReportFact>()
  let cash: CashFact | null = null
  // Both lists at once: the repair after a fill needs the first, which leaves the second ready for the next fill.
  let lists: { readonly contracts: readonly number[]; readonly open: ReturnType<Book['open']> } | null = null
  const listed = (): NonNullable<typeof lists> => {
    if (lists !== null) return lists
    const known: number[] = []
    const open: { contractId: number; net: number }[] = []
    for (const [contractId, contract] of contracts) {
      const held = netOf(contract)
      if (held !== 0) open.push({ contractId, net: held })
      if (held !== 0 || contract.row !== null || contract.sums.size > 0) known.push(contractId)
    }
    return (lists = { contracts: known, open })
  }

  const contractBook = (id: number): ContractBook => getOrInsert(contracts, id, newContractBook)
  const orderBook = (id: number): OrderBook => getOrInsert(orders, id, newOrderBook)
  /** The changed contract as a list; empty while an order's contract is unknown. */
  const changedContracts = (contractId: number | null): readonly number[] => (contractId === null ? [] : [contractId])

  /** Lists an order under its contract as long as it can still change; returns the contract. */
  const trackOpen = (id: number, order: OrderBook): readonly number[] => {
    if (order.contractId === null) return []
    const { open } = contractBook(order.contractId)
    if (isFinal(order)) open.delete(id)
    else open.add(id)
    return [order.contractId]
  }

  const takeFill = (fill: FillFact): readonly number[] => {
    const contract = contractBook(fill.contractId)
    const from = firstCountedSession(contract)
    const order = orderBook(fill.orderId)
    const known = order.fills.get(fill.id)
    const past = order.past.get(fill.id)
    const active = fill.active && known?.active !== false && past?.active !== false
    if (order.past.delete(fill.id) && past?.active === true) order.filled -= past.qty
    if (known !== undefined && known.active === active) return []
    order.fills.set(fill.id, active === fill.active ? fill : { ...fill, active })
    const qty = (active ? fill.qty : 0) - (known?.active === true ? known.qty : 0)
    order.filled += qty
    if (!active && (contract.busted === null || fill.session > contract.busted)) contract.busted = fill.session
    order.contractId ??= fill.contractId
    // A fill of an earlier session is already in the carried position; only its order still counts it.
    if (from === null || fill.session >= from) {
      const sums = getOrInsert(contract.sums, fill.session, () => ({ bought: 0, sold: 0 }))
      if (fill.side === 'buy') sums.bought += qty
      else sums.sold += qty
    }
    return trackOpen(fill.orderId, order)
  }

  const takePosition = (row: PositionFact): readonly number[] => {
    const contract = contractBook(row.contractId)
    const from = firstCountedSession(contract)
    if (from !== null && row.session < from) return []
    if (!isNewer(row, contract.row)) {
      if (row.session !== contract.row?.session) return []
      contract.lower = row
      return [row.contractId]
    }
    contract.lower = contract.row?.session === row.session ? contract.row : null
    contract.row = row
    for (const session of contract.sums.keys()) if (session < row.session) contract.sums.delete(session)
    return [row.contractId]
  }

  const takeOrder = (fact: OrderFact): readonly number[] => {
    const order = orderBook(fact.id)
    const known = order.fact
    order.fact = known === null || rankOf(fact.status) >= rankOf(known.status) ? fact : known
    order.contractId ??= fact.contractId
    return trackOpen(fact.id, order)
  }

  const takeVersion = (version: VersionFact): readonly number[] => {
    const order = orderBook(version.orderId)
    if (order.version === null || version.id >= order.version.id) order.version = version
    return trackOpen(version.orderId, order)
  }

  const takeCommand = (command: CommandFact): readonly number[] => {
    const order = orderBook(command.orderId)
    order.commands.add(command.id)
    if (command.type === 'New') order.named = true
    if (command.type === 'Cancel') order.canceledUnder = command.clOrdId
    orderByCommand.set(command.id, command.orderId)
    if (command.clOrdId !== null && command.type !== 'Cancel') {
      orderByClOrdId.set(command.clOrdId, command.orderId)
      if (command.type === 'New') order.clOrdId = command.clOrdId
    }
    const report = reports.get(command.id)
    reports.delete(command.id)
    return report === undefined ? changedContracts(order.contractId) : takeReport(report)
  }

  const takeReport = (report: ReportFact): readonly number[] => {
    const orderId = orderByCommand.get(report.commandId)
    const order = orderId === undefined ? undefined : orders.get(orderId)
    const hasReason = report.rejectReason !== null || report.text !== null
    if (order === undefined) {
      const waiting = reports.get(report.commandId)
      if (hasReason && (waiting === undefined || report.id > waiting.id)) reports.set(report.commandId, report)
      return []
    }
    if (hasReason && (order.lastReport === null || report.id > order.lastReport.id)) order.lastReport = report
    return changedContracts(order.contractId)
  }

  const take = (fact: Fact): readonly number[] => {
    lists = null
    switch (fact.kind) {
      case 'fill':
        return takeFill(fact)
      case 'position':
        return fact.accountId === accountId ? takePosition(fact) : []
      case 'order':
        return fact.accountId === accountId ? takeOrder(fact) : []
      case 'version':
        return takeVersion(fact)
      case 'command':
        return takeCommand(fact)
      case 'report':
        return takeReport(fact)
      case 'cash':
        if (fact.accountId === accountId && (cash === null || isBetterCash(fact, cash))) cash = fact
        return []
    }
  }

  const net = (contractId: number): number => {
    const contract = contracts.get(contractId)
    return contract === undefined ? 0 : netOf(contract)
  }

  const view = (id: number, order: OrderBook): BookOrder => ({
    id,
    contractId: order.contractId,
    side: order.fact?.side ?? null,
    status: order.fact?.status ?? null,
    ocoId: order.fact?.ocoId ?? null,
    time: order.fact?.time ?? null,
    version: order.version,
    filled: order.filled,
    left: leftOf(order),
    final: isFinal(order),
  })

  const forget = (id: number, order: OrderBook): void => {
    orders.delete(id)
    if (order.contractId !== null) contracts.get(order.contractId)?.open.delete(id)
    if (order.clOrdId !== null) orderByClOrdId.delete(order.clOrdId)
    for (const command of order.commands) {
      orderByCommand.delete(command)
      reports.delete(command)
    }
  }

  const sessionRoll = (session: string, listed?: ReadonlySet<number>): readonly number[] => {
    lists = null
    const touched: number[] = []
    for (const [id, contract] of contracts) {
      // Uses only the broker's sessions: their dates may differ from our calendar, on holidays for example.
      const newest = newestSession(contract)
      if (newest === null) continue
      const net = netOf(contract)
      // A bust deletes the row of a session without other trades.
      const gone = listed !== undefined && !listed.has(id) && (newest < session || contract.busted === newest)
      if (gone && net !== 0) touched.push(id)
      const { bought, sold } = contract.sums.get(newest) ?? { bought: 0, sold: 0 }
      if (gone || contract.row?.session !== newest) {
        // Only later lists are certain to have what a new session carried over.
        const held = gone && newest <= session ? 0 : net
        contract.carried = { session: newest, before: held - bought + sold }
        Object.assign(contract, { row: null, lower: null })
      }
      for (const past of contract.sums.keys()) if (past < newest) contract.sums.delete(past)
    }
    for (const [id, order] of orders) if (isPast(order, session)) forget(id, order)
    return touched
  }

  /** Whether an order is over, and none of its fills would count again if they were repeated. */
  const isPast = (order: OrderBook, session: string): boolean => {
    if (order.fact !== null && !isFinal(order)) return false
    if (order.fills.size === 0) return order.fact !== null && tradingDay(order.fact.time) < session
    const from = order.contractId === null ? null : firstCountedSession(contractBook(order.contractId))
    return from !== null && [...order.fills.values()].every((fill) => fill.session < from)
  }

  return {
    accountId,
    /** Takes in one fact of this account or its orders; returns the contracts that changed. */
    take,
    /** Signed contracts by the known fills. */
    net,
    /** False while the broker's own row includes a fill that has not arrived: do not rely on the net then. */
    settled: (contractId: number): boolean => {
      const contract = contracts.get(contractId)
      return contract === undefined || isSettled(contract)
    },
    /** Contracts with a position, or a row or fill of their newest session. */
    contracts: (): readonly number[] => listed().contracts,
    /** Contracts that are not flat, with their net. */
    open: (): readonly { readonly contractId: number; readonly net: number }[] => listed().open,
    /** Contracts with an order that has not ended. */
    ordered: (): readonly number[] => [...contracts].filter(([, { open }]) => open.size > 0).map(([id]) => id),
    /** The newest position row, for its average price and time. */
    row: (contractId: number): PositionFact | null => {
      const contract = contracts.get(contractId)
      return contract === undefined ? null : countsLowerRow(contract) ? contract.lower : contract.row
    },
    order: (orderId: number): BookOrder | null => {
      const order = orders.get(orderId)
      return order === undefined ? null : view(orderId, order)
    },
    /** Orders that have not ended, including those that wait for another one to fill (`Suspended`). */
    working: (contractId: number): readonly BookOrder[] =>
      [...(contracts.get(contractId)?.open ?? [])].flatMap((id) => {
        const order = orders.get(id)
        return order === undefined || order.fact === null || isEnded(order.fact.status) ? [] : [view(id, order)]
      }),
    /** Takes in fills of an earlier run. Only their orders count them, and each only until the broker lists it: positions have them already. */
    remember: (fills: readonly PastFill[]): void => {
      for (const fill of fills) {
        const order = orderBook(fill.orderId)
        if (order.fills.has(fill.id) || order.past.has(fill.id)) continue
        order.past.set(fill.id, fill)
        if (fill.active) order.filled += fill.qty
      }
    },
    /** The fills of orders that have not ended and may work beyond the session, busted ones included. */
    lasting: (): readonly PastFill[] =>
      [...contracts.values()].flatMap(({ open }) =>
        [...open].flatMap((id) => {
          const order = orders.get(id)
          return order === undefined || !mayLast(order) ? [] : [...order.past.values(), ...order.fills.values()]
        }),
      ),
    fillsOf: (orderId: number): readonly FillFact[] => [...(orders.get(orderId)?.fills.values() ?? [])],
    /** Notes that every fill of an ended order was read, in a read that began after its end. */
    fillsRead: (orderId: number): readonly number[] => {
      const order = orders.get(orderId)
      if (order === undefined || order.fact === null || !isEnded(order.fact.status)) return []
      order.read = true
      return trackOpen(orderId, order)
    },
    orderOf: (clOrdId: string): number | null => orderByClOrdId.get(clOrdId) ?? null,
    clOrdIdOf: (orderId: number): string | null => orders.get(orderId)?.clOrdId ?? null,
    /** Whether the command that placed an order is known: one without an id was placed by hand. */
    isNamed: (orderId: number): boolean => orders.get(orderId)?.named ?? false,
    /** The id of an order's cancel command: null if its sender chose none, undefined if no cancel is known. */
    canceledUnder: (orderId: number): string | null | undefined => orders.get(orderId)?.canceledUnder,
    /** The broker's last report on an order's commands with a reason or a text; null if there is none. */
    lastReport: (orderId: number): ReportFact | null => orders.get(orderId)?.lastReport ?? null,
    cash: (): CashFact | null => cash,
    /**
     * When a new session, `YYYY-MM-DD`, begins: forgets what is older than the newest known session of each contract.
     * `listed` are the contracts of the broker's position rows and active fills, once they were read completely: a contract that is not
     * listed is flat if it was only known before that session, or if its newest session has a bust.
     */
    sessionRoll,
  }
}

// An order's final status stays, whatever arrives later; before that, the last one wins.
const rankOf = (status: OrderStatus): number => {
  if (status === 'Filled') return 4
  if (isEnded(status)) return 3
  if (status === 'Unknown') return 0
  return status === 'PendingNew' || status === 'Suspended' ? 1 : 2
}

// Rows of the same moment differ by the traded quantity, which only grows.
const isNewer = (row: PositionFact, known: PositionFact | null): boolean => {
  if (known === null || row.session !== known.session) return known === null || row.session > known.session
  if (row.time !== known.time) return row.time > known.time
  return row.bought + row.sold >= known.bought + known.sold
}

// The broker's id of the US dollar, the currency of its accounts; money in other currencies is separate.
const dollars = 1

/** Whether a cash fact replaces the known one: a newer session of the same currency, or the account's own dollars. */
const isBetterCash = (fact: CashFact, known: CashFact): boolean => (fact.currencyId === known.currencyId ? fact.session >= known.session : fact.currencyId === dollars)

/** The first session whose fills are counted: earlier ones are in the position that the broker's row, or `sessionRoll`, carried over; null counts all. */
const firstCountedSession = ({ row, carried }: ContractBook): string | null => row?.session ?? carried?.session ?? null

const netOf = (contract: ContractBook): number => {
  let net = contract.row?.before ?? contract.carried?.before ?? 0
  for (const { bought, sold } of contract.sums.values()) net += bought - sold
  return net
}

/** The newest session of a contract that the broker reported; null if none. */
const newestSession = ({ row, sums }: ContractBook): string | null => {
  let newest = row?.session ?? null
  for (const session of sums.keys()) if (newest === null || session > newest) newest = session
  return newest
}

/** Whether the position row includes no fill that has not arrived. */
const isSettled = (contract: ContractBook): boolean => {
  const { row, sums } = contract
  if (row === null) return true
  const { bought, sold } = sums.get(row.session) ?? { bought: 0, sold: 0 }
  // A busted fill may stay in the row's traded quantity: then its net decides.
  return (bought >= row.bought && sold >= row.sold) || row.net === row.before + bought - sold || countsLowerRow(contract)
}

/** Whether the row with lower sums counts: it came after a bust, and matches the active fills exactly. */
const countsLowerRow = ({ lower, busted, sums }: ContractBook): boolean => {
  if (lower === null || busted !== lower.session) return false
  const { bought, sold } = sums.get(lower.session) ?? { bought: 0, sold: 0 }
  return lower.bought === bought && lower.sold === sold
}

/** As `BookOrder.left`. */
const leftOf = ({ fact, version, filled, fills, past }: OrderBook): number | null => {
  if (fact !== null && isEnded(fact.status) && fact.status !== 'Filled') return 0
  if (version === null) return null
  // A busted fill does not become active again.
  const busted = [...past.values(), ...fills.values()].reduce((sum, fill) => (fill.active ? sum : sum + fill.qty), 0)
  return Math.max(0, version.qty - filled - busted)
}

/** As `BookOrder.final`. */
const isFinal = (order: OrderBook): boolean => {
  const { fact, read } = order
  if (fact === null || !isEnded(fact.status)) return false
  return read || fact.status === 'Rejected' || (fact.status === 'Filled' && leftOf(order) === 0)
}

/** Whether an order works and may go on doing so in the next session; not while its version is unknown. */
const mayLast = ({ fact, version }: OrderBook): boolean =>
  fact !== null && !isEnded(fact.status) && version !== null && version.type !== 'Market' && !['Day', 'IOC', 'FOK'].includes(version.timeInForce ?? '')
