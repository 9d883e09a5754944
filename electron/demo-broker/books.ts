import { sessionAt } from './calendar.ts'
import { feePerContract, type Product } from './contracts.ts'
import { carriedPositionId, pairRoom, positionKey, type Execution, type World } from './world.ts'

/** A buy and a sell that the broker matched FIFO. */
export type PairedFills = {
  readonly id: number
  readonly session: string
  readonly accountId: number
  readonly contractId: number
  readonly buy: Execution
  readonly sell: Execution
  readonly qty: number
  /** P&L before fees, in 1/10,000 of the product's currency. */
  readonly gross: number
}

/** One account's position in one contract during one session. */
export type PositionState = {
  readonly session: string
  readonly accountId: number
  readonly last: Execution
  readonly bought: number
  readonly boughtTicks: number
  readonly sold: number
  readonly soldTicks: number
  /** Signed contracts and the sum of their entry ticks. */
  readonly net: Lots
  readonly before: Lots
}

/** Signed contracts and the sum of their ticks. */
export type Lots = { readonly qty: number; readonly ticks: number }

/** One change of an account's cash. */
export type CashChange = {
  readonly session: string
  readonly accountId: number
  readonly currency: Product['currency']
  readonly time: number
  readonly gross: number
  readonly fees: number
}

/** The broker's books at one time. */
export type Ledger = {
  readonly pairs: readonly PairedFills[]
  readonly positions: ReadonlyMap<string, PositionState>
  /** The latest position of each account and contract, by `holdingKey`. */
  readonly newest: ReadonlyMap<string, PositionState>
  /** Matched contracts by execution id. */
  readonly paired: ReadonlyMap<number, number>
  readonly cash: readonly CashChange[]
  /** The same, by account. */
  readonly cashOf: ReadonlyMap<number, readonly CashChange[]>
}

type OpenLot = { readonly fill: Execution; left: number }

type OpenLedger = ReturnType<typeof openLedger>

/** Empty books, which accept executions ordered by time, then id. */
export const openLedger = () => {
  const lots = new Map<string, OpenLot[]>()
  const pairs: PairedFills[] = []
  const positions = new Map<string, PositionState>()
  const newest = new Map<string, PositionState>()
  const paired = new Map<number, number>()
  const cash: CashChange[] = []
  const cashOf = new Map<number, CashChange[]>()
  const books: Ledger = { pairs, positions, newest, paired, cash, cashOf }

  return {
    books,
    /** Adds an execution and returns the pairs that it closed. */
    enter: (fill: Execution): readonly PairedFills[] => {
      const { accountId, contract, session, time, qty } = fill
      const holding = holdingKey(accountId, contract.id)
      const queue = entryOf(lots, holding, (): OpenLot[] => [])
      const before = sumLots(queue)
      const made = match(queue, fill)
      pairs.push(...made)
      for (const { buy, sell, qty: matched } of made) {
        paired.set(buy.id, (paired.get(buy.id) ?? 0) + matched)
        paired.set(sell.id, (paired.get(sell.id) ?? 0) + matched)
      }
      const key = positionKey(session, accountId, contract.id)
      const position = movePosition(positions.get(key), before, sumLots(queue), fill)
      positions.set(key, position)
      newest.set(holding, position)
      const gross = made.reduce((sum, pair) => sum + pair.gross, 0)
      const change = { session, accountId, currency: contract.product.currency, time, gross, fees: feePerContract(contract.product) * qty }
      cash.push(change)
      entryOf(cashOf, accountId, (): CashChange[] => []).push(change)
      return made
    },
  }
}

/** Builds the broker's books from the executions that are active at `now`, ordered by time, then id. */
export const keepBooks = (executions: readonly Execution[], now: number): Ledger => booksOver(executions, now).books

/** The same, open for further executions. */
const booksOver = (executions: readonly Execution[], now: number): OpenLedger => {
  const ledger = openLedger()
  for (const fill of executions) {
    if (fill.time > now) break
    if (countsAt(fill, now)) ledger.enter(fill)
  }
  return ledger
}

/** The key of an account's position in a contract across sessions. */
export const holdingKey = (accountId: number, contractId: number): string => `${accountId}/${contractId}`

/** Whether an execution is active at a time: it has happened and is not busted. */
export const countsAt = (fill: Execution, now: number): boolean =>
  fill.time <= now && (fill.bustedAt === null || fill.bustedAt > now)

const match = (queue: OpenLot[], fill: Execution): PairedFills[] => {
  const made: PairedFills[] = []
  let left = fill.qty
  for (let open = queue[0]; left > 0 && open !== undefined && open.fill.action !== fill.action; open = queue[0]) {
    const qty = Math.min(left, open.left)
    const [buy, sell] = fill.action === 'Sell' ? [open.fill, fill] : [fill, open.fill]
    const { accountId, contract, session } = fill
    if (made.length === pairRoom(fill)) throw new RangeError(`Execution ${fill.id} closes more than ${pairRoom(fill)} lots`)
    made.push({
      id: fill.id + 1 + made.length, session, accountId, contractId: contract.id, buy, sell, qty,
      gross: (sell.ticks - buy.ticks) * qty * contract.product.tickValue,
    })
    left -= qty
    open.left -= qty
    if (open.left === 0) queue.shift()
  }
  if (left > 0) queue.push({ fill, left })
  return made
}

