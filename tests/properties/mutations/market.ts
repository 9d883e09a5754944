import { bookedOn, chicagoWall, dayAfter, weekdayOf } from '#tests/helpers/exports/clock.ts'
import { drawOf, type Draw } from '#tests/helpers/exports/draw.ts'
import type { Product } from '#tests/helpers/exports/products.ts'
import { firstInFirstOut, inOrder, type Fact, type OraclePair } from './oracle.ts'

/** An account of the market, and what its firm charges a contract and side, in cents by kind. */
export type Account = { readonly id: string; readonly name: string; readonly currency: 'USD' | 'EUR'; readonly fees: readonly (readonly [type: string, cents: number])[] }

/** An order, filled at once or in pieces; `episode` is what is left out as a whole where a case is made smaller. */
export type MarketOrder = { readonly id: string; readonly account: Account; readonly product: Product; readonly side: 'buy' | 'sell'; readonly placedAt: number; readonly episode: number; readonly fills: readonly MarketFill[] }

/** A fill as the broker knows it. */
export type MarketFill = Fact & { readonly of: Account; readonly product: Product; readonly orderId: string; readonly ticks: number; readonly episode: number; readonly fees: readonly (readonly [type: string, cents: bigint])[] }

/** A pair of the broker's. */
export type MarketPair = OraclePair<MarketFill> & { readonly id: string }

/** A movement of cash, in cents, and what the account held behind it. */
export type MarketCash = { readonly id: string; readonly of: Account; readonly time: number; readonly day: string; readonly type: string; readonly cents: bigint; readonly amount: bigint; readonly product: Product | null }

/** A session of an account, in cents: what it held at its end, and what was realized net of commission. */
export type MarketDay = { readonly of: Account; readonly day: string; readonly total: bigint; readonly realized: bigint }

/** All that the broker knows. */
export type Market = {
  readonly accounts: readonly Account[]
  readonly orders: readonly MarketOrder[]
  /** In the order in which they happened. */
  readonly fills: readonly MarketFill[]
  readonly pairs: readonly MarketPair[]
  readonly cash: readonly MarketCash[]
  readonly days: readonly MarketDay[]
  readonly sessions: readonly string[]
  readonly episodes: number
}

const dollars: readonly (readonly [root: string, description: string, tickSize: string, places: number, tickValue: bigint, around: number, lot: number])[] = [
  ['MNQ', 'Micro E-mini NASDAQ-100', '0.25', 2, 5_000n, 100_200, 1],
  ['ES', 'E-Mini S&P 500', '0.25', 2, 125_000n, 26_900, 1],
  ['MES', 'Micro E-mini S&P 500', '0.25', 2, 12_500n, 26_900, 1],
  ['6E', 'Euro FX', '0.00005', 5, 62_500n, 21_721, 1],
  ['ZB', '30 Year U.S. Treasury Bonds', '0.03125', 5, 312_500n, 3_700, 1],
  ['ZN', '10 Year U.S. Treasury Notes', '0.015625', 6, 156_250n, 7_190, 2],
]
const euros: typeof dollars = [['FDXM', 'Mini DAX Index', '1', 0, 50_000n, 24_300, 1]]
const monthNames: Readonly<Record<string, readonly [string, string]>> = { H: ['MAR', '03'], M: ['JUN', '06'], U: ['SEP', '09'], Z: ['DEC', '12'] }

const productsIn = (month: string, rows: typeof dollars, currency: 'USD' | 'EUR'): readonly Product[] =>
  rows.map(([root, description, tickSize, places, tickValue, around, lot]) => {
    const [spelled, figures] = monthNames[month] ?? ['', '']
    return { root, contract: `${root}${month}6`, month: [`${spelled}26`, `${figures}-26`], description, currency, tickSize, places, tickValue, around, lot }
  })

// First sessions of stretches without a holiday, some with a change of clocks in them, and the quarter that is traded then.
const beginnings = [['2026-01-05', 'H'], ['2026-02-02', 'H'], ['2026-02-09', 'H'], ['2026-03-04', 'M'], ['2026-03-26', 'M'], ['2026-04-13', 'M'], ['2026-06-22', 'U'], ['2026-08-10', 'U'], ['2026-10-05', 'Z'], ['2026-10-28', 'Z']] as const

const firms: readonly Account['fees'][] = [[['Commission', 39], ['Exchange Fee', 37], ['Clearing Fee', 9], ['Nfa Fee', 2]], [['Commission', 52]], [['Commission', 25], ['Brokerage Fee', 7]], []]

const minute = 60_000
const small = new Set(['MNQ', 'MES', 'FDXM'])

