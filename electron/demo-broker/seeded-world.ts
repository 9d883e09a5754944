import { setImmediate as nextTurn } from 'node:timers/promises'
import { addDays, chicagoTime, dayNumber, sessionsUpTo } from './calendar.ts'
import { pricesOf, type Prices } from './prices.ts'
import { ACCOUNTS, LOGINS, type SeededAccount } from './seed-accounts.ts'
import { tradeSession, type SeedPosition } from './seed-trading.ts'
import { PAIR_IDS, positionKey, type ClockStop, type Execution, type Order, type OrderDraft, type World } from './world.ts'

/** The demo's seed, chosen for believable trading. */
export const DEFAULT_SEED = 6

const SESSIONS = 12
const FIRST_ID = 600_000_000_000
const IDS_PER_DAY = 100_000

/**
 * The seeded brokerage: twelve sessions that end with the anchor day.
 * A session's rows depend only on the seed and its date, so that a later anchor adds sessions and keeps the old ones.
 */
export const seededWorld = (seed: number, anchor: string, dollarsOnly = false): World => {
  const sessions = sessionsUpTo(anchor, SESSIONS)
  const prices = pricesOf(seed)
  let traded: Traded | null = null
  const tradedOnce = (): Traded => (traded ??= tradeAll({ seed, prices, dollarsOnly }, sessions))
  return {
    logins: LOGINS,
    accounts: ACCOUNTS.map((account) => ({ ...account, cash: account.cash.filter(({ currency }) => isTraded(currency, dollarsOnly)) })),
    sessions,
    walk: walkOf(sessions),
    mark: ({ product }, session, time) => prices.ticksAt(product, session, time),
    // Lazy: most starts never use the demo.
    get orders() { return tradedOnce().orders },
    get executions() { return tradedOnce().executions },
    get positionIds() { return tradedOnce().positionIds },
  }
}

type Traded = Pick<World, 'orders' | 'executions' | 'positionIds'>
type Traders = { readonly seed: number; readonly prices: Prices; readonly dollarsOnly: boolean }

const tradeAll = (parts: Traders, sessions: readonly string[]): Traded => {
  const traders = createTraders(parts)
  const orders: Order[] = []
  const executions: Execution[] = []
  const positionIds = new Map<string, number>()
  for (const session of sessions) {
    const numbered = traders.trade(session, ACCOUNTS)
    orders.push(...numbered.orders)
    executions.push(...numbered.executions)
    for (const [key, id] of numbered.positionIds) positionIds.set(key, id)
  }
  return { orders, executions, positionIds }
}

const isTraded = (currency: 'USD' | 'EUR', dollarsOnly: boolean): boolean => !dollarsOnly || currency === 'USD'

/** The traders of a seed, who trade session by session and carry overnight positions. */
const createTraders = ({ seed, prices, dollarsOnly }: Traders) => {
  const held = new Map<number, SeedPosition | null>()
  return {
    /** A session's rows, with ids derived from its date. */
    trade: (session: string, accounts: readonly SeededAccount[]): Traded => {
      const drafts = accounts.flatMap((account) => {
        const traded = tradeSession(seed, account, session, prices, held.get(account.id) ?? null)
        held.set(account.id, traded.held)
        return traded.orders.filter(({ contract }) => isTraded(contract.product.currency, dollarsOnly))
      })
      return numberRows(drafts, FIRST_ID + dayNumber(session) * IDS_PER_DAY)
    },
  }
}

/** Assigns ids to a session's orders and executions: one counter for all kinds of rows, growing with time. */
export const numberRows = (
  drafts: readonly OrderDraft[], firstId: number,
): Traded => {
  const orders: Order[] = []
  const executions: Execution[] = []
  const positionIds = new Map<string, number>()
  const orderIds = new Map<OrderDraft, number>()
  let nextId = firstId

  const placed = drafts.map((draft) => ({ time: draft.time, draft, fill: null }))
  const filled = drafts.flatMap((draft) => draft.fills.map((fill) => ({ time: fill.time, draft, fill })))
  for (const { draft, fill } of [...placed, ...filled].sort((a, b) => a.time - b.time)) {
    const { accountId, contract, session, action } = draft
    if (fill === null) {
      const { time, qty, type, ticks, moved, endsAt, outcome } = draft
      orderIds.set(draft, nextId)
      orders.push({ id: nextId, versionId: nextId + 1, rowIds: 0, accountId, contract, session, time, action, qty, type, ticks, ...(moved === undefined ? {} : { moved }), endsAt, outcome })
      nextId += 3
      continue
    }
    const key = positionKey(session, accountId, contract.id)
    if (!positionIds.has(key)) positionIds.set(key, nextId++)
    executions.push({ id: nextId, orderId: orderIds.get(draft) ?? 0, accountId, contract, session, action, ...fill })
    nextId += PAIR_IDS + 2
  }
  const numbered = orders.map((order, index) => ({ ...order, rowIds: nextId + index * rowsOfOrder }))
  return { orders: numbered, executions, positionIds }
}

// A report of its end; and a command, a version and a report of its change.
const rowsOfOrder = 4

/** Five minutes before each session's trading ends, and in the last session also at half past eleven (Chicago). */
export const walkOf = (sessions: readonly string[]): ClockStop[] =>
  sessions.flatMap((session, index) => {
    const close = { session, at: chicagoTime(session, 15 * 60 + 55) }
    return index === sessions.length - 1 ? [{ session, at: chicagoTime(session, 11 * 60 + 30) }, close] : [close]
  })

/** Number of sessions before the walk: about half a year. */
const PAST_SESSIONS = 126

/** The history before a world's first session: orders and executions by time, then id. */
export type Past = Pick<World, 'sessions' | 'orders' | 'executions'>

/** An empty history. */
export const noPast = (): Promise<Past> => Promise.resolve({ sessions: [], orders: [], executions: [] })

type Before = { readonly seed: number; readonly dollarsOnly: boolean; readonly before: string }

const traded = new Map<string, Promise<Past>>()

/**
 * Generates the half year before a session of the accounts that are not new. The traders hold nothing on its last night, because
 * the following world begins flat. Takes about a second, once per process, and yields after each session.
 */
export const tradePast = (wanted: Before): Promise<Past> => {
  const key = JSON.stringify([wanted.seed, wanted.dollarsOnly, wanted.before])
  const past = traded.get(key) ?? tradeAnew(wanted)
  traded.set(key, past)
  return past
}

const tradeAnew = async ({ seed, dollarsOnly, before }: Before): Promise<Past> => {
  const sessions = sessionsUpTo(addDays(before, -1), PAST_SESSIONS)
  const traders = createTraders({ seed, prices: pricesOf(seed), dollarsOnly })
  const accounts = ACCOUNTS.flatMap((account) => (account.past === undefined ? [] : [{ ...account, style: { ...account.style, ...account.past } }]))
  const orders: World['orders'][number][] = []
  const executions: World['executions'][number][] = []
  for (const session of sessions) {
    const rows = traders.trade(session, session === sessions.at(-1) ? accounts.map(flatByNight) : accounts)
    orders.push(...rows.orders)
    executions.push(...rows.executions)
    await nextTurn()
  }
  return { sessions, orders, executions }
}

const flatByNight = ({ style, ...account }: SeededAccount): SeededAccount => {
  const { skill, risk, appetite, blocks, bust } = style
  return { ...account, style: { skill, risk, appetite, blocks, ...(bust === undefined ? {} : { bust }) } }
}
