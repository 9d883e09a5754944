import { positionsQuery } from '#renderer/lib/positions.ts'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { AddAccountLink } from '#renderer/ui/ways-in.tsx'
import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { LivePositions } from './live-positions.tsx'
import { Loading } from './loading.tsx'

/** All open positions as they stand now, and what is known of every account. */
export const PositionsPanel = () => {
  const { t } = useTranslation('position-scanner')
  const { data, error, refetch, dataUpdatedAt } = useQuery(positionsQuery)
  if (data === undefined) return error === null ? <Loading /> : <ErrorState failure={error} onRetry={() => void refetch()} className="grow" />
  if (data.accounts.length > 0) return <LivePositions live={data} heardAt={dataUpdatedAt} />
  return (
    <EmptyState
      Icon={Link2}
      className="grow"
      title={t('no-accounts')}
      text={t('no-accounts-text')}
      action={<AddAccountLink />}
    />
  )
}
