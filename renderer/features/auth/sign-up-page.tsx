import { sessionRoutes, type PasswordPolicy } from '#shared/api/session.ts'
import { useAccountDeleted } from '#renderer/lib/account-deleted.ts'
import { apiQuery, callApi } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewSession, useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { z } from 'zod'
import { useQuery } from '@tanstack/react-query'
import { AuthCard } from './auth-card.tsx'
import { accountPassword, email, profilePassword } from './checks.ts'
import { FederatedSignIn } from './federated-sign-in.tsx'
import { NewPasswordField } from './new-password-field.tsx'
import { useAuthForm } from './use-auth-form.ts'
import { plainPolicy } from './password-needs.ts'

/** Creates an account, or a local profile, whose recovery code it shows before it continues. */
export const SignUpPage = () => {
  const { t } = useTranslation('auth')
  const { state } = useLocation() as { state: unknown }
  const { session } = useSession()
  const deleted = useAccountDeleted(({ deleted: gone }) => gone === 'account')
  const renewSession = useRenewSession()
  const policy = usePasswordPolicy()
  const [recovery, setRecovery] = useState<{ readonly code: string; readonly email: string } | null>(null)
  const account = session?.identity === 'firebase'
  const beginsEmpty = useRef(false)
  const form = useAuthForm({
    given: { displayName: '', email: '', password: '' },
    schema: z.object({ displayName: z.string(), email, password: account ? accountPassword(policy) : profilePassword }),
    send: (body) => {
      const begins = beginsEmpty.current ? { ...body, beginsEmpty: true } : body
      beginsEmpty.current = false
      return callApi(sessionRoutes.signUp, { body: begins })
    },
    onDone: (answer) => {
      if (answer.recoveryCode !== null) {
        setRecovery({ code: answer.recoveryCode, email: answer.currentUser.email ?? '' })
        return
      }
      const { mailVerification } = sessionRoutes
      // Nothing waits for the email to be verified; Settings can send the mail again.
      if (account && !answer.currentUser.emailVerified) callApi(mailVerification).catch((failure: unknown) => { logFailure(mailVerification.path, failure) })
      return renewSession()
    },
  })

  if (recovery !== null) {
    return (
      <AuthCard inPlace title={t('recovery:title')} text={t('recovery:text')}>
        <RecoveryCode {...recovery} onKept={() => void renewSession()} />
      </AuthCard>
    )
  }
  return (
    <AuthCard
      title={account ? t('sign-up.account') : t('sign-up.title')}
      text={account ? t('sign-up.account-text') : session?.cloud === 'mirrored' ? t('sign-up.cloud-text') : t('sign-up.text')}
      footer={
        <span>
          {account ? t('sign-up.have-account') : t('sign-up.have-profile')}{' '}
          <Button variant="link" asChild>
            <Link to={paths.signIn} state={state}>
              {t('sign-in.title')}
            </Link>
          </Button>
        </span>
      }
    >
      {deleted && <Notice className="mb-4">{account ? t('deleted.account') : t('deleted.profile')}</Notice>}
      <form {...form.attributes} className="flex flex-col gap-3.5">
        <Field label={t('name')} hint={t('name-hint')}>
          {(field) => <Input {...field} {...form.register('displayName')} autoComplete="name" maxLength={100} autoFocus />}
        </Field>
        <Field label={t('email')} error={form.errorOf('email', 'email-invalid')}>
          {(field) => <Input {...field} {...form.register('email')} type="email" autoComplete="username" />}
        </Field>
        <NewPasswordField {...form.register('password')} text={form.watch('password')} policy={account ? policy : null} error={form.errorOf('password', account ? 'password-unfit' : 'password-short')} />
        {form.problem && <Notice tone="error">{form.problem}</Notice>}
        <Button type="submit" size="lg" busy={form.busy}>
          {account ? t('sign-up.make-account') : t('sign-up.submit')}
        </Button>
        {form.refused === 'journal-waits' && (
          <Button type="submit" variant="outline" onClick={() => { beginsEmpty.current = true }}>
            {t('sign-up.begin-empty')}
          </Button>
        )}
      </form>
      {account && <FederatedSignIn />}
    </AuthCard>
  )
}

/** The provider's requirements for a new password; until they are known, the minimum of all. */
const usePasswordPolicy = (): PasswordPolicy => useQuery(apiQuery(sessionRoutes.passwordPolicy)).data ?? plainPolicy
