import { Page } from '#renderer/ui/page.tsx'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { PositionsPanel } from './positions-panel.tsx'
import { Views } from './views.tsx'

const RulesPanel = lazy(async () => ({ default: (await import('./rules-panel.tsx')).RulesPanel }))
const AlertsPanel = lazy(async () => ({ default: (await import('./alerts-panel.tsx')).AlertsPanel }))

/** Every open position of every account, how far each account is from each of its limits, and what was told of that. */
export const PositionScannerPage = () => {
  const { t } = useTranslation('position-scanner')
  return (
    <Page title={t('title')} className="flex flex-col">
      <Views panels={{ positions: <PositionsPanel />, rules: <RulesPanel />, alerts: <AlertsPanel /> }} />
    </Page>
  )
}
