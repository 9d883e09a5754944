import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { useTranslation } from 'react-i18next'

const accounts = 5

/** Holds the place of the positions while they are read. */
export const Loading = () => {
  const { t } = useTranslation('position-scanner')
  return (
    <div aria-busy aria-label={t('loading')} role="status" className="flex grow flex-col gap-3">
      <div className="flex h-18 shrink-0 flex-col justify-center gap-2.5 rounded-lg border border-line bg-surface px-4">
        <Skeleton className="h-3 w-24" />
        <Skeleton className="h-5 w-36" />
      </div>
      <Skeleton className="h-7 w-44 shrink-0 opacity-50" />
      <div className="grow overflow-hidden rounded-lg border border-line bg-surface">
        {Array.from({ length: accounts }, (_, at) => (
          <div key={at} className="flex flex-col gap-3.5 border-b border-hairline px-4 py-4">
            <Skeleton className="h-4 w-64" />
            <Skeleton className="h-3 w-4/5" />
            <Skeleton className="h-3 w-3/5" />
          </div>
        ))}
      </div>
    </div>
  )
}
