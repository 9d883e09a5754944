import { ApiFailure, type FailureCode } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { minimumPasswordLength } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import { useForm, type DefaultValues, type Path } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { FieldFault } from './checks.ts'
import { useAuthText } from './use-auth-text.ts'

/** Failures of a single field, shown there. */
const ofField: Partial<Record<FailureCode, string>> = { 'email-taken': 'email', 'journal-waits': 'email', 'password-too-short': 'password', 'password-does-not-meet-requirements': 'password' }

/**
 * An identity form that `schema` validates before submitting; `problem` is a failure that belongs to no field. `admit`
 * is for a second button that sends a single field: it validates only that, and returns its text if valid.
 */
export const useAuthForm = <Given extends Record<string, string>, Read, Answer>({ given, schema, send, onDone }: {
  given: Given
  schema: z.core.$ZodType<Read, Given>
  send: (read: Read) => Promise<Answer>
  onDone: (answer: Answer) => void | Promise<void>
}) => {
  const { t } = useTranslation('auth')
  const words = useAuthText()
  const { register, handleSubmit, trigger, getValues, watch, formState } = useForm({ resolver: resolverOf(schema), defaultValues: given as DefaultValues<Given> })
  const errors: Partial<Record<string, unknown>> = formState.errors
  const sending = useMutation({ mutationFn: send, onSuccess: onDone })
  const refused = sending.error instanceof ApiFailure ? sending.error.code : null
  const failedField = refused === null ? undefined : ofField[refused]
  const admitted = useRef<Path<Given>>(undefined)
  return {
    register,
    watch,
    getValues,
    refused,
    busy: sending.isPending,
    problem: sending.error && !(failedField && failedField in given) ? words(sending.error) : null,
    errorOf: (name: keyof Given, fault: FieldFault): string | null => (errors[String(name)] ? t(`fault.${fault}`, { least: minimumPasswordLength }) : failedField === name ? words(sending.error) : null),
    admit: async (name: Path<Given>): Promise<string | null> => {
      admitted.current = name
      return (await trigger(name, { shouldFocus: true })) ? getValues(name) : null
    },
    attributes: {
      noValidate: true,
      onSubmit: handleSubmit((read) => { sending.mutate(read) }),
      onChange: () => {
        sending.reset()
        if (admitted.current !== undefined) void trigger(admitted.current)
      },
    },
  }
}
