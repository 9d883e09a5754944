import { useSession, useUserId } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import type { NewTrade, Trade } from '#shared/api/records.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emptyDraft, readDraft } from './draft.ts'
import { holdSame, type LeftDraft } from './left-draft.ts'
import { TradeDialogFrame } from './trade-dialog-frame.tsx'
import { TradeForm } from './trade-form.tsx'
import { draftedTrade, newTradeOf } from './trade-records.ts'
import { emptyUserDraft, isStopBeyond, readUserDraft } from './user-fields.ts'

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
  const [own, setOwn] = useState(left?.own ?? emptyUserDraft)
  const [checked, setChecked] = useState(false)
  const read = readDraft(draft, zone)
  const { fields } = readUserDraft(own)
  const isChanged = !holdSame(draft, empty) || !holdSame(own, emptyUserDraft)
  const close = (): void => {
    onClose(isChanged ? { facts: draft, own } : null)
  }

  const save = (): void => {
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
      draft={own}
      // A picture that arrives later changes what was typed meanwhile.
      onChange={(change) => { setOwn((known) => ({ ...known, ...change })) }}
      doubted={read.trade !== null && isStopBeyond(fields?.stop ?? null, { side: read.trade.side ?? draft.side, entryPrice: read.trade.entryPrice }) ? draft.side : null}
      focusNotes={false}
      keptOpen={isChanged}
      onSubmit={save}
      onClose={close}
      footer={(formId, busy) => (
        <>
          <Button variant="outline" onClick={close}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={formId} busy={busy}>
            {t('add')}
          </Button>
        </>
      )}
    >
      <TradeForm draft={draft} read={read} checked={checked} onChange={setDraft} />
    </TradeDialogFrame>
  )
}
