import type { ApiFailure } from '#renderer/lib/api.ts'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Wordmark } from '#renderer/ui/wordmark.tsx'
import { useTranslation } from 'react-i18next'

/** Nobody can be signed in because the program does not answer this page; says why and tries again. */
export const SessionFailure = ({ failure, onRetry }: { failure: ApiFailure; onRetry: () => void }) => {
  const { t } = useTranslation('app')
  return (
    <main className="grid min-h-screen place-content-center justify-items-center bg-ground">
      <h1>
        <Wordmark large />
      </h1>
      <ErrorState title={t('closed')} failure={failure} onRetry={onRetry} />
    </main>
  )
}
