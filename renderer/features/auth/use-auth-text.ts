import { ApiFailure } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useTranslation } from 'react-i18next'

/** Returns the words for a failed identity call; an account has other remedies than a local profile. */
export const useAuthText = (): ((failure: unknown) => string) => {
  const { t } = useTranslation('auth')
  const words = useProblemText()
  const { session } = useSession()
  return (failure) => {
    const code = failure instanceof ApiFailure ? failure.code : null
    const ofAccount = code === 'wrong-credentials' || code === 'email-taken' || code === 'invalid-request'
    return session?.identity === 'firebase' && ofAccount ? t(`account-problem.${code}`) : words(failure)
  }
}
