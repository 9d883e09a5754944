import type { Overview } from '#shared/api/journal.ts'

/** Puts what is told by currency in the order of trading days that each was traded on, so that one trade abroad does not lead the page. */
export const mostUsedFirst = <T extends { readonly currency: string }>(list: readonly T[], { equity }: Pick<Overview, 'equity'>): T[] => {
  const days = new Map(equity.map(({ currency, points }) => [currency, points.length]))
  return list.toSorted((one, other) => (days.get(other.currency) ?? 0) - (days.get(one.currency) ?? 0))
}
