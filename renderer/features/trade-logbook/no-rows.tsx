import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { useSyncState } from '#renderer/lib/use-sync.ts'
import { EmptyState, NoTradeMatches } from '#renderer/ui/states.tsx'
import { AddAccountLink, ImportLink } from '#renderer/ui/ways-in.tsx'
import { CloudDownload, Rows3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

/** Says why there are no rows, and what to do. */
export const NoRows = ({ filtered, onClear, add }: { filtered: boolean; onClear: () => void; add: ReactNode }) => {
  const { t } = useTranslation('trade-logbook')
  const restoring = useRestoring() !== null
  const syncing = (useSyncState()?.running ?? null) !== null
  if (filtered) return <NoTradeMatches onClear={onClear} />
  if (restoring) return <EmptyState Icon={CloudDownload} title={t('restoring')} text={t('restoring-text')} className="grow" />
  if (syncing) return <EmptyState Icon={Rows3} title={t('syncing')} text={t('syncing-text')} className="grow" />
  return (
    <EmptyState
      Icon={Rows3}
      title={t('no-trades')}
      text={t('no-trades-text')}
      action={
        <>
          <AddAccountLink />
          <ImportLink variant="outline" />
          {add}
        </>
      }
      className="grow"
    />
  )
}
