import type { AccountKey, Fill } from '#shared/fills/fill.ts'
import { noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import type { Amount, Currency } from '#shared/money/money.ts'
import type { Ticks } from '#shared/money/price.ts'
import type { FillPair, TradeWarning } from '#shared/pnl/fill-pair.ts'

/** One of Fillbook's fill pairs, to compare with the broker's figures. */
export type ClosedPair = {
  readonly account: AccountKey
  readonly contract: string
  readonly currency: Currency
  readonly tickSize: string
  readonly buy: { readonly fillId: string; readonly price: Ticks }
  readonly sell: { readonly fillId: string; readonly price: Ticks }
  readonly qty: number
  /** UTC ms of the closing fill; if only its order is known, it filled between `closedSince` and this. */
  readonly closedAt: number
  readonly closedSince: number
  /** The broker's session. */
  readonly tradingDay: string
  readonly gross: Amount
  readonly fees: Amount
  /** In other currencies. */
  readonly otherFees: CurrencyAmounts
  /** Gross less fees. */
  readonly net: Amount
  /** Why its figures may be wrong. */
  readonly doubts: readonly DayDoubt[]
}

/** Why a trade's figures may be wrong, so its day cannot be reconciled; worst first. */
export type DayDoubt = 'incomplete' | 'unknown-contract' | 'approximate' | 'ambiguous-order'

/** The doubts that follow from a trade's warnings. */
export const doubtsOf = (warnings: readonly TradeWarning[]): readonly DayDoubt[] => {
  if (warnings.length === 0) return none
  const isPart = warnings.includes('partial-root')
  return doubts.filter((doubt) => warnings.includes(doubt) || (isPart && doubt === 'unknown-contract'))
}

const none: readonly DayDoubt[] = []
const doubts = ['incomplete', 'unknown-contract', 'approximate', 'ambiguous-order'] as const

/** A fill's earliest possible time (UTC ms), and its session. */
export type Booking = { readonly since: number; readonly day: string }

/** A derived pair, to compare with the broker's figures. */
export const closedPair = ({ opening, closing, spec, qty, grossPnl, commission, otherFees, netPnl, warnings }: FillPair, bookingOf: (fill: Fill) => Booking): ClosedPair => {
  const [buy, sell] = opening.side === 'buy' ? [opening, closing] : [closing, opening]
  const { since, day } = bookingOf(closing)
  return {
    account: closing.account,
    contract: closing.contract,
    currency: spec.currency,
    tickSize: spec.tickSize,
    buy: { fillId: buy.id, price: buy.price },
    sell: { fillId: sell.id, price: sell.price },
    qty,
    closedAt: closing.time,
    closedSince: since,
    tradingDay: day,
    gross: grossPnl,
    fees: commission,
    otherFees: otherFees ?? noAmounts,
    net: netPnl,
    doubts: doubtsOf(warnings),
  }
}