/** Orders as signed quantities that end flat, unless the position is to stay. */
const story = (draw: Draw, staysOpen: boolean): readonly number[] => {
  const sign = draw.pick([1, -1])
  const steps: number[] = [sign * draw.between(1, 4)]
  let net = steps[0] ?? 0
  const add = (signed: number): void => {
    steps.push(signed)
    net += signed
  }
  for (let more = draw.between(0, 3); more > 0; more -= 1) {
    const way = draw.between(0, 3)
    if (way === 0) add(Math.sign(net || sign) * draw.between(1, 3))
    else if (way === 1 && Math.abs(net) > 1) add(-Math.sign(net) * draw.between(1, Math.abs(net) - 1))
    else if (way === 2 && net !== 0) add(-net - Math.sign(net) * draw.between(1, 2))
  }
  if (staysOpen) return steps
  while (net !== 0) add(-Math.sign(net) * draw.between(1, Math.abs(net)))
  return steps
}

type Draft = { readonly account: Account; readonly product: Product; readonly placedAt: number; readonly signed: number; readonly episode: number; readonly pieces: readonly { readonly time: number; readonly qty: number; readonly ticks: number }[] }

const tradeOne = (draw: Draw, account: Account, product: Product, sessions: readonly string[], firstEpisode: number): readonly Draft[] => {
  const drafts: Draft[] = []
  const startOf = (index: number): number => {
    const date = sessions[index] ?? ''
    const evening = chicagoWall(dayAfter(date, -1), 17 * 60 * minute) + draw.between(1, 300) * minute
    return draw.chance(0.35) ? evening : chicagoWall(date, draw.between(120, 690) * minute) + draw.between(0, 59_999)
  }
  let [session, time, ticks, episode] = [0, startOf(0), product.around, firstEpisode]
  const next = (): void => {
    session += 1
    time = Math.max(time + 1, startOf(session))
  }
  for (;;) {
    const isLast = session === sessions.length - 1
    const steps = story(draw, isLast && draw.chance(0.2))
    const night = !isLast && steps.length > 1 && draw.chance(0.4) ? draw.between(1, steps.length - 1) : -1
    for (const [index, signed] of steps.entries()) {
      if (index === night) next()
      time += draw.pick([0, 1, 300, 1_200, 41_000, 4 * minute, 9 * minute])
      const placedAt = time - draw.between(0, 900)
      const whole = Math.abs(signed)
      const cut = whole > 1 && draw.chance(0.3) ? draw.between(1, whole - 1) : 0
      const pieces = (cut === 0 ? [whole] : [cut, whole - cut]).map((qty, piece) => {
        if (piece > 0) time += draw.pick([0, 0, 40, 2_000])
        ticks += draw.between(-7, 7)
        return { time, qty: qty * product.lot, ticks }
      })
      drafts.push({ account, product, placedAt, signed, episode, pieces })
    }
    episode += 1
    if (session >= sessions.length - 1 && (steps.length > 0 && draw.chance(0.7))) return drafts
    if (session < sessions.length - 1 && draw.chance(0.6)) next()
    else time += 2 * minute
    // A position left open at the end gets no additions.
    if (steps.reduce((sum, signed) => sum + signed, 0) !== 0) return drafts
  }
}

/** What a market is to one of its accounts. */
export const onlyOf = (market: Market, account: Account): Market => ({ ...market, accounts: [account], orders: market.orders.filter((order) => order.account === account), fills: market.fills.filter(({ of }) => of === account), pairs: market.pairs.filter(({ close }) => close.of === account) })

/** How a market is drawn: `drop` names episodes that are left out. */
export type MarketOptions = { readonly accounts?: number; readonly drop?: ReadonlySet<number> }

/** Draws what some traders do over a few sessions, and all that their broker books. */
export const drawMarket = (seed: number, { accounts: count, drop = new Set() }: MarketOptions = {}): Market => {
  const draw = drawOf(seed)
  const [from, month] = draw.pick(beginnings)
  const sessions: string[] = []
  for (let date: string = from, left = draw.between(2, 4); sessions.length < left; date = dayAfter(date)) if (weekdayOf(date) % 6 !== 0) sessions.push(date)
  const many = count ?? draw.pick([1, 1, 2, 3])
  const hasEuros = many > 1 && draw.chance(0.15)
  const accounts = Array.from({ length: many }, (_, index): Account => ({ id: String(71_300_611 + index * 7), name: `APEX-88${String(index)}-0${String(index + 1)}`, currency: hasEuros && index === many - 1 ? 'EUR' : 'USD', fees: draw.pick(firms) }))
  const drafts: Draft[] = []
  let episodes = 0
  for (const account of accounts) {
    const products = account.currency === 'EUR' ? productsIn(month, euros, 'EUR') : productsIn(month, dollars, 'USD')
    for (const product of draw.shuffle(products).slice(0, draw.pick([1, 1, 2]))) {
      const own = tradeOne(draw, account, product, sessions, episodes)
      drafts.push(...own)
      episodes = (own.at(-1)?.episode ?? episodes) + 1
    }
  }
  const { orders, fills } = happen(draw, drafts)
  const left = fills.filter(({ episode }) => !drop.has(episode))
  return { accounts, sessions, episodes, orders: orders.filter(({ episode }) => !drop.has(episode)), fills: left, ...booksOf(drawOf(seed ^ 0x5bd1_e995), accounts, left) }
}

