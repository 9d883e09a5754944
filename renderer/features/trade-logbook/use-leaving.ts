import { paths } from '#renderer/lib/paths.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { Leaving } from './edit-dialog.tsx'
import { bringBack, type TradeDialogState } from './left-draft.ts'

/** Gives what is done with a dialog that was left: where something was changed in it, a toast says so, and leads back to it or undoes it. */
export const useLeaving = (): {
  /** Of a new trade that was canceled. */
  readonly leave: (left: TradeDialogState) => void
  /** Of a new trade that was left: it is kept. */
  readonly kept: (back: () => void) => void
  readonly goBack: (left: TradeDialogState) => void
  /** Of a trade that saves itself. */
  readonly announce: (leaving: Leaving, back: () => void, undo: () => void) => void
} => {
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
  const kept = (back: () => void): void => { toast({ title: t('new-not-added'), text: t('new-not-added-text'), action: { label: t('go-back'), run: back } }) }
  const announce = (leaving: Leaving, back: () => void, undo: () => void): void => {
    if (leaving === 'saved') toast({ title: t('changes-saved'), action: { label: t('undo'), run: undo } })
    if (leaving === 'unsaved') toast({ title: t('changes-unsaved'), text: t('changes-unsaved-text'), action: { label: t('go-back'), run: back } })
  }
  return { leave, kept, goBack, announce }
}
