import { callApi } from '#renderer/lib/api.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAuthText } from './use-auth-text.ts'

/** Emails a sign-in link instead of using a password; `admit` returns the form's email if it is valid. */
export const MailLinkButton = ({ admit, onMailed }: { admit: () => Promise<string | null>; onMailed: (email: string) => void }) => {
  const { t } = useTranslation('auth')
  const words = useAuthText()
  const mailing = useMutation({
    mutationFn: (email: string) => callApi(sessionRoutes.mailSignInLink, { body: { email } }),
    onSuccess: (_, email) => { onMailed(email) },
  })
  const mail = async (): Promise<void> => {
    const email = await admit()
    if (email !== null) mailing.mutate(email)
  }
  return (
    <>
      {mailing.error && <Notice tone="error">{words(mailing.error)}</Notice>}
      <Button variant="link" className="self-center" busy={mailing.isPending} onClick={() => void mail()}>
        {t('sign-in.mail-link')}
      </Button>
    </>
  )
}
