import { toast } from '#renderer/ui/toast-store.ts'
import type { Trade } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'
import type { TradeChanges } from './use-trade-changes.ts'

/** Removes a trade at once, with a way back to it as it was; `onUndone` is told when that was taken. */
export const useRemoval = (changes: TradeChanges): ((trade: Trade, onUndone?: () => void) => void) => {
  const { t } = useTranslation('trade-logbook')
  return (trade, onUndone) => {
    changes.remove(trade.id)
    const undo = (): void => {
      changes.restore(trade.id)
      onUndone?.()
    }
    toast({ title: t('removed'), text: t(`removed-text.${trade.origin}`, { symbol: trade.symbol }), action: { label: t('undo'), run: undo } })
  }
}
