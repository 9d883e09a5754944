import type { TrueAccount, TrueFill, World } from './world.ts'
import type { Product } from './products.ts'

/** A quantity that one fill opened and another closed, matched by the plainest first-in-first-out there is. */
export type TruePair = {
  readonly id: string
  readonly account: TrueAccount
  readonly product: Product
  readonly buy: TrueFill
  readonly sell: TrueFill
  readonly closing: TrueFill
  readonly qty: number
  /** Exact, in 1/10,000. */
  readonly units: bigint
  /** As the broker books it. */
  readonly cents: bigint
  /** The session of the closing fill. */
  readonly bookedOn: string
  /** Which trade from flat to flat it is a part of, counted within account and contract. */
  readonly trade: number
}

/** A movement of cash and what the account held behind it, in cents. */
export type TrueCash = { readonly id: string; readonly account: TrueAccount; readonly time: number; readonly bookedOn: string; readonly type: string; readonly cents: bigint; readonly amount: bigint; readonly product: Product | null; readonly pair: TruePair | null; readonly fill: TrueFill | null }

/** One session of one account, in cents. */
export type TrueDay = {
  readonly account: TrueAccount
  readonly date: string
  readonly gross: bigint
  /** Charged on that session. */
  readonly fees: bigint
  /** Gross P&L minus the fees of the closed quantity, opening fees included. */
  readonly realized: bigint
  /** All that was booked but deposits and payouts: over a night, the fees of the opening are a part of the day before. */
  readonly change: bigint
  readonly total: bigint
}

/** All that the broker knows of a world. */
export type Truth = {
  readonly pairs: readonly TruePair[]
  /** From flat to flat, and those under way of which something is closed. */
  readonly trades: number
  readonly cash: readonly TrueCash[]
  readonly days: readonly TrueDay[]
  readonly open: readonly OpenPosition[]
}

/** A position that was left. */
export type OpenPosition = { readonly account: TrueAccount; readonly product: Product; readonly net: number }

/** Cents from 1/10,000 as a broker rounds them. */
export type Rounds = (units: bigint) => bigint

/** Half away from zero. */
export const centsOf: Rounds = (units) => (units < 0n ? -((-units + 50n) / 100n) : (units + 50n) / 100n)

/** Account and contract as one text. */
export const placeOf = ({ account, product }: { readonly account: TrueAccount; readonly product: Product }): string => `${account.name} ${product.contract}`

/** In the order of matching: by time, and within a millisecond by id. */
export const inOrder = (fills: readonly TrueFill[]): readonly TrueFill[] => [...fills].sort((one, other) => one.time - other.time || Number(BigInt(one.id) - BigInt(other.id)))

type Open = { readonly fill: TrueFill; left: number }

const matchPlace = (fills: readonly TrueFill[], rounds: Rounds): { readonly pairs: readonly TruePair[]; readonly net: number; readonly trades: number } => {
  const pairs: TruePair[] = []
  let open: Open[] = []
  let trades = 0
  for (const fill of inOrder(fills)) {
    if (fill.busted) continue
    let left = fill.qty
    for (const lot of open) {
      if (lot.fill.side === fill.side || left === 0) continue
      const qty = Math.min(left, lot.left)
      const [buy, sell] = fill.side === 'sell' ? [lot.fill, fill] : [fill, lot.fill]
      const units = BigInt(sell.ticks - buy.ticks) * BigInt(qty) * fill.product.tickValue
      pairs.push({ id: '', account: fill.account, product: fill.product, buy, sell, closing: fill, qty, units, cents: rounds(units), bookedOn: fill.bookedOn, trade: trades })
      lot.left -= qty
      left -= qty
    }
    const stood = open.length > 0
    open = open.filter((lot) => lot.left > 0)
    if (stood && open.length === 0) trades += 1
    if (left > 0) open.push({ fill, left })
  }
  const net = open.reduce((sum, { fill, left }) => sum + (fill.side === 'buy' ? left : -left), 0)
  const underWay = net !== 0 && pairs.some((pair) => pair.trade === trades)
  return { pairs, net, trades: trades + (underWay ? 1 : 0) }
}

