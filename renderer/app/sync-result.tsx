import { usePushed } from '#renderer/lib/events.ts'
import { receiptParts } from '#renderer/lib/receipt-words.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { useTranslation } from 'react-i18next'

/** On every page, reports the result of a sync that the user started. */
export const SyncResult = () => {
  const { t } = useTranslation('sync')
  const tell = (receipt: SyncReceipt): void => {
    const counts = receiptParts(receipt).map(({ key, count, platform }) => t(`part.${key}`, { count, platform }))
    const text = receipt.outcome === 'complete' ? counts.join(' · ') : `${counts.join(' · ')}. ${t('see-auto-sync')}`
    toast({ title: t(`outcome.${receipt.outcome}`), text, tone: receipt.outcome === 'failed' ? 'error' : 'info' })
  }
  usePushed('sync-ended', ({ receipt }) => {
    // The user did not ask for a scheduled run: its result is in the chip.
    if (receipt.trigger === 'manual' || receipt.trigger === 'connect') tell(receipt)
  })
  return null
}
