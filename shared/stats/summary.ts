import { zero, type Amount } from '#shared/money/money.ts'
import { createCalendar } from './calendar.ts'
import { drawdowns, equityByDay, type EquityPoint } from './equity.ts'
import type { TradeFigures } from './figures.ts'
import { addMoney, moneyFigures, tradeCounts, type MoneyFigures, type MoneySums, type TradeCounts } from './money-figures.ts'

/** Figures of the trades of one currency. */
export type CurrencySummary = MoneyFigures & {
  readonly equity: readonly EquityPoint[]
  /** The deepest fall of the curve by trading day; never below zero. */
  readonly maxDrawdown: Amount
}

/** What statistics count: pairs, as the broker matched them, or trips from flat to flat. The two differ widely. */
export type Counted = 'pairs' | 'trips'

/** A first look at a set of trades; pairs and trips give widely different rates, so it says which of them it counts. */
export type Summary = TradeCounts & {
  readonly counted: Counted
  /** Side by side in the order of their codes: currencies are never added. */
  readonly currencies: readonly CurrencySummary[]
}

/** Sums up trades of any currencies, in any order. */
export const summarise = (counted: Counted, trades: Iterable<TradeFigures>): Summary => {
  const sums: MoneySums = []
  const calendar = createCalendar()
  for (const trade of trades) {
    addMoney(sums, trade)
    calendar.take(trade)
  }
  const money = moneyFigures(sums)
  const { days } = calendar.result()
  const currencies = money.map((figures) => {
    const equity = equityByDay(days, figures.currency)
    return { ...figures, equity, maxDrawdown: drawdowns(equity, ({ tradingDay }) => tradingDay).deepest?.depth ?? zero }
  })
  return { counted, ...tradeCounts(money), currencies }
}

/** The most recent trades: by local date of the exit, then by its time, the latest first. */
export const recentTrades = <Trade extends Pick<TradeFigures, 'date' | 'exitTime'>>(
  trades: readonly Trade[],
  count = 5,
): readonly Trade[] => trades.toSorted(laterFirst).slice(0, count)

const laterFirst = (one: Pick<TradeFigures, 'date' | 'exitTime'>, other: Pick<TradeFigures, 'date' | 'exitTime'>): number =>
  one.date === other.date ? other.exitTime - one.exitTime : one.date < other.date ? 1 : -1
