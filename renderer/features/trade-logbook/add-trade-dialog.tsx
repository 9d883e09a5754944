import { useSession, useUserId } from '#renderer/lib/session.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import type { NewTrade, Trade } from '#shared/api/records.ts'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emptyDraft, readDraft } from './draft.ts'
import { TradeForm } from './trade-form.tsx'
import { draftedTrade, newTradeOf } from './trade-records.ts'
import { emptyUserDraft, readUserDraft } from './user-fields.ts'
import { UserFieldsForm } from './user-fields-form.tsx'

/** A trade that is entered by hand. */
export const AddTradeDialog = ({ onClose, onAdd }: { onClose: () => void; onAdd: (trade: NewTrade, shown: Trade) => void }) => {
  const { t } = useTranslation('trade-logbook')
  const zone = useSession().session?.timeZone ?? 'UTC'
  const userId = useUserId()
  const formId = useId()
  const [draft, setDraft] = useState(() => emptyDraft(new Date().toISOString(), zone))
  const [own, setOwn] = useState(emptyUserDraft)
  const [checked, setChecked] = useState(false)
  const read = readDraft(draft, zone)
  const fields = readUserDraft(own)

  const save = (): void => {
    setChecked(true)
    const trade = draftedTrade(crypto.randomUUID(), userId, read, fields.fields, zone)
    if (trade === null || read.trade === null) return
    onAdd({ ...newTradeOf(trade), ...read.trade }, trade)
    onClose()
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('add-title')}
      description={t('add-text')}
      width="lg"
      footer={
        <>
          <Button variant="outline" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" form={formId}>
            {t('add')}
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
        <TradeForm draft={draft} read={read} checked={checked} onChange={setDraft} />
        <UserFieldsForm draft={own} problems={fields.problems} onChange={setOwn} />
      </form>
    </Dialog>
  )
}
