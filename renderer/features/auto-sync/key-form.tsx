import { callApi } from '#renderer/lib/api.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { brokerageRoutes } from '#shared/api/brokerage.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** Connects a TopstepX login by its user name and an API key. */
export const KeyForm = ({ onConnected }: { onConnected: () => void }) => {
  const { t } = useTranslation('auto-sync')
  const words = useProblemText()
  const [userName, setUserName] = useState('')
  const [apiKey, setApiKey] = useState('')
  const connect = useMutation({
    mutationFn: () => callApi(brokerageRoutes.connectKey, { body: { firm: 'topstepx', userName: userName.trim(), apiKey: apiKey.trim() } }),
    onSuccess: onConnected,
  })
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        connect.mutate()
      }}
    >
      <Field label={t('key.user')}>{(attributes) => <Input {...attributes} autoComplete="off" maxLength={200} value={userName} onChange={(event) => { setUserName(event.target.value) }} />}</Field>
      <Field label={t('key.key')} hint={t('key.key-hint')}>
        {(attributes) => <Input {...attributes} type="password" autoComplete="off" maxLength={1_000} value={apiKey} onChange={(event) => { setApiKey(event.target.value) }} />}
      </Field>
      {connect.isError && <Notice tone="error">{words(connect.error)}</Notice>}
      <Button type="submit" size="lg" busy={connect.isPending} disabled={userName.trim() === '' || apiKey.trim() === ''}>
        {t('key.connect')}
      </Button>
    </form>
  )
}
