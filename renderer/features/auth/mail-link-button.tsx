import { callApi } from '#renderer/lib/api.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAuthText } from './use-auth-text.ts'

/** Mails a link that signs in, instead of a password; `admit` says whether the address in the form may be used. */
export const MailLinkButton = ({ email, admit, onMailed }: { email: string; admit: (form: HTMLFormElement | null) => boolean; onMailed: (email: string) => void }) => {
  const { t } = useTranslation('auth')
  const words = useAuthText()
  const mailing = useMutation({
    mutationFn: () => callApi(sessionRoutes.mailSignInLink, { body: { email } }),
    onSuccess: () => {
      onMailed(email)
    },
  })
  return (
    <>
      {mailing.error && <Notice tone="error">{words(mailing.error)}</Notice>}
      <Button
        variant="link"
        className="self-center"
        busy={mailing.isPending}
        onClick={({ currentTarget }) => {
          if (admit(currentTarget.form)) mailing.mutate()
        }}
      >
        {t('sign-in.mail-link')}
      </Button>
    </>
  )
}
