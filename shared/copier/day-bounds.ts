import { tradingDay } from '#shared/market/trading-day.ts'
import { divideRounded, parseDecimal, tenTo, type Decimal } from '#shared/money/decimal.ts'
import { amountOf, parseAmount, type Amount } from '#shared/money/money.ts'
import type { CashFact } from './facts.ts'

/** An open position as its open P&L is reckoned: figures as the wire has them, or as decimal text. */
export type OpenPosition = {
  /** Signed contracts. */
  readonly net: number
  readonly netPrice: number | string
  /** The newest price that we know, and when it was told (UTC ms); null where none was. */
  readonly mark: { readonly price: number | string; readonly at: number } | null
  readonly valuePerPoint: number | string
}

/** Open P&L in 1/10,000 of the account's currency, and the moment (UTC ms) of the oldest figure in it; null as `at` where nothing is open. */
export type OpenPnl = { readonly pnl: Amount; readonly at: number | null }

/** What the broker told of the whole account's open P&L, 1/10,000, and when. */
export type OpenSnapshot = { readonly pnl: Amount; readonly at: number }

/** The day's net since 17:00 in Chicago, open P&L included; `openAt` is as in `OpenPnl`. */
export type DayNet = { readonly net: Amount; readonly openAt: number | null }

/** The open P&L of one position, rounded once, half to even; null where a figure is missing or no number. */
export const openPnlOf = ({ net, netPrice, mark, valuePerPoint }: OpenPosition): Amount | null => {
  const [entry, now, point] = [parseDecimal(netPrice), mark === null ? null : parseDecimal(mark.price), parseDecimal(valuePerPoint)]
  if (entry === null || now === null || point === null) return null
  const moved = minus(now, entry)
  const value = divideRounded(moved.digits * point.digits * BigInt(net) * 10_000n, tenTo(moved.scale + point.scale), 'half-even')
  return amountOf(Number(value))
}

const minus = (one: Decimal, other: Decimal): Decimal => {
  const scale = Math.max(one.scale, other.scale)
  return { digits: one.digits * tenTo(scale - one.scale) - other.digits * tenTo(scale - other.scale), scale }
}

/**
 * The open P&L of an account: the broker's snapshot where it is newer than the oldest mark and than `changedAt`, the last change of a position
 * (UTC ms), since a sum is as old as the oldest figure in it; else from the marks. Null where an open position has no mark and no snapshot since its change tells of it.
 */
export const openOf = (positions: readonly OpenPosition[], snapshot: OpenSnapshot | null, changedAt: number): OpenPnl | null => {
  const open = positions.filter(({ net }) => net !== 0)
  if (open.length === 0) return { pnl: amountOf(0), at: null }
  const usable = snapshot !== null && snapshot.at >= changedAt ? snapshot : null
  if (usable !== null && open.some(({ mark }) => mark === null || mark.at <= usable.at)) return usable
  let pnl = 0
  let at = Infinity
  for (const position of open) {
    const own = openPnlOf(position)
    if (own === null || position.mark === null) return usable
    pnl += own
    at = Math.min(at, position.mark.at)
  }
  return { pnl: amountOf(pnl), at }
}

/**
 * The day's net at a moment (UTC ms): cash less what the day began with and what went in or out in it (`moved`, 1/10,000), plus what is
 * open. Null while a part of it is unknown. Cash that the broker told for an earlier day is what the new day begins with.
 */
export const dayNetOf = (cash: CashFact | null, open: OpenPnl | null, now: number, moved: number): DayNet | null => {
  if (cash === null || open === null) return null
  const made = cash.session < tradingDay(now) ? 0 : cash.startOfDay === null ? cash.realized : cash.amount - cash.startOfDay - moved
  return made === null ? null : { net: amountOf(made + open.pnl), openAt: open.at }
}

/** The bound that a day's net has reached, to the last 1/10,000; at the bound counts as reached. Null as a bound: there is none. */
export const boundReached = (net: Amount, bounds: { readonly dailyLoss: string | null; readonly dailyProfit: string | null }): 'daily-loss' | 'daily-profit' | null => {
  const [loss, profit] = [boundOf(bounds.dailyLoss), boundOf(bounds.dailyProfit)]
  if (loss !== null && net <= 0 - loss) return 'daily-loss'
  return profit !== null && net >= profit ? 'daily-profit' : null
}

// A bound of more than four decimals is reached where its nearest amount is.
const boundOf = (text: string | null): Amount | null => {
  if (text === null) return null
  const read = parseAmount(text, 'half-even')
  return read.ok ? read.value : null
}
