import { divideRounded, parseDecimal, tenTo, type Decimal } from '#shared/money/decimal.ts'
import { amountOf, parseAmount, type Amount } from '#shared/money/money.ts'
import type { CashFact } from './facts.ts'

/** The inputs of a position's open P&L: numbers as on the wire, or decimal strings. */
type OpenPosition = {
  /** Signed contracts. */
  readonly net: number
  readonly netPrice: number | string
  /** The last known price and when it arrived (UTC ms); null if none did. */
  readonly mark: { readonly price: number | string; readonly at: number } | null
  readonly valuePerPoint: number | string
}

/** Open P&L in 1/10,000 of the account's currency, and the time (UTC ms) of the oldest figure in it; `at` is null if flat. */
export type OpenPnl = { readonly pnl: Amount; readonly at: number | null }

/** The broker's own open P&L of the whole account, 1/10,000, and its time (UTC ms). */
export type OpenSnapshot = { readonly pnl: Amount; readonly at: number }

/** Net P&L realized since 17:00 in Chicago, and all open P&L, of carried positions since their entry; `openAt` is `OpenPnl.at`. */
export type DayNet = { readonly net: Amount; readonly openAt: number | null }

/** The open P&L of one position, rounded once, half to even; null if an input is missing or not a number. */
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

/** A position with the broker's id of its currency. */
export type AccountPosition = OpenPosition & { readonly currencyId: number }

/**
 * The open P&L of an account in its currency, `currencyId`. The broker's snapshot wins if it is newer than the oldest mark and than `changedAt`, the last
 * position change (UTC ms), because a sum is as old as its oldest figure; otherwise the marks. A position in another currency has no mark, since currencies
 * are never added. Null if an open position has neither a mark nor a snapshot since its change.
 */
export const openOf = (positions: readonly AccountPosition[], currencyId: number, snapshot: OpenSnapshot | null, changedAt: number): OpenPnl | null => {
  const open = positions.filter(({ net }) => net !== 0)
  if (open.length === 0) return { pnl: amountOf(0), at: null }
  const usable = snapshot !== null && snapshot.at >= changedAt ? snapshot : null
  if (usable !== null && open.some(({ mark }) => mark === null || mark.at <= usable.at)) return usable
  let pnl = 0
  let at = Infinity
  for (const position of open) {
    const own = position.currencyId === currencyId ? openPnlOf(position) : null
    if (own === null || position.mark === null) return usable
    pnl += own
    at = Math.min(at, position.mark.at)
  }
  return { pnl: amountOf(pnl), at }
}

/**
 * The net P&L of a session: cash, less the starting balance, less deposits and withdrawals (`moved`, 1/10,000), plus open P&L.
 * Null while any part is unknown. Cash from an earlier session is the starting balance of the new one.
 */
export const dayNetOf = (cash: CashFact | null, open: OpenPnl | null, session: string, moved: number): DayNet | null => {
  if (cash === null || open === null) return null
  const made = cash.session < session ? 0 : cash.startOfDay === null ? cash.realized : cash.amount - cash.startOfDay - moved
  return made === null ? null : { net: amountOf(made + open.pnl), openAt: open.at }
}

/** The daily limit that the net has reached, exact to 1/10,000; touching it counts. A null limit does not exist. */
export const boundReached = (net: Amount, bounds: { readonly dailyLoss: string | null; readonly dailyProfit: string | null }): 'daily-loss' | 'daily-profit' | null => {
  const [loss, profit] = [boundOf(bounds.dailyLoss), boundOf(bounds.dailyProfit)]
  if (loss !== null && net <= 0 - loss) return 'daily-loss'
  return profit !== null && net >= profit ? 'daily-profit' : null
}

// A limit with more than four decimals is rounded to the nearest amount.
const boundOf = (text: string | null): Amount | null => {
  if (text === null) return null
  const read = parseAmount(text, 'half-even')
  return read.ok ? read.value : null
}
