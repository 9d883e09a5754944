import { ApiFailure } from '#renderer/lib/api.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { useStartSync, useSyncState } from '#renderer/lib/use-sync.ts'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { toast } from './toast-store.ts'

/** Sync Trades, and whether a run is in progress; a toast says why none could start. */
export const useSyncTrades = (): { readonly start: () => void; readonly running: boolean } => {
  const { t } = useTranslation('sync')
  const words = useProblemText()
  const state = useSyncState()
  const navigate = useNavigate()
  const { start, starting } = useStartSync((failure) => {
    const lacksPlan = failure instanceof ApiFailure && failure.code === 'plan-needed'
    const toPlans = { label: t('plans:see-plans'), run: () => void navigate(paths.manageSubscription) }
    toast({ title: t('could-not-start'), text: words(failure), tone: 'error', ...(lacksPlan ? { action: toPlans } : {}) })
  })
  return { start, running: starting || (state?.running ?? null) !== null }
}
