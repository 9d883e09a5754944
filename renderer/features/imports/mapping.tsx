import { apiQuestion, callApi, invalidateRoutes, type ApiFailure } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Field, Input, Label } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Skeleton } from '#renderer/ui/skeleton.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, Table } from '#renderer/ui/table.tsx'
import { importRoutes, type Upload } from '#shared/api/imports.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { dateOrders } from '#shared/imports/export-kind.ts'
import { sidesOf } from '#shared/imports/guess-format.ts'
import { fieldsOf, formatProblems, importFormat, rowKinds, wholeFormat, type FormatField, type ImportFormat } from '#shared/imports/mapped-format.ts'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useId } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { MappingPreview } from './mapping-preview.tsx'
import { ZoneChoice } from './zone-choice.tsx'

type Inspected = AnswerOf<typeof importRoutes.inspectFile>
type Choosing = {
  readonly zone: string
  /** Zones that are offered first. */
  readonly likely: readonly string[]
  readonly disabled: boolean
  readonly onZone: (zone: string) => void
  readonly onClose: () => void
}

const resolver = resolverOf(importFormat.extend({ name: z.string().trim() }).pipe(wholeFormat))

/** Maps the columns of an unknown file; the saved format reads every file with these columns. */
export const Mapping = ({ upload: { id, name }, ...rest }: { upload: Upload } & Choosing) => {
  const { t } = useTranslation('import')
  const headingId = useId()
  const inspected = useQuery({ ...apiQuestion(importRoutes.inspectFile, { body: { upload: id, name } }), retry: false, gcTime: 0 })
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3.5 border-t border-hairline px-4 py-3.5">
      <div>
        <h3 id={headingId} className="font-semibold">{t('mapping.title', { file: name })}</h3>
        <p className="max-w-3xl text-muted">{t('mapping.text')}</p>
      </div>
      {inspected.error?.code === 'invalid-request' ? (
        <p className="text-muted">{t('mapping.no-columns')}</p>
      ) : inspected.isError ? (
        <ErrorState failure={inspected.error} onRetry={() => void inspected.refetch()} />
      ) : inspected.data === undefined ? (
        <Skeleton className="h-40" />
      ) : (
        <MappingForm file={{ upload: id, name }} inspected={inspected.data} {...rest} />
      )}
    </section>
  )
}

