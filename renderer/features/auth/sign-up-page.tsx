import { minimumPasswordLength, sessionRoutes } from '#shared/api/session.ts'
import { callApi } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { AuthCard } from './auth-card.tsx'
import { emailFault, newPasswordFault } from './checks.ts'
import { PasswordInput } from './password-input.tsx'
import { RecoveryCode } from './recovery-code.tsx'
import { useAuthForm } from './use-auth-form.ts'

/** Makes a profile on this computer, shows its recovery code once, and goes on when the user has kept it. */
export const SignUpPage = () => {
  const { t } = useTranslation('auth')
  const { state } = useLocation() as { state: unknown }
  const renewSession = useRenewSession()
  const [recoveryCode, setRecoveryCode] = useState<string | null>(null)
  const form = useAuthForm({
    fields: { displayName: '', email: '', password: '' },
    checks: { email: emailFault, password: newPasswordFault },
    send: (body) => callApi(sessionRoutes.signUp, { body }),
    onDone: (answer) => {
      setRecoveryCode(answer.recoveryCode)
    },
  })

  if (recoveryCode !== null) return <RecoveryCode code={recoveryCode} onKept={() => void renewSession()} />
  return (
    <AuthCard
      title={t('sign-up.title')}
      text={t('sign-up.text')}
      footer={
        <span>
          {t('sign-up.have-profile')}{' '}
          <Button variant="link" asChild>
            <Link to={paths.signIn} state={state}>
              {t('sign-in.title')}
            </Link>
          </Button>
        </span>
      }
    >
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-3.5">
        <Field label={t('name')} hint={t('name-hint')}>
          {(field) => <Input {...field} {...form.input('displayName')} autoComplete="name" maxLength={100} autoFocus />}
        </Field>
        <Field label={t('email')} error={form.errorOf('email')}>
          {(field) => <Input {...field} {...form.input('email')} type="email" autoComplete="username" />}
        </Field>
        <Field label={t('password')} hint={t('password-hint', { least: minimumPasswordLength })} error={form.errorOf('password')}>
          {(field) => <PasswordInput {...field} {...form.input('password')} autoComplete="new-password" />}
        </Field>
        {form.problem && <Notice tone="error">{form.problem}</Notice>}
        <Button type="submit" size="lg" busy={form.busy}>
          {t('sign-up.submit')}
        </Button>
      </form>
    </AuthCard>
  )
}
