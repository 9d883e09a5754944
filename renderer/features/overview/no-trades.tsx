import type { Asked } from '#renderer/lib/asked.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSyncState } from '#renderer/lib/use-sync.ts'
import { Button } from '#renderer/ui/button.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { AddAccountLink, ImportLink } from '#renderer/ui/ways-in.tsx'
import { ChartLine } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'

/** Nothing to sum up yet: says the next step, which is to connect or import, to wait for the run under way, or to sync. */
export const NoTrades = ({ accounts }: { accounts: number }) => {
  const { t } = useTranslation('overview')
  const syncing = (useSyncState()?.running ?? null) !== null
  if (syncing) return <EmptyState Icon={ChartLine} title={t('syncing-title')} text={t('syncing-text')} className="grow" />
  if (accounts > 0) return <EmptyState Icon={ChartLine} title={t('no-trades-title')} text={t('no-trades-text')} className="grow" />
  return (
    <EmptyState
      Icon={ChartLine}
      title={t('no-account-title')}
      text={t('no-account-text')}
      className="grow"
      action={
        <>
          <AddAccountLink />
          <ImportLink variant="outline" />
          <Button asChild variant="outline">
            <Link to={paths.tradeLogbook} state={{ asks: 'add-trade' } satisfies Asked}>{t('enter-by-hand')}</Link>
          </Button>
        </>
      }
    />
  )
}
