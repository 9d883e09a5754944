import { apiQuery } from '#renderer/lib/api.ts'
import { classNames } from '#renderer/lib/class-names.ts'
import { datesOf, type PeriodPreset } from '#renderer/lib/date-presets.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useTradeFilter, useUnit } from '#renderer/lib/use-trade-filter.ts'
import { Button } from '#renderer/ui/button.tsx'
import { EmptyState, ErrorState, NoTradeMatches } from '#renderer/ui/states.tsx'
import { filterGiven, statisticsRoutes, type StatisticsAnswer } from '#shared/api/statistics.ts'
import { latestTradingDay } from '#shared/market/session.ts'
import { everyTrade, type TradeFilter } from '#shared/stats/filter.ts'
import { tradesOnBoth } from '#shared/stats/overlap.ts'
import { filterFieldsOf, mostSides, writePeriod, type SideKind } from '#shared/stats/sides.ts'
import { useQuery } from '@tanstack/react-query'
import { Columns3 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStatisticsClock } from './clock-store.ts'
import type { Compared } from './compare-address.ts'
import { CompareChoice } from './compare-choice.tsx'
import { CompareCurveCard } from './compare-curve-card.tsx'
import { currenciesOf } from './compare-figures.ts'
import { CompareTable } from './compare-table.tsx'
import { useComparedChoice, useComparedSides, useJudged, useSideName, type ChangeCompared, type ComparedSide } from './use-compared.ts'

/** Accounts, periods, tags or products side by side, each with the figures of the Overview under its own filter. */
export const ComparePanel = () => {
  const [compared, change] = useComparedChoice()
  return (
    <>
      <CompareChoice compared={compared} onChange={change} />
      <SetAside kind={compared.kind} />
      {compared.sides.length === 0 ? <NoSides kind={compared.kind} onChange={change} /> : <Sides compared={compared} onChange={change} />}
    </>
  )
}

const SetAside = ({ kind }: { kind: SideKind }) => {
  const { t } = useTranslation('compare')
  const { filter } = useTradeFilter()
  const says = filterFieldsOf[kind].some((name) => JSON.stringify(filter[name]) !== JSON.stringify(everyTrade[name]))
  return says ? <p className="text-sm text-muted">{t(`aside.${kind}`)}</p> : null
}

const NoSides = ({ kind, onChange }: { kind: SideKind; onChange: ChangeCompared }) => {
  const { t } = useTranslation('compare')
  const name = useSideName()
  const { filter } = useTradeFilter()
  const [unit] = useUnit()
  const { zone, timedBy } = useStatisticsClock()
  // The page shows the figures of the last filter until those of this one come, and they say nothing of its most traded.
  const { data: statistics } = useQuery(apiQuery(statisticsRoutes.statistics, { query: { ...filterGiven(filter), unit, timedBy, ...(zone === null ? {} : { zone }) } }))
  const start = statistics === undefined ? [] : startingSides(kind, filter, statistics, latestTradingDay(Date.now()))
  return (
    <EmptyState
      Icon={Columns3}
      title={t('empty-title')}
      text={t('empty-text')}
      className="grow"
      action={start.length > 0 && <Button variant="outline" className="h-auto min-h-8 max-w-full whitespace-normal" onClick={() => { onChange({ sides: start }) }}>{t('start', { names: start.map((side) => name(kind, side)).join(', ') })}</Button>}
    />
  )
}

/** How many sides leave room for their curves: in a usual window, and in a wide one. */
const beside = [2, 3] as const

const Sides = ({ compared, onChange }: { compared: Compared; onChange: ChangeCompared }) => {
  const { t } = useTranslation('compare')
  const { filter, change } = useTradeFilter()
  const { sides, unit, failure, readAt, retry } = useComparedSides(compared)
  const judged = useJudged(compared, readAt)
  const answers = sides.flatMap(({ statistics }) => statistics ?? [])
  if (failure !== null) return <ErrorState failure={failure} onRetry={retry} className="grow" />
  const complete = answers.length === sides.length
  const currencies = currenciesOf(answers)
  if (complete && currencies.length === 0) {
    const kept = Object.fromEntries(filterFieldsOf[compared.kind].map((name) => [name, filter[name]]))
    return <NoTradeMatches onClear={() => { change({ ...everyTrade, ...kept }) }} />
  }
  return (
    <>
      {sides.length === 1 && <p className="text-sm text-muted">{t('one')}</p>}
      {complete && <Overlaps kind={compared.kind} sides={sides} unit={unit} />}
      <div className={classNames('grid items-start gap-3.5', sides.length <= beside[0] ? '@5xl:grid-cols-[minmax(0,auto)_minmax(28rem,1fr)]' : sides.length <= beside[1] && '@7xl:grid-cols-[minmax(0,auto)_minmax(28rem,1fr)]')}>
        <CompareTable kind={compared.kind} sides={sides} unit={unit} currencies={currencies} judged={judged} />
        {complete && <CompareCurveCard sides={sides} currencies={currencies} align={compared.align} onAlign={(align) => { onChange({ align }, { replace: true }) }} />}
      </div>
    </>
  )
}

const Overlaps = ({ kind, sides, unit }: { kind: SideKind; sides: readonly ComparedSide[]; unit: StatisticsAnswer['unit'] }) => {
  const { t } = useTranslation('compare')
  const format = useFormat()
  const shared = sides.flatMap((one, at) =>
    sides.slice(at + 1).flatMap((other) => {
      const count = one.statistics === null || other.statistics === null ? 0 : tradesOnBoth(kind, { side: one.side, statistics: one.statistics }, { side: other.side, statistics: other.statistics })
      return count === 0 ? [] : [{ one, other, count }]
    }),
  )
  if (shared.length === 0) return null
  return (
    <ul className="flex flex-col gap-0.5 text-sm text-muted">
      {shared.map(({ one, other, count }) => <li key={one.letter + other.letter}>{t(`both.${unit}`, { count, shown: format.count(count), one: one.name, other: other.name })}</li>)}
    </ul>
  )
}

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
const periodOf = (preset: PeriodPreset, today: string): string => {
  const { from, to } = datesOf(preset, today)
  return writePeriod(from, to)
}
