import { callApi } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewSession } from '#renderer/lib/session.ts'
import { Notice } from '#renderer/ui/notice.tsx'
import { Spinner } from '#renderer/ui/spinner.tsx'
import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router-dom'
import { AuthCard, AuthLink } from './auth-card.tsx'
import { LinkForm, wantsEmail } from './link-form.tsx'
import { useAuthText } from './use-auth-text.ts'

/** The target of an emailed link: signs in with this page's own address, asks for the email if needed, and accepts a pasted link. */
export const EmailLinkPage = () => {
  const { search } = useLocation()
  // The program moved the query into the hash; the provider expects the address without it.
  const link = new URLSearchParams(search).has('oobCode') ? `${globalThis.location.origin}${paths.emailLink}${search}` : null
  return link === null ? <Pasting /> : <Following key={link} link={link} />
}

const Pasting = () => {
  const { t } = useTranslation('auth')
  return (
    <AuthCard title={t('link.title')} text={t('link.text')} footer={<AuthLink to={paths.signIn}>{t('forgot.back')}</AuthLink>}>
      <LinkForm />
    </AuthCard>
  )
}

const Following = ({ link }: { link: string }) => {
  const { t } = useTranslation('auth')
  const words = useAuthText()
  const renewSession = useRenewSession()
  const { mutate, error } = useMutation({ mutationFn: () => callApi(sessionRoutes.signInByLink, { body: { link } }), onSuccess: renewSession })
  const followed = useRef(false)
  useEffect(() => {
    // A link works once, and React may mount a screen twice.
    if (followed.current) return
    followed.current = true
    mutate()
  }, [mutate])

  if (error === null) {
    return (
      <AuthCard title={t('link.title')}>
        <p role="status" className="flex items-center gap-2 text-muted">
          <Spinner />
          {t('link.following')}
        </p>
      </AuthCard>
    )
  }
  if (wantsEmail(error)) {
    return (
      <AuthCard title={t('link.title')} text={t('link.whose')} footer={<AuthLink to={paths.signIn}>{t('forgot.back')}</AuthLink>}>
        <LinkForm link={link} asksEmail />
      </AuthCard>
    )
  }
  return (
    <AuthCard inPlace title={t('link.title')} footer={<AuthLink to={paths.signIn}>{t('forgot.back')}</AuthLink>}>
      <div className="flex flex-col gap-4">
        <Notice tone="error">{words(error)}</Notice>
        <LinkForm />
      </div>
    </AuthCard>
  )
}
