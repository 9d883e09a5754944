import { apiQuery } from '#renderer/lib/api.ts'
import { periodPresetOf } from '#renderer/lib/date-presets.ts'
import { useTradeFilter, useUnit } from '#renderer/lib/use-trade-filter.ts'
import { useSpanWords } from '#renderer/ui/filter-dates.tsx'
import { latestTradingDay } from '#shared/market/session.ts'
import { comparisonRoutes } from '#shared/api/comparison.ts'
import { filterGiven, statisticsRoutes, type StatisticsAnswer } from '#shared/api/statistics.ts'
import type { TradeFilter } from '#shared/stats/filter.ts'
import { filterOfSide, readPeriod, type SideKind } from '#shared/stats/sides.ts'
import { useQueries, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { readCompared, withCompared, type Compared } from './compare-address.ts'
import { useStatisticsClock } from './clock-store.ts'

/** The letters that sides go by, in their order. */
export const letters = ['a', 'b', 'c', 'd', 'e', 'f'] as const
export type Letter = (typeof letters)[number]

/** A side with its place among the others, its name, and what the Overview knows of its filter; null while that loads. */
export type ComparedSide = { readonly side: string; readonly letter: Letter; readonly name: string; readonly filter: TradeFilter; readonly statistics: StatisticsAnswer | null }

/** Changes what is compared; with `replace` going back passes over it. */
export type ChangeCompared = (part: Partial<Compared>, how?: { readonly replace?: boolean }) => void

/** What the address compares, and how it is changed. */
export const useComparedChoice = (): readonly [Compared, ChangeCompared] => {
  const [params, setParams] = useSearchParams()
  const change: ChangeCompared = (part, { replace = false } = {}) => {
    setParams((now) => {
      const before = readCompared(now)
      return withCompared(now, part.kind === undefined || part.kind === before.kind ? { ...before, ...part } : { sides: [], align: part.kind === 'periods' ? 'number' : 'date', ...part, kind: part.kind })
    }, { replace })
  }
  return [readCompared(params), change]
}

/** Names a side of a kind: an account by its name, a period by what it is called today or by its days. */
export const useSideName = (): ((kind: SideKind, side: string) => string) => {
  const { t } = useTranslation('filter')
  const words = useSpanWords()
  const { data } = useQuery(apiQuery(statisticsRoutes.filterChoices))
  return (kind, side) => {
    if (kind === 'accounts') return data?.accounts.find(({ key }) => key === side)?.name ?? side
    const period = kind === 'periods' ? readPeriod(side) : null
    if (period === null) return side
    const preset = periodPresetOf(period, latestTradingDay(Date.now()))
    return preset === null ? words(period) : t(`preset.${preset}`)
  }
}

/** The statistics of each side, asked for as the Overview asks under the side's filter. */
export const useComparedSides = ({ kind, sides }: Compared) => {
  const { filter } = useTradeFilter()
  const [unit] = useUnit()
  const { zone, timedBy } = useStatisticsClock()
  const name = useSideName()
  const filters = sides.map((side) => filterOfSide(filter, kind, side) ?? filter)
  const readings = useQueries({
    queries: filters.map((own, at) => {
      const of = `${kind} ${sides[at] ?? ''}`
      return {
        ...apiQuery(statisticsRoutes.statistics, { query: { ...filterGiven(own), unit, timedBy, ...(zone === null ? {} : { zone }) } }),
        meta: { of },
        // While another filter loads a side keeps its figures, and never those of another side.
        placeholderData: (before: StatisticsAnswer | undefined, query: { readonly meta: Record<string, unknown> | undefined } | undefined) => (query?.meta?.['of'] === of ? before : undefined),
      }
    }),
  })
  const shown = sides.map((side, at): ComparedSide => ({ side, letter: letters[at] ?? 'a', name: name(kind, side), filter: filters[at] ?? filter, statistics: readings[at]?.data ?? null }))
  return {
    sides: shown,
    unit: shown.find(({ statistics }) => statistics !== null)?.statistics?.unit ?? unit,
    failure: readings.find(({ data, error }) => data === undefined && error !== null)?.error ?? null,
    /** When the figures of the sides were read; null while one of them is being read. */
    readAt: readings.some(({ isFetching, data }) => isFetching || data === undefined) ? null : readings.map(({ dataUpdatedAt }) => dataUpdatedAt).join(' '),
    retry: () => { for (const { error, refetch } of readings) if (error !== null) void refetch() },
  }
}

/** How each side compares with the first one, recomputed whenever the figures of the sides are refetched at `readAt`; `data` stays missing where that failed. */
export const useJudged = ({ kind, sides }: Compared, readAt: string | null) => {
  const { filter } = useTradeFilter()
  const [unit] = useUnit()
  const query = { ...filterGiven(filter), unit, compare: kind, with: [...sides] }
  const asked = apiQuery(comparisonRoutes.comparison, { query })
  const { data, isPending } = useQuery({ ...asked, queryKey: [...asked.queryKey, readAt], enabled: sides.length > 1 && readAt !== null })
  return { data, waits: isPending }
}
