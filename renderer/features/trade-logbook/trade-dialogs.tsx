import type { Trade } from '#shared/api/records.ts'
import { lazy, Suspense } from 'react'
import type { LeftDraft, TradeDialogState } from './left-draft.ts'
import type { Beside } from './trade-walk.tsx'
import { useLeaving } from './use-leaving.ts'
import type { Removal } from './use-removal.ts'
import type { TradeChanges } from './use-trade-changes.ts'

const AddTradeDialog = lazy(async () => ({ default: (await import('./add-trade-dialog.tsx')).AddTradeDialog }))
const TradeDialog = lazy(async () => ({ default: (await import('./trade-dialog.tsx')).TradeDialog }))
const TripDialog = lazy(async () => ({ default: (await import('./trip-dialog.tsx')).TripDialog }))

type Props = { readonly state: TradeDialogState | null; readonly changes: TradeChanges; readonly removal: Removal; readonly beside: Beside; readonly onClose: () => void }

/** The dialog of a fill pair, of a trip with all its pairs, or of a new trade; what is thrown away in it can be brought back. */
export const TradeDialogs = ({ state, changes, removal, beside, onClose }: Props) => {
  const { leave, goBack } = useLeaving()
  if (state === null) return null
  const { opened, left } = state
  const close = (unsaved: LeftDraft | null): void => {
    onClose()
    leave({ opened, left: unsaved })
  }
  const backTo = (unsaved: LeftDraft | null) => (unsaved === null ? undefined : () => { goBack({ opened, left: unsaved }) })
  const remove = (trade: Trade, unsaved: LeftDraft | null): void => {
    onClose()
    removal.remove(trade, backTo(unsaved))
  }
  return (
    <Suspense fallback={null}>
      {opened.of === 'new' && <AddTradeDialog left={left} onClose={close} onAdd={changes.add} />}
      {opened.of === 'trade' && <TradeDialog key={opened.trade.id} trade={opened.trade} left={left} onClose={close} onSave={changes.edit} onRemove={remove} beside={beside} />}
      {opened.of === 'trip' && (
        <TripDialog
          key={opened.trip.id}
          trip={opened.trip}
          left={left}
          onClose={close}
          onSave={changes.edit}
          beside={beside}
          onRemove={(pairs, unsaved) => {
            onClose()
            removal.removeTrip(opened.trip, pairs, backTo(unsaved))
          }}
        />
      )}
    </Suspense>
  )
}
