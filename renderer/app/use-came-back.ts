import { usePushed } from '#renderer/lib/events.ts'
import { leavesThisWindow } from '#renderer/lib/open-elsewhere.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useRenewStanding } from '#renderer/lib/use-standing.ts'
import { useDialogTurn } from '#renderer/ui/dialog-turns.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import type { CameBack } from '#shared/api/sync.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatch, useNavigate } from 'react-router-dom'
import { afterPayment } from './after-payment.ts'

/**
 * Goes to the outcome of a payment after the system's browser returned from it. Leaves only the plans page for it,
 * because any other may hold unsaved changes: there a toast has a link, once no dialog covers it. A window that goes to
 * the payment provider itself returns by itself.
 */
export const useCameBack = (): void => {
  const { t } = useTranslation('plans')
  const onPlans = useMatch(paths.manageSubscription) !== null
  const navigate = useNavigate()
  const renew = useRenewStanding()
  const [pending, setPending] = useState<CameBack | null>(null)
  const mayTell = useDialogTurn(pending !== null)

  usePushed('came-back', (back) => {
    if (leavesThisWindow) return
    void renew()
    if (onPlans) void navigate(afterPayment(back), { replace: true })
    else setPending(back)
  })
  const tell = useEffectEvent((back: CameBack) => {
    toast({ title: t('came-back.title'), text: t(`came-back.${back.to}`), action: { label: t('came-back.show'), run: () => void navigate(afterPayment(back)) } })
    setPending(null)
  })
  useEffect(() => {
    if (mayTell && pending !== null) tell(pending)
  }, [mayTell, pending])
}
