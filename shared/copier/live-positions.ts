import { divideRounded, parseDecimal, tenTo, writeDecimal } from '#shared/money/decimal.ts'
import { amountOf, type Amount } from '#shared/money/money.ts'
import { openPnlOf } from './day-bounds.ts'

/** The inputs of a position's open P&L; prices as on the wire. */
export type PricedPosition = {
  readonly currency: string
  /** Signed contracts. */
  readonly net: number
  readonly averagePrice: number | null
  /** The last known price and its time (UTC ms). */
  readonly mark: { readonly price: number; readonly at: number } | null
  readonly valuePerPoint: number
}

/** Open P&L, 1/10,000, from prices or the broker's snapshot, and the time (UTC ms) of its oldest figure. */
export type OpenNow = { readonly pnl: Amount; readonly from: 'prices' | 'snapshot'; readonly at: number }

/** The open P&L of one position from its price; null if an input is missing. */
export const openByPrice = ({ net, averagePrice, mark, valuePerPoint }: PricedPosition): OpenNow | null => {
  if (averagePrice === null || mark === null) return null
  const pnl = openPnlOf({ net, netPrice: averagePrice, mark, valuePerPoint })
  return pnl === null ? null : { pnl, from: 'prices', at: mark.at }
}

/**
 * The open P&L of an account: from prices if all are known and in its currency, otherwise from the broker's snapshot of these very positions. A
 * snapshot newer than every price wins too. Null if neither is known; 0 at `now` (UTC ms) if flat.
 */
export const openOfAccount = (
  { currency, positions, snapshot }: { readonly currency: string | null; readonly positions: readonly PricedPosition[]; readonly snapshot: { readonly pnl: Amount; readonly at: number } | null },
  now: number,
): OpenNow | null => {
  if (positions.length === 0) return { pnl: amountOf(0), from: 'prices', at: now }
  const reported = snapshot === null ? null : { ...snapshot, from: 'snapshot' as const }
  let pnl = 0
  let oldest = Infinity
  let newest = -Infinity
  for (const position of positions) {
    const open = position.currency === currency ? openByPrice(position) : null
    if (open === null) return reported
    pnl += open.pnl
    oldest = Math.min(oldest, open.at)
    newest = Math.max(newest, open.at)
  }
  return reported !== null && reported.at > newest ? reported : { pnl: amountOf(pnl), from: 'prices', at: oldest }
}

/** A wire price as decimal text, with at most two places more than its tick size: only averages need them. */
export const priceText = (price: number, tickSize: string): string | null => {
  const [value, tick] = [parseDecimal(price), parseDecimal(tickSize)]
  if (value === null || tick === null) return null
  const [fewest, most] = [tick.scale, tick.scale + 2]
  const exact = value.scale <= most ? value : { digits: divideRounded(value.digits, tenTo(value.scale - most), 'half-away'), scale: most }
  let { digits, scale } = exact
  while (scale > fewest && digits % 10n === 0n) {
    digits /= 10n
    scale -= 1
  }
  return scale < fewest ? writeDecimal(digits * tenTo(fewest - scale), fewest) : writeDecimal(digits, scale)
}
