import type { ApiFailure } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Wordmark } from '#renderer/ui/wordmark.tsx'
import { CircleCheck } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useMatch, useSearchParams } from 'react-router-dom'

/** Shown when the backend does not answer, so no one can sign in: names the reason and retries. A borrowed browser that returns from a payment is sent back to where the payment began. */
export const SessionFailure = ({ failure, onRetry }: { failure: ApiFailure; onRetry: () => void }) => {
  const { t } = useTranslation('app')
  const [query] = useSearchParams()
  // The provider redirects to the plans, and nothing else leads there without the program's own address.
  const onPlans = useMatch(paths.manageSubscription) !== null
  const lent = failure.code === 'no-session' && onPlans
  return (
    <main className="grid min-h-screen place-content-center justify-items-center bg-ground">
      <h1>
        <Wordmark large />
      </h1>
      {lent ? <EmptyState Icon={CircleCheck} title={t('back-from-payment')} text={t(query.has('payment') ? 'back-from-payment-text' : 'back-from-portal-text')} /> : <ErrorState title={t('closed')} failure={failure} onRetry={onRetry} />}
    </main>
  )
}
