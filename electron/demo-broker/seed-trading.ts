import { chicagoTime, dayNumber, sessionOpen, weekday } from './calendar.ts'
import { frontMonth, productNamed, type Contract } from './contracts.ts'
import type { Prices } from './prices.ts'
import { randomFor, type Random } from './random.ts'
import type { SeededAccount, TradingBlock } from './seed-accounts.ts'
import type { Action, OrderDraft } from './world.ts'

const MINUTE_MS = 60_000
const PATIENCE = 70
/** Ticks that prints between two looks at the market may lie beyond both. */
const CLEAR = 8
const GOLDEN = 0.618_033_988_75
const PLASTIC = 0.754_877_666_25

/** An overnight position. */
export type SeedPosition = { readonly contract: Contract; readonly action: Action; readonly qty: number }

/** One account's trading of one session. */
type TradedSession = { readonly orders: readonly OrderDraft[]; readonly held: SeedPosition | null }

type Trading = {
  readonly account: SeededAccount
  readonly session: string
  readonly prices: Prices
  readonly random: Random
  readonly orders: OrderDraft[]
}

type Plan = { readonly contract: Contract; readonly action: Action; readonly qty: number; readonly entry: number; readonly exit: number; readonly won: boolean }

/** Generates one account's session: the same seed, account, session and overnight position always give the same orders. */
export const tradeSession = (
  seed: number, account: SeededAccount, session: string, prices: Prices, held: SeedPosition | null,
): TradedSession => {
  const random = randomFor(`${seed}/trader/${account.id}/${session}`)
  const trading: Trading = { account, session, prices, random, orders: [] }
  const { blocks, overnight, bust } = account.style
  const day = weekday(session)
  if (held !== null) closeHeld(trading, held)
  // Wins are spread evenly and not drawn: a streak of the seed would make an unbelievable trader.
  const luck = account.id * GOLDEN + dayNumber(session) * PLASTIC
  let trade = 0
  for (const block of blocks) {
    if (block.weekdays?.includes(day) === false) continue
    const trades = random.whole(...block.trades)
    for (let index = 0; index < trades; index += 1, trade += 1) {
      const meantToWin = (luck + trade * GOLDEN) % 1 < account.style.skill
      playTrade(trading, planTrade(trading, block, index / trades, trades, meantToWin))
    }
  }
  if (bust?.weekday === day) playBust(trading, bust.product)
  return { orders: trading.orders, held: overnight?.weekday === day ? openOvernight(trading, overnight) : null }
}

const planTrade = (trading: Trading, block: TradingBlock, share: number, trades: number, won: boolean): Plan => {
  const { random, session, account } = trading
  const product = productNamed(random.pick(block.products.map((name) => [name, 1] as const)))
  const room = (block.to - block.from) / trades
  const entry = chicagoTime(session, block.from) + Math.round((share * (block.to - block.from) + random.next() * room * 0.35) * MINUTE_MS)
  const day = (product.level * product.volatility * product.tickScale) / product.tickUnits
  const goal = Math.max(4, day * account.style.appetite * (0.5 + random.next()) * (won ? 1 : account.style.risk))
  const { exit, move } = waitFor(trading, product.name, entry, goal, Math.min(PATIENCE, Math.floor(room * 0.6)))
  const action = move >= 0 === won ? 'Buy' : 'Sell'
  return { contract: frontMonth(product, session), action, qty: random.whole(...product.size), entry, exit, won }
}

/** The first minute at which the price has moved by the goal in either direction, or the trader's time limit. */
const waitFor = (trading: Trading, name: string, entry: number, goal: number, patience: number): { exit: number; move: number } => {
  const product = productNamed(name)
  const start = trading.prices.ticksAt(product, trading.session, entry)
  let move = 0
  for (let minute = 2; minute <= patience; minute += 1) {
    move = trading.prices.ticksAt(product, trading.session, entry + minute * MINUTE_MS) - start
    if (Math.abs(move) >= goal) return { exit: entry + minute * MINUTE_MS, move }
  }
  return { exit: entry + patience * MINUTE_MS, move }
}

