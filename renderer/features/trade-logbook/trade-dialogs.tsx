import type { Trade } from '#shared/api/records.ts'
import { lazy, Suspense } from 'react'
import type { LeftDraft, TradeDialogState } from './left-draft.ts'
import { useLeaving } from './use-leaving.ts'
import type { useRemoval } from './use-removal.ts'
import type { TradeChanges } from './use-trade-changes.ts'

const AddTradeDialog = lazy(async () => ({ default: (await import('./add-trade-dialog.tsx')).AddTradeDialog }))
const TradeDialog = lazy(async () => ({ default: (await import('./trade-dialog.tsx')).TradeDialog }))

type Props = { readonly opened: TradeDialogState | null; readonly changes: TradeChanges; readonly onRemove: ReturnType<typeof useRemoval>; readonly onClose: () => void }

/** The dialog of a trade, one that is there or a new one; what is thrown away in it can be brought back. */
export const TradeDialogs = ({ opened, changes, onRemove, onClose }: Props) => {
  const { leave, goBack } = useLeaving()
  const close = (trade: Trade | null, left: LeftDraft | null): void => {
    onClose()
    leave({ trade, left })
  }
  const remove = (trade: Trade, left: LeftDraft | null): void => {
    onClose()
    onRemove(trade, left === null ? undefined : () => { goBack({ trade, left }) })
  }
  if (opened === null) return null
  const { trade, left } = opened
  return (
    <Suspense fallback={null}>
      {trade === null ? (
        <AddTradeDialog left={left} onClose={(unsaved) => { close(null, unsaved) }} onAdd={changes.add} />
      ) : (
        <TradeDialog key={trade.id} trade={trade} left={left} onClose={(unsaved) => { close(trade, unsaved) }} onSave={changes.edit} onRemove={remove} />
      )}
    </Suspense>
  )
}
