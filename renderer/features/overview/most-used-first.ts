import type { StatMoney } from '#shared/api/statistics.ts'

/** Sorts figures by the number of trades in their currency, so that one trade abroad does not lead the page. */
export const mostUsedFirst = <T extends { readonly currency: string }>(list: readonly T[], money: readonly Pick<StatMoney, 'currency' | 'count'>[]): T[] => {
  const trades = new Map(money.map(({ currency, count }) => [currency, count]))
  return list.toSorted((one, other) => (trades.get(other.currency) ?? 0) - (trades.get(one.currency) ?? 0))
}
