import { minimumPasswordLength } from '#shared/api/session.ts'
import { ApiFailure, type FailureCode } from '#renderer/lib/api.ts'
import { useMutation } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldFault } from './checks.ts'
import { useAuthText } from './use-auth-text.ts'

/** Failures that belong to one field and are said there. */
const ofField: Partial<Record<FailureCode, string>> = { 'email-taken': 'email', 'journal-waits': 'email', 'password-too-short': 'password', 'password-does-not-meet-requirements': 'password' }

/**
 * The fields of an identity form: their texts, what is wrong with each in words once sending was tried, and the sending.
 * `checks` judges before anything is sent; a failure that no field explains is `problem`. `admit` is for a second button
 * that sends a part of the form: it judges only those fields and says whether they may go.
 */
export const useAuthForm = <Name extends string, Answer>({
  fields,
  checks,
  send,
  onDone,
}: {
  fields: Record<Name, string>
  checks: Partial<Record<Name, (text: string) => FieldFault | null>>
  send: (texts: Record<Name, string>) => Promise<Answer>
  onDone: (answer: Answer) => void | Promise<void>
}) => {
  const { t } = useTranslation('auth')
  const words = useAuthText()
  const [texts, setTexts] = useState(fields)
  const [tried, setTried] = useState<readonly Name[]>([])
  const sending = useMutation({ mutationFn: send, onSuccess: onDone })

  const faultOf = (name: Name): FieldFault | null => checks[name]?.(texts[name]) ?? null
  const failedField = sending.error instanceof ApiFailure ? ofField[sending.error.code] : undefined
  const admit = (form: HTMLFormElement | null, names: readonly Name[]): boolean => {
    setTried([...tried, ...names])
    const wrong = names.find((name) => faultOf(name) !== null)
    if (wrong) form?.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus()
    return !wrong
  }

  return {
    texts,
    busy: sending.isPending,
    refused: sending.error instanceof ApiFailure ? sending.error.code : null,
    problem: sending.error && !(failedField && failedField in texts) ? words(sending.error) : null,
    input: (name: Name) => ({
      name,
      value: texts[name],
      onChange: (event: { target: { value: string } }) => {
        setTexts({ ...texts, [name]: event.target.value })
        sending.reset()
      },
    }),
    errorOf: (name: Name): string | null => {
      const fault = tried.includes(name) ? faultOf(name) : null
      if (fault) return t(`fault.${fault}`, { least: minimumPasswordLength })
      return failedField === name ? words(sending.error) : null
    },
    admit,
    submit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      if (admit(event.currentTarget, Object.keys(texts) as Name[])) sending.mutate(texts)
    },
  }
}
