import { useFormat } from '#renderer/lib/use-format.ts'
import { Field } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import type { ImportPreviewAnswer, ReadFile, Upload } from '#shared/api/imports.ts'
import { dateOrders, type DateOrder } from '#shared/imports/export-kind.ts'
import { useTranslation } from 'react-i18next'

/** A file whose date order the user has to choose, month or day first, with one of its dates if known. */
type FileToDate = { readonly id: string; readonly name: string; readonly date: ReadFile['openDate']; readonly chosen: DateOrder | null }

/** The files whose order of dates the user has to choose, or chose. */
export const datesAsked = (sent: readonly Upload[], answer: ImportPreviewAnswer | null, chosen: ReadonlyMap<string, DateOrder>): readonly FileToDate[] =>
  sent.flatMap(({ id, name }, index) => {
    const date = answer?.files[index]?.openDate ?? null
    const order = chosen.get(id) ?? null
    return date === null && order === null ? [] : [{ id, name, date, chosen: order }]
  })

/** Asks whether the dates of each such file begin with the month or with the day. */
export const DateChoices = ({ asked, disabled, onChange }: { asked: readonly FileToDate[]; disabled: boolean; onChange: (id: string, order: DateOrder) => void }) => {
  const { t } = useTranslation('import')
  const format = useFormat()
  if (asked.length === 0) return null
  return (
    <div className="flex flex-wrap gap-x-8 gap-y-3.5 border-t border-hairline px-4 py-3.5">
      {asked.map(({ id, name, date, chosen }) => (
        <Field key={id} label={t('dates', { file: name })} hint={date === null ? undefined : t('dates-hint', { text: date.text, month: format.day(date.mdy), day: format.day(date.dmy) })} className="max-w-96">
          {(field) => (
            <Select
              {...field}
              className="w-72"
              disabled={disabled}
              placeholder={t('dates-choose')}
              value={chosen ?? undefined}
              options={dateOrders.map((order) => ({ value: order, label: t(`dates-of.${order}`) }))}
              onChange={(order) => { onChange(id, order) }}
            />
          )}
        </Field>
      ))}
    </div>
  )
}
