import type { Environment } from './broker-types.ts'
import { cashBalanceRow, cashSnapshot, cashStates } from './cash-rows.ts'
import { sessionAt } from './chicago.ts'
import { libraryRows, type Row } from './contract-library.ts'
import { countsAt, keepBooks, type Ledger, type PositionState } from './ledger.ts'
import { accountRow, carriedPositionRow, fillFeeRow, fillPairRow, fillRow, orderRow, orderVersionRow, positionRow, userRow } from './wire-rows.ts'
import { carriedPositionId, positionKey, type Account, type Login, type World } from './world.ts'

/** What one login sees on one host at one moment: the running session, and nothing of those before. */
export type View = {
  readonly login: Login
  /** The rows of an entity, or null for an entity that the stand-in has not. */
  readonly rows: (entity: string) => readonly Row[] | null
  readonly row: (entity: string, id: number) => Row | null
  /** The whole list as JSON, made once. */
  readonly listBytes: (entity: string) => Buffer | null
  /** The cash snapshot of an account that is seen, else null. */
  readonly snapshot: (accountId: number) => Record<string, number> | null
}

/** The eyes of all logins at one moment; the books are kept once for all of them. */
export type Views = { readonly of: (userId: number, environment: Environment) => View | null }

/** What every login sees at `now`, UTC milliseconds. */
export const viewsAt = (world: World, now: number): Views => {
  const books = keepBooks(world.executions, now)
  const made = new Map<string, View>()
  return {
    of: (userId, environment) => {
      const key = `${userId}/${environment}`
      const login = world.logins.find((each) => each.userId === userId)
      if (login === undefined) return null
      const view = made.get(key) ?? lookThrough(world, books, login, environment, now)
      made.set(key, view)
      return view
    },
  }
}

const lookThrough = (world: World, books: Ledger, login: Login, environment: Environment, now: number): View => {
  const session = sessionAt(now)
  const accounts = world.accounts.filter((each) => each.traderId === login.userId && each.environment === environment)
  const tables = new Map(Object.entries(tablesOf(world, books, login, accounts, session, now)))
  const indexes = new Map<string, Map<number, Row>>()
  const lists = new Map<string, Buffer>()

  const rows = (entity: string): readonly Row[] | null => tables.get(entity) ?? null
  return {
    login,
    rows,
    row: (entity, id) => {
      const index = indexes.get(entity) ?? new Map((rows(entity) ?? []).map((row) => [row.id, row]))
      indexes.set(entity, index)
      return index.get(id) ?? null
    },
    listBytes: (entity) => {
      const table = rows(entity)
      if (table === null) return null
      const bytes = lists.get(entity) ?? Buffer.from(JSON.stringify(table))
      lists.set(entity, bytes)
      return bytes
    },
    snapshot: (accountId) => {
      const account = accounts.find((each) => each.id === accountId)
      const cash = account && cashStates(account, books.cash, session)[0]
      if (cash === undefined) return null
      const open = [...newestPositions(books, session).values()].filter((each) => each.accountId === accountId)
      const mine = open.filter(({ last }) => last.contract.product.currency === cash.currency)
      return cashSnapshot(cash, mine.reduce((sum, each) => sum + openPnl(world, each, session, now), 0))
    },
  }
}

const tablesOf = (
  world: World, books: Ledger, login: Login, accounts: readonly Account[], session: string, now: number,
): Record<string, readonly Row[]> => {
  const seen = new Set(accounts.map(({ id }) => id))
  const fills = world.executions.filter((fill) => fill.session === session && fill.time <= now && seen.has(fill.accountId))
  const orders = world.orders.filter((order) => order.session === session && order.time <= now && seen.has(order.accountId))
  const positionId = (key: string, otherwise: number): number => world.positionIds.get(key) ?? otherwise
  return {
    user: [userRow(login)],
    account: accounts.map(accountRow),
    cashBalance: accounts.flatMap((account) =>
      cashStates(account, books.cash, session).map((cash) => cashBalanceRow(account.id, cash, session))),
    order: orders.map((order) => orderRow(order, now)),
    orderVersion: orders.map(orderVersionRow),
    fill: fills.map((fill) => fillRow(fill, countsAt(fill, now), books.paired.get(fill.id) ?? 0)),
    fillFee: fills.filter((fill) => countsAt(fill, now)).map(fillFeeRow),
    fillPair: books.pairs
      .filter((pair) => pair.session === session && seen.has(pair.accountId))
      .map((pair) => fillPairRow(pair, positionId(positionKey(session, pair.accountId, pair.contractId), 0))),
    position: [...newestPositions(books, session).values()]
      .filter(({ accountId }) => seen.has(accountId))
      .map((position) => {
        const id = positionId(positionKey(session, position.accountId, position.last.contract.id), carriedPositionId(position.last))
        return position.session === session ? positionRow(id, position) : carriedPositionRow(id, position, session)
      }),
    ...libraryRows(world.executions.map(({ contract }) => contract), session),
  }
}

/** Of each account and contract the running session's position, or the open one that an earlier session left. */
const newestPositions = (books: Ledger, session: string): Map<string, PositionState> => {
  const newest = new Map<string, PositionState>()
  for (const position of books.positions.values()) newest.set(`${position.accountId}/${position.last.contract.id}`, position)
  for (const [key, position] of newest) {
    if (position.session !== session && position.net.qty === 0) newest.delete(key)
  }
  return newest
}

const openPnl = (world: World, { last, net }: PositionState, session: string, now: number): number =>
  (world.mark(last.contract, session, now) * net.qty - net.ticks) * last.contract.product.tickValue
