import { ApiFailure } from '#renderer/lib/api.ts'
import { useSession } from '#renderer/lib/session.ts'
import { resolverOf } from '#renderer/lib/resolver-of.ts'
import { useProblemText } from '#renderer/lib/use-problem-text.ts'
import { AskButtons, Dialog } from '#renderer/ui/dialog.tsx'
import { Field, Input, Textarea } from '#renderer/ui/field.tsx'
import { firmOption } from '#renderer/ui/firm-option.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { recordRoutes, type BookedPayout } from '#shared/api/journal.ts'
import { categoriesOf, firm as firms, type Finance } from '#shared/api/records.ts'
import { localDate } from '#shared/market/zone-clock.ts'
import { nothing, type BookEntry } from '#shared/stats/books-filter.ts'
import { useId, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { entryFields, newEntry, payoutEntry, typedEntry, type EntryOwner, type TypedEntry } from './entry-fields.ts'
import { kindOf } from './entry-rows.ts'
import { useAccountName } from './use-account-name.ts'
import { ChangedElsewhere, useSaveEntry } from './use-entry-calls.ts'
import { useKindWords } from './use-kind-words.ts'

/** The entry in the dialog: an existing one, a new one of a type, or the payout of a withdrawal that the broker booked. */
export type EntryToOpen = { readonly entry: BookEntry } | { readonly type: BookEntry['type'] } | { readonly payout: BookedPayout }

type Dated = { readonly today: string; readonly accounts: readonly Finance[]; readonly before: EntryOwner | null }

const firstTyped = (asked: EntryToOpen, { today, accounts, before }: Dated): TypedEntry => ('entry' in asked ? typedEntry(asked.entry) : 'payout' in asked ? payoutEntry(asked.payout) : newEntry(asked.type, today, accounts, before))

const resolver = resolverOf(entryFields)

type DialogProps = {
  readonly asked: EntryToOpen
  readonly accounts: readonly Finance[]
  readonly currencies: readonly string[]
  /** Owner of the entry added before. */
  readonly before?: EntryOwner | null
  /** What was typed when the dialog was left before. */
  readonly left?: TypedEntry | null
  readonly onAdded?: (owner: EntryOwner) => void
  /** Gets what was typed if the dialog is left by Escape or its close button; null once it is saved or canceled. */
  readonly onClose: (left: TypedEntry | null) => void
}

/** An earning or an expense; the dialog stays open until the program has confirmed it, and shows errors. */
export const EntryDialog = ({ asked, accounts, currencies, before = null, left = null, onAdded, onClose }: DialogProps) => {
  const { t } = useTranslation('operational')
  const words = useProblemText()
  const formId = useId()
  const zone = useSession().session?.timeZone ?? 'UTC'
  const [id] = useState(() => ('entry' in asked ? asked.entry.id : 'payout' in asked ? asked.payout.id : crypto.randomUUID()))
  const form = useForm({ resolver, shouldFocusError: false, defaultValues: firstTyped(asked, { today: localDate(Date.now(), zone), accounts, before }), ...(left !== null && { values: left, resetOptions: { keepDefaultValues: true } }) })
  const { isDirty } = form.formState
  const save = useSaveEntry('entry' in asked ? asked.entry : null)
  const submit = form.handleSubmit((entry) => {
    if (save.isPending) return
    save.mutate(
      { id, entry },
      {
        onSuccess: () => {
          onAdded?.({ type: entry.type, account: entry.account, firm: entry.firm })
          onClose(null)
        },
      },
    )
  })
  return (
    <Dialog
      open
      keptOpen={isDirty}
      onClose={() => { onClose(isDirty ? form.getValues() : null) }}
      title={'entry' in asked ? t('edit-title') : t('add-title')}
      footer={
        <AskButtons
          cancel={t('cancel')}
          onCancel={() => { onClose(null) }}
          confirm={'entry' in asked ? t('save') : form.watch('type') === 'earning' ? t('add-earning') : t('add-expense')}
          type="submit"
          form={formId}
          busy={save.isPending}
        />
      }
    >
      <form
        id={formId}
        noValidate
        autoComplete="off"
        className="flex flex-col gap-3.5"
        // Before a select takes Enter for itself.
        onKeyDownCapture={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          event.currentTarget.requestSubmit()
        }}
        onSubmit={submit}
      >
        <EntryForm form={form} accounts={accounts} currencies={currencies} amountHint={'payout' in asked ? t('booked.hint') : undefined} />
        {save.isError && (
          <Notice tone="error">
            <span className="font-semibold">{save.error instanceof ApiFailure ? save.error.message : recordRoutes.addFinance.failure}.</span> {save.error instanceof ChangedElsewhere ? t('changed-elsewhere') : words(save.error)}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

type Props = { readonly form: UseFormReturn<TypedEntry, unknown, z.output<typeof entryFields>>; readonly accounts: readonly Finance[]; readonly currencies: readonly string[]; readonly amountHint?: string | undefined }

/** The fields of an earning or an expense; choosing an account sets its firm, and its currency while there is no amount. */
const EntryForm = ({ form: { register, setValues, watch, formState }, accounts, currencies, amountHint }: Props) => {
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
              options={[{ value: nothing, label: t('no-firm') }, ...firms.options.map(firmOption)]}
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
