import { countsAt, openBooks, type FloorBooks, type Ledger, type PositionState } from './books.ts'
import { sessionAt } from './calendar.ts'
import { contractsOn, libraryRows, type LibraryEntity, type WireRow } from './contracts.ts'
import { openFloor, type ExchangeFloor } from './floor.ts'
import type { Hooks } from './hooks.ts'
import { accountRow, autoLiqRows, carriedPositionRow, cashBalanceRow, cashSnapshot, cashStates, fillFeeRow, fillPairRow, fillRow, orderReportRows, orderRow, orderVersionRows, positionRow, riskStatusRows, userRow } from './rows.ts'
import { positionKey, type Account, type Environment, type Execution, type Login, type World } from './world.ts'

type Deps = { readonly books: FloorBooks; readonly floor: Pick<ExchangeFloor, 'rows' | 'mark'>; readonly now: () => number }

export type Views = ReturnType<typeof openViews>

/** The views of all logins at the market clock, cached until something changes. */
const openViews = ({ books, floor, now }: Deps) => {
  const made = new Map<string, View>()
  let seen = { version: -1, at: NaN }
  let library: { readonly session: string; readonly rows: Record<LibraryEntity, WireRow[]> } | null = null

  const libraryOn = (session: string): Record<LibraryEntity, WireRow[]> => {
    // A session's library contains all its traded contracts from the beginning.
    if (library?.session !== session) library = { session, rows: libraryRows(contractsOn(books.world.executions.map(({ contract }) => contract), session), session) }
    return library.rows
  }

  return {
    of: (userId: number, environment: Environment): View | null => {
      if (seen.version !== books.version() || seen.at !== now()) {
        made.clear()
        seen = { version: books.version(), at: now() }
      }
      const key = `${userId}/${environment}`
      const login = books.world.logins.find((each) => each.userId === userId)
      if (login === undefined) return null
      const view = made.get(key) ?? lookThrough({ books, floor, libraryOn }, login, environment, now())
      made.set(key, view)
      return view
    },
  }
}

type Sight = Pick<Deps, 'books' | 'floor'> & { readonly libraryOn: (session: string) => Record<LibraryEntity, WireRow[]> }

/** What one login sees on one host at one time: the running session only. */
export type View = ReturnType<typeof lookThrough>

const lookThrough = (sight: Sight, login: Login, environment: Environment, now: number) => {
  const { books, floor } = sight
  const session = sessionAt(now)
  const accounts = books.world.accounts.filter((each) => each.traderId === login.userId && each.environment === environment)
  const makers = tablesOf(sight, login, accounts, session, now)
  const tables = new Map<string, readonly WireRow[]>()
  const indexes = new Map<string, Map<number, WireRow>>()
  const lists = new Map<string, Buffer>()

  const rows = (entity: string): readonly WireRow[] | null => {
    const make = Object.hasOwn(makers, entity) ? makers[entity] : undefined
    if (make === undefined) return null
    const table = tables.get(entity) ?? make()
    tables.set(entity, table)
    return table
  }
  return {
    login,
    /** The rows of an entity, or null for an unknown entity. */
    rows,
    row: (entity: string, id: number): WireRow | null => {
      const index = indexes.get(entity) ?? new Map((rows(entity) ?? []).map((row) => [row.id, row]))
      indexes.set(entity, index)
      return index.get(id) ?? null
    },
    /** The whole list as cached JSON. */
    listBytes: (entity: string): Buffer | null => {
      const table = rows(entity)
      if (table === null) return null
      const bytes = lists.get(entity) ?? Buffer.from(JSON.stringify(table))
      lists.set(entity, bytes)
      return bytes
    },
    /** The cash snapshot of a visible account, otherwise null. */
    snapshot: (accountId: number): Record<string, number> | null => {
      const account = accounts.find((each) => each.id === accountId)
      const cash = account && cashStates(account, books.ledger(), session)[0]
      if (cash === undefined) return null
      const open = openPositions(books.ledger(), session).filter((each) => each.accountId === accountId)
      const mine = open.filter(({ last }) => last.contract.product.currency === cash.currency)
      return cashSnapshot(cash, mine.reduce((sum, each) => sum + openPnl(floor.mark(each.last.contract), each), 0))
    },
  }
}

