import { sessionRoutes } from '#shared/api/session.ts'
import { callApi } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewSession, useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { AuthCard } from './auth-card.tsx'
import { emailFault, passwordFault } from './checks.ts'
import { DemoOffer } from './demo-offer.tsx'
import { PasswordInput } from './password-input.tsx'
import { useAuthForm } from './use-auth-form.ts'

const Divider = ({ text }: { text: string }) => (
  <div className="my-4 flex items-center gap-3 text-sm text-faint before:h-px before:grow before:bg-line after:h-px after:grow after:bg-line">{text}</div>
)

/** Signs in to a local profile, or to the demo. */
export const SignInPage = () => {
  const { t } = useTranslation('auth')
  const { state } = useLocation() as { state: unknown }
  const { session } = useSession()
  const renewSession = useRenewSession()
  const form = useAuthForm({
    fields: { email: '', password: '' },
    checks: { email: emailFault, password: passwordFault },
    send: (body) => callApi(sessionRoutes.signIn, { body }),
    onDone: renewSession,
  })
  const demoOffered = session?.demoOffered === true
  const demoFirst = demoOffered && !(session.brokerageReady && session.hasProfiles)

  return (
    <AuthCard
      title={t('sign-in.title')}
      footer={
        <>
          <span>
            {t('sign-in.no-profile')}{' '}
            <Button variant="link" asChild>
              <Link to={paths.signUp} state={state}>
                {t('sign-in.create')}
              </Link>
            </Button>
          </span>
          <Button variant="link" asChild>
            <Link to={paths.forgotPassword} state={state}>
              {t('sign-in.forgot')}
            </Link>
          </Button>
        </>
      }
    >
      {demoFirst && (
        <>
          <DemoOffer first />
          <Divider text={t('sign-in.or-profile')} />
        </>
      )}
      <form noValidate onSubmit={form.submit} className="flex flex-col gap-3.5">
        <Field label={t('email')} error={form.errorOf('email')}>
          {(field) => <Input {...field} {...form.input('email')} type="email" autoComplete="username" autoFocus />}
        </Field>
        <Field label={t('password')} error={form.errorOf('password')}>
          {(field) => <PasswordInput {...field} {...form.input('password')} autoComplete="current-password" />}
        </Field>
        {form.problem && <Notice tone="error">{form.problem}</Notice>}
        <Button type="submit" variant={demoFirst ? 'outline' : 'default'} size="lg" busy={form.busy}>
          {t('sign-in.submit')}
        </Button>
      </form>
      {demoOffered && !demoFirst && (
        <>
          <Divider text={t('sign-in.or')} />
          <DemoOffer first={false} />
        </>
      )}
    </AuthCard>
  )
}
