import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { useTranslation } from 'react-i18next'

/** Holds the place of the groups while they load. */
export const Loading = () => {
  const { t } = useTranslation('trade-copier')
  return (
    <div aria-busy aria-label={t('loading')} role="status" className="flex flex-col gap-3.5">
      <Skeleton className="h-9 w-80" />
      <Skeleton className="h-72 w-full rounded-lg" />
    </div>
  )
}
