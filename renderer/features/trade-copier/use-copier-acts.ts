import { ApiFailure, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { useShowLive } from '#renderer/lib/copier.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { copierRoutes } from '#shared/api/copier.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'

const { disarm, pause, resume, settle, answerStart, unlock, cancelLeft, copier } = copierRoutes

/** One action on a group or one of its followers. */
export type CopierAct =
  | { readonly do: 'disarm' | 'pause' | 'resume' | 'cancel-left'; readonly id: string }
  | { readonly do: 'unlock'; readonly id: string; readonly account: string }
  | { readonly do: 'start'; readonly id: string; readonly account: string; readonly answer: 'adopt' | 'flatten' | 'leave' }
  | { readonly do: 'settle'; readonly id: string; readonly account: string; readonly answer: 'bring-back' | 'leave' }

const callOf = (act: CopierAct) => {
  switch (act.do) {
    case 'disarm':
      return callApi(disarm, { body: { id: act.id } })
    case 'pause':
      return callApi(pause, { body: { id: act.id } })
    case 'resume':
      return callApi(resume, { body: { id: act.id } })
    case 'cancel-left':
      return callApi(cancelLeft, { body: { id: act.id } })
    case 'unlock':
      return callApi(unlock, { body: { id: act.id, account: act.account } })
    case 'start':
      return callApi(answerStart, { body: { id: act.id, account: act.account, answer: act.answer } })
    case 'settle':
      return callApi(settle, { body: { id: act.id, account: act.account, answer: act.answer } })
  }
}

/** Says why an action failed; if a plan is missing, with a link to the plans. */
export const useFailureToast = (): ((failure: unknown) => void) => {
  const { t } = useTranslation('trade-copier')
  const words = useProblemText()
  const navigate = useNavigate()
  return (failure) => {
    const lacksPlan = failure instanceof ApiFailure && failure.code === 'plan-needed'
    const toPlans = { label: t('plans:see-plans'), run: () => void navigate(paths.manageSubscription) }
    toast({ title: t('not-done'), text: words(failure), tone: 'error', ...(lacksPlan ? { action: toPlans } : {}) })
  }
}

/** Runs one action at a time. */
export type CopierActs = { readonly act: (act: CopierAct, then?: { readonly onSuccess: () => void }) => void; readonly busy: boolean }

/** Runs one action at a time and shows the new state at once; a failure shows as a toast. */
export const useCopierAct = (): CopierActs => {
  const client = useQueryClient()
  const showLive = useShowLive()
  const toastFailure = useFailureToast()
  const { mutate, isPending } = useMutation({
    mutationFn: callOf,
    onSuccess: ({ live }) => { showLive(live) },
    onError: (failure) => {
      toastFailure(failure)
      void invalidateRoutes(client, copier)
    },
  })
  return { act: mutate, busy: isPending }
}
