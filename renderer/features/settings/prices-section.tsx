import { apiQuery, callApi, type ApiFailure } from '#renderer/lib/api.ts'
import { invalidatePrices } from '#renderer/lib/invalidate-prices.ts'
import { paths } from '#renderer/lib/paths.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useGrainName } from '#renderer/lib/use-grain-name.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { Cell, HeaderCell, SkeletonRows, Table } from '#renderer/ui/table.tsx'
import { toast } from '#renderer/ui/toast-store.ts'
import { priceRoutes, type StoredPrices } from '#shared/api/prices.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChartCandlestick, Trash2 } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { z } from 'zod'
import { megabytes } from './megabytes.ts'

type Limit = AnswerOf<typeof priceRoutes.prices>['limit']

/** The prices that are stored, the room they take and may take, and the way to remove them. */
export const PricesSection = () => {
  const { t } = useTranslation('prices')
  const format = useFormat()
  const { data, error, refetch } = useQuery({ ...apiQuery(priceRoutes.prices), staleTime: 0 })
  const [asked, setAsked] = useState<StoredPrices | 'all' | null>(null)
  const damaged = error?.code === 'prices-damaged'
  return (
    <Card
      title={t('title')}
      note={t('note')}
      actions={
        <Button asChild variant="outline" size="sm">
          <Link to={paths.import}>{t('import')}</Link>
        </Button>
      }
    >
      <p className="max-w-3xl px-4 py-3 text-muted">{t('text')}</p>
      {data === undefined && error !== null ? (
        <>
          <ErrorState failure={error} onRetry={() => void refetch()} />
          {damaged && (
            <p className="px-4 pb-4 text-center">
              <Button variant="destructive" onClick={() => { setAsked('all') }}>{t('remove-all')}</Button>
            </p>
          )}
        </>
      ) : data?.series.length === 0 ? (
        <EmptyState Icon={ChartCandlestick} title={t('empty')} text={t('empty-text')} className="border-t border-hairline" />
      ) : (
        <div className="overflow-x-auto border-t border-hairline">
          <Table>
            <thead>
              <tr>
                <HeaderCell>{t('contract')}</HeaderCell>
                <HeaderCell>{t('from-to')}</HeaderCell>
                <HeaderCell>{t('grain-head')}</HeaderCell>
                <HeaderCell>{t('source-head')}</HeaderCell>
                <HeaderCell end>{t('entries')}</HeaderCell>
                <HeaderCell end>{t('size')}</HeaderCell>
                <HeaderCell unseen>{t('remove')}</HeaderCell>
              </tr>
            </thead>
            <tbody>{data === undefined ? <SkeletonRows rows={3} columns={7} /> : data.series.map((one) => <SeriesRow key={`${one.contract} ${one.source} ${String(one.grain)}`} one={one} onRemove={() => { setAsked(one) }} />)}</tbody>
          </Table>
        </div>
      )}
      {data !== undefined && (
        <div className="flex flex-wrap items-end gap-x-6 gap-y-3 border-t border-hairline px-4 py-3.5">
          <LimitForm limit={data.limit} />
          <p className="ml-auto text-muted">{t('room', { size: format.quantity(roundedUp(data.bytes)) })}</p>
        </div>
      )}
      {asked !== null && <RemoveDialog asked={asked} onClose={() => { setAsked(null) }} />}
    </Card>
  )
}

/** Megabytes; what takes any room takes a tenth. */
const roundedUp = (bytes: number): number => (bytes === 0 ? 0 : Math.max(0.1, megabytes(bytes)))

const SeriesRow = ({ one: { contract, source, grain, from, to, entries, bytes }, onRemove }: { one: StoredPrices; onRemove: () => void }) => {
  const { t } = useTranslation('prices')
  const format = useFormat()
  const grainName = useGrainName()
  return (
    <tr className="[&>td]:py-1.5">
      <Cell className="font-medium">{contract}</Cell>
      <Cell>{format.fullDay(from.slice(0, 10))} – {format.fullDay(to.slice(0, 10))}</Cell>
      <Cell>{grainName(grain)}</Cell>
      <Cell quiet>{t(`source.${source}`)}</Cell>
      <Cell end>{format.count(entries)}</Cell>
      <Cell end>{t('megabytes', { size: format.quantity(roundedUp(bytes)) })}</Cell>
      <Cell end>
        <Button variant="ghost" size="icon" className="-mr-2" aria-label={t('remove-of', { file: `${contract}, ${grainName(grain)}` })} title={t('remove')} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      </Cell>
    </tr>
  )
}

