import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { readSample, type SampleDraft, type SampleField } from './sample-form.ts'

/** The sample profile form: what it holds goes to this page's own console, and nowhere else. */
export const SampleFormPage = () => {
  const { t } = useTranslation('sample-form')
  const [draft, setDraft] = useState<SampleDraft>({ name: '', email: '', dob: '' })
  const [tried, setTried] = useState(false)
  const [logged, setLogged] = useState(false)
  const read = tried ? readSample(draft, Date.now()) : null
  const errorOf = (field: SampleField): string | null => (read && 'wrong' in read && read.wrong.includes(field) ? t(`fault.${field}`) : null)
  const change = (field: SampleField) => ({
    name: field,
    value: draft[field],
    onChange: (event: { readonly target: HTMLInputElement }) => {
      setLogged(false)
      setDraft({ ...draft, [field]: event.target.value })
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    setTried(true)
    const asked = readSample(draft, Date.now())
    if ('wrong' in asked) {
      const first = event.currentTarget.elements.namedItem(asked.wrong[0] ?? '')
      if (first instanceof HTMLElement) first.focus()
      return
    }
    // eslint-disable-next-line no-console -- That is all that this form is there for.
    console.log(asked.values)
    setLogged(true)
  }
  return (
    <Page title={t('title')}>
      <Card className="mx-auto max-w-120">
        <form noValidate onSubmit={submit} className="flex flex-col gap-4 p-5">
          <p className="text-muted">{t('text')}</p>
          <Field label={t('name')} error={errorOf('name')}>
            {(field) => <Input {...field} {...change('name')} autoComplete="off" />}
          </Field>
          <Field label={t('email')} error={errorOf('email')}>
            {(field) => <Input {...field} {...change('email')} type="email" autoComplete="off" />}
          </Field>
          <Field label={t('dob')} hint={t('optional')} error={errorOf('dob')}>
            {(field) => <Input {...field} {...change('dob')} type="date" className="w-44" />}
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
