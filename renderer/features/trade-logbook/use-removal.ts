import { toast } from '#renderer/ui/toast-store.ts'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'
import type { TradeChanges } from './use-trade-changes.ts'

export type Removal = ReturnType<typeof useRemoval>

/** Removes a trade, or a trip with all its pairs, with a way back to it as it was; `onUndone` is called when that is used. */
export const useRemoval = (changes: TradeChanges) => {
  const { t } = useTranslation('trade-logbook')
  const say = ({ symbol, origin }: Pick<Trade, 'symbol' | 'origin'>, undo: () => void): void => {
    toast({ title: t('removed'), text: t(`removed-text.${origin}`, { symbol }), action: { label: t('undo'), run: undo } })
  }
  return {
    remove: (trade: Trade, onUndone?: () => void): void => {
      changes.remove(trade.id)
      say(trade, () => {
        changes.restore(trade.id)
        onUndone?.()
      })
    },
    removeTrip: (trip: ListedTrip, pairs: readonly Trade[], onUndone?: () => void): void => {
      changes.removeTrip(trip.id, pairs)
      say(trip, () => {
        changes.restoreTrip(trip.id, pairs)
        onUndone?.()
      })
    },
  }
}