/** Builds each entity's rows on demand. */
const tablesOf = (
  { books, floor, libraryOn }: Sight, login: Login, accounts: readonly Account[], session: string, now: number,
): Readonly<Record<string, () => readonly WireRow[]>> => {
  const { world } = books
  const seen = new Set(accounts.map(({ id }) => id))
  const fills = (): readonly Execution[] => world.executions.filter((fill) => fill.session === session && fill.time <= now && seen.has(fill.accountId))
  const orders = () => world.orders.filter((order) => order.session === session && order.time <= now && seen.has(order.accountId))
  const live = (entity: string): readonly WireRow[] => floor.rows(entity, seen, session) ?? []
  const pairPosition = (key: string): number => world.positionIds.get(key) ?? 0
  return {
    user: () => [userRow(login)],
    account: () => accounts.map(accountRow),
    cashBalance: () => accounts.flatMap((account) =>
      cashStates(account, books.ledger(), session).map((cash) => cashBalanceRow(account.id, cash, session))),
    userAccountAutoLiq: () => accounts.flatMap(autoLiqRows),
    accountRiskStatus: () => accounts.flatMap((account) => riskStatusRows(account, books.ledger(), session)),
    order: () => [...orders().map((order) => orderRow(order, now)), ...live('order')],
    orderVersion: () => [...orders().flatMap((order) => orderVersionRows(order, now)), ...live('orderVersion')],
    command: () => live('command'),
    commandReport: () => live('commandReport'),
    executionReport: () => [...orders().flatMap((order) => orderReportRows(order, now)), ...live('executionReport')],
    fill: () => fills().map((fill) => fillRow(fill, countsAt(fill, now), books.ledger().paired.get(fill.id) ?? 0)),
    fillFee: () => fills().filter((fill) => countsAt(fill, now)).map(fillFeeRow),
    fillPair: () => books.ledger().pairs
      .filter((pair) => pair.session === session && seen.has(pair.accountId))
      .map((pair) => fillPairRow(pair, pairPosition(positionKey(session, pair.accountId, pair.contractId)))),
    position: () => openPositions(books.ledger(), session)
      .filter(({ accountId }) => seen.has(accountId))
      .map((position) => {
        const id = books.positionId(position, session)
        return position.session === session ? positionRow(id, position) : carriedPositionRow(id, position, session)
      }),
    contract: () => libraryOn(session).contract,
    contractMaturity: () => libraryOn(session).contractMaturity,
    product: () => libraryOn(session).product,
    exchange: () => libraryOn(session).exchange,
    currency: () => libraryOn(session).currency,
  }
}

/** Each account's and contract's position in the running session, or the open position carried over from an earlier one. */
const openPositions = ({ newest }: Ledger, session: string): PositionState[] =>
  [...newest.values()].filter((position) => position.session === session || position.net.qty !== 0)

const openPnl = (mark: number, { last, net }: PositionState): number => (mark * net.qty - net.ticks) * last.contract.product.tickValue

/** Live ids begin above those of any world, and each start has its own range, so that a client never sees an earlier run's id again. */
const FIRST_LIVE_ID = 700_000_000_000
const IDS_PER_MS = 10
const COUNTED_FROM = Date.UTC(2026, 0, 1)

/** The moving parts of a demo brokerage. */
export type Market = ReturnType<typeof openMarket>

type MarketDeps = {
  /** The market clock's start, UTC milliseconds; the walk's last stop by default. */
  readonly begin: number | undefined
  readonly hooks: Pick<Hooks, 'refuseOrder' | 'startOrder' | 'beforeCancel'>
  readonly wallNow: () => number
}

/** Opens a world's market. */
export const openMarket = (world: World, { begin, hooks, wallNow }: MarketDeps) => {
  let time = begin ?? world.walk.at(-1)?.at ?? 0
  const now = (): number => time
  const takeIds = liveIds(wallNow())
  const books = openBooks(world, now, () => takeIds(1))
  const floor = openFloor({ books, hooks, now, takeIds })
  const views = openViews({ books, floor, now })
  return {
    books, floor, views,
    /** The market clock, which is frozen until set. */
    clock: {
      now,
      set: (moment: number): void => {
        const from = time
        const before = moment > from ? pushedRows(world, views) : []
        time = moment
        books.changed()
        if (moment > from) pushChanges(before, pushedRows(world, views), floor.publish)
        floor.clockMoved(from)
      },
    },
  }
}

// In the order of a live fill.
const pushedEntities = ['order', 'orderVersion', 'fill', 'fillFee', 'position', 'fillPair', 'cashBalance', 'accountRiskStatus'] as const

type SeenRows = { readonly userId: number; readonly environment: Environment; readonly entity: string; readonly rows: readonly WireRow[] }

/** What every login sees of trading and money now. */
const pushedRows = ({ logins }: World, views: Views): readonly SeenRows[] =>
  logins.flatMap(({ userId }) =>
    (['live', 'demo'] as const).flatMap((environment) => pushedEntities.map((entity) => ({ userId, environment, entity, rows: views.of(userId, environment)?.rows(entity) ?? [] }))),
  )

/** Pushes the changes since the clock moved, as a brokerage does: otherwise listeners would keep old balances and positions. */
const pushChanges = (before: readonly SeenRows[], after: readonly SeenRows[], publish: ExchangeFloor['publish']): void => {
  for (const [index, { userId, environment, entity, rows }] of after.entries()) {
    const known = new Map((before[index]?.rows ?? []).map((row) => [row.id, row]))
    for (const row of rows) {
      const old = known.get(row.id)
      if (old === undefined || JSON.stringify(old) !== JSON.stringify(row)) publish({ environment, userIds: [userId], entityType: entity, eventType: old === undefined ? 'Created' : 'Updated', entity: row })
    }
  }
}

/** One id counter for rows of every kind. */
const liveIds = (wallNow: number): ((count: number) => number) => {
  let next = FIRST_LIVE_ID + Math.max(0, wallNow - COUNTED_FROM) * IDS_PER_MS
  return (count) => {
    const first = next
    next += count
    return first
  }
}
