import { monogram } from '#renderer/lib/monogram.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Field, Input, Textarea } from '#renderer/ui/field.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { categoriesOf, firm as firms, type Finance } from '#shared/api/records.ts'
import { nothing } from '#shared/stats/books-filter.ts'
import type { UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import type { entryFields, TypedEntry } from './entry-fields.ts'
import { kindOf } from './entry-rows.ts'
import { useAccountName } from './use-account-name.ts'
import { useKindWords } from './use-kind-words.ts'

type Props = { readonly form: UseFormReturn<TypedEntry, unknown, z.output<typeof entryFields>>; readonly accounts: readonly Finance[]; readonly currencies: readonly string[]; readonly amountHint?: string | undefined }

/** The fields of an earning or an expense; choosing an account sets its firm, and its currency while there is no amount. */
export const EntryForm = ({ form: { register, setValues, watch, formState }, accounts, currencies, amountHint }: Props) => {
  const { t } = useTranslation('operational')
  const kindWords = useKindWords()
  const nameOf = useAccountName(accounts)
  const { type, category, amount, currency, account: accountId, firm } = watch()
  const { date: wrongDate, amount: wrongAmount } = formState.errors
  const ids = new Set([...accounts.map(({ id }) => id), ...(accountId === null ? [] : [accountId])])
  const setType = (next: TypedEntry['type']): void => { setValues({ type: next, ...(category !== 'other' && { category: categoriesOf(next)[0] ?? 'other' }) }) }
  const setAccount = (id: string): void => {
    const account = accounts.find((one) => one.id === id)
    setValues({ account: account?.id ?? null, firm: account?.firm ?? firm, ...(account && amount.trim() === '' && { currency: account.currency }) })
  }
  return (
    <>
      <Segmented
        label={t('type')}
        value={type}
        onChange={setType}
        options={[{ value: 'expense', label: t('expense') }, { value: 'earning', label: t('earning') }]}
        className="self-start"
      />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <Field label={t('category')}>
          {(field) => <Select {...field} value={category} onChange={(next) => { setValues({ category: next }) }} options={categoriesOf(type).map((value) => ({ value, label: kindWords(kindOf({ type, category: value })) }))} className="w-full" />}
        </Field>
        <Field label={t('date')} error={wrongDate && t(`problem.${wrongDate.message ?? ''}`)}>
          {(field) => <Input {...field} {...register('date')} type="date" min="1970-01-01" max="2099-12-31" />}
        </Field>
        <Field label={t('amount')} hint={amountHint} error={wrongAmount && t(`problem.${wrongAmount.message ?? ''}`)}>
          {(field) => <Input {...field} {...register('amount')} inputMode="decimal" autoFocus maxLength={30} className="text-right tabular-nums" />}
        </Field>
        <Field label={t('currency')}>
          {(field) => <Select {...field} value={currency} onChange={(next) => { setValues({ currency: next }) }} options={[...new Set([...currencies, currency])].map((value) => ({ value, label: value }))} className="w-full" />}
        </Field>
        <Field label={t('account')} className="min-w-0">
          {(field) => (
            <Select {...field} value={accountId ?? nothing} onChange={setAccount} options={[{ value: nothing, label: t('no-account') }, ...[...ids].map((value) => ({ value, label: nameOf(value) }))]} className="w-full" />
          )}
        </Field>
        <Field label={t('firm')} className="min-w-0">
          {(field) => (
            <Select
              {...field}
              value={firm ?? nothing}
              onChange={(next) => { setValues({ firm: next === nothing ? null : next }) }}
              options={[{ value: nothing, label: t('no-firm') }, ...firms.options.map((value) => ({ value, label: value, mark: <Monogram letters={monogram(value)} /> }))]}
              className="w-full"
            />
          )}
        </Field>
      </div>
      <Field label={t('name')} hint={t('name-hint')}>
        {(field) => <Input {...field} {...register('name')} maxLength={200} />}
      </Field>
      <Field label={t('note')}>
        {(field) => <Textarea {...field} {...register('note')} prose rows={2} maxLength={2_000} />}
      </Field>
    </>
  )
}
