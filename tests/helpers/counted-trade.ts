import { tradingDay } from '#shared/market/trading-day.ts'
import { amountOf, parseAmount, type Amount, type Currency } from '#shared/money/money.ts'
import type { CountedTrade } from '#shared/stats/figures.ts'

/** Money from decimal text: `12.50`. */
export const money = (text: string | number): Amount => {
  const amount = parseAmount(text)
  if (!amount.ok) throw new Error(`${String(text)}: ${amount.error}`)
  return amount.value
}

/** A trade as a test states it: times in ISO 8601, money in decimals; the defaults are an MES long of account `A` in dollars. */
export type TradeSketch = {
  readonly id: string
  readonly entry: string
  readonly exit: string
  readonly gross: number
  readonly fee: number
  readonly risk?: number
  readonly symbol?: string
  readonly account?: string
  readonly firm?: string
  readonly side?: 'long' | 'short'
  readonly currency?: string
}

/** The given trade; its net is gross less fee, its trading day that of its exit. */
export const countedTrade = ({ id, entry, exit, gross, fee, risk, symbol = 'MESM6', account = 'A', firm, side = 'long', currency = 'USD' }: TradeSketch): CountedTrade => {
  const exitTime = Date.parse(exit)
  return {
    id,
    date: exit.slice(0, 10),
    tradingDay: tradingDay(exitTime),
    entryTime: Date.parse(entry),
    exitTime,
    symbol,
    account,
    side,
    currency: currency as Currency,
    grossPnl: money(gross),
    commission: money(fee),
    netPnl: amountOf(money(gross) - money(fee)),
    firm: firm ?? null,
    risk: risk === undefined ? null : money(risk),
  }
}