const movePosition = (was: PositionState | undefined, before: Lots, net: Lots, fill: Execution): PositionState => {
  const { bought, boughtTicks, sold, soldTicks } = was ?? { bought: 0, boughtTicks: 0, sold: 0, soldTicks: 0 }
  const buys = fill.action === 'Buy'
  return {
    session: fill.session,
    accountId: fill.accountId,
    last: fill,
    bought: bought + (buys ? fill.qty : 0),
    boughtTicks: boughtTicks + (buys ? fill.qty * fill.ticks : 0),
    sold: sold + (buys ? 0 : fill.qty),
    soldTicks: soldTicks + (buys ? 0 : fill.qty * fill.ticks),
    net,
    before: was?.before ?? before,
  }
}

const sumLots = (queue: readonly OpenLot[]): Lots => {
  let qty = 0
  let ticks = 0
  for (const { fill, left } of queue) {
    const signed = fill.action === 'Buy' ? left : -left
    qty += signed
    ticks += signed * fill.ticks
  }
  return { qty, ticks }
}

const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** The effect of one execution on its account. */
export type Entered = {
  readonly closed: readonly PairedFills[]
  readonly position: PositionState
  /** Whether its position row is new in this session. */
  readonly opened: boolean
}

/** Books of past and live trading. */
export type FloorBooks = ReturnType<typeof openBooks>

/** Opens a world's books at its clock; `nextId` assigns position ids. */
export const openBooks = (past: World, now: () => number, nextId: () => number) => {
  let traded: { readonly executions: Execution[]; readonly positionIds: Map<string, number> } | null = null
  // Lazy: reading the past may first have to generate it.
  const all = () => (traded ??= { executions: [...past.executions], positionIds: new Map(past.positionIds) })
  let kept: { readonly at: number; readonly ledger: OpenLedger } | null = null
  let version = 0

  const open = (): OpenLedger => {
    if (kept?.at !== now()) kept = { at: now(), ledger: booksOver(all().executions, now()) }
    return kept.ledger
  }
  const holding = (accountId: number, contractId: number): PositionState | undefined => open().books.newest.get(holdingKey(accountId, contractId))

  /** Assigns an id to the position if it has none. Returns whether the session had no row of it before. */
  const namePosition = ({ session, accountId, contract }: Execution): boolean => {
    const { positionIds } = all()
    const key = positionKey(session, accountId, contract.id)
    const before = holding(accountId, contract.id)
    const carried = before !== undefined && before.session !== session && before.net.qty !== 0
    if (!positionIds.has(key)) positionIds.set(key, carried ? carriedPositionId(before.last) : nextId())
    return !carried && before?.session !== session
  }

  return {
    /** The world including live trading. */
    world: {
      logins: past.logins, accounts: past.accounts, sessions: past.sessions, walk: past.walk, mark: past.mark,
      get orders() { return past.orders },
      get executions() { return all().executions },
      get positionIds() { return all().positionIds },
    },
    /** The books at the market's clock. */
    ledger: (): Ledger => open().books,
    /** A version that grows with each call of `changed`. */
    version: (): number => version,
    changed: (): void => void (version += 1),
    /** Adds an execution at the current time. */
    add: (fill: Execution): Entered => {
      const { enter, books } = open()
      const opened = namePosition(fill)
      // Insert after everything up to now and before past executions that the clock has not reached.
      const { executions } = all()
      const later = executions.findLastIndex(({ time }) => time <= fill.time) + 1
      executions.splice(later, 0, fill)
      const closed = enter(fill)
      const position = books.newest.get(holdingKey(fill.accountId, fill.contract.id))
      if (position === undefined) throw new Error(`Execution ${fill.id} left no position`)
      return { closed, position, opened }
    },
    /** Busts an execution; returns it as busted, or null if there is no active one. */
    bust: (fillId: number): Execution | null => {
      const { executions } = all()
      const index = executions.findIndex(({ id, time, bustedAt }) => id === fillId && time <= now() && bustedAt === null)
      const fill = executions[index]
      if (fill === undefined || fill.session !== sessionAt(now())) return null
      const busted = { ...fill, bustedAt: now() }
      executions[index] = busted
      kept = null
      return busted
    },
    /** The latest position of an account in a contract, or undefined if it never had one. */
    holding,
    /** The id of a position's row in a session. */
    positionId: (position: PositionState, session: string): number =>
      all().positionIds.get(positionKey(session, position.accountId, position.last.contract.id)) ?? carriedPositionId(position.last),
  }
}
