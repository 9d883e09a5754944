import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { copierRoutes, type CopyGroup, type GroupDraft } from '#shared/api/copier.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, type FieldPath, type FieldPathByValue, type FieldPathValue } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { fieldOf, groupFields, newGroup, typedGroup, type TypedGroup, type TypedRule } from './draft.ts'
import { useAccountNames } from './use-account-names.ts'

const resolver = resolverOf(groupFields)
const refused = 'refused'

/** What `useGroupForm` gives. */
export type GroupForm = ReturnType<typeof useGroupForm>

/** A group being edited, until it is saved or left; every change drops the errors of the last try. */
export const useGroupForm = (group: CopyGroup | null, onSaved: () => void) => {
  const { t } = useTranslation('trade-copier')
  const { nameOf } = useAccountNames()
  const client = useQueryClient()
  const { register, watch, getValues, setValue, setError, clearErrors, getFieldState, handleSubmit, formState } = useForm({ resolver, reValidateMode: 'onSubmit', shouldFocusError: false, defaultValues: group === null ? newGroup : typedGroup(group) })
  const typed = watch()
  const [shown, show] = useState(typed.followers[0]?.account ?? null)
  const showFirst = (isWrong: (rule: TypedRule, at: number) => boolean): void => {
    const wrong = getValues('followers').find(isWrong)
    if (wrong !== undefined) show(wrong.account)
  }
  const save = useMutation({
    mutationFn: (draft: GroupDraft) => callApi(copierRoutes.saveGroup, { body: { id: group?.id ?? null, draft } }),
    onSuccess: ({ fault }) => {
      if (fault === null) {
        onSaved()
        return invalidateRoutes(client, copierRoutes.copier)
      }
      const { code, account, limit } = fault
      setError(fieldOf(fault, getValues()), { type: refused, message: t(`fault.${code}`, { account: account === null ? '' : nameOf(account), limit: limit ?? 0 }) })
      return showFirst((rule) => rule.account === account)
    },
  })
  return {
    typed,
    errors: formState.errors,
    /** The follower whose settings show. */
    shown,
    show,
    register: (name: FieldPathByValue<TypedGroup, string>) => register(name, { onChange: () => { clearErrors() } }),
    set: <Name extends FieldPath<TypedGroup>>(name: Name, value: FieldPathValue<TypedGroup, Name>): void => {
      setValue(name, value)
      clearErrors()
    },
    /** The message for a field; null without an error. */
    errorOf: (name: FieldPath<TypedGroup>): string | null => {
      const { type, message } = getFieldState(name, formState).error ?? {}
      return message === undefined ? null : type === refused ? message : t(`fault.${message}`)
    },
    save: handleSubmit(
      (draft) => { save.mutate(draft) },
      ({ followers }) => { showFirst((_, at) => followers?.[at] !== undefined) },
    ),
    busy: save.isPending,
    failure: save.error,
  }
}