const happen = (draw: Draw, drafts: readonly Draft[]): Pick<Market, 'orders' | 'fills'> => {
  const events = drafts.flatMap((draft) => [{ time: draft.placedAt, draft, piece: -1 }, ...draft.pieces.map(({ time }, piece) => ({ time, draft, piece }))]).sort((one, other) => one.time - other.time || one.piece - other.piece)
  let id = 612_400_000_000n
  const orderIds = new Map<Draft, string>()
  const fillsOf = new Map<Draft, MarketFill[]>()
  const fills: MarketFill[] = []
  for (const { draft, piece } of events) {
    id += BigInt(draw.between(1, 4))
    const filled = draft.pieces[piece]
    if (filled === undefined) {
      orderIds.set(draft, String(id))
      continue
    }
    const { account, product, signed, episode } = draft
    const fees = account.fees.map(([type, cents]) => [type, BigInt(cents * filled.qty * (small.has(product.root) ? 1 : 3))] as const)
    const fill: MarketFill = {
      id: String(id), account: account.name, of: account, product, contract: product.contract, orderId: orderIds.get(draft) ?? '', episode,
      time: filled.time, side: signed > 0 ? 'buy' : 'sell', qty: filled.qty, ticks: filled.ticks, sum: filled.ticks * filled.qty,
      tickValue: product.tickValue, fees, fee: fees.reduce((sum, [, cents]) => sum + cents * 100n, 0n), day: bookedOn(filled.time),
    }
    fills.push(fill)
    fillsOf.set(draft, [...(fillsOf.get(draft) ?? []), fill])
  }
  const orders = drafts.map((draft): MarketOrder => ({ id: orderIds.get(draft) ?? '', account: draft.account, product: draft.product, side: draft.signed > 0 ? 'buy' : 'sell', placedAt: draft.placedAt, episode: draft.episode, fills: fillsOf.get(draft) ?? [] }))
  return { orders, fills: inOrder(fills) }
}

const centsOf = (gross: bigint): bigint => gross / (100n * 1_000_000_000n)

const booksOf = (draw: Draw, accounts: readonly Account[], fills: readonly MarketFill[]): Pick<Market, 'pairs' | 'cash' | 'days'> => {
  let id = 733_000_000_000n
  const next = (): string => String((id += 3n))
  const pairs = firstInFirstOut(fills).pairs.map((pair): MarketPair => ({ ...pair, id: next() }))
  const cash: MarketCash[] = []
  const days: MarketDay[] = []
  for (const of of accounts) {
    const own = fills.filter((fill) => fill.of === of)
    const [first] = own
    if (first === undefined) continue
    let amount = 0n
    const book = (time: number, day: string, type: string, cents: bigint, product: Product | null): void => void cash.push({ id: next(), of, time, day, type, cents, amount: (amount += cents), product })
    book(first.time - 5_000, first.day, 'Fund Transaction', 5_000_000n, null)
    for (const fill of own) {
      for (const [type, cents] of fill.fees) if (cents > 0n) book(fill.time, fill.day, type, -cents, fill.product)
      for (const { close, gross } of pairs) if (close === fill) book(fill.time, fill.day, 'Trade Paired', centsOf(gross), fill.product)
      if (draw.chance(0.04)) book(fill.time, fill.day, draw.pick(['Challenge Payout', 'Manual Adjustment']), draw.pick([-150_000n, 12_345n]), null)
    }
    const withOpening = draw.chance(0.3)
    for (const [day, rows] of Map.groupBy(cash.filter((row) => row.of === of), (row) => row.day)) {
      const closed = pairs.filter(({ close }) => close.of === of && close.day === day)
      const gross = closed.reduce((sum, pair) => sum + pair.gross, 0n)
      const charged = own.filter((fill) => fill.day === day).reduce((sum, { fee }) => sum + fee, 0n)
      const borne = closed.reduce((sum, pair) => sum + pair.fees, 0n)
      days.push({ of, day, total: rows.at(-1)?.amount ?? 0n, realized: withOpening ? centsOf(gross) - charged / 100n : centsOf(gross - borne) })
    }
  }
  return { pairs, cash, days }
}
