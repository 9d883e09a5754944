import { callApi } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'

const loginFields = brokerageRoutes.connectKey.body.omit({ firm: true })
const resolver = resolverOf(loginFields)

/** Connects a TopstepX login by its user name and an API key. */
export const KeyForm = ({ onConnected }: { onConnected: () => void }) => {
  const { t } = useTranslation('auto-sync')
  const words = useProblemText()
  const { register, handleSubmit, formState: { isValid } } = useForm({ resolver, defaultValues: { userName: '', apiKey: '' } })
  const connect = useMutation({
    mutationFn: (login: z.output<typeof loginFields>) => callApi(brokerageRoutes.connectKey, { body: { firm: 'topstepx', ...login } }),
    onSuccess: onConnected,
  })
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={handleSubmit((login) => { connect.mutate(login) })}
    >
      <Field label={t('key.user')}>{(attributes) => <Input {...attributes} {...register('userName')} autoComplete="off" maxLength={200} />}</Field>
      <Field label={t('key.key')} hint={t('key.key-hint')}>
        {(attributes) => <Input {...attributes} {...register('apiKey')} type="password" autoComplete="off" maxLength={1_000} />}
      </Field>
      {connect.isError && <Notice tone="error">{words(connect.error)}</Notice>}
      <Button type="submit" size="lg" busy={connect.isPending} disabled={!isValid}>
        {t('key.connect')}
      </Button>
    </form>
  )
}
