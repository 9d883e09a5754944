import { alertsQuery } from '#renderer/lib/rules.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { useQuery } from '@tanstack/react-query'
import { AlertsLog } from './alerts-log.tsx'
import { AlertsSettings } from './alerts-settings.tsx'

/** Where and when rule alerts are shown, and the past ones. */
export const AlertsPanel = () => {
  const { data, error, refetch } = useQuery(alertsQuery)
  if (data === undefined) return error === null ? <Skeleton className="h-56 w-full opacity-50" /> : <ErrorState failure={error} onRetry={() => void refetch()} className="grow" />
  return (
    <>
      <AlertsSettings settings={data.settings} />
      <AlertsLog newest={data} />
    </>
  )
}
