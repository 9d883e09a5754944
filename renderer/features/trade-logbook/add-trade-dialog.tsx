import { useSession, useUserId } from '#renderer/lib/session.ts'
import type { NewTrade, Trade } from '#shared/api/records.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emptyDraft, readDraft } from './draft.ts'
import { holdSame, type LeftDraft } from './left-draft.ts'
import { TradeDialogFrame } from './trade-dialog-frame.tsx'
import { TradeForm } from './trade-form.tsx'
import { draftedTrade, newTradeOf } from './trade-records.ts'
import { emptyUserDraft, type UserFields } from './user-fields.ts'

type Props = {
  /** What stands in it where it was left before. */
  readonly left: LeftDraft | null
  /** Told what was entered and is not saved; null for nothing. */
  readonly onClose: (left: LeftDraft | null) => void
  readonly onAdd: (trade: NewTrade, shown: Trade) => void
}

/** A trade that is entered by hand. */
export const AddTradeDialog = ({ left, onClose, onAdd }: Props) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const userId = useUserId()
  const [empty] = useState(() => emptyDraft(new Date().toISOString(), zone))
  const [draft, setDraft] = useState(left?.facts ?? empty)
  const [checked, setChecked] = useState(false)
  const read = readDraft(draft, zone)

  const save = (fields: UserFields | null): void => {
    setChecked(true)
    const trade = draftedTrade(crypto.randomUUID(), userId, read, fields, zone)
    if (trade === null || read.trade === null) return
    onAdd({ ...newTradeOf(trade), ...read.trade }, trade)
    onClose(null)
  }
  return (
    <TradeDialogFrame
      title={t('add-title')}
      text={t('add-text')}
      submit={t('add')}
      own={emptyUserDraft}
      left={left?.own}
      entry={read.trade && { side: read.trade.side ?? draft.side, entryPrice: read.trade.entryPrice }}
      changed={!holdSame(draft, empty)}
      focusNotes={false}
      onSubmit={save}
      onClose={(own) => { onClose(own === null ? null : { facts: draft, own }) }}
    >
      <TradeForm draft={draft} read={read} checked={checked} onChange={setDraft} />
    </TradeDialogFrame>
  )
}
