import { toast } from '#renderer/ui/toast-store.ts'
import type { Trade } from '#shared/api/records.ts'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RemoveDialog } from './remove-dialog.tsx'
import { newTradeOf } from './trade-records.ts'
import type { TradeChanges } from './use-trade-changes.ts'

/**
 * Removes a trade: one that was entered by hand at once, with a way back; one from the broker after a question, since it
 * stays away through every later sync. `dialog` is where the question appears.
 */
export const useRemoval = (changes: TradeChanges): { readonly remove: (trade: Trade) => void; readonly dialog: ReactNode } => {
  const { t } = useTranslation('trade-logbook')
  const [asked, setAsked] = useState<Trade | null>(null)
  const remove = (trade: Trade): void => {
    if (trade.origin === 'synced') {
      setAsked(trade)
      return
    }
    changes.remove(trade.id)
    const back = { ...trade, id: crypto.randomUUID() }
    toast({ title: t('removed'), text: t('removed-text', { symbol: trade.symbol }), action: { label: t('undo'), run: () => { changes.add(newTradeOf(back), back) } } })
  }
  return { remove, dialog: asked === null ? null : <RemoveDialog trade={asked} onClose={() => { setAsked(null) }} onRemove={changes.remove} /> }
}
