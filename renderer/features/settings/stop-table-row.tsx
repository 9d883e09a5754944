import { useFormat } from '#renderer/lib/use-format.ts'
import { Input } from '#renderer/ui/field.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Cell } from '#renderer/ui/table.tsx'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { worthOf, type StopDraft, type StopRow } from './stop-rows.ts'

/** The default stop of one product, and the loss per contract. */
export const StopTableRow = ({ row, onEdit }: { row: StopRow; onEdit: (draft: StopDraft) => void }) => {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const noteId = useId()
  const { product, distance, unit, changed, problem } = row
  const worth = worthOf(product, row)
  return (
    <tr>
      <Cell className="font-medium">
        {product}
        {changed && <span className="ml-2 text-sm font-normal text-accent">{t('changed')}</span>}
      </Cell>
      <Cell end className="py-1">
        <Input
          aria-label={t('distance-of', { product })}
          aria-describedby={problem === null ? undefined : noteId}
          aria-invalid={problem === null ? undefined : true}
          inputMode="decimal"
          autoComplete="off"
          maxLength={26}
          value={distance}
          placeholder={t('none')}
          onChange={({ target }) => { onEdit({ distance: target.value, unit }) }}
          className="h-7! w-24! text-right tabular-nums"
        />
        {problem !== null && (
          <p id={noteId} role="alert" className="text-sm text-loss">
            {t(`problem.${problem}`)}
          </p>
        )}
      </Cell>
      <Cell>
        <Segmented
          label={t('unit-of', { product })}
          value={unit}
          onChange={(next) => { onEdit({ distance, unit: next }) }}
          options={[
            { value: 'ticks', label: t('ticks') },
            { value: 'points', label: t('points') },
          ]}
          className="align-middle"
        />
      </Cell>
      <Cell end quiet>
        {worth === null ? t('none') : t('per-contract', { amount: format.money(worth.amount), currency: worth.currency })}
      </Cell>
    </tr>
  )
}
