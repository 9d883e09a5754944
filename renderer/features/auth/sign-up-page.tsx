import { classNames } from '#renderer/lib/class-names.ts'
import { minimumPasswordLength, type PasswordPolicy, sessionRoutes } from '#shared/api/session.ts'
import { useAccountDeleted } from '#renderer/lib/account-deleted.ts'
import { apiQuery, callApi } from '#renderer/lib/api.ts'
import { logFailure } from '#renderer/lib/log-failure.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewSession, useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { RecoveryCode } from '#renderer/ui/recovery-code.tsx'
import { Circle, CircleCheck } from 'lucide-react'
import { type ComponentProps, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { useQuery } from '@tanstack/react-query'
import { AuthCard, AuthLink } from './auth-card.tsx'
import { accountPassword, email, profilePassword } from './checks.ts'
import { FederatedSignIn } from './federated-sign-in.tsx'
import { PasswordInput } from './password-input.tsx'
import { useAuthForm } from './use-auth-form.ts'
import { type PasswordNeed, passwordNeeds, plainPolicy } from './password-needs.ts'

/** Creates an account, or a local profile, whose recovery code it shows before it continues. */
export const SignUpPage = () => {
  const { t } = useTranslation('auth')
  const { session } = useSession()
  const deleted = useAccountDeleted(({ deleted: gone }) => gone === 'account')
  const renewSession = useRenewSession()
  // Until the provider's requirements are known, the minimum of all.
  const { data: policy = plainPolicy } = useQuery(apiQuery(sessionRoutes.passwordPolicy))
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
          <AuthLink to={paths.signIn}>{t('sign-in.title')}</AuthLink>
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

/** A new password, `text` so far, with all of `policy`'s requirements ticked off below; without a policy one line says what a profile needs. */
const NewPasswordField = ({ text, policy, error, ...input }: { text: string; policy: PasswordPolicy | null; error: string | null } & ComponentProps<typeof PasswordInput>) => {
  const { t } = useTranslation('auth')
  const needsId = useId()
  return (
    <div>
      <Field label={t('password')} hint={policy === null ? t('password-hint', { least: minimumPasswordLength }) : undefined} error={error}>
        {(field) => (
          <PasswordInput {...field} {...input} {...(policy !== null && { 'aria-describedby': `${field['aria-describedby'] ?? ''} ${needsId}`.trim() })} autoComplete="new-password" />
        )}
      </Field>
      {policy !== null && <PasswordNeedsList id={needsId} needs={passwordNeeds(policy, text)} />}
    </div>
  )
}

/** The requirements of a new password, ticked off while typing. */
const PasswordNeedsList = ({ id, needs }: { id: string; needs: readonly PasswordNeed[] }) => {
  const { t } = useTranslation('auth')
  return (
    <ul id={id} className="mt-1.5 flex flex-col gap-0.5 text-sm">
      {needs.map(({ need, met, count }) => {
        const Icon = met ? CircleCheck : Circle
        return (
          <li key={need} className={classNames('flex items-center gap-1.5', met ? 'text-muted' : 'text-faint')}>
            <Icon aria-hidden className={classNames('size-3.5 shrink-0', met && 'text-gain')} />
            <span>
              {t(`needs.${need}`, { count })}
              {met && <span className="sr-only">{t('needs.met')}</span>}
            </span>
          </li>
        )
      })}
    </ul>
  )
}
