import { getOrInsert } from '#shared/base/get-or-insert.ts'
import { isEnded, type FillFact } from '#shared/copier/facts.ts'
import { flattened, tradedByCopier, tradedByHand } from '#shared/copier/held.ts'
import { heldWithComing, tradedApart } from '#shared/copier/target.ts'
import { rejected, locked } from '#shared/copier/lock.ts'
import { slippageOf } from '#shared/copier/slippage.ts'
import { brokerContractSpec } from '#shared/market/contract-spec.ts'
import { formatAveragePrice, parsePrice, type Ticks } from '#shared/money/price.ts'
import type { OrderStage, CountedFill } from '../store/rows.ts'
import type { LiveContract } from '../../brokers/tradovate/live.ts'
import type { Timing } from '../../brokers/timing.ts'
import { heldOf, inFlight, isNewer, oursIn, ownerOf, withinTarget, type FollowerOf } from './followers.ts'
import type { OrderGateway, OrderOutcome } from './order-gateway.ts'
import { isSettled, netOf, contractStateOf, type Account, type CopierOrder, type ContractState, type Follower, type World } from './world.ts'
import { currencyOf } from './currencies.ts'

// Hands off the user's contracts: every fill is attributed here, in trade order. What a copier order
// filled is `held`; all else is `yours`, the user's. A manual trade closes the user's contracts first and then reduces `held`,
// which is never bought back without the user's answer. Nothing is decided about a contract until both add up to the account's net.

/** The result of a copier order, for rejects and backoffs. */
type OrderEnd = {
  readonly account: Account
  readonly order: CopierOrder
  readonly stage: OrderStage
  readonly reason: string | null
  /** Its user canceled it. */
  readonly byHand: boolean
}

/** Dependencies of order progress. */
type ProgressDeps = {
  readonly gateway: OrderGateway
  /** Called when a copier order filled further. */
  readonly filled: (account: Account, order: CopierOrder, fills: readonly FillFact[]) => void
  readonly ended: (end: OrderEnd) => void
  /** Whether an order id is from a group of this computer: another computer's orders count as manual. */
  readonly isOurs: (clOrdId: string | null) => boolean
}

/** A fill to count; `order` is null for a manual one. `qty` is signed. */
type Trade = CountedFill & { readonly qty: number; readonly order: CopierOrder | null }

const signed = (side: 'buy' | 'sell', qty: number): number => (side === 'buy' ? qty : 0 - qty)

/** Records broker ids missing from order answers; a late order that was given up is recovered. */
const findOrders = (gateway: OrderGateway, account: Account): void => {
  const { book } = account
  for (const [clOrdId, order] of account.givenUp) {
    if (book.orderOf(clOrdId) === null) continue
    account.givenUp.delete(clOrdId)
    account.ours.set(clOrdId, order)
  }
  for (const order of account.ours.values()) {
    if (order.intent.dryRun) continue
    const { clOrdId } = order.intent
    const id = order.orderId ?? book.orderOf(clOrdId)
    if (id === null || (order.orderId !== null && order.stage !== 'unknown' && account.placed.has(id))) continue
    order.orderId = id
    account.placed.set(id, order)
    order.stage = 'acknowledged'
    gateway.record({ clOrdId, orderId: id, stage: 'acknowledged' })
  }
}

/** Updates an account's copier orders and positions from its book. `listedSince` (UTC ms): when the last complete list read began. */
export const followOrders = (deps: ProgressDeps, account: Account, followers: readonly FollowerOf[], listedSince: number): void => {
  findOrders(deps.gateway, account)
  takeFills(deps, account, followers, listedSince)
  for (const order of account.ours.values()) if (order.orderId !== null && !order.intent.dryRun) endOrder(deps, account, followers, order, order.orderId)
}

/** Whether a copier order was canceled manually: by the broker's cancel command, or while that is missing, because it worked and we did not cancel it. */
const isByHand = ({ book }: Account, { cancelMs, wasWorking, intent }: CopierOrder, id: number): boolean => {
  const under = book.canceledUnder(id)
  return cancelMs === null && (under === undefined ? wasWorking : under !== intent.clOrdId)
}

