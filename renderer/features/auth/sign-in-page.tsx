import { sessionRoutes } from '#shared/api/session.ts'
import { callApi } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewSession, useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useEnterDemo } from '#renderer/lib/use-enter-demo.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { AuthCard, AuthLink } from './auth-card.tsx'
import { Divider } from './divider.tsx'
import { FederatedSignIn } from './federated-sign-in.tsx'
import { PasswordInput } from './password-input.tsx'
import { useAuthForm } from './use-auth-form.ts'
import { LinkForm } from './link-form.tsx'
import { useAuthText } from './use-auth-text.ts'

/** Signs in to an account or a local profile, whichever this installation has, or to the demo. */
export const SignInPage = () => {
  const { t } = useTranslation('auth')
  const { session } = useSession()
  const renewSession = useRenewSession()
  const [linkMailedTo, setLinkMailedTo] = useState<string | null>(null)
  const form = useAuthForm({
    given: { email: '', password: '' },
    schema: sessionRoutes.signIn.body,
    send: (body) => callApi(sessionRoutes.signIn, { body }),
    onDone: renewSession,
  })
  const account = session?.identity === 'firebase'
  const demoOffered = session?.demoOffered === true
  const demoFirst = demoOffered && !account && !(session.brokerageReady && session.hasProfiles)

  if (linkMailedTo !== null) return <LinkMailed email={linkMailedTo} onBack={() => { setLinkMailedTo(null) }} />
  return (
    <AuthCard
      title={t('sign-in.title')}
      footer={
        <>
          <span>
            {account ? t('sign-in.no-account') : t('sign-in.no-profile')}{' '}
            <AuthLink to={paths.signUp}>{t('sign-in.create')}</AuthLink>
          </span>
          <AuthLink to={paths.forgotPassword}>{t('sign-in.forgot')}</AuthLink>
        </>
      }
    >
      <EndedNotice />
      {demoFirst && (
        <>
          <DemoOffer first />
          <Divider text={t('sign-in.or-profile')} />
        </>
      )}
      <form {...form.attributes} className="flex flex-col gap-3.5">
        <Field label={t('email')} error={form.errorOf('email', 'email-invalid')}>
          {(field) => <Input {...field} {...form.register('email')} type="email" autoComplete="username" autoFocus />}
        </Field>
        <Field label={t('password')} error={form.errorOf('password', 'password-missing')}>
          {(field) => <PasswordInput {...field} {...form.register('password')} autoComplete="current-password" />}
        </Field>
        {form.problem && <Notice tone="error">{form.problem}</Notice>}
        <Button type="submit" variant={demoFirst ? 'outline' : 'default'} size="lg" busy={form.busy}>
          {t('sign-in.submit')}
        </Button>
        {account && <MailLinkButton admit={() => form.admit('email')} onMailed={setLinkMailedTo} />}
      </form>
      {account && <FederatedSignIn />}
      {demoOffered && !demoFirst && (
        <>
          <Divider text={account ? t('sign-in.or-demo') : t('sign-in.or')} />
          <DemoOffer first={false} />
        </>
      )}
    </AuthCard>
  )
}

/** The demo brokerage: `first` makes it the main choice, otherwise it is quietly below. */
const DemoOffer = ({ first }: { first: boolean }) => {
  const { t } = useTranslation('auth')
  const words = useProblemText()
  const demo = useEnterDemo()
  return (
    <div className="flex flex-col gap-2">
      <Button variant={first ? 'default' : 'outline'} size="lg" className="h-auto! min-h-10 py-1.5 whitespace-normal!" busy={demo.isPending} onClick={() => { demo.mutate() }}>
        {t('demo.button')}
      </Button>
      <p className="text-sm text-muted">{t('demo.text')}</p>
      {demo.error && <Notice tone="error">{words(demo.error)}</Notice>}
    </div>
  )
}

/** Says why the provider ended this browser's sign-in, if it did. */
const EndedNotice = () => {
  const { t } = useTranslation('problems')
  const { session } = useSession()
  if (!session?.endedBecause) return null
  return (
    <Notice tone="warn" className="mb-4">
      {t(`code.${session.endedBecause}`)}
    </Notice>
  )
}

/** A sign-in link was emailed: what to do next, and a field for a link that opened in another browser. */
const LinkMailed = ({ email, onBack }: { email: string; onBack: () => void }) => {
  const { t } = useTranslation('auth')
  return (
    <AuthCard
      inPlace
      title={t('mailed.title')}
      text={t('link.mailed', { email: email.trim() })}
      footer={
        <Button variant="link" onClick={onBack}>
          {t('forgot.back')}
        </Button>
      }
    >
      <LinkForm />
    </AuthCard>
  )
}

/** Emails a sign-in link instead of using a password; `admit` returns the form's email if it is valid. */
const MailLinkButton = ({ admit, onMailed }: { admit: () => Promise<string | null>; onMailed: (email: string) => void }) => {
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
