import type { Asked } from '#renderer/lib/asked.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRestoring } from '#renderer/lib/use-mirror.ts'
import { useSyncState } from '#renderer/lib/use-sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { CloudDownload, Rows3, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** Says why no row is here and what to do: clear the filter, wait for the cloud or the sync, or bring trades in. */
export const NoRows = ({ filtered, onClear, add }: { filtered: boolean; onClear: () => void; add: ReactNode }) => {
  const { t } = useTranslation('trade-logbook')
  const restoring = useRestoring() !== null
  const syncing = (useSyncState()?.running ?? null) !== null
  if (filtered) {
    return (
      <EmptyState
        Icon={SearchX}
        title={t('no-match')}
        text={t('no-match-text')}
        action={
          <Button variant="outline" onClick={onClear}>
            {t('clear-filter')}
          </Button>
        }
        className="grow"
      />
    )
  }
  if (restoring) return <EmptyState Icon={CloudDownload} title={t('restoring')} text={t('restoring-text')} className="grow" />
  if (syncing) return <EmptyState Icon={Rows3} title={t('syncing')} text={t('syncing-text')} className="grow" />
  return (
    <EmptyState
      Icon={Rows3}
      title={t('no-trades')}
      text={t('no-trades-text')}
      action={
        <>
          <Button asChild>
            <Link to={paths.autoSync} state={{ asks: 'add-account' } satisfies Asked}>{t('add-account')}</Link>
          </Button>
          <Button asChild variant="outline">
            <Link to={paths.import}>{t('import')}</Link>
          </Button>
          {add}
        </>
      }
      className="grow"
    />
  )
}
