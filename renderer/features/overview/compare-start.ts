import { datesOf, type PeriodPreset } from '#renderer/lib/date-presets.ts'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { mostSides, writePeriod, type SideKind } from '#shared/stats/sides.ts'

const offered = 4

/** Sides to begin with: what the filter names of the kind, else what has the most trades, for periods this month and the last; none where there are not two. */
export const startingSides = (kind: SideKind, filter: TradeFilter, { byAccount, bySymbol, byTag }: Pick<StatisticsAnswer, 'byAccount' | 'bySymbol' | 'byTag'>, today: string): readonly string[] => {
  if (kind === 'periods') return (['month', 'last-month'] as const).map((preset) => periodOf(preset, today))
  const named = { accounts: filter.accounts, tags: filter.tags, products: filter.symbols }[kind]
  if (named.length > 1) return named.slice(0, mostSides)
  const groups: readonly { readonly key: string | null; readonly count: number }[] = { accounts: byAccount, tags: byTag, products: bySymbol }[kind]
  const most = groups.toSorted((one, other) => other.count - one.count).flatMap(({ key }) => (key === null || key === '' ? [] : [key]))
  return most.length < 2 ? [] : most.slice(0, offered)
}

/** A stretch of days that has a name today, as the text of a side. */
export const periodOf = (preset: PeriodPreset, today: string): string => {
  const { from, to } = datesOf(preset, today)
  return writePeriod(from, to)
}
