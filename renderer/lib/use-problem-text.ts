import { useTranslation } from 'react-i18next'
import { ApiFailure } from './api.ts'

/** Returns the words for a failed call: what happened and what to do about it. */
export const useProblemText = (): ((failure: unknown) => string) => {
  const { t } = useTranslation('problems')
  return (failure) => {
    const code = failure instanceof ApiFailure ? failure.code : 'internal'
    const seconds = failure instanceof ApiFailure ? Math.ceil((failure.problem?.retryAfterMs ?? 0) / 1_000) : 0
    return code === 'too-many-attempts' && seconds > 0 ? t('wait', { count: seconds }) : t(`code.${code}`)
  }
}
