import type { StatMoney } from '#shared/api/statistics.ts'

/** Puts what is told by currency in the order of the trades that were made in each, so that one trade abroad does not lead the page. */
export const mostUsedFirst = <T extends { readonly currency: string }>(list: readonly T[], money: readonly Pick<StatMoney, 'currency' | 'count'>[]): T[] => {
  const trades = new Map(money.map(({ currency, count }) => [currency, count]))
  return list.toSorted((one, other) => (trades.get(other.currency) ?? 0) - (trades.get(one.currency) ?? 0))
}