const MappingForm = ({ file, inspected: { columns, format: guess }, zone, likely, disabled, onZone, onClose }: { file: { upload: string; name: string }; inspected: Inspected } & Choosing) => {
  const { t } = useTranslation('import')
  const words = useProblemText()
  const client = useQueryClient()
  const { register, control, setValue, handleSubmit } = useForm({ resolver, defaultValues: guess })
  const format = useWatch({ control, compute: (typed) => typed })
  const problems = formatProblems(format)
  const named = format.name.trim() !== ''
  const tried = useDeferredValue(format)
  const body = { ...file, format: { ...tried, name: tried.name.trim() || '-' }, zone }
  const trial = useQuery({ ...apiQuestion(importRoutes.tryFormat, { body }), enabled: formatProblems(tried).length === 0, placeholderData: keepPreviousData, retry: false, gcTime: 0 })
  const save = useMutation<unknown, ApiFailure, ImportFormat>({
    mutationFn: (read) => callApi(importRoutes.saveImportFormat, { body: { format: read } }),
    onSuccess: async () => {
      await invalidateRoutes(client, importRoutes.importFormats, importRoutes.previewImport)
      onClose()
    },
  })
  const answer = problems.length === 0 ? (trial.data ?? null) : null
  const symbols = [...new Set([...format.symbols.map(({ symbol }) => symbol), ...(answer?.symbols ?? [])])]
  const sideColumn = format.columns.findIndex(({ field }) => field === 'side')
  const sideWords = sideColumn < 0 ? [] : [...new Set((columns[sideColumn]?.values ?? []).map((word) => word.trim().toLowerCase().slice(0, 40)))]
  const setField = (at: number, field: FormatField | null): void => {
    const values = field === 'side' ? columns[at]?.values : null
    setValue(`columns.${at}.field`, field)
    if (values) setValue('sides', [...sidesOf(values)])
  }
  return (
    <form className="flex flex-col gap-3.5" onSubmit={handleSubmit((read) => { save.mutate(read) })}>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-3">
        <Field label={t('mapping.name')} error={named ? null : t('mapping.name-missing')}>
          {(field) => <Input {...field} {...register('name')} className="w-60" maxLength={80} />}
        </Field>
        <Field label={t('mapping.dates')}>
          {(field) => (
            <Select
              {...field}
              className="w-56"
              value={format.dates ?? 'file'}
              options={[{ value: 'file', label: t('mapping.by-file') }, ...dateOrders.map((value) => ({ value, label: t(`dates-of.${value}`) }))]}
              onChange={(value) => { setValue('dates', value === 'file' ? null : value) }}
            />
          )}
        </Field>
        <Field label={t('mapping.decimals')}>
          {(field) => (
            <Select
              {...field}
              className="w-56"
              value={format.decimals ?? 'file'}
              options={[{ value: 'file', label: t('mapping.by-file') }, ...(['point', 'comma'] as const).map((value) => ({ value, label: t(`mapping.decimals-of.${value}`) }))]}
              onChange={(value) => { setValue('decimals', value === 'file' ? null : value) }}
            />
          )}
        </Field>
        <Field label={t('zone')}>{(field) => <ZoneChoice {...field} value={zone} likely={likely} disabled={disabled} onChange={onZone} />}</Field>
        <div className="flex flex-col gap-1">
          <Label aria-hidden>{t('mapping.rows')}</Label>
          <Segmented
            className="[&>button]:h-7.5"
            label={t('mapping.rows')}
            value={format.rows}
            options={rowKinds.map((value) => ({ value, label: t(`mapping.rows-of.${value}`) }))}
            onChange={(rows) => {
              const fields: readonly FormatField[] = fieldsOf[rows]
              setValue('rows', rows)
              setValue('columns', format.columns.map((column) => ({ ...column, field: fields.find((field) => field === column.field) ?? null })))
            }}
          />
        </div>
      </div>
      <div className="max-h-96 overflow-auto rounded-md border border-line">
        <Table>
          <thead>
            <tr>
              <HeaderCell>{t('mapping.column')}</HeaderCell>
              <HeaderCell>{t('mapping.cells')}</HeaderCell>
              <HeaderCell>{t('mapping.holds')}</HeaderCell>
            </tr>
          </thead>
          <tbody>
            {format.columns.map(({ header, field }, index) => {
              const cells = cellsOf(columns, format, index).join(' · ')
              return (
                <tr key={index}>
                  <Cell className="max-w-56 truncate font-medium" title={header}>{header === '' ? t('mapping.no-name', { place: index + 1 }) : header}</Cell>
                  <Cell quiet className="max-w-80 truncate" title={cells}>{cells}</Cell>
                  <Cell>
                    <Select
                      className="w-60"
                      aria-label={t('mapping.holds-of', { column: header })}
                      value={field ?? 'nothing'}
                      options={[{ value: 'nothing', label: t('mapping.nothing') }, ...fieldsOf[format.rows].map((value) => ({ value, label: t(`mapping.field.${value}`) }))]}
                      onChange={(value) => { setField(index, value === 'nothing' ? null : value) }}
                    />
                  </Cell>
                </tr>
              )
            })}
          </tbody>
        </Table>
      </div>
      {sideColumn >= 0 && sideWords.length > 0 && <SideWords words={sideWords} format={format} onChange={(sides) => { setValue('sides', sides) }} />}
      {symbols.length > 0 && <Symbols symbols={symbols} format={format} onChange={(known) => { setValue('symbols', known) }} />}
      {problems.length > 0 ? (
        <Notice tone="warn">
          <span className="font-semibold">{t('mapping.needed')}</span>
          <ul className="list-disc pl-5">
            {problems.map((problem, index) => (
              <li key={index}>
                {problem.code === 'missing'
                  ? t('mapping.missing', { fields: problem.oneOf.map((field) => t(`mapping.field.${field}`)).join(` ${t('mapping.or')} `) })
                  : t(`mapping.problem.${problem.code}`, { field: t(`mapping.field.${problem.field}`) })}
              </li>
            ))}
          </ul>
        </Notice>
      ) : trial.isError ? (
        <ErrorState failure={trial.error} onRetry={() => void trial.refetch()} />
      ) : answer === null ? (
        <Skeleton className="h-24" />
      ) : (
        <MappingPreview tried={answer} name={file.name} stale={trial.isPlaceholderData || tried !== format} />
      )}
      {save.isError && <Notice tone="error">{words(save.error)}</Notice>}
      <div className="flex justify-end gap-3">
        <Button type="button" variant="outline" onClick={onClose}>{t('mapping.close')}</Button>
        <Button type="submit" busy={save.isPending} disabled={disabled || problems.length > 0 || !named || (answer?.file.accepted ?? 0) === 0}>{t('mapping.save')}</Button>
      </div>
    </form>
  )
}

