import { usePushed } from '#renderer/lib/events.ts'
import { receiptParts } from '#renderer/lib/receipt-words.ts'
import { toast } from '#renderer/ui/toast-store.ts'
import type { SyncReceipt } from '#shared/api/sync.ts'
import { useTranslation } from 'react-i18next'

/** Tells on every page what came of a sync that the user asked for. */
export const SyncResult = () => {
  const { t } = useTranslation('sync')
  const tell = (receipt: SyncReceipt): void => {
    const counts = receiptParts(receipt).map(({ key, count, platform }) => t(`part.${key}`, { count, platform }))
    const text = receipt.outcome === 'complete' ? counts.join(' · ') : `${counts.join(' · ')}. ${t('see-auto-sync')}`
    toast({ title: t(`outcome.${receipt.outcome}`), text, tone: receipt.outcome === 'failed' ? 'error' : 'info' })
  }
  usePushed('sync-ended', ({ receipt }) => {
    // A run of the schedule is no answer to anything that the user did: its result stands in the chip.
    if (receipt.trigger === 'manual' || receipt.trigger === 'connect') tell(receipt)
  })
  return null
}
