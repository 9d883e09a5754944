import { useSession } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { Trade, TradeUpdates } from '#shared/api/records.ts'
import { Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { draftOf, readDraft, shownOf } from './draft.ts'
import { SourceWords } from './source-words.tsx'
import { TradeFacts } from './trade-facts.tsx'
import { TradeForm } from './trade-form.tsx'
import { changedFields, readUserDraft, userDraftOf } from './user-fields.ts'
import { UserFieldsForm } from './user-fields-form.tsx'
import { WarningWords } from './warning-words.tsx'

type Props = { readonly trade: Trade; readonly onClose: () => void; readonly onSave: (id: string, updates: TradeUpdates, shown: Partial<Trade>) => void; readonly onRemove: (trade: Trade) => void }

/** One trade: what the broker said stands, the user's own fields can be changed; of a trade entered by hand everything can. */
export const TradeDialog = ({ trade, onClose, onSave, onRemove }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const formId = useId()
  const manual = trade.origin === 'manual'
  const [own, setOwn] = useState(() => userDraftOf(trade))
  const [draft, setDraft] = useState(() => ({ ...draftOf(trade, zone), commission: trade.feeSource === 'entered' ? trade.commission : '' }))
  const fields = readUserDraft(own)
  const read = readDraft(draft, zone)

  const save = (): void => {
    if (fields.fields === null) return
    const ownChanges = changedFields(trade, fields.fields)
    if (!manual) {
      if (Object.keys(ownChanges).length > 0) onSave(trade.id, ownChanges, ownChanges)
      onClose()
      return
    }
    if (read.trade === null || read.preview === null) return
    const updates = { ...changedFields(trade, read.trade), ...ownChanges }
    if (Object.keys(updates).length > 0) onSave(trade.id, updates, { ...shownOf(read.trade, read.preview, zone), ...ownChanges })
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('trade-title', { symbol: trade.symbol, side: t(`side.${trade.side}`) })}
      description={manual ? t('manual-text') : t('synced-text')}
      width="lg"
      footer={
        <>
          <Button variant="ghost" className="mr-auto -ml-3" onClick={() => { onRemove(trade) }}>
            <Trash2 aria-hidden />
            {t('remove')}
          </Button>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={formId}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        {trade.warnings.length > 0 && (
          <Notice tone="warn">
            <WarningWords shown={trade} />
          </Notice>
        )}
        {manual ? <TradeForm draft={draft} read={read} checked onChange={setDraft} /> : <TradeFacts trade={trade} />}
        <UserFieldsForm draft={own} problems={fields.problems} onChange={setOwn} />
        <p className="text-sm text-faint">
          <SourceWords shown={trade} />
        </p>
      </form>
    </Dialog>
  )
}
