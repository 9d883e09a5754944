import { usePushed } from '#renderer/lib/events.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { useEffect, useMemo, useState } from 'react'
import type { Blocked, Editing } from './trade-editing.ts'
import { formActions, formKey, openForm, startSaving, useForms, type Form } from './trade-saving.ts'

/** The form of a trade with what can be done with it. */
export type TradeForm = { readonly form: Form } & ReturnType<typeof formActions> & {
  /** Saves what is there; false where something cannot be saved, and the dialog then stays. */
  readonly keep: () => boolean
}

/** Opens the form of a trade, which saves itself and follows what others write, and leaves it with the dialog. */
export const useTradeForm = (id: string, given: Pick<Editing, 'pairs' | 'whole' | 'zone'>): TradeForm => {
  // Another user may sign in in another tab before this dialog is gone.
  const [userId] = useState(useUserId())
  const key = formKey(userId, id)
  useState(() => {
    // The page may have begun with this trade, without the logbook.
    startSaving(userId)
    openForm(userId, id, given)
  })
  const form = useForms(({ forms }) => forms.get(key))
  const actions = useMemo(() => formActions(key), [key])
  useEffect(() => {
    actions.enter()
    return actions.leave
  }, [actions])
  usePushed('journal-changed', actions.readAgain)
  if (form === undefined) throw new Error('The form of an open trade is gone')
  return { form, ...actions, keep: () => (actions.blocked() satisfies Blocked | null) === null }
}
