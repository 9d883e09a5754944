import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { NoTradeMatches } from '#renderer/ui/states.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import { lazy, Suspense, type ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { BreakdownPanel } from './breakdown-panel.tsx'
import { CalendarPanel } from './calendar-panel.tsx'
import { RiskPanel } from './risk-panel.tsx'
import { SummaryPanel } from './summary-panel.tsx'

// Fetched when it is first opened.
const Compare = lazy(async () => ({ default: (await import('./compare-panel.tsx')).ComparePanel }))
const ComparePanel = () => <Suspense fallback={<Skeleton className="h-40 w-full opacity-50" />}><Compare /></Suspense>
const WhatIf = lazy(async () => ({ default: (await import('./what-if-panel.tsx')).WhatIfPanel }))
const WhatIfPanel = () => <Suspense fallback={<Skeleton className="h-40 w-full opacity-50" />}><WhatIf /></Suspense>

const panels = { summary: SummaryPanel, calendar: CalendarPanel, breakdown: BreakdownPanel, risk: RiskPanel, compare: ComparePanel, 'what-if': WhatIfPanel } as const satisfies Record<string, ComponentType<{ statistics: StatisticsAnswer | null }>>
type View = keyof typeof panels

const views = Object.keys(panels) as View[]
const parameter = 'view'

/** The ways to look at the statistics, of which the address names one; null while they load. */
export const Views = ({ statistics }: { statistics: StatisticsAnswer | null }) => {
  const { t } = useTranslation('statistics')
  const [params, setParams] = useSearchParams()
  const { clear } = useTradeFilter()
  const view = views.find((one) => one === params.get(parameter)) ?? 'summary'
  const show = (next: View): void => {
    setParams((now) => {
      const changed = new URLSearchParams(now)
      if (next === 'summary') changed.delete(parameter)
      else changed.set(parameter, next)
      return changed
    })
  }
  // A calendar shows days without trades too, and sides set a part of the filter aside.
  const filteredAway = statistics?.all.count === 0 && view !== 'calendar' && view !== 'compare'
  return (
    <Tabs
      label={t('views')}
      value={view}
      onChange={show}
      className="flex grow flex-col"
      panelClassName="flex grow flex-col gap-3.5"
      tabs={views.map((value) => {
        const Panel = panels[value]
        return { value, label: t(`view.${value}`), panel: filteredAway ? <NoTradeMatches onClear={clear} /> : <Panel statistics={statistics} /> }
      })}
    />
  )
}

