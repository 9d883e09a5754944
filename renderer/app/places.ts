import { paths } from '#renderer/lib/paths.ts'
import { ChartNoAxesColumn, CircleDollarSign, Copy, CreditCard, FileChartColumn, FileDown, Radar, RefreshCw, Rows3, Scale, Settings } from 'lucide-react'
import { useTranslation } from 'react-i18next'

/** The dashboard's pages in the order of the sidebar; `carries`: links to it include the trade filter. */
export const places = [
  { id: 'overview', path: paths.overview, Icon: ChartNoAxesColumn, part: 'journal', carries: true },
  { id: 'trade-logbook', path: paths.tradeLogbook, Icon: Rows3, part: 'journal', carries: true },
  { id: 'reconciliation', path: paths.reconciliation, Icon: Scale, part: 'journal', carries: false },
  { id: 'operational', path: paths.operational, Icon: CircleDollarSign, part: 'journal', carries: false },
  { id: 'ai-report', path: paths.aiReport, Icon: FileChartColumn, part: 'journal', carries: false },
  { id: 'auto-sync', path: paths.autoSync, Icon: RefreshCw, part: 'accounts', carries: false },
  { id: 'trade-copier', path: paths.tradeCopier, Icon: Copy, part: 'accounts', carries: false },
  { id: 'position-scanner', path: paths.positionScanner, Icon: Radar, part: 'accounts', carries: false },
  { id: 'import', path: paths.import, Icon: FileDown, part: 'accounts', carries: false },
  { id: 'plans', path: paths.manageSubscription, Icon: CreditCard, part: 'accounts', carries: false },
  { id: 'settings', path: paths.settings, Icon: Settings, part: 'accounts', carries: false },
] as const

/** A dashboard page. */
export type Place = (typeof places)[number]

/** Names a page like the sidebar does. */
export const usePlaceName = (): ((id: Place['id']) => string) => {
  const { t } = useTranslation('app')
  return (id) => (id === 'plans' ? t('plans:title') : t(`pages.${id}`))
}
