import { callApi } from '#renderer/lib/api.ts'
import { useKnowUser } from '#renderer/lib/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

/** Asks the user to verify the email, sends the link again, and checks whether it was followed; nothing waits for it. */
export const VerifyEmail = ({ email }: { email: string }) => {
  const { t } = useTranslation('account')
  const words = useProblemText()
  const knowUser = useKnowUser()
  const mailing = useMutation({ mutationFn: () => callApi(sessionRoutes.mailVerification), onMutate: () => { looking.reset() } })
  const looking = useMutation({
    mutationFn: () => callApi(sessionRoutes.reloadUser),
    onMutate: () => { mailing.reset() },
    onSuccess: ({ currentUser }) => { knowUser(currentUser) },
  })
  const failure = mailing.error ?? looking.error
  return (
    <div className="border-t border-hairline px-4 py-3">
      <h3 className="font-medium">{t('verify.title')}</h3>
      <p className="max-w-2xl text-muted">{t('verify.text')}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button variant="outline" busy={looking.isPending} onClick={() => { looking.mutate() }}>
          {t('verify.done')}
        </Button>
        <Button variant="ghost" busy={mailing.isPending} onClick={() => { mailing.mutate() }}>
          {t('verify.again')}
        </Button>
      </div>
      <div role="status" className="empty:hidden">
        {mailing.isSuccess && <Notice className="mt-2.5">{t('verify.mailed', { email })}</Notice>}
        {looking.data?.currentUser.emailVerified === false && <Notice className="mt-2.5">{t('verify.not-yet')}</Notice>}
      </div>
      {failure !== null && (
        <Notice tone="error" className="mt-2.5">
          {words(failure)}
        </Notice>
      )}
    </div>
  )
}
