import { apiQuery, callApi, invalidateRoutes } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { journalRoutes } from '#shared/api/journal.ts'
import { ownDataRoutes, type UncertainProduct } from '#shared/api/own-data.ts'
import { reconciliationRoutes } from '#shared/api/reconciliation.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'

const { pointValues, setPointValue } = ownDataRoutes
const { pairPage, tradePage, tradePairs } = journalRoutes
const { amount, currency } = setPointValue.body.shape.pointValue.unwrap().shape
const resolver = resolverOf(z.object({ amount: z.string().trim().pipe(amount), currency: z.string().trim().pipe(currency) }))

/** The point values of products that neither a broker nor the contract table describes: asked once, saved, and edited here. */
export const PointsSection = () => {
  const { t } = useTranslation('settings')
  const { data, error, refetch } = useQuery(apiQuery(pointValues))
  return (
    <Card title={t('point-values')} note={t('points-note')}>
      {data === undefined ? (
        error !== null && <ErrorState failure={error} onRetry={() => { void refetch() }} />
      ) : data.products.length === 0 ? (
        <EmptyState Icon={CircleCheck} title={t('points-none')} text={t('points-none-text')} />
      ) : (
        <>
          <p className="max-w-3xl px-4 pt-3 text-muted">{t('points-text')}</p>
          <ul aria-label={t('point-values')} className="mt-3 divide-y divide-hairline border-t border-hairline">
            {data.products.map((one) => (
              <PointRow key={one.product} one={one} />
            ))}
          </ul>
        </>
      )}
    </Card>
  )
}

const PointRow = ({ one: { product, contracts, pairs, pointValue } }: { one: UncertainProduct }) => {
  const { t } = useTranslation('settings')
  const format = useFormat()
  const words = useProblemText()
  const client = useQueryClient()
  const saved = pointValue ?? { amount: '', currency: 'USD' }
  const { register, watch, getValues, setValue, reset, handleSubmit, formState: { errors, isSubmitted } } = useForm({ resolver, shouldFocusError: false, defaultValues: saved })
  const showSaved = useEffectEvent(() => { reset(saved, { keepDirtyValues: true, keepErrors: true }) })
  useEffect(() => { showSaved() }, [saved.amount, saved.currency])
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: ({ next }: { readonly next: UncertainProduct['pointValue']; readonly typed: typeof saved }) => callApi(setPointValue, { body: { product, pointValue: next } }),
    onSuccess: (_, { typed }) => {
      // What was typed since is an edit of what was sent.
      reset(typed, { keepValues: true, keepErrors: true })
      return invalidateRoutes(client, pointValues, pairPage, tradePage, tradePairs, statisticsRoutes.statistics, reconciliationRoutes.reconciliation)
    },
  })
  const send = (next: UncertainProduct['pointValue']): void => { mutate({ next, typed: { ...getValues() } }) }
  return (
    <li className="px-4 py-3">
      <form
        noValidate
        aria-label={product}
        className="flex flex-wrap items-start gap-x-4 gap-y-3"
        onSubmit={handleSubmit(send)}
      >
        <div className="min-w-48 grow basis-64">
          <p className="font-medium">{product}</p>
          <p className="text-sm text-muted">{pairs === 0 ? t('points-unused') : t('points-used', { count: pairs, shown: format.count(pairs), contracts: contracts.join(', ') })}</p>
          <p role="status" className="text-sm text-muted">{data !== undefined && t('worked-out', { count: data.pairs })}</p>
        </div>
        <Field label={t('point-amount')} className="w-44" error={errors.amount ? t('problem.not-a-distance') : error === null ? null : words(error)}>
          {(attributes) => <Input {...attributes} {...register('amount')} inputMode="decimal" autoComplete="off" maxLength={20} />}
        </Field>
        <Field label={t('point-currency')} className="w-28" error={errors.currency && t('problem.no-currency')}>
          {(attributes) => <Input {...attributes} autoComplete="off" maxLength={3} value={watch('currency')} onChange={({ target }) => { setValue('currency', target.value.toUpperCase(), { shouldDirty: true, shouldValidate: isSubmitted }) }} />}
        </Field>
        <div className="mt-5.5 flex gap-2">
          <Button type="submit" variant="outline" busy={isPending}>
            {t('point-save')}
          </Button>
          {pointValue !== null && (
            <Button variant="ghost" disabled={isPending} onClick={() => { send(null) }}>
              {t('point-take-back')}
            </Button>
          )}
        </div>
      </form>
    </li>
  )
}
