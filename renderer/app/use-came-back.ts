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
 * Takes the window to what came of a payment once the system's browser came back from it. Only the page of the plans is left
 * for it, since any other may hold what was not saved yet: there a toast shows the way, once no dialog covers it. A window
 * that goes to the payment provider itself comes back by itself.
 */
export const useCameBack = (): void => {
  const { t } = useTranslation('plans')
  const onPlans = useMatch(paths.manageSubscription) !== null
  const navigate = useNavigate()
  const renew = useRenewStanding()
  const [untold, setUntold] = useState<CameBack | null>(null)
  const mayTell = useDialogTurn(untold !== null)

  usePushed('came-back', (back) => {
    if (leavesThisWindow) return
    void renew()
    if (onPlans) void navigate(afterPayment(back), { replace: true })
    else setUntold(back)
  })
  const tell = useEffectEvent((back: CameBack) => {
    toast({ title: t('came-back.title'), text: t(`came-back.${back.to}`), action: { label: t('came-back.show'), run: () => void navigate(afterPayment(back)) } })
    setUntold(null)
  })
  useEffect(() => {
    if (mayTell && untold !== null) tell(untold)
  }, [mayTell, untold])
}
