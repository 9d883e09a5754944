import { useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { DownloadLink } from '#renderer/ui/download-link.tsx'
import { SyncControls } from '#renderer/ui/sync-controls.tsx'
import { tradesCsvPath, type Unit } from '#shared/api/statistics.ts'
import { writeFilter, type TradeFilter } from '#shared/stats/filter.ts'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** What can be done with the whole list: saved as CSV, added to, synced. */
export const LogbookActions = ({ filter, unit, add }: { filter: TradeFilter; unit: Unit; add: ReactNode }) => (
  <>
    <ExportButton filter={filter} unit={unit} />
    {add}
    <SyncControls />
  </>
)

// What is listed and passes the filter, with local times in the profile's zone.
const ExportButton = ({ filter, unit }: { filter: TradeFilter; unit: Unit }) => {
  const { t } = useTranslation('trade-logbook')
  const { session } = useSession()
  const params = new URLSearchParams([...writeFilter(filter), ['unit', unit], ...(session === null ? [] : [['zone', session.timeZone]])])
  return (
    <Button asChild variant="ghost">
      <DownloadLink path={tradesCsvPath} query={params} title={t(`csv-text.${unit}`)}>
        <Download aria-hidden />
        <span className="max-xl:sr-only">{t('csv')}</span>
      </DownloadLink>
    </Button>
  )
}
