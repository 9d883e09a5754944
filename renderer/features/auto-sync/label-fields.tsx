import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Field } from '#renderer/ui/field.tsx'
import { firmOption } from '#renderer/ui/firm-option.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { firm as firms, type LabelKind } from '#shared/api/records.ts'
import { useTranslation } from 'react-i18next'
import type { Firm } from './label-rows.ts'

type Props<Kind extends LabelKind> = {
  readonly kinds: readonly Kind[]
  readonly kind: Kind | undefined
  readonly onKind: (kind: Kind) => void
  readonly firm: Firm | undefined
  readonly onFirm: (firm: Firm) => void
  readonly disabled: boolean
  /** Why saving failed, if it did. */
  readonly failure: unknown
}

/** Chooses the type and the firm of one account; the user's own account has no firm. */
export const LabelFields = <Kind extends LabelKind>({ kinds, kind, onKind, firm, onFirm, disabled, failure }: Props<Kind>) => {
  const { t } = useTranslation('auto-sync')
  const words = useProblemText()
  const kindName = (of: LabelKind): string => t(`account-type.${of}`)
  return (
    <>
      <Field label={t('label.type')}>
        {(field) => <Select {...field} value={kind} onChange={onKind} disabled={disabled} placeholder={t('label.select-type')} options={kinds.map((value) => ({ value, label: kindName(value) }))} className="w-full" />}
      </Field>
      {kind !== 'own' && (
        <Field label={t('label.firm')}>
          {(field) => <Select {...field} value={firm} onChange={onFirm} disabled={disabled} placeholder={t('label.select-firm')} options={firms.options.map(firmOption)} className="w-full" />}
        </Field>
      )}
      {failure !== undefined && (
        <Notice tone="error">
          <span className="block font-semibold">{t('label.failed')}</span>
          {words(failure)}
        </Notice>
      )}
    </>
  )
}