const endOrder = ({ gateway, ended }: ProgressDeps, account: Account, followers: readonly FollowerOf[], order: CopierOrder, id: number): void => {
  const booked = account.book.order(id)
  order.wasWorking ||= booked?.status === 'Working'
  if (booked === null || booked.status === null || !isEnded(booked.status)) return
  order.ended = !booked.final
  // Until its fills are counted, it counts as possibly filling.
  if (!booked.final || booked.filled !== order.filled) return
  const stage: OrderStage = booked.status === 'Rejected' ? 'rejected' : order.filled >= order.intent.qty || booked.status === 'Filled' ? 'filled' : 'cancelled'
  const report = account.book.lastReport(id)
  const reason = report === null ? null : [report.rejectReason, report.text].filter((part) => part !== null).join(': ')
  const { purpose, groupId, contract } = order.intent
  const declined = purpose === 'entry' && stage === 'cancelled' ? followers.find(({ group }) => group.id === groupId)?.follower.states.get(contract)?.declined : undefined
  if (order.follows !== null && booked.status === 'Canceled' && isByHand(account, order, id)) declined?.add(order.follows)
  const byHand = order.follows !== null && declined?.has(order.follows) === true
  if (byHand) order.counts = true
  gateway.end(account, order, stage, byHand ? { why: 'by-hand', counts: true } : reason === null || stage === 'filled' ? {} : { why: reason })
  ended({ account, order, stage, reason, byHand })
}

/** Whether a copier order in a contract still lacks its broker id: a command without our id may be its own. */
const isExpected = (account: Account, contractId: number): boolean => {
  const contract = account.contracts.byId.get(contractId)?.name
  return [...account.ours.values()].some(({ intent, orderId }) => orderId === null && !intent.dryRun && intent.contract === contract)
}

/** Counts fills contract by contract; a contract waits while a fill or a fill's sender is missing. */
const takeFills = (deps: ProgressDeps, account: Account, followers: readonly FollowerOf[], listedSince: number): void => {
  const { book } = account
  const waiting = new Set<number>()
  const byContract = new Map<number, FillFact[]>()
  for (const { fill, since } of account.uncounted.values()) {
    const { contractId, orderId } = fill
    getOrInsert(byContract, contractId, () => []).push(fill)
    const isKnown = account.placed.has(orderId) || book.clOrdIdOf(orderId) !== null || (book.isNamed(orderId) && !isExpected(account, contractId)) || listedSince > since
    // A copier order not matched yet will be soon.
    if (!isKnown || (!account.placed.has(orderId) && deps.isOurs(book.clOrdIdOf(orderId)))) waiting.add(contractId)
  }
  const contracts = new Set<string>()
  for (const id of byContract.keys()) contracts.add(account.contracts.byId.get(id)?.name ?? '')
  for (const { intent, orderId, filled } of account.ours.values()) if (orderId !== null && (book.order(orderId)?.filled ?? filled) !== filled) contracts.add(intent.contract)
  for (const { follower } of followers) for (const { contract, held, yours } of follower.states.values()) if (held + yours !== netOf(account, contract)) contracts.add(contract)
  for (const contract of contracts) {
    const id = account.contracts.byName.get(contract)?.id
    if (id === undefined || waiting.has(id) || !isSettled(account, contract)) continue
    const fills = byContract.get(id) ?? []
    takeContract(deps, account, followers, contract, fills)
    for (const fill of fills) account.uncounted.delete(fill.id)
  }
}

/** Uncounted quantity of copier orders; a busted fill counts negative. */
const ownTrades = (account: Account, contract: string): Trade[] =>
  [...account.placed].flatMap(([orderId, order]) => {
    const filled = order.intent.contract === contract ? account.book.order(orderId)?.filled : undefined
    if (filled === undefined || filled === order.filled) return []
    let left = filled - order.filled
    if (left < 0) return [{ time: 0, id: 0, qty: signed(order.intent.side, left), order }]
    const trades: Trade[] = []
    for (const fill of account.book.fillsOf(orderId).filter(({ active }) => active).toSorted((one, other) => (isNewer(one, other) ? -1 : 1))) {
      const qty = Math.min(left, fill.qty)
      if (qty > 0) trades.push({ time: fill.time, id: fill.id, qty: signed(order.intent.side, qty), order })
      left -= qty
    }
    return trades
  })

/** Fills that were busted before they were counted, of copier orders that follow the leader's position: they count as filled and busted, or the copier would take them for missing. */
const bustedTrades = (account: Account, fills: readonly FillFact[], taken: CountedFill): Trade[] =>
  fills.flatMap(({ active, orderId, qty, time, id }) => {
    const order = account.placed.get(orderId)
    if (active || order === undefined || !isNewer({ time, id }, taken) || order.intent.purpose === 'exit' || order.intent.purpose === 'flatten') return []
    return [{ time, id, qty: signed(order.intent.side, qty), order }]
  })

