import { drawnFor } from '#renderer/lib/browser-key.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { dismissToast, toast } from '#renderer/ui/toast-store.ts'
import { lazy, Suspense, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import type { Leaving } from './edit-dialog.tsx'
import { reopenDialog, type TradeDialogState } from './left-draft.ts'
import type { Neighbors } from './trade-walk.tsx'
import type { Removal } from './use-removal.ts'
import type { TradeChanges } from './use-trade-changes.ts'

const AddTradeDialog = lazy(async () => ({ default: (await import('./add-trade-dialog.tsx')).AddTradeDialog }))
const TradeDialog = lazy(async () => ({ default: (await import('./trade-dialog.tsx')).TradeDialog }))
const TripDialog = lazy(async () => ({ default: (await import('./trip-dialog.tsx')).TripDialog }))

type Props = { readonly state: TradeDialogState | null; readonly changes: TradeChanges; readonly removal: Removal; readonly neighbors: Neighbors; readonly onClose: () => void }

/** The dialog of a fill pair, of a trip with all its pairs, or of a new trade; what is discarded in it can be restored. */
export const TradeDialogs = ({ state, changes, removal, neighbors, onClose }: Props) => {
  const { leave, kept, goBack, announce, entering } = useLeaving()
  const userId = useUserId()
  const isNew = state?.opened.of === 'new'
  useEffect(() => { if (isNew) entering() }, [isNew, entering])
  if (state === null) return null
  const { opened, left } = state
  const back = (): void => { goBack({ opened, left: null }) }
  const close = (id: string) => (leaving: Leaving): void => {
    onClose()
    void import('./trade-saving.ts').then(async ({ formActions, formKey }) => {
      const { saved, undo } = formActions(formKey(userId, id))
      // It may have closed while the last changes were being saved.
      announce(leaving !== 'saved' || (await saved()) ? leaving : 'unsaved', back, undo)
    })
  }
  const backWith = (changed: boolean) => (changed ? back : undefined)
  return (
    <Suspense fallback={null}>
      {opened.of === 'new' && (
        <AddTradeDialog
          left={left}
          onClose={(unsaved) => {
            onClose()
            leave({ opened, left: unsaved })
          }}
          onLeft={() => { if (drawnFor() === userId) kept(back) }}
          onAdd={changes.add}
        />
      )}
      {opened.of === 'trade' && (
        <TradeDialog
          key={opened.trade.id}
          trade={opened.trade}
          onClose={close(opened.trade.id)}
          neighbors={neighbors}
          onRemove={(trade, changed) => {
            onClose()
            removal.remove(trade, backWith(changed))
          }}
        />
      )}
      {opened.of === 'trip' && (
        <TripDialog
          key={opened.trip.id}
          trip={opened.trip}
          onClose={(leaving, id) => { close(id)(leaving) }}
          neighbors={neighbors}
          onRemove={(pairs, changed) => {
            onClose()
            removal.removeTrip(opened.trip, pairs, backWith(changed))
          }}
        />
      )}
    </Suspense>
  )
}

/** Announces changes in a dialog that was closed, by a toast that reopens the dialog or undoes them. */
const useLeaving = (): {
  /** Of a new trade that was canceled. */
  readonly leave: (left: TradeDialogState) => void
  /** Of a new trade that was left: it is kept. */
  readonly kept: (back: () => void) => void
  readonly goBack: (left: TradeDialogState) => void
  /** A new trade is open again: the toast that leads back to it goes. */
  readonly entering: () => void
  /** Of a trade that saves itself. */
  readonly announce: (leaving: Leaving, back: () => void, undo: () => void) => void
} => {
  const { t } = useTranslation('trade-logbook')
  const navigate = useNavigate()
  const goBack = (left: TradeDialogState): void => {
    reopenDialog(left)
    // By then another screen may show.
    if (!window.location.hash.startsWith(`#${paths.tradeLogbook}`)) void navigate(paths.tradeLogbook)
  }
  const leave = (left: TradeDialogState): void => {
    if (left.left !== null) toast({ title: t('thrown-away'), action: { label: t('undo'), run: () => { goBack(left) } } })
  }
  const keptToast = useRef<number | null>(null)
  const kept = (back: () => void): void => { keptToast.current = toast({ title: t('new-not-added'), text: t('new-not-added-text'), action: { label: t('go-back'), run: back } }) }
  const entering = useCallback((): void => {
    if (keptToast.current !== null) dismissToast(keptToast.current)
    keptToast.current = null
  }, [])
  const announce = (leaving: Leaving, back: () => void, undo: () => void): void => {
    if (leaving === 'saved') toast({ title: t('changes-saved'), action: { label: t('undo'), run: undo } })
    if (leaving === 'unsaved') toast({ title: t('changes-unsaved'), text: t('changes-unsaved-text'), action: { label: t('go-back'), run: back } })
  }
  return { leave, kept, goBack, announce, entering }
}
