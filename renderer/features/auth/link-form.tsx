import { ApiFailure, callApi } from '#renderer/lib/api.ts'
import { useRenewSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { sessionRoutes } from '#shared/api/session.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { email, pastedLink } from './checks.ts'
import { useAuthForm } from './use-auth-form.ts'

/** Whether a link was refused only because this browser does not know which email requested it. */
export const wantsEmail = (failure: unknown): boolean =>
  failure instanceof ApiFailure && failure.code === 'invalid-request' && failure.problem?.fields?.some(({ path }) => path === 'email') === true

/** Signs in with an emailed link: `link`, or a pasted one; asks for the email if it turns out to be needed. */
export const LinkForm = ({ link = '', asksEmail = false }: { link?: string; asksEmail?: boolean }) => {
  const { t } = useTranslation('auth')
  const renewSession = useRenewSession()
  const [asks, setAsks] = useState(asksEmail)
  const form = useAuthForm({
    given: { link, email: '' },
    schema: z.object({ link: pastedLink, email: asks ? email : z.string().transform(() => undefined) }),
    send: async (body) => {
      try {
        await callApi(sessionRoutes.signInByLink, { body })
      } catch (failure) {
        if (asks || !wantsEmail(failure)) throw failure
        return 'asks'
      }
      return 'entered'
    },
    onDone: (outcome) => {
      if (outcome === 'entered') return renewSession()
      setAsks(true)
    },
  })
  return (
    <form {...form.attributes} className="flex flex-col gap-3.5">
      {link === '' && (
        <Field label={t('link.field')} hint={t('link.field-hint')} error={form.errorOf('link', 'link-invalid')}>
          {(field) => <Input {...field} {...form.register('link')} type="url" autoComplete="off" />}
        </Field>
      )}
      {asks && (
        <Field label={t('email')} hint={t('link.email-hint')} error={form.errorOf('email', 'email-invalid')}>
          {(field) => <Input {...field} {...form.register('email')} type="email" autoComplete="username" autoFocus />}
        </Field>
      )}
      {form.problem && <Notice tone="error">{form.problem}</Notice>}
      <Button type="submit" variant={link === '' ? 'outline' : 'default'} size="lg" busy={form.busy}>
        {t('sign-in.submit')}
      </Button>
    </form>
  )
}
