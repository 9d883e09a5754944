import { paths } from '#renderer/lib/paths.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { bringBack, type TradeDialogState } from './left-draft.ts'

/** Gives what is done with a dialog that was left: where something was changed in it, a toast says so and leads back to it, pictures included. */
export const useLeaving = (): { readonly leave: (left: TradeDialogState) => void; readonly goBack: (left: TradeDialogState) => void } => {
  const { t } = useTranslation('trade-logbook')
  const navigate = useNavigate()
  const goBack = (left: TradeDialogState): void => {
    bringBack(left)
    // By then another screen may show.
    if (!window.location.hash.startsWith(`#${paths.tradeLogbook}`)) void navigate(paths.tradeLogbook)
  }
  const leave = (left: TradeDialogState): void => {
    if (left.left !== null) toast({ title: t('thrown-away'), action: { label: t('undo'), run: () => { goBack(left) } } })
  }
  return { leave, goBack }
}
