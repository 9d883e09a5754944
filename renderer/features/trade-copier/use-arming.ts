import { callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { copierRoutes, type ArmOutcome, type CopyGroup } from '#shared/api/copier.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureToast } from './use-copier-acts.ts'

const { arm, consent, copier } = copierRoutes

/** The user's answers on the way to an armed group. */
type Confirmed = { readonly consents: boolean; readonly onlyMachine: boolean }

/** What is needed before a group can be armed. */
export type ArmStep = { readonly group: CopyGroup; readonly outcome: Exclude<ArmOutcome, 'armed'> }

/** Arms a group; if the program first needs a consent or a confirmation, `step` says which, and `answer` continues. */
export const useArming = () => {
  const { t } = useTranslation('trade-copier')
  const client = useQueryClient()
  const toastFailure = useFailureToast()
  const [step, setStep] = useState<ArmStep | null>(null)
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ group, confirmed }: { readonly group: CopyGroup; readonly confirmed: Confirmed }) => {
      if (confirmed.consents) await callApi(consent, { body: {} })
      return callApi(arm, { body: { id: group.id, onlyMachine: confirmed.onlyMachine } })
    },
    onSuccess: ({ outcome }, { group }) => {
      setStep(outcome === 'armed' ? null : { group, outcome })
      if (outcome === 'armed') toast({ title: t('armed-toast', { group: group.name }), text: group.dryRun ? t('armed-dry-text') : t('armed-text') })
      return invalidateRoutes(client, copier)
    },
    onError: (failure) => {
      setStep(null)
      toastFailure(failure)
    },
  })
  return {
    step,
    /** The group being armed. */
    busy: isPending ? variables.group.id : null,
    begin: (group: CopyGroup): void => { mutate({ group, confirmed: { consents: false, onlyMachine: false } }) },
    answer: ({ group, outcome }: ArmStep): void => { mutate({ group, confirmed: { consents: outcome === 'consent-needed', onlyMachine: outcome === 'only-machine-needed' } }) },
    close: (): void => { setStep(null) },
  }
}
