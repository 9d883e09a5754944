import { useTradeFilter } from '#renderer/lib/use-trade-filter.ts'
import { NoTradeMatches } from '#renderer/ui/states.tsx'
import { Tabs } from '#renderer/ui/tabs.tsx'
import type { StatisticsAnswer } from '#shared/api/statistics.ts'
import type { ComponentType } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { BreakdownPanel } from './breakdown-panel.tsx'
import { CalendarPanel } from './calendar-panel.tsx'
import { RiskPanel } from './risk-panel.tsx'
import { SummaryPanel } from './summary-panel.tsx'

const panels = { summary: SummaryPanel, calendar: CalendarPanel, breakdown: BreakdownPanel, risk: RiskPanel } as const satisfies Record<string, ComponentType<{ statistics: StatisticsAnswer | null }>>
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
  // A calendar shows days without trades too.
  const filteredAway = statistics?.all.count === 0 && view !== 'calendar'
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

