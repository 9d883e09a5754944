import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'

// A day without a time means midnight at its start, in the user's time zone.
const futureDay = z
  .string()
  .transform((day) => (day === '' ? undefined : new Date(`${day}T00:00`)))
  .refine((day) => day === undefined || day.getTime() >= Date.now())
const resolver = resolverOf(z.object({ name: z.string().min(2), email: z.email(), dob: futureDay }))

/** The sample profile form: its values go only to this page's console. */
export const SampleFormPage = () => {
  const { t } = useTranslation('sample-form')
  const [logged, setLogged] = useState(false)
  const { register, handleSubmit, formState } = useForm({ resolver, defaultValues: { name: '', email: '', dob: '' } })
  const { errors } = formState
  const submit = handleSubmit((values) => {
    // oxlint-disable-next-line no-console -- That is all that this form is there for.
    console.log(values)
    setLogged(true)
  })
  return (
    <Page title={t('title')}>
      <Card className="mx-auto max-w-120">
        <form noValidate onSubmit={submit} onChange={() => { setLogged(false) }} className="flex flex-col gap-4 p-5">
          <p className="text-muted">{t('text')}</p>
          <Field label={t('name')} error={errors.name && t('fault.name')}>
            {(field) => <Input {...field} {...register('name')} autoComplete="off" />}
          </Field>
          <Field label={t('email')} error={errors.email && t('fault.email')}>
            {(field) => <Input {...field} {...register('email')} type="email" autoComplete="off" />}
          </Field>
          <Field label={t('dob')} hint={t('optional')} error={errors.dob && t('fault.dob')}>
            {(field) => <Input {...field} {...register('dob')} type="date" className="w-44" />}
          </Field>
          <div className="flex flex-wrap items-center gap-3">
            <Button type="submit">{t('submit')}</Button>
            <span role="status" className="text-sm text-muted">
              {logged && t('logged')}
            </span>
          </div>
        </form>
      </Card>
    </Page>
  )
}
