import { datesOf, type PeriodPreset } from '#renderer/lib/date-presets.ts'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { mostSides, writePeriod, type SideKind } from '#shared/stats/sides.ts'

const offered = 4

/** Sides to begin with: what has the most trades under the filter, most first; for periods this month and the last; none where there are not two. What the filter names counts up to all that fit beside each other. */
export const startingSides = (kind: SideKind, filter: TradeFilter, { byAccount, bySymbol, byTag }: Pick<StatisticsAnswer, 'byAccount' | 'bySymbol' | 'byTag'>, today: string): readonly string[] => {
  if (kind === 'periods') return (['month', 'last-month'] as const).map((preset) => periodOf(preset, today))
  const named = { accounts: filter.accounts, tags: filter.tags, products: filter.symbols }[kind]
  const groups: readonly { readonly key: string | null; readonly count: number }[] = { accounts: byAccount, tags: byTag, products: bySymbol }[kind]
  const most = groups.toSorted((one, other) => other.count - one.count).flatMap(({ key, count }) => (key === null || key === '' || count === 0 ? [] : [key]))
  const chosen = named.length > 1 ? most.filter((key) => named.includes(key)).slice(0, mostSides) : most.slice(0, offered)
  return chosen.length < 2 ? [] : chosen
}

/** A stretch of days that has a name today, as the text of a side. */
export const periodOf = (preset: PeriodPreset, today: string): string => {
  const { from, to } = datesOf(preset, today)
  return writePeriod(from, to)
}
