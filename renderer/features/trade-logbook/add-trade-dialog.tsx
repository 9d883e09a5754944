import { useSession, useUserId } from '#renderer/lib/session.ts'
import type { NewTrade, Trade } from '#shared/api/records.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emptyDraft, readDraft } from './draft.ts'
import { TradeDialogFrame } from './trade-dialog-frame.tsx'
import { TradeForm } from './trade-form.tsx'
import { draftedTrade, newTradeOf } from './trade-records.ts'
import { emptyUserDraft, type UserFields } from './user-fields.ts'

/** A trade that is entered by hand. */
export const AddTradeDialog = ({ onClose, onAdd }: { onClose: () => void; onAdd: (trade: NewTrade, shown: Trade) => void }) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const userId = useUserId()
  const [draft, setDraft] = useState(() => emptyDraft(new Date().toISOString(), zone))
  const [checked, setChecked] = useState(false)
  const read = readDraft(draft, zone)

  const save = (fields: UserFields | null): void => {
    setChecked(true)
    const trade = draftedTrade(crypto.randomUUID(), userId, read, fields, zone)
    if (trade === null || read.trade === null) return
    onAdd({ ...newTradeOf(trade), ...read.trade }, trade)
    onClose()
  }
  return (
    <TradeDialogFrame title={t('add-title')} text={t('add-text')} submit={t('add')} own={emptyUserDraft} onSubmit={save} onClose={onClose}>
      <TradeForm draft={draft} read={read} checked={checked} onChange={setDraft} />
    </TradeDialogFrame>
  )
}
