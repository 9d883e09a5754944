import type { AccountKey } from '#shared/fills/fill.ts'
import { tickedContractSpec } from '#shared/market/contract-spec.ts'
import { clearsWithNext, previousTradingDay } from '#shared/market/session.ts'
import { tradingDay } from '#shared/market/trading-day.ts'
import { amountOf, parseAmount, zero, type Amount } from '#shared/money/money.ts'
import type { Environment } from '#shared/sync/plan.ts'
import type { BrokerFailure } from '../failure.ts'
import type { AccountNow, LineNow, PositionNow } from '../live.ts'
import type { BrokerageLive, LiveAsk } from '../port.ts'
import { sleepUnlessAborted, type Timing } from '../timing.ts'
import type { ProjectxClient } from './client.ts'
import type { Hub, HubEvents } from './hub.ts'
import { spanOf } from './part.ts'
import { accountChanged, orderChanged, positionChanged, tradeChanged, type PositionRow, type TradeRow } from './wire.ts'

/** How long the hub may take to open, how long after an event to read again (once for a burst), and how often to check the token, in ms. */
const openingMs = 20_000
const settleMs = 2_000
const lookMs = 60_000
const [firstPauseMs, longestPauseMs] = [1_000, 60_000]
const [long, short] = [1, 2]
// An order works while it is open or pending.
const working: ReadonlySet<number> = new Set([1, 6])

/** When a trading day's trades begin, UTC ms; those of a holiday before it count too. */
const startOf = (day: string): number => {
  const before = previousTradingDay(day)
  return spanOf(clearsWithNext(before) ? before : day).from
}

type HeldPosition = { readonly net: number; readonly averagePrice: number | null }
type Contract = Pick<PositionNow, 'contract' | 'product' | 'tickSize' | 'valuePerPoint' | 'currency'>

/** One account, from the hub and the searches. */
type LiveAccount = {
  readonly id: number
  readonly key: AccountKey
  readonly environment: Environment
  cash: Amount | null
  restricted: boolean
  /** Null before they were read. */
  positions: Map<string, HeldPosition> | null
  /** Working orders; null before they were read. */
  orders: Set<number> | null
  /** The session's realized P&L less costs, and the session. */
  realized: { readonly day: string; readonly amount: Amount } | null
  /** The session's trades as read last. */
  trades: string | null
}

type Deps = {
  readonly client: ProjectxClient
  readonly hub: string
  readonly timing: Timing
  /** For tests: how long after an event its account is read again, ms. */
  readonly settleMs?: number
}

const amountFrom = (value: number | null | undefined): Amount => {
  const amount = parseAmount(value ?? 0, 'half-even')
  return amount.ok ? amount.value : zero
}

const realizedBy = (trades: readonly TradeRow[]): Amount =>
  amountOf(trades.reduce((sum, { voided, profitAndLoss, fees, commissions }) => (voided ? sum : sum + amountFrom(profitAndLoss) - amountFrom(fees) - amountFrom(commissions)), 0))

const signatureOf = (trades: readonly TradeRow[]): string => JSON.stringify(trades.map(({ id, voided }) => [id, voided]).sort())

const heldIn = ({ type, size, averagePrice }: Pick<PositionRow, 'type' | 'size' | 'averagePrice'>): HeldPosition | null =>
  size === 0 || (type !== long && type !== short) ? null : { net: type === long ? size : -size, averagePrice: averagePrice ?? null }

/**
 * The accounts of one login, live. The hub says what changes; since subscriptions die with a connection, and an event may be
 * late, doubled, or missing, all is read by the searches after each connect, and an account's positions, orders, and trades
 * again a moment after its fills.
 */
