import { callApi } from '#renderer/lib/api.ts'
import { useRenewSession } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

/** Signs the user out, and reports a failure. */
export const useSignOut = (): { readonly signOut: () => void; readonly busy: boolean } => {
  const { t } = useTranslation('app')
  const renewSession = useRenewSession()
  const words = useProblemText()
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi(sessionRoutes.signOut),
    onSuccess: renewSession,
    onError: (failure) => {
      toast({ tone: 'error', title: t('account.sign-out-failed'), text: words(failure) })
    },
  })
  return { signOut: () => { mutate() }, busy: isPending }
}
