import { rejected, locked } from '#shared/copier/lock.ts'
import { slippageOf } from '#shared/copier/slippage.ts'
import type { FillFact } from '#shared/copier/facts.ts'
import { brokerContractSpec } from '#shared/market/contract-spec.ts'
import { formatAveragePrice, parsePrice, type Ticks } from '#shared/money/price.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import type { Timing } from '../../brokers/timing.ts'
import { currencyOf } from './currencies.ts'
import type { OutNews, Outlet } from './orders-out.ts'
import type { OrderEnd } from './order-progress.ts'
import { netOf, contractStateOf, type Account, type Follower, type OutOrder, type ContractState, type World } from './world.ts'

/** The first backoff after a rejected order; it doubles up to a minute. */
const pauseMs = 2_000
const longestPauseMs = 60_000

/** Dependencies of order results. */
export type OrderEndDeps = {
  readonly world: World
  readonly outlet: () => Outlet
  readonly timing: Timing
  /** Called when an order filled: its trade is to be marked as copied. */
  readonly copied: (account: Account, order: { readonly orderId: number; readonly clOrdId: string }) => void
}

/** Whether the reject means a closed market: not the follower's fault. */
const isClosedMarket = (reason: string): boolean => /SessionClosed|outside (of )?market hours|market is closed/i.test(reason)

const pricesOf = (fills: readonly FillFact[], { tickSize }: LiveContract): { readonly price: Ticks; readonly qty: number }[] | null => {
  const prices: { readonly price: Ticks; readonly qty: number }[] = []
  for (const { price, qty, active } of fills) {
    if (!active) continue
    const read = parsePrice(price, tickSize)
    if (!read.ok) return null
    prices.push({ price: read.value, qty })
  }
  return prices.length === 0 ? null : prices
}