const playTrade = (trading: Trading, plan: Plan): void => {
  const style = trading.random.pick([['plain', 3], ['scale-in', 3], ['scale-out', 2], ['reversal', 2]] as const)
  const add = Math.ceil(plan.qty / 2)
  const qty = style === 'scale-in' ? plan.qty + add : plan.qty
  enter(trading, plan, plan.entry, plan.qty)
  if (style === 'scale-in') enter(trading, plan, plan.entry + Math.round((plan.exit - plan.entry) * (0.3 + 0.3 * trading.random.next())), add)
  if (style === 'reversal') return reverse(trading, plan)
  if (style === 'scale-out' && qty >= 2) return leaveInTwo(trading, plan, qty)
  leave(trading, plan, plan.exit, qty)
}

const enter = (trading: Trading, plan: Plan, time: number, qty: number): void => {
  trading.orders.push(filledOrder(trading.random, slot(trading, plan, plan.action, time), {
    qty, type: trading.random.pick([['Market', 3], ['Limit', 2]] as const), inPieces: trading.random.next() < 0.55,
  }))
}

/** A winner exits at its target and its stop is canceled; a loser exits at its stop. On the way the trader moves the stop closer. */
const leave = (trading: Trading, plan: Plan, time: number, qty: number): void => {
  const out = slot(trading, plan, opposite(plan.action), time)
  const exit = filledOrder(trading.random, out, { qty, type: plan.won ? 'Limit' : 'Stop', inPieces: trading.random.next() < 0.4, since: plan.entry + 400 })
  const away = Math.max(4, Math.round((Math.abs(out.ticks) * plan.contract.product.volatility) / 6))
  // A loser's stop is moved to where it is hit soon: the market may have been beyond before.
  const middle = plan.won ? plan.entry + Math.round((time - plan.entry) / 2) : Math.max(plan.entry + MINUTE_MS / 2, time - MINUTE_MS / 3)
  const late = plan.won ? clearOf(trading, plan, out.ticks, away, { from: middle, to: time, ahead: false }) : out.ticks
  const early = clearOf(trading, plan, late, Math.ceil(away / 2), { from: plan.entry, to: middle, ahead: false })
  const moved = { at: middle, from: early }
  const target = clearOf(trading, plan, trading.prices.ticksAt(plan.contract.product, trading.session, plan.entry), away, { from: plan.entry, to: time, ahead: true })
  const other = canceledOrder({ ...out, ticks: plan.won ? late : target }, { qty, type: plan.won ? 'Stop' : 'Limit', since: plan.entry + 400 })
  trading.orders.push(plan.won ? exit : { ...exit, moved }, plan.won ? { ...other, moved } : other)
}

/** A price so far from another, behind a trade or ahead of it, that the market does not reach it in the time between. */
const clearOf = ({ prices, session }: Trading, { action, contract }: Plan, ticks: number, away: number, { from, to, ahead }: { readonly from: number; readonly to: number; readonly ahead: boolean }): number => {
  const up = (action === 'Buy') === ahead ? 1 : -1
  let farthest = ticks + up * away
  for (let time = from; time <= to; time += MINUTE_MS / 4) {
    const beyond = prices.ticksAt(contract.product, session, time) + up * CLEAR
    if ((beyond - farthest) * up > 0) farthest = beyond
  }
  return farthest
}

/** Two orders at one price, filled in the same millisecond. */
const leaveInTwo = (trading: Trading, plan: Plan, qty: number): void => {
  const out = slot(trading, plan, opposite(plan.action), plan.exit)
  const first = Math.floor(qty / 2)
  for (const part of [first, qty - first]) {
    trading.orders.push(filledOrder(trading.random, out, { qty: part, type: 'Limit', inPieces: false, since: plan.entry + 600 }))
  }
}

/** One order that closes the position and opens its opposite, which is closed as soon as it wins. */
const reverse = (trading: Trading, plan: Plan): void => {
  const action = opposite(plan.action)
  trading.orders.push(filledOrder(trading.random, slot(trading, plan, action, plan.exit), { qty: plan.qty * 2, type: 'Market', inPieces: trading.random.next() < 0.3 }))
  const { product } = plan.contract
  const start = trading.prices.ticksAt(product, trading.session, plan.exit)
  const wins = (exit: number): boolean => {
    const move = trading.prices.ticksAt(product, trading.session, exit) - start
    return action === 'Buy' ? move >= 4 : move <= -4
  }
  let exit = plan.exit + 3 * MINUTE_MS
  while (!wins(exit) && exit < plan.exit + 11 * MINUTE_MS) exit += MINUTE_MS
  leave(trading, { ...plan, action, entry: plan.exit, won: wins(exit) }, exit, plan.qty)
}

