import type { StatMoney } from '#shared/api/statistics.ts'
import { addCurrencyAmounts, amountTexts, noAmounts, type CurrencyAmounts } from '#shared/money/currency-amounts.ts'
import { addAmounts, exactMoney, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { averageOf, averageToDecimalString, type Average } from './average.ts'
import type { TradeFigures } from './figures.ts'

/** The figures of trades in one currency. A win has a gross P&L above zero, a loss below zero; a trade at zero is neither. */
export type MoneyFigures = {
  readonly currency: Currency
  /** All trades. */
  readonly count: number
  readonly wins: number
  readonly losses: number
  readonly grossPnl: Amount
  readonly commission: Amount
  /** Fees in other currencies; no total includes them. */
  readonly otherFees: CurrencyAmounts
  readonly netPnl: Amount
  /** Gross P&L of wins over that of losses; null without a loss. */
  readonly profitFactor: number | null
  /** Average net P&L per trade. */
  readonly expectancy: Average
  /** Average gross P&L of wins; null without a win. */
  readonly averageWin: Average | null
  /** Average gross P&L of losses, negative; null without a loss. */
  readonly averageLoss: Average | null
  /** Gross P&L; null without a win. */
  readonly largestWin: Amount | null
  /** Gross P&L, negative; null without a loss. */
  readonly largestLoss: Amount | null
}

type CurrencySum = {
  readonly currency: Currency
  count: number
  wins: number
  losses: number
  won: Amount
  lost: Amount
  commission: Amount
  otherFees: CurrencyAmounts
  net: Amount
  largestWin: Amount | null
  largestLoss: Amount | null
}

/** Running totals, one row per currency: currencies are never added. */
export type MoneySums = CurrencySum[]

/** Adds one trade in place, so that one pass over a long list fills many groups. */
export const addMoney = (sums: MoneySums, { currency, grossPnl, commission, otherFees, netPnl }: Pick<TradeFigures, 'currency' | 'grossPnl' | 'commission' | 'otherFees' | 'netPnl'>): void => {
  const sum = sums.find((row) => row.currency === currency) ?? newRow(sums, currency)
  sum.count += 1
  sum.commission = addAmounts(sum.commission, commission)
  if (otherFees !== undefined && otherFees.length > 0) sum.otherFees = addCurrencyAmounts(sum.otherFees, otherFees)
  sum.net = addAmounts(sum.net, netPnl)
  if (grossPnl > 0) {
    sum.wins += 1
    sum.won = addAmounts(sum.won, grossPnl)
    if (sum.largestWin === null || grossPnl > sum.largestWin) sum.largestWin = grossPnl
  } else if (grossPnl < 0) {
    sum.losses += 1
    sum.lost = addAmounts(sum.lost, grossPnl)
    if (sum.largestLoss === null || grossPnl < sum.largestLoss) sum.largestLoss = grossPnl
  }
}

/** The figures of each currency, sorted by code. */
export const moneyFigures = (sums: MoneySums): readonly MoneyFigures[] =>
  sums
    .map(({ currency, count, wins, losses, won, lost, commission, otherFees, net, largestWin, largestLoss }) => ({
      currency,
      count,
      wins,
      losses,
      grossPnl: addAmounts(won, lost),
      commission,
      otherFees,
      netPnl: net,
      profitFactor: lost === 0 ? null : won / -lost,
      expectancy: { sum: net, count },
      averageWin: averageOf(won, wins),
      averageLoss: averageOf(lost, losses),
      largestWin,
      largestLoss,
    }))
    .sort((one, other) => (one.currency < other.currency ? -1 : 1))

/** Sums as the API answers them, as exact decimals. */
export const sumsAnswer = ({ currency, grossPnl, commission, netPnl }: Pick<MoneyFigures, 'currency' | 'grossPnl' | 'commission' | 'netPnl'>) => ({
  currency,
  grossPnl: exactMoney(grossPnl),
  commission: exactMoney(commission),
  netPnl: exactMoney(netPnl),
})

/** The figures as the API answers them: money as exact decimals, averages rounded to cents. */
export const moneyAnswer = ({ otherFees, expectancy, averageWin, averageLoss, largestWin, largestLoss, ...figures }: MoneyFigures): StatMoney => ({
  ...figures,
  ...sumsAnswer(figures),
  ...(otherFees.length === 0 ? {} : { otherFees: amountTexts(otherFees) }),
  expectancy: averageToDecimalString(expectancy),
  averageWin: averageWin && averageToDecimalString(averageWin),
  averageLoss: averageLoss && averageToDecimalString(averageLoss),
  largestWin: largestWin === null ? null : exactMoney(largestWin),
  largestLoss: largestLoss === null ? null : exactMoney(largestLoss),
})

/** Counts over all currencies: trades can be counted together, money cannot be added. */
export type TradeCounts = {
  readonly count: number
  /** Trades with a gross P&L above zero. */
  readonly wins: number
  /** Trades with a gross P&L below zero. */
  readonly losses: number
  /** Wins over trades, 0 to 1; null without a trade. */
  readonly winRate: number | null
}

/** The counts over rows of any currencies. */
export const tradeCounts = (rows: readonly Pick<MoneyFigures, 'count' | 'wins' | 'losses'>[]): TradeCounts => {
  const [count, wins, losses] = [total(rows.map((row) => row.count)), total(rows.map((row) => row.wins)), total(rows.map((row) => row.losses))]
  return { count, wins, losses, winRate: count === 0 ? null : wins / count }
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

const newRow = (sums: MoneySums, currency: Currency): CurrencySum => {
  const row = { currency, count: 0, wins: 0, losses: 0, won: zero, lost: zero, commission: zero, otherFees: noAmounts, net: zero, largestWin: null, largestLoss: null }
  sums.push(row)
  return row
}