type Movement = Omit<TrueCash, 'id' | 'amount'>

const movementsOf = (account: TrueAccount, fills: readonly TrueFill[], pairs: readonly TruePair[], dates: readonly string[]): readonly Movement[] => {
  const plain = { account, product: null, pair: null, fill: null }
  const first = fills[0]
  const start = (first?.time ?? Date.parse(`${dates[0] ?? ''}T12:00:00Z`)) - 5_000
  const bookedFirst = first?.bookedOn ?? dates[0] ?? ''
  const middle = fills[Math.floor(fills.length / 2)]
  const of = (fill: TrueFill): readonly Movement[] => {
    const common = { account, time: fill.time, bookedOn: fill.bookedOn, product: fill.product }
    return [
      ...fill.fees.map(([type, cents]): Movement => ({ ...common, type, cents: -cents, pair: null, fill })),
      ...pairs.filter(({ closing }) => closing === fill).map((pair): Movement => ({ ...common, type: 'Trade Paired', cents: pair.cents, pair, fill: null })),
      ...(fill === middle ? [{ ...plain, time: fill.time, bookedOn: fill.bookedOn, type: 'Challenge Payout', cents: -150_000n }, { ...plain, time: fill.time, bookedOn: fill.bookedOn, type: 'Manual Adjustment', cents: 12_345n }] : []),
    ]
  }
  return [{ ...plain, time: start, bookedOn: bookedFirst, type: 'Fund Transaction', cents: 5_000_000n }, ...fills.flatMap(of)]
}

const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n)

const fine = 1_000_000_000_000n

/** The part of a fill's fees that falls to some of its contracts, in cents times `fine`. */
const shareOfFees = ({ fees, qty: whole }: TrueFill, qty: number): bigint => (sum(fees.map(([, cents]) => cents)) * BigInt(qty) * fine) / BigInt(whole)

const daysOf = (account: TrueAccount, cash: readonly TrueCash[]): readonly TrueDay[] =>
  [...Map.groupBy(cash, ({ bookedOn }) => bookedOn)].map(([date, rows]) => {
    const gross = sum(rows.filter(({ pair }) => pair !== null).map(({ cents }) => cents))
    const fees = -sum(rows.filter(({ fill }) => fill !== null).map(({ cents }) => cents))
    const borne = sum(rows.flatMap(({ pair }) => (pair === null ? [] : [shareOfFees(pair.buy, pair.qty) + shareOfFees(pair.sell, pair.qty)])))
    return { account, date, gross, fees, realized: gross - (borne + fine / 2n) / fine, change: gross - fees, total: rows.at(-1)?.amount ?? 0n }
  })

/** Works out, apart from the program, all that the broker would know of a world; it rounds each fill pair by `rounds`. */
export const truthOf = (world: World, rounds: Rounds = centsOf): Truth => {
  const good = inOrder(world.fills).filter(({ busted }) => !busted)
  const places = [...Map.groupBy(good, placeOf).values()].map((fills) => ({ fills, ...matchPlace(fills, rounds) }))
  let id = 640_000_000_000n
  const next = (): string => String((id += 3n))
  const pairs = places
    .flatMap((place) => place.pairs)
    .sort((one, other) => one.closing.time - other.closing.time || Number(BigInt(one.closing.id) - BigInt(other.closing.id)))
    .map((pair) => ({ ...pair, id: next() }))
  const books = world.accounts.map((account) => {
    const own = good.filter((fill) => fill.account === account)
    let amount = 0n
    const movements = movementsOf(account, own, pairs.filter((pair) => pair.account === account), world.dates)
    const cash = movements.map((movement): TrueCash => ({ ...movement, id: next(), amount: (amount += movement.cents) }))
    return { cash, days: daysOf(account, cash) }
  })
  const open = places.flatMap(({ fills, net }) => (net === 0 || fills[0] === undefined ? [] : [{ account: fills[0].account, product: fills[0].product, net }]))
  return { pairs, trades: places.reduce((all, { trades }) => all + trades, 0), cash: books.flatMap(({ cash }) => cash), days: books.flatMap(({ days }) => days), open }
}