/** An order fills as 2 and 1; twenty minutes later the exchange busts the 1, and the trader sells the remaining 2. */
const playBust = (trading: Trading, name: string): void => {
  const contract = frontMonth(productNamed(name), trading.session)
  const entry = chicagoTime(trading.session, 11 * 60 + 20) + trading.random.whole(0, 59_999)
  const buy = slot(trading, { contract }, 'Buy', entry)
  const fills = [
    { time: entry, qty: 2, ticks: buy.ticks, bustedAt: null },
    { time: entry, qty: 1, ticks: buy.ticks + 9, bustedAt: entry + 20 * MINUTE_MS },
  ]
  trading.orders.push({ ...filledOrder(trading.random, buy, { qty: 3, type: 'Market', inPieces: false }), fills })
  const sell = slot(trading, { contract }, 'Sell', entry + 45 * MINUTE_MS)
  trading.orders.push(filledOrder(trading.random, sell, { qty: 2, type: 'Market', inPieces: false }))
}

const openOvernight = (trading: Trading, { product, qty }: { product: string; qty: number }): SeedPosition => {
  const contract = frontMonth(productNamed(product), trading.session)
  const time = chicagoTime(trading.session, 15 * 60 + 12) + trading.random.whole(0, 59_999)
  trading.orders.push(filledOrder(trading.random, slot(trading, { contract }, 'Buy', time), { qty, type: 'Limit', inPieces: false }))
  return { contract, action: 'Buy', qty }
}

const closeHeld = (trading: Trading, held: SeedPosition): void => {
  const time = chicagoTime(trading.session, 7 * 60 + 40) + trading.random.whole(0, 59_999)
  trading.orders.push(filledOrder(trading.random, slot(trading, held, opposite(held.action), time), { qty: held.qty, type: 'Market', inPieces: false }))
}

const slot = (trading: Trading, { contract }: { contract: Contract }, action: Action, time: number): OrderSlot => {
  const moment = Math.max(time, sessionOpen(trading.session))
  return {
    accountId: trading.account.id, contract, session: trading.session, action, time: moment,
    ticks: trading.prices.ticksAt(contract.product, trading.session, moment),
  }
}

const opposite = (action: Action): Action => (action === 'Buy' ? 'Sell' : 'Buy')

/** The time and price of a fill. */
type OrderSlot = Pick<OrderDraft, 'accountId' | 'contract' | 'session' | 'action' | 'time'> & { readonly ticks: number }

/** An order that fills completely at the slot's time, in one piece or in several of the same millisecond. */
const filledOrder = (
  random: Random,
  slot: OrderSlot,
  how: { readonly qty: number; readonly type: OrderDraft['type']; readonly inPieces: boolean; readonly since?: number },
): OrderDraft => {
  const { accountId, contract, session, action, time, ticks } = slot
  const waited = how.type === 'Market' ? random.whole(6, 140) : random.whole(4000, 90_000)
  // Slippage: a market or stop order fills up to a tick beyond the quoted price.
  const slipped = ticks + (how.type === 'Limit' ? 0 : random.whole(0, 1) * (action === 'Buy' ? 1 : -1))
  const fills = pieces(random, how.qty, how.inPieces).map((qty, index) => ({
    time,
    qty,
    ticks: how.type === 'Limit' || index === 0 ? slipped : slipped + random.whole(0, 1) * (action === 'Buy' ? 1 : -1),
    bustedAt: null,
  }))
  return {
    accountId, contract, session, action, fills,
    time: how.since ?? time - waited,
    qty: how.qty,
    type: how.type,
    ticks: how.type === 'Market' ? null : ticks,
    endsAt: time,
    outcome: 'Filled',
  }
}

/** An order that worked from `since` and was canceled unfilled at the slot's time. */
const canceledOrder = (
  slot: OrderSlot,
  how: { readonly qty: number; readonly type: 'Limit' | 'Stop'; readonly since: number },
): OrderDraft => {
  const { accountId, contract, session, action, time, ticks } = slot
  return { accountId, contract, session, action, ticks, fills: [], time: how.since, qty: how.qty, type: how.type, endsAt: time, outcome: 'Canceled' }
}

const pieces = (random: Random, qty: number, wanted: boolean): number[] => {
  if (!wanted || qty < 2) return [qty]
  const first = random.whole(1, qty - 1)
  const rest = qty - first
  return rest >= 2 && random.next() < 0.4 ? [first, 1, rest - 1] : [first, rest]
}
