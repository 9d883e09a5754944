import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field } from '#renderer/ui/field.tsx'
import { firmOption } from '#renderer/ui/firm-option.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { firm as firms, isOwnAccount, type Finance } from '#shared/api/records.ts'
import type { LabelKind } from '#shared/sync/guess-labels.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { labelKinds, type AccountRow } from './account-rows.ts'
import { labelledFinance } from './label-rows.ts'
import { useSaveLabels } from './use-save-labels.ts'

const kindOf = (finance: Finance): LabelKind | undefined => (isOwnAccount(finance) ? 'own' : finance.type === 'Evaluation Account' || finance.type === 'Funded Account' ? finance.type : undefined)

/** Changes the type and the firm that an account was given, as when a trader passes an evaluation; its stage follows. */
export const EditLabelDialog = ({ row, onClose }: { row: AccountRow; onClose: () => void }) => {
  const { finance } = row
  const { t } = useTranslation('auto-sync')
  const words = useProblemText()
  const save = useSaveLabels()
  const [kind, setKind] = useState(kindOf(finance))
  const [firm, setFirm] = useState(finance.firm ?? undefined)
  const made = labelledFinance({ row, kind, firm, suggested: { kind: false, firm: false } })
  const labelled = made && { ...made, platform: finance.platform }
  const unchanged = labelled === null || (labelled.type === finance.type && labelled.firm === finance.firm)
  const failure = save.data?.failures.get(finance.id)
  const submit = (): void => {
    if (labelled === null) return
    save.mutate([labelled], {
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
        <Field label={t('label.type')}>
          {(field) => <Select {...field} value={kind} onChange={setKind} disabled={save.isPending} placeholder={t('label.select-type')} options={labelKinds.map((value) => ({ value, label: t(`account-type.${value}`) }))} className="w-full" />}
        </Field>
        {kind !== 'own' && (
          <Field label={t('label.firm')}>
            {(field) => <Select {...field} value={firm} onChange={setFirm} disabled={save.isPending} placeholder={t('label.select-firm')} options={firms.options.map(firmOption)} className="w-full" />}
          </Field>
        )}
        {failure !== undefined && (
          <Notice tone="error">
            <span className="block font-semibold">{t('label.failed')}</span>
            {words(failure)}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}
