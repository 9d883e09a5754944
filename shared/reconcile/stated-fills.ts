import type { AccountKey } from '#shared/fills/fill.ts'
import { compareFills } from '#shared/fills/order.ts'
import { keyOf, type DoubtfulDays, type Placed } from '#shared/imports/assembly.ts'
import type { CashReading } from '#shared/imports/reading.ts'
import { amountOf, zero, type Amount, type Currency } from '#shared/money/money.ts'
import type { ClosedPair } from './closed-pair.ts'
import type { PairCheck } from './pair-checks.ts'

/** A broker's own figures of a fill: the gross P&L that it realized, null if it opened or added, and its cost, null if not stated. */
export type StatedFill = {
  readonly account: AccountKey
  readonly id: string
  readonly contract: string
  readonly currency: Currency
  /** UTC ms. */
  readonly time: number
  readonly side: 'buy' | 'sell'
  readonly qty: number
  readonly gross: Amount | null
  readonly fees: Amount | null
}

type DayOf = (fill: StatedFill) => string

/** Bookings of stated fills as cash rows without a balance: what a fill realized, and what it cost, each on the fill's day. */
export const statedCash = (stated: readonly StatedFill[], dayOf: DayOf): readonly Placed<CashReading>[] =>
  stated.flatMap((fill) => {
    const { account, id, time, contract, currency, gross, fees } = fill
    const row = { says: 'cash', account, time, tradeDate: dayOf(fill), amount: zero, currency, contract } as const
    return [
      ...(gross === null ? [] : [{ ...row, transactionId: id, movement: 'pair', delta: gross } as const]),
      { ...row, transactionId: `${id} fees`, movement: 'fee', delta: amountOf(0 - (fees ?? 0)) } as const,
    ]
  })

/** Days with a fill whose cost the broker does not state. */
export const daysWithoutFees = (stated: readonly StatedFill[], dayOf: DayOf): readonly DoubtfulDays[] =>
  stated.flatMap((fill) => {
    const day = dayOf(fill)
    return fill.fees === null ? [{ account: fill.account, from: day, to: day, reason: 'fees-uncertain' } as const] : []
  })

/** Compares what the broker states of each fill that closed with Fillbook's pairs that this fill closed. */
export const checkStated = (closed: readonly ClosedPair[], stated: readonly StatedFill[], dayOf: DayOf): readonly PairCheck[] => {
  if (stated.length === 0) return []
  const known = new Map(stated.map((fill) => [keyOf(fill.account, fill.id), fill]))
  const closings = Map.groupBy(closed, (pair) => closingOf(pair, known))
  return stated.flatMap((fill): PairCheck[] => {
    const own = closings.get(fill) ?? []
    if (own.length === 0 && fill.gross === null) return []
    const { account, contract, currency, time, side, id } = fill
    const gross = amountOf(own.reduce((sum, pair) => sum + pair.gross, 0))
    const [first] = own
    const single = own.length === 1 ? first : undefined
    return [
      {
        by: 'fill', account, contract, time, tradingDay: first?.tradingDay ?? dayOf(fill), count: 1, own,
        buyFillId: side === 'buy' ? id : (single?.buy.fillId ?? null),
        sellFillId: side === 'sell' ? id : (single?.sell.fillId ?? null),
        closedBy: id,
        fillbook: first === undefined ? null : { qty: own.reduce((sum, { qty }) => sum + qty, 0), prices: single === undefined ? null : { buy: single.buy.price, sell: single.sell.price, tickSize: single.tickSize }, gross },
        // How much of a fill closed is not stated.
        broker: fill.gross === null ? null : { qty: 0, prices: null, gross: fill.gross },
        equal: first?.contract === contract && first.currency === currency && gross === fill.gross,
      },
    ]
  })
}

/** The stated fill that closed a pair: the later of its two, or the only known one if it closed at that time. */
const closingOf = ({ account, buy, sell, closedAt }: ClosedPair, known: ReadonlyMap<string, StatedFill>): StatedFill | undefined => {
  const [bought, sold] = [known.get(keyOf(account, buy.fillId)), known.get(keyOf(account, sell.fillId))]
  if (bought !== undefined && sold !== undefined) return compareFills(bought, sold) > 0 ? bought : sold
  const only = bought ?? sold
  return only?.time === closedAt ? only : undefined
}
