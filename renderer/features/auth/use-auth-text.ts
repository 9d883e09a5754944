import { ApiFailure } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useTranslation } from 'react-i18next'

/** Gives the words for a failed identity call, where an account's way out is another one than a profile's on this computer. */
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
