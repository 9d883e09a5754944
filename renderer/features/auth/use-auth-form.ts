import { minimumPasswordLength } from '#shared/api/session.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { ApiFailure, type FailureCode } from '#renderer/lib/api.ts'
import { useMutation } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { FieldFault } from './checks.ts'

/** Failures that belong to one field and are said there. */
const ofField: Partial<Record<FailureCode, string>> = { 'email-taken': 'email', 'password-too-short': 'password' }

/**
 * The fields of an identity form: their texts, what is wrong with each in words once sending was tried, and the sending.
 * `checks` judges before anything is sent; a failure that no field explains is `problem`.
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
  const words = useProblemText()
  const [texts, setTexts] = useState(fields)
  const [tried, setTried] = useState(false)
  const sending = useMutation({ mutationFn: send, onSuccess: onDone })

  const faultOf = (name: Name): FieldFault | null => checks[name]?.(texts[name]) ?? null
  const failedField = sending.error instanceof ApiFailure ? ofField[sending.error.code] : undefined

  return {
    busy: sending.isPending,
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
      const fault = tried ? faultOf(name) : null
      if (fault) return t(`fault.${fault}`, { least: minimumPasswordLength })
      return failedField === name ? words(sending.error) : null
    },
    submit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault()
      setTried(true)
      const wrong = (Object.keys(texts) as Name[]).find((name) => faultOf(name) !== null)
      if (!wrong) sending.mutate(texts)
      else event.currentTarget.querySelector<HTMLInputElement>(`[name="${wrong}"]`)?.focus()
    },
  }
}