const { megabytes: room, days } = priceRoutes.setPriceLimit.body.shape
const limitField = z.string().trim().transform((text) => (text === '' ? null : /^\d+$/.test(text) ? Number(text) : Number.NaN))
const limitFields = z.object({ megabytes: limitField.pipe(room), days: limitField.pipe(days) })
const resolver = resolverOf(limitFields)

type TypedLimit = z.input<typeof limitFields>

const typedLimit = (limit: Limit): TypedLimit => ({ megabytes: String(limit.megabytes ?? ''), days: String(limit.days ?? '') })

/** The room that prices may take, and for how long they are kept; an empty field is no limit. */
const LimitForm = ({ limit }: { limit: Limit }) => {
  const { t } = useTranslation('prices')
  const format = useFormat()
  const words = useProblemText()
  const client = useQueryClient()
  const { register, getValues, reset, handleSubmit, formState: { errors, dirtyFields } } = useForm({ resolver, mode: 'onChange', shouldFocusError: false, defaultValues: typedLimit(limit) })
  const showSaved = useEffectEvent(() => { reset(typedLimit(limit), { keepDirtyValues: true, keepErrors: true }) })
  useEffect(() => { showSaved() }, [limit.megabytes, limit.days])
  const saving = useMutation<{ readonly freed: number }, ApiFailure, { readonly body: Limit; readonly typed: TypedLimit }>({
    mutationFn: ({ body }) => callApi(priceRoutes.setPriceLimit, { body }),
    onSuccess: ({ freed }, { typed }) => {
      // What was typed since is an edit of what was sent.
      reset(typed, { keepValues: true, keepErrors: true })
      toast({ title: freed === 0 ? t('limit-saved') : t('freed', { count: freed }) })
    },
    onSettled: () => invalidatePrices(client),
  })
  return (
    <form
      className="flex flex-wrap items-end gap-x-4 gap-y-3"
      onSubmit={handleSubmit((body) => { saving.mutate({ body, typed: { ...getValues() } }) })}
    >
      <Field label={t('limit-room')} error={errors.megabytes && t('limit-bad', { most: format.count(1_000_000) })} className="w-44">
        {(field) => <Input {...field} {...register('megabytes')} inputMode="numeric" placeholder={t('no-limit')} />}
      </Field>
      <Field label={t('limit-days')} error={errors.days && t('limit-bad', { most: format.count(36_500) })} className="w-44">
        {(field) => <Input {...field} {...register('days')} inputMode="numeric" placeholder={t('no-limit')} />}
      </Field>
      <Button type="submit" variant="outline" busy={saving.isPending} disabled={Object.keys(dirtyFields).length === 0 || errors.megabytes !== undefined || errors.days !== undefined}>{t('save')}</Button>
      {saving.error !== null && <p role="alert" className="text-sm text-loss">{words(saving.error)}</p>}
    </form>
  )
}

const RemoveDialog = ({ asked, onClose }: { asked: StoredPrices | 'all'; onClose: () => void }) => {
  const { t } = useTranslation('prices')
  const words = useProblemText()
  const client = useQueryClient()
  const grainName = useGrainName()
  const removing = useMutation<unknown, ApiFailure>({
    mutationFn: () => (asked === 'all' ? callApi(priceRoutes.removeAllPrices) : callApi(priceRoutes.removePrices, { body: { contract: asked.contract, source: asked.source, grain: asked.grain } })),
    onSuccess: async () => {
      await invalidatePrices(client)
      onClose()
    },
  })
  return (
    <Dialog
      open
      width="sm"
      title={asked === 'all' ? t('remove-all') : t('remove-title', { contract: asked.contract, grain: grainName(asked.grain) })}
      description={t('remove-text')}
      onClose={onClose}
      footer={<AskButtons cancel={t('keep')} onCancel={onClose} locked={removing.isPending} confirm={t('remove')} variant="destructive" busy={removing.isPending} onClick={() => { removing.mutate() }} />}
    >
      {removing.error !== null && <p role="alert" className="text-loss">{words(removing.error)}</p>}
    </Dialog>
  )
}
