import { minimumPasswordLength, sessionRoutes } from '#shared/api/session.ts'
import { callApi } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { AuthCard, AuthLink } from './auth-card.tsx'
import { email, profilePassword } from './checks.ts'
import { PasswordInput } from './password-input.tsx'
import { useAuthForm } from './use-auth-form.ts'

/** Signing in without a password: an emailed link for an account, the recovery code for a local profile. */
export const ForgotPasswordPage = () => {
  const { session } = useSession()
  return session?.identity === 'firebase' ? <MailReset /> : <RecoverProfile />
}

// Shows the next recovery code, then leads to the sign-in.
const RecoverProfile = () => {
  const { t } = useTranslation('auth')
  const { state } = useLocation() as { state: unknown }
  const navigate = useNavigate()
  const [next, setNext] = useState<{ readonly code: string; readonly email: string } | null>(null)
  const form = useAuthForm({
    given: { email: '', recoveryCode: '', password: '' },
    schema: z.object({ email, recoveryCode: sessionRoutes.resetPassword.body.shape.recoveryCode, password: profilePassword }),
    send: ({ password, ...body }) => callApi(sessionRoutes.resetPassword, { body: { ...body, newPassword: password } }),
    onDone: (answer) => {
      setNext({ code: answer.recoveryCode, email: form.watch('email') })
    },
  })
  const finish = (): void => {
    toast({ title: t('forgot.done'), stays: true })
    void navigate(paths.signIn, { replace: true, state })
  }

  if (next !== null) {
    return (
      <AuthCard inPlace title={t('recovery:title')} text={t('recovery:text')}>
        <RecoveryCode {...next} onKept={finish} />
      </AuthCard>
    )
  }
  return (
    <AuthCard
      title={t('forgot.title')}
      text={t('forgot.text')}
      footer={<AuthLink to={paths.signIn}>{t('forgot.back')}</AuthLink>}
    >
      <form {...form.attributes} className="flex flex-col gap-3.5">
        <Field label={t('email')} error={form.errorOf('email', 'email-invalid')}>
          {(field) => <Input {...field} {...form.register('email')} type="email" autoComplete="username" autoFocus />}
        </Field>
        <Field label={t('recovery:field')} hint={t('recovery:field-hint')} error={form.errorOf('recoveryCode', 'code-missing')}>
          {(field) => <Input {...field} {...form.register('recoveryCode')} autoComplete="off" className="font-mono" />}
        </Field>
        <Field label={t('new-password')} hint={t('password-hint', { least: minimumPasswordLength })} error={form.errorOf('password', 'password-short')}>
          {(field) => <PasswordInput {...field} {...form.register('password')} autoComplete="new-password" />}
        </Field>
        {form.problem && <Notice tone="error">{form.problem}</Notice>}
        <Button type="submit" size="lg" busy={form.busy}>
          {t('forgot.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}

/** Emails a password reset link; the confirmation does not reveal whether there is such an account. */
const MailReset = () => {
  const { t } = useTranslation('auth')
  const [mailedTo, setMailedTo] = useState<string | null>(null)
  const form = useAuthForm({
    given: { email: '' },
    schema: sessionRoutes.mailPasswordReset.body,
    send: (body) => callApi(sessionRoutes.mailPasswordReset, { body }),
    onDone: () => { setMailedTo(form.getValues('email').trim()) },
  })
  if (mailedTo !== null) return <AuthCard inPlace title={t('mailed.title')} text={t('forgot.mailed', { email: mailedTo })} footer={<AuthLink to={paths.signIn}>{t('forgot.back')}</AuthLink>} />
  return (
    <AuthCard title={t('forgot.title')} text={t('forgot.mail-text')} footer={<AuthLink to={paths.signIn}>{t('forgot.back')}</AuthLink>}>
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
