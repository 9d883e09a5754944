import { apiQuery } from '#renderer/lib/api.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Card } from '#renderer/ui/card.tsx'
import { Field, Input } from '#renderer/ui/field.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { firm } from '#shared/api/records.ts'
import { statisticsRoutes } from '#shared/api/statistics.ts'
import { useQuery } from '@tanstack/react-query'
import { Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router-dom'
import { z } from 'zod'
import { commissionRows, rateOwners, foundRows, type RateOwner } from './commission-rows.ts'
import { CommissionTable } from './commission-table.tsx'
import { readRate } from './rates.ts'
import { useSetCommission, type RateChange } from './use-commissions.ts'

/** The commission per side at each firm and in each account: the table's rate, and the user's own, which overrides it. */
export const CommissionsSection = () => {
  const { t } = useTranslation('settings')
  const [params, setParams] = useSearchParams()
  const [search, setSearch] = useState(params.get('product') ?? '')
  const [done, setDone] = useState<{ readonly owner: string; readonly change: RateChange; readonly pairs: number } | null>(null)
  const commissions = useQuery(apiQuery(ownDataRoutes.commissions))
  const choices = useQuery(apiQuery(statisticsRoutes.filterChoices))

  const everyone = commissions.data === undefined || choices.data === undefined ? null : rateOwners(firm.options, choices.data.accounts, commissions.data.own)
  const owner = everyone === null ? null : (everyone.find(({ value }) => value === params.get('of')) ?? everyone.find(({ own }) => own > 0) ?? everyone[0] ?? null)
  const rows = owner === null || commissions.data === undefined ? null : commissionRows(commissions.data, owner, choices.data?.symbols ?? [])
  const found = rows === null ? null : foundRows(rows, search)
  const failure = commissions.data === undefined ? commissions.error : choices.data === undefined ? choices.error : null

  const onDone = (change: RateChange, pairs: number): void => {
    setDone({ owner: owner?.name ?? '', change, pairs })
  }
  const choose = (of: string): void => {
    setParams((known) => {
      known.set('of', of)
      return known
    }, { replace: true })
  }
  return (
    <Card title={t('commissions')} note={t('commissions-note')}>
      {failure !== null ? (
        <ErrorState failure={failure} onRetry={() => { void commissions.refetch(); void choices.refetch() }} />
      ) : (
        <>
          <p className="max-w-3xl px-4 pt-3 text-muted">{t('commissions-text')}</p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-hairline px-4 py-3">
            <Select
              aria-label={t('whose')}
              className="w-88"
              disabled={everyone === null}
              value={owner?.value}
              onChange={choose}
              options={(everyone ?? []).map(({ value, of, name, own }) => {
                const called = of.scope === 'firm' ? t('all-of', { firm: name }) : name
                return { value, label: own === 0 ? called : t('with-own', { name: called, count: own }) }
              })}
            />
            <div className="relative w-48">
              <Search aria-hidden className="pointer-events-none absolute top-1/2 left-2.5 size-3.5 -translate-y-1/2 text-faint" />
              <Input type="search" aria-label={t('search-product')} placeholder={t('search-product')} maxLength={50} value={search} onChange={({ target }) => { setSearch(target.value) }} className="pl-7.5" />
            </div>
            <p role="status" className="ml-auto text-sm text-muted">
              {done !== null && t(done.change.perSide === null ? 'rate-taken-back' : 'rate-set', { product: done.change.product, owner: done.owner })} {done !== null && t('worked-out', { count: done.pairs })}
            </p>
          </div>
          {found?.length === 0 ? <p className="px-4 py-6 text-center text-muted">{t('no-product', { search: search.trim() })}</p> : <CommissionTable rows={found} owner={owner} onDone={onDone} />}
          {owner !== null && <AddProduct key={owner.value} owner={owner} onDone={onDone} />}
        </>
      )}
    </Card>
  )
}

const resolver = resolverOf(
  z.object({
    product: ownDataRoutes.setCommission.body.shape.product,
    rate: z.string().transform((text, context) => {
      const { given, problem } = readRate(text)
      if (given !== null) return given
      context.addIssue(problem ?? 'missing')
      return z.NEVER
    }),
  }),
)

/** Sets the rate of a product that is not in the list. */
const AddProduct = ({ owner, onDone }: { owner: RateOwner; onDone: (change: RateChange, pairs: number) => void }) => {
  const { t } = useTranslation('settings')
  const words = useProblemText()
  const { register, watch, getValues, setValue, reset, handleSubmit, formState: { errors, isSubmitted } } = useForm({ resolver, shouldFocusError: false, defaultValues: { product: '', rate: '' } })
  const { mutate, isPending, error } = useSetCommission(onDone)
  return (
    <form
      noValidate
      aria-label={t('add-product')}
      className="flex flex-wrap items-start gap-3 border-t border-hairline px-4 py-3"
      onSubmit={handleSubmit(({ product, rate }) => {
        const typed = { ...getValues() }
        const onSuccess = (): void => {
          const now = getValues()
          if (now.product === typed.product && now.rate === typed.rate) reset()
        }
        mutate({ of: owner.of, product, perSide: rate }, { onSuccess })
      })}
    >
      <Field label={t('other-product')} className="w-44" error={errors.product && t('problem.no-product')}>
        {(attributes) => <Input {...attributes} maxLength={20} autoComplete="off" value={watch('product')} onChange={({ target }) => { setValue('product', target.value.toUpperCase(), { shouldValidate: isSubmitted }) }} />}
      </Field>
      <Field label={t('own-rate')} className="w-44" error={errors.rate ? t(`problem.${errors.rate.message ?? ''}`) : error === null ? null : words(error)}>
        {(attributes) => <Input {...attributes} {...register('rate')} inputMode="decimal" autoComplete="off" />}
      </Field>
      <Button type="submit" variant="outline" busy={isPending} className="mt-5.5">
        <Plus aria-hidden />
        {t('add')}
      </Button>
    </form>
  )
}
