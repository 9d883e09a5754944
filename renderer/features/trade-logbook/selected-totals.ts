import type { Trade } from '#shared/api/records.ts'
import { addAmounts, exactMoney, parseAmount, parseCurrency, zero, type Amount, type Currency } from '#shared/money/money.ts'
import { addMoney, moneyFigures, type MoneySums } from '#shared/stats/money-figures.ts'

/** What selected rows came to in one currency. */
export type SelectedTotals = { readonly currency: string; readonly netPnl: string; readonly winRate: number; readonly profitFactor: number | null }

const amountOf = (text: string): Amount => {
  const read = parseAmount(text)
  return read.ok ? read.value : zero
}

/** The totals of selected fill pairs, in each currency by itself: of trades, the pairs of one are one. */
export const selectedTotals = (pairs: Iterable<Trade>, unit: 'pairs' | 'trips'): readonly SelectedTotals[] => {
  const rows = new Map<string, { currency: Currency; grossPnl: Amount; netPnl: Amount; commission: Amount }>()
  for (const { id, tripId, currency, grossPnl, netPnl } of pairs) {
    const key = unit === 'trips' ? (tripId ?? id) : id
    const known = rows.get(key)
    rows.set(key, {
      currency: parseCurrency(currency) ?? (currency as Currency),
      grossPnl: addAmounts(known?.grossPnl ?? zero, amountOf(grossPnl)),
      netPnl: addAmounts(known?.netPnl ?? zero, amountOf(netPnl)),
      commission: zero,
    })
  }
  const sums: MoneySums = []
  for (const row of rows.values()) addMoney(sums, row)
  return moneyFigures(sums).map(({ currency, netPnl, wins, count, profitFactor }) => ({ currency, netPnl: exactMoney(netPnl), winRate: wins / count, profitFactor }))
}
