import { toast } from '#renderer/ui/toast-store.ts'
import type { ListedTrip, Trade } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'
import type { TradeChanges } from './use-trade-changes.ts'

/** What removes at once, with a way back; `onUndone` is called when it is used. */
export type Removal = {
  readonly remove: (trade: Trade, onUndone?: () => void) => void
  readonly removeTrip: (trip: ListedTrip, pairs: readonly Trade[], onUndone?: () => void) => void
}

/** Removes a trade, or a trip with all its pairs, with a way back to it as it was. */
export const useRemoval = (changes: TradeChanges): Removal => {
  const { t } = useTranslation('trade-logbook')
  const say = ({ symbol, origin }: Pick<Trade, 'symbol' | 'origin'>, undo: () => void): void => {
    toast({ title: t('removed'), text: t(`removed-text.${origin}`, { symbol }), action: { label: t('undo'), run: undo } })
  }
  return {
    remove: (trade, onUndone) => {
      changes.remove(trade.id)
      say(trade, () => {
        changes.restore(trade.id)
        onUndone?.()
      })
    },
    removeTrip: (trip, pairs, onUndone) => {
      changes.removeTrip(trip.id, pairs)
      say(trip, () => {
        changes.restoreTrip(trip.id, pairs)
        onUndone?.()
      })
    },
  }
}