/** Applies order results to locks, backoffs, and the ledger. */
export const createOrderEnds = ({ world, outlet, timing, copied }: OrderEndDeps) => {
  const followerOf = ({ intent }: OutOrder): Follower | null => world.groups.get(intent.groupId)?.followers.get(intent.account) ?? null

  /** Backs off orders of this kind, longer with each failure. */
  const hold = (follower: Follower, account: Account, { intent, filled, pair }: OutOrder, why: ContractState['heldWhy']): void => {
    const state = contractStateOf(follower, intent.contract)
    const pauseOf = (failures: number): number => timing.now() + (why === 'market-closed' ? longestPauseMs : Math.min(longestPauseMs, pauseMs * 2 ** (failures - 1)))
    if (intent.purpose === 'exit') {
      state.exitsFailures += 1
      state[pair === null ? 'exitsHeldUntil' : 'pairHeldUntil'] = pauseOf(state.exitsFailures)
      return
    }
    state.failures += 1
    const until = pauseOf(state.failures)
    const real = netOf(account, intent.contract)
    const reduces = real !== 0 && real > 0 === (intent.side === 'sell') && intent.qty - filled <= Math.abs(real)
    state.heldUntil = until
    // A reject of the adding part says nothing about reducing.
    state.pauses = reduces || why === 'line-down' ? 'all' : 'adding'
    state.heldWhy = why
  }

  const pause = (follower: Follower, account: Account, order: OutOrder, reason: string): void => {
    const closed = isClosedMarket(reason)
    hold(follower, account, order, closed ? 'market-closed' : 'rejected')
    if (order.intent.purpose === 'exit') contractStateOf(follower, order.intent.contract).exitsRefused = reason
    if (closed || order.intent.purpose === 'exit' || order.intent.purpose === 'flatten') return
    const state = rejected({ lock: follower.lock, rejects: follower.rejects, day: follower.day }, follower.rule.maxRejects)
    follower.lock = state.lock
    follower.rejects = state.rejects
    follower.changed = true
  }

  return {
    filled: (account: Account, order: OutOrder, fills: readonly FillFact[]): void => {
      const { intent, orderId, wireAt, leader } = order
      const follower = followerOf(order)
      if (follower !== null) contractStateOf(follower, intent.contract).failures = 0
      const { byName } = account.contracts
      const contract = byName.get(intent.contract)
      const prices = contract === undefined ? null : pricesOf(fills, contract)
      const [first] = prices ?? []
      // Its fills count over the whole life of the leader's order.
      if (intent.purpose === 'entry' && order.follows !== null) order.counts = true
      const news = { clOrdId: intent.clOrdId, filled: order.filled, unmarked: orderId !== null, ...(order.counts ? { counts: true } : {}), ...(wireAt !== null && order.filled >= intent.qty ? { fillMs: performance.now() - wireAt } : {}) }
      if (orderId !== null) copied(account, { orderId, clOrdId: intent.clOrdId })
      if (contract === undefined || prices === null || first === undefined) {
        outlet().record(news)
        return
      }
      const qty = prices.reduce((sum, fill) => sum + fill.qty, 0)
      const sum = prices.reduce((total, fill) => total + (fill.price - first.price) * fill.qty, 0)
      const price = formatAveragePrice(first.price, sum, qty, contract.tickSize)
      const from = leader === null ? undefined : byName.get(leader.contract)
      const against = leader === null || from === undefined ? null : parsePrice(leader.price, from.tickSize)
      const currency = currencyOf(contract.currencyId)
      const spec = brokerContractSpec(contract.name, { name: contract.product, valuePerPoint: contract.valuePerPoint, tickSize: contract.tickSize, currency })
      const slippage =
        from === undefined || against?.ok !== true || !spec.ok
          ? null
          : slippageOf({ side: intent.side, leader: { price: against.value, tickSize: from.tickSize }, follower: { tickSize: contract.tickSize, tickValue: spec.value.tickValue }, fills: prices })
      outlet().record({ ...news, price, ...(slippage === null ? {} : { slippage: { ...slippage, currency } }) })
    },
    ended: ({ account, order, stage, reason, byHand }: OrderEnd): void => {
      const follower = followerOf(order)
      if (follower === null || stage === 'filled') return
      if (stage === 'rejected') pause(follower, account, order, reason ?? '')
      else if (order.cancelMs === null && order.intent.purpose !== 'exit' && !byHand) Object.assign(contractStateOf(follower, order.intent.contract), { heldUntil: timing.now() + pauseMs, pauses: order.intent.purpose === 'entry' ? 'adding' : 'all' })
    },
    take: (account: Account, order: OutOrder, news: OutNews): void => {
      const follower = followerOf(order)
      const budget = world.budgets.get(account.loginId)
      switch (news.kind) {
        case 'accepted':
          budget?.answered(order.wireAt ?? -Infinity)
          if (follower !== null && order.wireAt !== null && order.receivedAt !== null) follower.latencyMs = order.wireAt - order.receivedAt
          return
        case 'taken':
          budget?.answered(news.sentAt)
          return
        case 'not-now':
          budget?.block(performance.now(), news.waitMs, news.isAdvice)
          return
        case 'refused':
          if (follower !== null && news.change === true) {
            // If it already ended, that arrives in a moment.
            Object.assign(contractStateOf(follower, order.intent.contract), { movesHeldUntil: timing.now() + pauseMs, exitsRefused: news.reason })
          } else if (follower !== null) pause(follower, account, order, news.reason)
          return
        case 'denied':
          if (follower === null) return
          pause(follower, account, order, 'denied')
          if (!news.permission) return
          follower.lock = locked({ lock: follower.lock, rejects: follower.rejects, day: follower.day }, 'permission-missing').lock
          follower.changed = true
          return
        case 'never-arrived':
          // Not the follower's fault, but retrying an unwritable order without end would use up the hour's calls.
          if (follower !== null) hold(follower, account, order, 'line-down')
          return
        case 'unknown':
      }
    },
  }
}
