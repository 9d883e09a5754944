import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { labelKindOf } from '#shared/api/records.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelKinds, type AccountRow } from './account-rows.ts'
import { LabelFields } from './label-fields.tsx'
import { labeledFinance } from './label-rows.ts'
import { useSaveLabels } from './use-save-labels.ts'

/** Changes the type and the firm that an account was given, as when a trader passes an evaluation; its stage follows. */
export const EditLabelDialog = ({ row, onClose }: { row: AccountRow; onClose: () => void }) => {
  const { finance } = row
  const { t } = useTranslation('auto-sync')
  const save = useSaveLabels()
  const [kind, setKind] = useState(labelKindOf(finance) ?? undefined)
  const [firm, setFirm] = useState(finance.firm ?? undefined)
  const made = labeledFinance({ row, kind, firm, suggested: { kind: false, firm: false } })
  const labeled = made && { ...made, platform: finance.platform }
  const unchanged = labeled === null || (labeled.type === finance.type && labeled.firm === finance.firm)
  const submit = (): void => {
    if (labeled === null) return
    save.mutate([labeled], {
      onSuccess: ({ failures }) => {
        if (failures.size > 0) return
        toast({ title: t('edit-label.saved', { account: finance.name }) })
        onClose()
      },
    })
  }
  return (
    <Dialog
      open
      width="sm"
      onClose={() => { if (!save.isPending) onClose() }}
      title={t('edit-label.title', { account: finance.name })}
      description={t('edit-label.text')}
      footer={<AskButtons cancel={t('edit-label.cancel')} onCancel={onClose} locked={save.isPending} confirm={t('label.save')} busy={save.isPending} disabled={unchanged} onClick={submit} />}
    >
      <div className="flex flex-col gap-3.5">
        <LabelFields kinds={labelKinds} kind={kind} onKind={setKind} firm={firm} onFirm={setFirm} disabled={save.isPending} failure={save.data?.failures.get(finance.id)} />
      </div>
    </Dialog>
  )
}
