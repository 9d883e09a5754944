import { Page } from '#renderer/ui/page.tsx'
import { lazy, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { Tabs } from '#renderer/ui/tabs.tsx'
import { PositionsPanel } from './positions-panel.tsx'

const RulesPanel = lazy(async () => ({ default: (await import('./rules-panel.tsx')).RulesPanel }))
const AlertsPanel = lazy(async () => ({ default: (await import('./alerts-panel.tsx')).AlertsPanel }))

/** Every open position of every account, each account's distance to its limits, and the alerts. */
export const PositionScannerPage = () => {
  const { t } = useTranslation('position-scanner')
  return (
    <Page title={t('title')} className="flex flex-col">
      <Views panels={{ positions: <PositionsPanel />, rules: <RulesPanel />, alerts: <AlertsPanel /> }} />
    </Page>
  )
}

const views = ['positions', 'rules', 'alerts'] as const
type View = (typeof views)[number]

/** The scanner's views; the address names the current one. */
const Views = ({ panels }: { panels: Readonly<Record<View, ReactNode>> }) => {
  const { t } = useTranslation('position-scanner')
  const [params, setParams] = useSearchParams()
  const view = views.find((one) => one === params.get('tab')) ?? 'positions'
  const show = (next: View): void => {
    // Another view keeps the layout of positions.
    const kept = [...params].filter(([name]) => name === 'by' || name === 'order')
    setParams([...kept, ...(next === 'positions' ? [] : [['tab', next] as [string, string]])])
  }
  return <Tabs label={t('views')} value={view} onChange={show} className="flex grow flex-col" panelClassName="flex grow flex-col gap-3.5" tabs={views.map((value) => ({ value, label: t(`view.${value}`), panel: panels[value] }))} />
}