export const projectxLive = ({ client, hub: url, timing, settleMs: settlesIn = settleMs }: Deps, ask: LiveAsk): BrokerageLive => {
  const accounts = new Map<number, LiveAccount>()
  const contracts = new Map<string, Contract>()
  const dirty = new Set<LiveAccount>()
  const stopping = new AbortController()
  const { signal } = stopping
  let line: { readonly state: LineNow; readonly since: number | null } = { state: 'connecting', since: null }
  let settling: NodeJS.Timeout | undefined
  let open: Hub | null = null

  const setLine = (state: LineNow): void => {
    line = { state, since: state === 'up' ? null : (line.since ?? timing.now()) }
    ask.changed()
  }

  const resolve = async (ids: Iterable<string>): Promise<void> => {
    for (const id of ids) {
      if (contracts.has(id)) continue
      const found = await client.contract(id, signal)
      const spec = found.ok && found.value !== null ? tickedContractSpec(found.value.name, found.value) : null
      if (found.ok && found.value !== null && spec !== null) contracts.set(id, { contract: spec.contract, product: spec.root ?? spec.contract, tickSize: spec.tickSize, valuePerPoint: found.value.tickValue / found.value.tickSize, currency: spec.currency })
    }
  }

  /** Reads positions, working orders, and the session's trades; returns the failure, or null. */
  const readAccount = async (account: LiveAccount): Promise<BrokerFailure | null> => {
    const day = tradingDay(timing.now())
    const positions = await client.positions(String(account.id), signal)
    if (!positions.ok) return positions.error
    const trades = await client.trades(String(account.id), { from: startOf(day), to: null }, signal)
    if (!trades.ok) return trades.error
    const orders = await client.orders(String(account.id), signal)
    if (!orders.ok) return orders.error
    await resolve(positions.value.rows.map(({ contractId }) => contractId))
    account.positions = new Map(positions.value.rows.flatMap((row) => {
      const held = heldIn(row)
      return held === null ? [] : [[row.contractId, held] as const]
    }))
    account.orders = new Set(orders.value.rows.flatMap(({ id, status }) => (working.has(status) ? [id] : [])))
    account.realized = { day, amount: realizedBy(trades.value.rows) }
    const signature = signatureOf(trades.value.rows)
    const isNews = account.trades !== null && account.trades !== signature
    account.trades = signature
    ask.changed()
    if (isNews) ask.traded()
    return null
  }

  const settle = async (): Promise<void> => {
    const wanted = [...dirty]
    dirty.clear()
    for (const account of wanted) {
      const failure = await readAccount(account)
      if (failure === null || signal.aborted) continue
      // What could not be read is read after the next connect.
      ask.log.warn({ failure: failure.kind }, 'live account could not be read')
      await open?.stop()
    }
  }
  const soon = (account: LiveAccount): void => {
    dirty.add(account)
    clearTimeout(settling)
    settling = setTimeout(() => void settle().catch((error: unknown) => ask.log.warn({ error }, 'reading live accounts failed')), settlesIn)
  }

  const on: HubEvents = {
    account: (payload) => {
      const { data } = accountChanged.safeParse(payload)
      const account = data === undefined ? undefined : accounts.get(data.id)
      if (data === undefined || account === undefined) return
      account.cash = amountFrom(data.balance)
      account.restricted = !data.canTrade
      ask.changed()
    },
    order: (payload) => {
      const { data } = orderChanged.safeParse(payload)
      const account = data === undefined ? undefined : accounts.get(data.accountId)
      if (data === undefined || account === undefined) return
      // Stops may move with every price: an order alone is not worth a reading.
      if (working.has(data.status)) account.orders?.add(data.id)
      else account.orders?.delete(data.id)
      ask.changed()
    },
    position: (payload) => {
      const { data } = positionChanged.safeParse(payload)
      const account = data === undefined ? undefined : accounts.get(data.accountId)
      if (data === undefined || account === undefined) return
      const held = heldIn(data)
      if (held === null) account.positions?.delete(data.contractId)
      else account.positions?.set(data.contractId, held)
      ask.changed()
      soon(account)
    },
    trade: (payload) => {
      const { data } = tradeChanged.safeParse(payload)
      const account = data === undefined ? undefined : accounts.get(data.accountId)
      // Its commissions are missing: it is read with its account.
      if (account !== undefined) soon(account)
    },
  }

  const readAll = async (): Promise<BrokerFailure | null> => {
    const listed = await client.accounts(signal)
    if (!listed.ok) return listed.error
    for (const { id, balance, canTrade, simulated } of listed.value.rows) {
      const account = accounts.get(id)
      if (account?.environment !== (simulated ? 'demo' : 'live')) continue
      account.cash = amountFrom(balance)
      account.restricted = !canTrade
      const failure = await readAccount(account)
      if (failure !== null && failure.kind !== 'not-found') return failure
    }
    return null
  }

  /** One connection from its opening to its end; why it could not be used, or null if it was up. */
  const connect = async (): Promise<BrokerFailure | null> => {
    const failure = await client.prepare()
    if (failure !== null) return failure
    const token = client.token()
    if (token === null) return { kind: 'no-tokens' }
    const lost: BrokerFailure = { kind: 'unreachable', cause: 'network', status: null }
    let hub: Hub
    // Its package costs memory that most users never need.
    const { openHub } = await import('./hub.ts')
    try {
      hub = await openHub({ url, token, on, timeoutMs: openingMs })
    } catch {
      // The hub does not say why. A search replaces a token that ended.
      const searched = await client.accounts(signal)
      return searched.ok ? lost : searched.error
    }
    open = hub
    if (signal.aborted) await hub.stop()
    try {
      await hub.subscribe([...accounts.keys()])
      const unread = await readAll()
      if (unread !== null) return unread
      setLine('up')
      let isClosed = false
      void hub.closed.then(() => (isClosed = true))
      // A token that was renewed goes to a new connection before the old one ends.
      while (!isClosed && !signal.aborted && client.token() === token) {
        await Promise.race([hub.closed, sleepUnlessAborted(timing, lookMs, signal)])
        if (!isClosed && !signal.aborted) await client.prepare()
      }
      return null
    } catch {
      return lost
    } finally {
      open = null
      await hub.stop().catch(() => undefined)
    }
  }

  const run = async (): Promise<void> => {
    for (const { key, environment, brokerAccountId } of await ask.accounts()) accounts.set(Number(brokerAccountId), { id: Number(brokerAccountId), key, environment, cash: null, restricted: false, positions: null, orders: null, realized: null, trades: null })
    ask.changed()
    for (let failures = 0; !signal.aborted; ) {
      const failure = await connect()
      if (signal.aborted) return
      failures = failure === null ? 0 : failures + 1
      // A key that was refused is not tried again and again: the next run says so, and a new key opens the accounts again.
      if (failure?.kind === 'login-needed') return setLine('none')
      setLine(failure === null ? 'connecting' : 'down')
      await sleepUnlessAborted(timing, Math.min(longestPauseMs, firstPauseMs * 2 ** failures) * (0.5 + timing.random() / 2), signal)
    }
  }
  const running = run().catch((error: unknown) => ask.log.warn({ error }, 'live accounts failed'))

  const positionsOf = ({ positions }: LiveAccount): PositionNow[] =>
    [...(positions ?? [])].flatMap(([id, held]) => {
      const contract = contracts.get(id)
      return contract === undefined ? [] : [{ ...contract, ...held, mark: null }]
    })

  return {
    now: () => {
      const day = tradingDay(timing.now())
      return [...accounts.values()].map((account): AccountNow => ({
        account: account.key, environment: account.environment, line: line.state, downSince: line.since, prices: 'none', currency: 'USD', session: null,
        // Figures show once all of them were read.
        cash: account.positions === null ? null : account.cash,
        dayRealized: account.realized === null ? null : account.realized.day === day ? account.realized.amount : zero,
        between: null, snapshot: null, restricted: account.restricted, limits: null, working: account.orders?.size ?? null, positions: positionsOf(account),
      }))
    },
    stop: async () => {
      stopping.abort()
      clearTimeout(settling)
      await open?.stop().catch(() => undefined)
      await running
    },
  }
}
