import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import type { Trade } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'

/** Asks before a trade from the broker goes, since it stays away through every later sync. */
export const RemoveDialog = ({ trade, onClose, onRemove }: { trade: Trade; onClose: () => void; onRemove: (id: string) => void }) => {
  const { t } = useTranslation('trade-logbook')
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('remove-title')}
      description={t('remove-text', { symbol: trade.symbol })}
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            variant="destructive"
            onClick={() => {
              onRemove(trade.id)
              onClose()
            }}
          >
            {t('remove')}
          </Button>
        </>
      }
    />
  )
}
