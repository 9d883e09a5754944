import { callApi } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { sessionRoutes } from '#shared/api/session.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { AuthCard } from './auth-card.tsx'
import { useAuthForm } from './use-auth-form.ts'

/** Emails a password reset link; the confirmation does not reveal whether there is such an account. */
export const MailReset = () => {
  const { t } = useTranslation('auth')
  const { state } = useLocation() as { state: unknown }
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  const form = useAuthForm({
    given: { email: '' },
    schema: sessionRoutes.mailPasswordReset.body,
    send: (body) => callApi(sessionRoutes.mailPasswordReset, { body }),
    onDone: () => { setMailedTo(form.getValues('email').trim()) },
  })
  const footer = (
    <Button variant="link" asChild>
      <Link to={paths.signIn} state={state}>
        {t('forgot.back')}
      </Link>
    </Button>
  )
  if (mailedTo !== null) return <AuthCard inPlace title={t('mailed.title')} text={t('forgot.mailed', { email: mailedTo })} footer={footer} />
  return (
    <AuthCard title={t('forgot.title')} text={t('forgot.mail-text')} footer={footer}>
      <form {...form.attributes} className="flex flex-col gap-3.5">
        <Field label={t('email')} error={form.errorOf('email', 'email-invalid')}>
          {(field) => <Input {...field} {...form.register('email')} type="email" autoComplete="username" autoFocus />}
        </Field>
        {form.problem && <Notice tone="error">{form.problem}</Notice>}
        <Button type="submit" size="lg" busy={form.busy}>
          {t('forgot.mail')}
        </Button>
      </form>
    </AuthCard>
  )
}