/** The cells of a format's column: a saved format may have its columns in another order than the file. */
const cellsOf = (columns: Inspected['columns'], { columns: mapped }: ImportFormat, at: number): readonly string[] => {
  const header = mapped[at]?.header
  const before = mapped.slice(0, at).filter((column) => column.header === header).length
  return columns.filter((column) => column.header.slice(0, 200) === header)[before]?.cells ?? []
}

/** Asks which side each word of the file means. */
const SideWords = ({ words, format, onChange }: { words: readonly string[]; format: ImportFormat; onChange: (sides: ImportFormat['sides']) => void }) => {
  const { t } = useTranslation('import')
  const known = new Map(format.sides.map(({ word, side }) => [word, side]))
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-3">
      <legend className="pb-1 text-sm font-medium text-muted">{t('mapping.sides')}</legend>
      {words.map((word) => (
        <Field key={word} label={`“${word}”`}>
          {(field) => (
            <Select
              {...field}
              className="w-40"
              placeholder={t('mapping.choose')}
              value={known.get(word)}
              options={(['buy', 'sell'] as const).map((side) => ({ value: side, label: t(`mapping.side-of.${format.rows}.${side}`) }))}
              onChange={(side) => { onChange([...format.sides.filter((one) => one.word !== word), { word, side }]) }}
            />
          )}
        </Field>
      ))}
    </fieldset>
  )
}

/** Asks for the contract of each symbol that does not show it. */
const Symbols = ({ symbols, format, onChange }: { symbols: readonly string[]; format: ImportFormat; onChange: (symbols: ImportFormat['symbols']) => void }) => {
  const { t } = useTranslation('import')
  const known = new Map(format.symbols.map(({ symbol, contract }) => [symbol, contract]))
  const name = (symbol: string, contract: string): void => {
    if (contract !== (known.get(symbol) ?? '')) onChange([...format.symbols.filter((one) => one.symbol !== symbol), ...(contract === '' ? [] : [{ symbol, contract }])])
  }
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-3">
      <legend className="pb-1 text-sm font-medium text-muted">{t('mapping.symbols')}</legend>
      {symbols.map((symbol) => (
        <Field key={symbol} label={symbol}>
          {(field) => (
            <Input
              {...field}
              className="w-40"
              maxLength={40}
              placeholder={t('mapping.contract-example')}
              defaultValue={known.get(symbol) ?? ''}
              onBlur={({ target }) => { name(symbol, target.value.trim()) }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                // The file is read with it first, and saved only then.
                event.preventDefault()
                name(symbol, event.currentTarget.value.trim())
              }}
            />
          )}
        </Field>
      ))}
    </fieldset>
  )
}