const takeContract = (deps: ProgressDeps, account: Account, followers: readonly FollowerOf[], contract: string, fills: readonly FillFact[]): void => {
  const own = ownTrades(account, contract)
  // A flatten also closes other groups' contracts in the account.
  const sender = own.find(({ order }) => order?.intent.purpose !== 'flatten')?.order?.intent.groupId
  // A group that the account left gives a contract away as soon as another group starts there.
  const owner = followers.find(({ group, follower }) => group.id === sender && (group.followers.has(account.key) || follower.states.has(contract))) ?? ownerOf(followers, contract)
  const state = owner === null || !owner.follower.begun ? null : contractStateOf(owner.follower, contract)
  if (owner !== null && state !== null) {
    const { taken } = state
    const byHand = fills.filter((fill) => fill.active && !account.placed.has(fill.orderId) && isNewer(fill, taken)).map((fill): Trade => ({ time: fill.time, id: fill.id, qty: signed(fill.side, fill.qty), order: null }))
    const all = [...own, ...byHand]
    // Contracts that no fill explains are the user's.
    const rest = netOf(account, contract) - state.held - state.yours - all.reduce((sum, { qty }) => sum + qty, 0)
    // What another group's order opened is the user's too; its exits belong to the group that owns the contract now.
    const isOwners = ({ order }: Trade): boolean => order?.givenToUser !== true && (order?.intent.groupId === owner.group.id || order?.intent.purpose === 'exit')
    const busted = bustedTrades(account, fills, taken).filter(isOwners)
    for (const trade of [...all, ...busted].toSorted((one, other) => (isNewer(one, other) ? 1 : -1))) count(owner, account, state, isOwners(trade) ? trade : { ...trade, order: null })
    for (const trade of busted) count(owner, account, state, { ...trade, qty: 0 - trade.qty })
    if (rest !== 0) count(owner, account, state, { time: 0, id: 0, qty: rest, order: null })
    state.changed = true
  }
  // For a group that does not trade there, all of it is somebody else's.
  for (const { follower } of followers) {
    const other = follower.states.get(contract)
    if (other !== undefined && other !== state) other.yours = netOf(account, contract) - other.held
  }
  for (const order of new Set(own.map((trade) => trade.order))) {
    if (order === null || order.orderId === null) continue
    order.filled = account.book.order(order.orderId)?.filled ?? order.filled
    deps.filled(account, order, account.book.fillsOf(order.orderId))
  }
}

/** Whether a copier order is complete although its end has not arrived. */
const isOver = (account: Account, { orderId, filled }: CopierOrder): boolean => {
  const booked = orderId === null ? null : account.book.order(orderId)
  return booked !== null && booked.status !== null && isEnded(booked.status) && booked.final && booked.filled === filled
}

/** Counts one fill in `held` and `yours`; what the copier did not decide becomes the deviation. */
const count = ({ group, follower }: FollowerOf, account: Account, state: ContractState, { time, id, qty, order }: Trade): void => {
  if (isNewer({ time, id }, state.taken)) state.taken = { time, id }
  // An order of unknown fate may never fill: counted as pending, a manual close would look like part of the target and be sold again.
  const { buying, selling } = inFlight(oursIn(account, state.contract).filter((each) => each.stage !== 'unknown' && !isOver(account, each)))
  const before = heldOf(follower, state.contract)
  // While the user is asked about these contracts, an earlier exit still closes them; so does one that another group left there.
  const closes = order?.intent.purpose === 'flatten' || (order?.intent.purpose === 'exit' && (state.needsDecision || order.intent.groupId !== group.id))
  const next = order === null ? tradedByHand(state, qty) : closes ? flattened(state, qty) : tradedByCopier(state, qty)
  const changed = next.held - state.held
  state.held = next.held
  state.yours = next.yours
  if (order !== null) order.filled += Math.abs(qty) * (signed(order.intent.side, 1) === Math.sign(qty) ? 1 : -1)
  if (order?.intent.purpose === 'entry') countEntry(state, order, qty)
  if (changed === 0 || group.settings.dryRun) return
  // A busted entry is not bought again without the user's answer either.
  const isTakenBack = order !== null && signed(order.intent.side, 1) !== Math.sign(qty) && Math.abs(next.held) < Math.abs(before)
  if (order === null || isTakenBack) standApart(state, before, buying - selling, changed, 'by-hand')
  else if (order.intent.purpose === 'exit') standApart(state, before, buying - selling, changed, 'exit-filled')
}

/** Counts a fill of an own entry as ahead of the leader, until the leader's own fill is counted against it. */
const countEntry = (state: ContractState, { follows, intent }: CopierOrder, qty: number): void => {
  const known = follows === null ? undefined : state.entries.get(follows)
  if (follows === null || known === undefined) return
  const surplus = known.surplus + signed(intent.side, qty)
  const ahead = signed(intent.side, Math.max(0, surplus) - Math.max(0, known.surplus))
  state.entries = new Map(state.entries).set(follows, { ...known, surplus })
  state.ahead += ahead
  if (state.target !== null) state.target += ahead
  if (state.lastTarget !== null) state.lastTarget += ahead
}

