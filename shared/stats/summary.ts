import { addAmounts, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { equityCurve, maxDrawdown, type EquityPoint } from './equity.ts'
import type { TradeFigures } from './figures.ts'

/** Figures of the trades of one currency. */
export type CurrencySummary = {
  readonly currency: Currency
  readonly grossPnl: Amount
  readonly commission: Amount
  readonly netPnl: Amount
  /** Gross of the wins over gross of the losses; null without a loss. */
  readonly profitFactor: number | null
  readonly equity: readonly EquityPoint[]
  readonly maxDrawdown: Amount
}

/** A first look at a set of trades; pairs and trips give widely different rates, so it says which of them it counts. */
export type Summary = {
  readonly counted: 'pairs' | 'trips'
  readonly count: number
  /** Trades with a gross above zero. */
  readonly wins: number
  /** Trades with a gross below zero. */
  readonly losses: number
  /** Wins of all trades, 0 to 1; null without a trade. */
  readonly winRate: number | null
  /** Side by side in the order of their codes: currencies are never added. */
  readonly currencies: readonly CurrencySummary[]
}

/** Sums up trades of any currencies, in any order. */
export const summarise = (counted: Summary['counted'], trades: readonly TradeFigures[]): Summary => {
  const wins = trades.filter(({ grossPnl }) => grossPnl > 0).length
  const losses = trades.filter(({ grossPnl }) => grossPnl < 0).length
  const byCurrency = Map.groupBy(trades, ({ currency }) => currency)
  return {
    counted,
    count: trades.length,
    wins,
    losses,
    winRate: trades.length === 0 ? null : wins / trades.length,
    currencies: [...byCurrency]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, own]) => summariseCurrency(currency, own)),
  }
}

/** The most recent trades: by local date of the exit, then by its time, the latest first. */
export const recentTrades = <Trade extends Pick<TradeFigures, 'date' | 'exitTime'>>(
  trades: readonly Trade[],
  count = 5,
): readonly Trade[] => trades.toSorted(laterFirst).slice(0, count)

const laterFirst = (one: Pick<TradeFigures, 'date' | 'exitTime'>, other: Pick<TradeFigures, 'date' | 'exitTime'>): number =>
  one.date === other.date ? other.exitTime - one.exitTime : one.date < other.date ? 1 : -1

const summariseCurrency = (currency: Currency, trades: readonly TradeFigures[]): CurrencySummary => {
  const equity = equityCurve(trades)
  const won = sum(trades.map(({ grossPnl }) => (grossPnl > 0 ? grossPnl : zero)))
  const lost = sum(trades.map(({ grossPnl }) => (grossPnl < 0 ? grossPnl : zero)))
  return {
    currency,
    grossPnl: addAmounts(won, lost),
    commission: sum(trades.map(({ commission }) => commission)),
    netPnl: sum(trades.map(({ netPnl }) => netPnl)),
    profitFactor: lost === 0 ? null : won / -lost,
    equity,
    maxDrawdown: maxDrawdown(equity),
  }
}

const sum = (amounts: readonly Amount[]): Amount => amounts.reduce((total, amount) => addAmounts(total, amount), zero)
