import { drawnFor } from '#renderer/lib/browser-key.ts'
import { paths } from '#renderer/lib/paths.ts'
import { useUserId } from '#renderer/lib/session.ts'
import { dismissToast, toast } from '#renderer/ui/toast-store.ts'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router-dom'
import { reopenDialog, type TradeDialogState } from './dialog-state.ts'
import type { TradeDraft } from './draft.ts'
import type { Leaving } from './edit-dialog.tsx'
import type { Neighbors } from './trade-walk.tsx'
import type { TradeChanges } from './use-trade-changes.ts'

const AddTradeDialog = lazy(async () => ({ default: (await import('./add-trade-dialog.tsx')).AddTradeDialog }))
const PairDialog = lazy(async () => ({ default: (await import('./pair-dialog.tsx')).PairDialog }))
const TradeDialog = lazy(async () => ({ default: (await import('./trade-dialog.tsx')).TradeDialog }))

type Props = { readonly state: TradeDialogState | null; readonly changes: TradeChanges; readonly neighbors: Neighbors; readonly onClose: () => void }

/** The dialog of a fill pair, of a trade with all its pairs, or of a new trade. If something was changed in it, a toast leads back to it or undoes it. */
export const TradeDialogs = ({ state, changes, neighbors, onClose }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const navigate = useNavigate()
  const userId = useUserId()
  const keptToast = useRef<number | null>(null)
  const isNew = state?.opened.of === 'new'
  useEffect(() => {
    if (!isNew || keptToast.current === null) return
    // It leads back to the new trade, which is open again.
    dismissToast(keptToast.current)
    keptToast.current = null
  }, [isNew])
  if (state === null) return null
  const { opened, left } = state
  const reopen = (unsaved: TradeDraft | null): void => {
    reopenDialog({ opened, left: unsaved })
    // By then another screen may show.
    if (!window.location.hash.startsWith(`#${paths.tradeLogbook}`)) void navigate(paths.tradeLogbook)
  }
  const goBack = { label: t('go-back'), run: () => { reopen(null) } }
  const close = (id: string, leaving: Leaving): void => {
    onClose()
    if (leaving === 'unchanged') return
    void import('./trade-saving.ts').then(async ({ formActions, formKey }) => {
      const { whenSaved, undo } = formActions(formKey(userId, id))
      // The last words may still be on their way.
      if (leaving === 'saved' && (await whenSaved())) toast({ title: t('changes-saved'), action: { label: t('undo'), run: undo } })
      else toast({ title: t('changes-unsaved'), text: t('changes-unsaved-text'), action: goBack })
    })
  }
  const onUndone = (changed: boolean) => (changed ? () => { reopen(null) } : undefined)
  return (
    <Suspense fallback={null}>
      {opened.of === 'new' && (
        <AddTradeDialog
          left={left}
          onClose={(unsaved) => {
            onClose()
            if (unsaved !== null) toast({ title: t('thrown-away'), action: { label: t('undo'), run: () => { reopen(unsaved) } } })
          }}
          onLeft={() => {
            if (drawnFor() === userId) keptToast.current = toast({ title: t('new-not-added'), text: t('new-not-added-text'), action: goBack })
          }}
          onAdd={changes.add}
        />
      )}
      {opened.of === 'pair' && (
        <PairDialog
          key={opened.pair.id}
          pair={opened.pair}
          onClose={(leaving) => { close(opened.pair.id, leaving) }}
          neighbors={neighbors}
          onRemove={(pair, changed) => {
            onClose()
            changes.removePair(pair, onUndone(changed))
          }}
        />
      )}
      {opened.of === 'trade' && (
        <TradeDialog
          key={opened.trade.id}
          trade={opened.trade}
          onClose={(leaving, id) => { close(id, leaving) }}
          neighbors={neighbors}
          onRemove={(pairs, changed) => {
            onClose()
            changes.removeTrade(opened.trade, pairs, onUndone(changed))
          }}
        />
      )}
    </Suspense>
  )
}
