import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Input } from '#renderer/ui/field.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { ownDataRoutes, type OwnDefaultStop } from '#shared/api/own-data.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ruler } from 'lucide-react'
import { useEffect, useEffectEvent, useId, type ReactNode } from 'react'
import { useForm, type UseFormRegisterReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { PasteStops } from './paste-stops.tsx'
import { changedStops, stopFields, typedStops, withStops, worthOf, type StopChange, type TypedStop } from './stop-rows.ts'

const { defaultStops, setDefaultStops } = ownDataRoutes
const resolver = resolverOf(stopFields)

/** The assumed stop of trades without one, by product; several are edited together and saved at once. */
export const StopsSection = () => {
  const { t } = useTranslation('settings')
  const stops = useQuery(apiQuery(defaultStops))
  const choices = useQuery(apiQuery(statisticsRoutes.filterChoices))
  if (stops.data !== undefined && choices.data !== undefined) return <StopsForm kept={stops.data.stops} traded={choices.data.symbols} />
  const failure = stops.data === undefined ? stops.error : choices.error
  return (
    <Card title={t('stops')} note={t('stops-note')}>
      {failure !== null ? (
        <ErrorState failure={failure} onRetry={() => { void stops.refetch(); void choices.refetch() }} />
      ) : (
        <>
          <p className="max-w-3xl px-4 py-3 text-muted">{t('stops-text')}</p>
          <StopsTable><SkeletonRows rows={6} columns={4} figures={3} /></StopsTable>
        </>
      )}
    </Card>
  )
}

const StopsForm = ({ kept, traded }: { kept: readonly OwnDefaultStop[]; traded: readonly string[] }) => {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const words = useProblemText()
  const client = useQueryClient()
  const { register, watch, getValues, setValue, reset: resetForm, getFieldState, handleSubmit, formState } = useForm({ resolver, mode: 'onChange', defaultValues: { stops: typedStops(kept, traded) } })
  const { dirtyFields, isDirty } = formState
  const rows = watch('stops')
  const { mutate, isPending, error, data: saved, variables, reset } = useMutation({
    mutationFn: ({ changes }: { readonly changes: StopChange[]; readonly typed: { stops: TypedStop[] } }) => callApi(setDefaultStops, { body: { stops: changes } }),
    onSuccess: async (_, { typed }) => {
      // What was typed since is an edit of what was sent.
      resetForm(typed, { keepValues: true, keepErrors: true })
      await invalidateRoutes(client, defaultStops, statisticsRoutes.statistics)
    },
  })
  // The answer of the last save is out of date; one that is still to come is not.
  const dropAnswer = (): void => {
    if (!isPending) reset()
  }
  const edit = (stops: readonly TypedStop[]): void => {
    dropAnswer()
    setValue('stops', withStops(getValues('stops'), stops), { shouldDirty: true, shouldValidate: true })
  }
  const showKept = useEffectEvent(() => {
    const edited = rows.filter((_, at) => dirtyFields.stops?.[at] !== undefined)
    resetForm({ stops: typedStops(kept, traded) })
    if (edited.length > 0) edit(edited)
  })
  useEffect(() => { showKept() }, [kept, traded])
  const changed = new Set(changedStops(kept, rows))
  const wrong = rows.map((_, at) => getFieldState(`stops.${at}.distance`, formState).invalid)
  return (
    <Card title={t('stops')} note={t('stops-note')} actions={<PasteStops onRead={edit} />}>
      <form
        noValidate
        aria-label={t('stops')}
        onSubmit={handleSubmit(({ stops }) => { mutate({ changes: changedStops(kept, stops), typed: structuredClone(getValues()) }) })}
      >
        <p className="max-w-3xl px-4 py-3 text-muted">{t('stops-text')}</p>
        {rows.length === 0 ? (
          <EmptyState Icon={Ruler} title={t('no-stops')} text={t('no-stops-text')} className="border-t border-hairline" />
        ) : (
          <>
            <StopsTable>
              {rows.map((row, at) => (
                <StopTableRow key={row.product} row={row} changed={changed.has(row)} wrong={wrong[at] === true} input={register(`stops.${at}.distance`, { onChange: dropAnswer })} onUnit={(unit) => { edit([{ ...row, unit }]) }} />
              ))}
            </StopsTable>
            <div className="sticky -bottom-4.5 flex flex-wrap items-center gap-2 rounded-b-lg border-t border-hairline bg-surface px-4 py-3">
              {error !== null && (
                <Notice tone="error" className="w-full">
                  {words(error)}
                </Notice>
              )}
              <Button type="submit" busy={isPending} disabled={wrong.includes(true) || changed.size === 0}>
                {t('save')}
              </Button>
              <Button variant="ghost" disabled={isPending || !isDirty} onClick={() => { reset(); resetForm({ stops: typedStops(kept, traded) }) }}>
                {t('discard')}
              </Button>
              <span role="status" className="text-sm text-muted">
                {wrong.includes(true) ? t('stops-wrong') : changed.size > 0 ? t('stops-changed', { count: changed.size, shown: format.count(changed.size) }) : saved !== undefined && t('stops-saved', { count: variables.changes.length, shown: format.count(variables.changes.length) })}
              </span>
            </div>
          </>
        )}
      </form>
    </Card>
  )
}

const StopsTable = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation('settings')
  return (
    <div className="overflow-x-auto border-t border-hairline">
      <Table>
        <thead>
          <tr>
            <HeaderCell className="w-full">{t('product')}</HeaderCell>
            <HeaderCell end>{t('distance')}</HeaderCell>
            <HeaderCell>{t('unit')}</HeaderCell>
            <HeaderCell end>{t('at-risk')}</HeaderCell>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </Table>
    </div>
  )
}

/** The default stop of one product, and the loss per contract. */
const StopTableRow = ({ row, changed, wrong, input, onUnit }: { row: TypedStop; changed: boolean; wrong: boolean; input: UseFormRegisterReturn; onUnit: (unit: TypedStop['unit']) => void }) => {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const noteId = useId()
  const { product, unit } = row
  const worth = worthOf(row)
  return (
    <tr>
      <Cell className="font-medium">
        {product}
        {changed && <span className="ml-2 text-sm font-normal text-accent">{t('changed')}</span>}
      </Cell>
      <Cell end className="py-1">
        <Input
          {...input}
          aria-label={t('distance-of', { product })}
          aria-describedby={wrong ? noteId : undefined}
          aria-invalid={wrong ? true : undefined}
          inputMode="decimal"
          autoComplete="off"
          maxLength={26}
          placeholder={t('none')}
          className="h-7! w-24! text-right tabular-nums"
        />
        {wrong && (
          <p id={noteId} role="alert" className="text-sm text-loss">
            {t('problem.not-a-distance')}
          </p>
        )}
      </Cell>
      <Cell>
        <Segmented
          label={t('unit-of', { product })}
          value={unit}
          onChange={onUnit}
          options={[
            { value: 'ticks', label: t('ticks') },
            { value: 'points', label: t('points') },
          ]}
          className="min-w-max align-middle"
        />
      </Cell>
      <Cell end quiet>
        {worth === null ? t('none') : t('per-contract', { amount: format.money(worth.amount), currency: worth.currency })}
      </Cell>
    </tr>
  )
}
