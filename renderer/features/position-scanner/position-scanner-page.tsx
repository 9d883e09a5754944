import { Page } from '#renderer/ui/page.tsx'
import { useTranslation } from 'react-i18next'
import { AlertsPanel } from './alerts-panel.tsx'
import { PositionsPanel } from './positions-panel.tsx'
import { RulesPanel } from './rules-panel.tsx'
import { Views } from './views.tsx'

/** Every open position of every account, how far each account is from each of its limits, and what was told of that. */
export const PositionScannerPage = () => {
  const { t } = useTranslation('position-scanner')
  return (
    <Page title={t('title')} className="flex flex-col">
      <Views panels={{ positions: <PositionsPanel />, rules: <RulesPanel />, alerts: <AlertsPanel /> }} />
    </Page>
  )
}
