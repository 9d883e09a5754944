import { monogram } from '#renderer/lib/monogram.ts'
import { Monogram } from '#renderer/ui/badge.tsx'
import { Field, Input, Textarea } from '#renderer/ui/field.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { categoriesOf, firm as firms, type Finance } from '#shared/api/records.ts'
import { nothing } from '#shared/stats/books-filter.ts'
import { useTranslation } from 'react-i18next'
import { asType, ofAccount, type EntryDraft, type ReadEntry } from './entry-draft.ts'
import { kindOf } from './entry-rows.ts'
import { useAccountName } from './use-account-name.ts'
import { useKindWords } from './use-kind-words.ts'

type Props = { readonly draft: EntryDraft; readonly problems: ReadEntry['problems']; readonly accounts: readonly Finance[]; readonly currencies: readonly string[]; readonly onChange: (draft: EntryDraft) => void }

/** The fields of an earning or an expense; an account brings its firm along. */
export const EntryForm = ({ draft, problems, accounts, currencies, onChange }: Props) => {
  const { t } = useTranslation('operational')
  const kindWords = useKindWords()
  const nameOf = useAccountName(accounts)
  const set = (change: Partial<EntryDraft>): void => {
    onChange({ ...draft, ...change })
  }
  const problem = (field: keyof ReadEntry['problems']): string | null => {
    const found = problems[field]
    return found === undefined ? null : t(`problem.${found}`)
  }
  const ids = [...accounts.map(({ id }) => id), ...(draft.account !== null && accounts.every(({ id }) => id !== draft.account) ? [draft.account] : [])]
  return (
    <>
      <Segmented
        label={t('type')}
        value={draft.type}
        onChange={(type) => { onChange(asType(draft, type)) }}
        options={[{ value: 'expense', label: t('expense') }, { value: 'earning', label: t('earning') }]}
        className="self-start"
      />
      <div className="grid gap-3.5 sm:grid-cols-2">
        <Field label={t('category')}>
          {(field) => <Select {...field} value={draft.category} onChange={(category) => { set({ category }) }} options={categoriesOf(draft.type).map((value) => ({ value, label: kindWords(kindOf({ type: draft.type, category: value })) }))} className="w-full" />}
        </Field>
        <Field label={t('date')} error={problem('date')}>
          {(field) => <Input {...field} type="date" min="1970-01-01" max="2099-12-31" value={draft.date} onChange={({ target }) => { set({ date: target.value }) }} />}
        </Field>
        <Field label={t('amount')} error={problem('amount')}>
          {(field) => <Input {...field} inputMode="decimal" autoFocus maxLength={30} value={draft.amount} onChange={({ target }) => { set({ amount: target.value }) }} className="text-right tabular-nums" />}
        </Field>
        <Field label={t('currency')}>
          {(field) => <Select {...field} value={draft.currency} onChange={(currency) => { set({ currency }) }} options={[...new Set([...currencies, draft.currency])].map((value) => ({ value, label: value }))} className="w-full" />}
        </Field>
        <Field label={t('account')} className="min-w-0">
          {(field) => (
            <Select
              {...field}
              value={draft.account ?? nothing}
              onChange={(id) => { onChange(ofAccount(draft, id === nothing ? null : (accounts.find((account) => account.id === id) ?? null))) }}
              options={[{ value: nothing, label: t('no-account') }, ...ids.map((value) => ({ value, label: nameOf(value) }))]}
              className="w-full"
            />
          )}
        </Field>
        <Field label={t('firm')} className="min-w-0">
          {(field) => (
            <Select
              {...field}
              value={draft.firm ?? nothing}
              onChange={(firm) => { set({ firm: firm === nothing ? null : firm }) }}
              options={[{ value: nothing, label: t('no-firm') }, ...firms.options.map((value) => ({ value, label: value, mark: <Monogram letters={monogram(value)} /> }))]}
              className="w-full"
            />
          )}
        </Field>
      </div>
      <Field label={t('name')} hint={t('name-hint')}>
        {(field) => <Input {...field} maxLength={200} value={draft.name} onChange={({ target }) => { set({ name: target.value }) }} />}
      </Field>
      <Field label={t('note')}>
        {(field) => <Textarea {...field} prose rows={2} maxLength={2_000} value={draft.note} onChange={({ target }) => { set({ note: target.value }) }} />}
      </Field>
    </>
  )
}