/** `before`: the copier's previous position; `coming`: its pending orders. After a restart the target is unknown: then it counts as in sync. */
const standApart = (state: ContractState, before: number, coming: number, qty: number, why: 'exit-filled' | 'by-hand'): void => {
  const target = state.target ?? state.lastTarget ?? before + coming - state.apart
  const held = heldWithComing({ held: before, coming, target })
  const apart = tradedApart({ apart: state.apart, target, held, qty })
  state.apart = why === 'exit-filled' ? withinTarget(apart, target) : apart
  state.lastTarget = target
  if (why === 'by-hand') state.lastManualClose = state.taken
  state.apartWhy = state.apart === 0 ? null : (state.apartWhy ?? why)
}

/** The first backoff after a rejected order; it doubles up to a minute. */
const pauseMs = 2_000
const longestPauseMs = 60_000

/** Dependencies of order results. */
type OrderEndDeps = {
  readonly world: World
  readonly gateway: () => OrderGateway
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
export const createOrderEnds = ({ world, gateway, timing, copied }: OrderEndDeps) => {
  const followerOf = ({ intent }: CopierOrder): Follower | null => world.groups.get(intent.groupId)?.followers.get(intent.account) ?? null

  /** Backs off orders of this kind, longer with each failure. */
  const hold = (follower: Follower, account: Account, { intent, filled, pair }: CopierOrder, why: ContractState['heldWhy']): void => {
    const state = contractStateOf(follower, intent.contract)
    const pauseOf = (failures: number): number => timing.now() + (why === 'market-closed' ? longestPauseMs : Math.min(longestPauseMs, pauseMs * 2 ** (failures - 1)))
    if (intent.purpose === 'exit') {
      state.exitsFailures += 1
      state[pair === null ? 'exitsHeldUntil' : 'pairHeldUntil'] = pauseOf(state.exitsFailures)
      return
    }
    state.failures += 1
    const until = pauseOf(state.failures)
    const actual = netOf(account, intent.contract)
    const reduces = actual !== 0 && actual > 0 === (intent.side === 'sell') && intent.qty - filled <= Math.abs(actual)
    state.heldUntil = until
    // A reject of the adding part says nothing about reducing.
    state.pauses = reduces || why === 'line-down' ? 'all' : 'adding'
    state.heldWhy = why
  }

  const pause = (follower: Follower, account: Account, order: CopierOrder, reason: string): void => {
    const closed = isClosedMarket(reason)
    hold(follower, account, order, closed ? 'market-closed' : 'rejected')
    if (order.intent.purpose === 'exit') contractStateOf(follower, order.intent.contract).exitsRefused = reason
    if (closed || order.intent.purpose === 'exit' || order.intent.purpose === 'flatten') return
    const state = rejected(follower, follower.rule.maxRejects)
    follower.lock = state.lock
    follower.rejects = state.rejects
    follower.changed = true
  }

  return {
    filled: (account: Account, order: CopierOrder, fills: readonly FillFact[]): void => {
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
        gateway().record(news)
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
      gateway().record({ ...news, price, ...(slippage === null ? {} : { slippage: { ...slippage, currency } }) })
    },
    ended: ({ account, order, stage, reason, byHand }: OrderEnd): void => {
      const follower = followerOf(order)
      if (follower === null || stage === 'filled') return
      if (stage === 'rejected') pause(follower, account, order, reason ?? '')
      else if (order.cancelMs === null && order.intent.purpose !== 'exit' && !byHand) Object.assign(contractStateOf(follower, order.intent.contract), { heldUntil: timing.now() + pauseMs, pauses: order.intent.purpose === 'entry' ? 'adding' : 'all' })
    },
    handleOutcome: (account: Account, order: CopierOrder, outcome: OrderOutcome): void => {
      const follower = followerOf(order)
      const budget = world.budgets.get(account.loginId)
      switch (outcome.kind) {
        case 'accepted':
          budget?.answered(order.wireAt ?? -Infinity)
          if (follower !== null && order.wireAt !== null && order.receivedAt !== null) follower.latencyMs = order.wireAt - order.receivedAt
          return
        case 'taken':
          budget?.answered(outcome.sentAt)
          return
        case 'not-now':
          budget?.block(performance.now(), outcome.waitMs, outcome.isAdvice)
          return
        case 'refused':
          if (follower !== null && outcome.change === true) {
            // If it already ended, that arrives in a moment.
            Object.assign(contractStateOf(follower, order.intent.contract), { movesHeldUntil: timing.now() + pauseMs, exitsRefused: outcome.reason })
          } else if (follower !== null) pause(follower, account, order, outcome.reason)
          return
        case 'denied':
          if (follower === null) return
          pause(follower, account, order, 'denied')
          if (!outcome.permission) return
          follower.lock = locked(follower, 'permission-missing').lock
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
