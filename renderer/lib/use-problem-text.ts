import { useTranslation } from 'react-i18next'
import { ApiFailure } from './api.ts'

/** Gives the words for a failed call: what happened and what to do about it. */
export const useProblemText = (): ((failure: unknown) => string) => {
  const { t } = useTranslation('problems')
  return (failure) => {
    if (!(failure instanceof ApiFailure)) return t('internal')
    const seconds = Math.ceil((failure.problem?.retryAfterMs ?? 0) / 1_000)
    if (seconds > 0 && failure.code === 'too-many-attempts') return t('too-many-attempts-wait', { count: seconds })
    return t(failure.code)
  }
}
